"""The Python files of one property as one program: modules, functions, and which names are the candidate's.

A name is looked up by what its module binds; a local variable of the same name is taken for the bound thing, which
errs on the side of seeing the candidate at work. Knows nothing of what makes a property good.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..entropy.names import Names, read
from ..entropy.source import Source, parse
from .hollow import always_false, always_true

Unit = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module
"""A function or class at the top of a file with all that is nested in it, or what a file runs when it is imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One file: its tree, what its imports bind, what runs at import, and by name the units that define a function."""

    source: Source = field(repr=False)
    names: Names = field(repr=False)
    name: str
    bound: Mapping[str, str] = field(repr=False)
    at_import: ast.Module = field(repr=False)
    units: Mapping[str, tuple[Unit, ...]] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The modules of one property, by dotted name, and the top-level names that an import finds in the candidate."""

    modules: Mapping[str, Module]
    candidate: frozenset[str]

    def is_candidate(self, module: Module, name: str) -> bool:
        """Whether an import binds the name to something of the candidate's, be it by way of another oracle file."""
        dotted, seen = module.bound.get(name, ""), {module.name}
        while dotted.partition(".")[0] not in self.candidate:
            where, _, last = dotted.rpartition(".")
            if where not in self.modules or where in seen:
                return False
            seen.add(where)
            dotted = self.modules[where].bound.get(last, "")
        return True

    def is_open(self, module: Module) -> bool:
        """Whether the module imports everything of a module of the candidate's, so that any name may be its."""
        return any(isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
                   and (node.module or "").partition(".")[0] in self.candidate for node in ast.walk(module.source.tree))

    @property
    def importable(self) -> str:
        """The names that an import finds in the candidate, for a message."""
        return ", ".join(sorted(self.candidate - {"__init__"})) or "none"

    def strangers(self, module: Module) -> Iterator[tuple[ast.stmt, str]]:
        """The imports of a module that lead to nothing known: neither candidate, oracle file nor standard library."""
        known = {"oracle_seams", *sys.stdlib_module_names, *self.candidate,
                 *(name.partition(".")[0] for name in self.modules)}
        for node in ast.walk(module.source.tree):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            else:
                continue
            yield from ((node, name) for name in names if name.partition(".")[0] not in known)

    def units(self, module: Module, name: str) -> tuple[tuple[Module, Unit], ...]:
        """The oracle's own units that a name may mean; the name of a module means all of its units."""
        found = [(module, unit) for unit in module.units.get(name, ())]
        dotted = module.bound.get(name, "")
        if dotted in self.modules:
            there = self.modules[dotted]
            found += [(there, unit) for group in there.units.values() for unit in group]
        elif (where := dotted.rpartition(".")[0]) in self.modules:
            there = self.modules[where]
            found += [(there, unit) for unit in there.units.get(dotted.rpartition(".")[2], ())]
        return tuple(found)


def parse_module(path: str, data: bytes) -> Module:
    """Reads one file; raises UnreadableError."""
    source = parse(data, path)
    tree = source.tree
    prune(tree)
    units: dict[str, tuple[Unit, ...]] = {}
    for unit in tree.body:
        if isinstance(unit, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for node in ast.walk(unit):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    units[node.name] = (*units.get(node.name, ()), unit)
    rest = [each for each in tree.body if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    return Module(source=source, names=read(tree), name=module_name(path), bound=dict(_bound(tree, module_name(path))),
                  at_import=ast.Module(body=rest, type_ignores=[]), units=units)


def prune(tree: ast.AST) -> None:
    """Takes out of a tree what can never run: behind a return or raise, under `if False`, in a loop over nothing."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                setattr(node, name, _live(block))


def _live(block: list[ast.stmt]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for statement in block:
        if isinstance(statement, ast.If) and always_false(statement.test):
            found += _live(statement.orelse)
        elif isinstance(statement, ast.If) and always_true(statement.test):
            found += _live(statement.body)
        elif isinstance(statement, ast.While) and always_false(statement.test):
            found += _live(statement.orelse)
        elif isinstance(statement, ast.For) and always_false(statement.iter):
            found += _live(statement.orelse)
        else:
            found.append(statement)
        if found and isinstance(found[-1], ast.Return | ast.Raise | ast.Continue | ast.Break):
            break
    return found or [ast.copy_location(ast.Pass(), each) for each in block[:1]]


def module_name(path: str) -> str:
    """What an import calls the file at this workspace path."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def names(node: ast.AST) -> Iterator[ast.Name]:
    """Every name that is read below a node."""
    return (each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))


def base_name(node: ast.AST) -> str | None:
    """`x` of `x`, `x.y`, `x[0].z` and `x.f()`; None for what starts with anything but a name."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def _bound(tree: ast.Module, name: str) -> Iterator[tuple[str, str]]:
    """(name, dotted thing) for every import of a file, wherever it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0], alias.name if alias.asname else \
                    alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom):
            above = name.split(".")[: -node.level] if node.level else []
            start = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield alias.asname or alias.name, f"{start}.{alias.name}" if start else alias.name
