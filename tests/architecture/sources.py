"""The source of oracle_rules as syntax trees: modules, rooms, and who imports whom. Runs none of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OURS = ("oracle_rules", "oracle_seams")


@dataclass(frozen=True)
class Module:
    """One file."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    @property
    def room(self) -> str:
        """The folder below oracle_rules, or the module itself where it lies at the top."""
        parts = self.name.split(".")
        if parts[0] != "oracle_rules" or len(parts) == 1:
            return parts[0]
        return ".".join(parts[1:3]) if parts[1] == "execution" and len(parts) > 2 else parts[1]


@cache
def modules() -> dict[str, Module]:
    """Every module by its dotted name."""
    found = {}
    for top in OURS:
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            text = path.read_text("utf-8")
            found[name] = Module(name, path, text, ast.parse(text))
    return found


@dataclass(frozen=True)
class Import:
    """`module` imports `target`, at a line; `typing_only` when the interpreter never gets there."""

    module: str
    target: str
    line: int
    relative: bool
    typing_only: bool
    late: bool


def imports(module: Module) -> Iterator[Import]:
    """Every import of a module, wherever it stands."""
    typing = {
        below
        for node in ast.walk(module.tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for below in ast.walk(node)
    }
    top = set(module.tree.body)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            targets = list(_from(module, node))
        else:
            continue
        relative = isinstance(node, ast.ImportFrom) and node.level > 0
        for target in targets:
            yield Import(module.name, target, node.lineno, relative, node in typing, node not in top)


def _from(module: Module, node: ast.ImportFrom) -> Iterator[str]:
    base = node.module or ""
    if node.level:
        parts = module.name.split(".")
        parts = parts[: len(parts) - node.level + module.is_package]
        base = ".".join([*parts, *([node.module] if node.module else [])])
    for alias in node.names:
        name = f"{base}.{alias.name}"
        yield name if name in modules() else base


def public(module: Module) -> list[str]:
    """The functions and classes that a module offers, imports not among them."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [node.name for node in module.tree.body if isinstance(node, kinds) and not node.name.startswith("_")]


def functions(module: Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function, however deep."""
    for node in ast.walk(module.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def documented(module: Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """What needs a docstring: public functions and classes of the module, and public methods of those classes."""
    for node in module.tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                for inner in node.body:
                    if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)) and not inner.name.startswith("_"):
                        yield inner
