"""The Python files of one property as one program: modules, functions, and which names are the candidate's.

A name is looked up by what its module binds; a local variable of the same name is taken for the bound thing, which
errs on the side of seeing the candidate at work. Knows nothing of what makes a property good.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..entropy.source import Source, parse

Unit = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module
"""A function or class at the top of a file with all that is nested in it, or what a file runs when it is imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One file: its tree, what its imports bind, what runs at import, and by name the units that define a function."""

    source: Source = field(repr=False)
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
        """Whether an import of this module binds the name to something of the candidate's."""
        return module.bound.get(name, "").partition(".")[0] in self.candidate

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
    units: dict[str, tuple[Unit, ...]] = {}
    for unit in tree.body:
        if isinstance(unit, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for node in ast.walk(unit):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    units[node.name] = (*units.get(node.name, ()), unit)
    rest = [each for each in tree.body if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    return Module(source=source, name=module_name(path), bound=dict(_bound(tree, module_name(path))),
                  at_import=ast.Module(body=rest, type_ignores=[]), units=units)


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
