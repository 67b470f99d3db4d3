"""Where an oracle file draws cases by itself, or sets how cases are drawn: Hypothesis, whatever it is called there.

Cases are drawn from a domain lock and nowhere else, so that nothing that stands in a test can weaken it. Resolves
aliases through `names.py`; knows nothing of locks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .hit import Span
from .names import Names, read
from .source import Source

_LIBRARY = "hypothesis"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Names that a use is held against, in order; the first row that fits names the use."""

    name: str
    names: tuple[str, ...]
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """One use: where, under which dotted name, and the row that fired."""

    span: Span
    name: str
    row: Row


ROWS = (
    Row(name="given", names=("hypothesis.given",), says="draws cases"),
    Row(name="example", names=("hypothesis.example", "*.example"), says="picks cases"),
    # Before the settings, of which profiles are members.
    Row(name="profile", names=("*.register_profile", "*.load_profile", "*.get_profile"),
        says="sets how cases are drawn for every test"),
    Row(name="settings", names=("hypothesis.settings", "hypothesis.HealthCheck", "hypothesis.Phase"),
        says="sets how many cases are drawn, and how long each may take"),
    Row(name="seed", names=("hypothesis.seed",), says="sets where drawing starts"),
    Row(name="assume", names=("hypothesis.assume", "hypothesis.reject", "*.filter"),
        says="rejects cases that a lock does not know of"),
    Row(name="blob", names=("hypothesis.reproduce_failure",), says="replays what one version drew"),
    Row(name="find", names=("hypothesis.find",), says="draws cases"),
    Row(name="library", names=("hypothesis", "*"), says="belongs to a library that draws cases"),
)  # fmt: skip


def drawing(source: Source) -> tuple[Draw, ...]:
    """Every use in the order of the text; imports alone count where nothing that they bring is used.

    Of uses that start at one place the longest is told: it says what is done.
    """
    names = read(source.tree)
    found = [*_uses(source, names)] or [*_imports(source)]
    found.sort(key=lambda each: (each.span.end_line, each.span.end_column))
    longest = {(each.span.line, each.span.column): each for each in found}
    return tuple(longest[place] for place in sorted(longest))


def row(name: str) -> Row:
    """The row of a dotted name of the library; `()` in it stands for a call and is left out."""
    plain = name.replace("()", "")
    return next(each for each in ROWS if any(_fits(plain, pattern) for pattern in each.names))


def _fits(name: str, pattern: str) -> bool:
    if pattern.startswith("*"):
        return name.endswith(pattern[1:])
    return name == pattern or name.startswith(pattern + ".")


def _uses(source: Source, names: Names) -> Iterator[Draw]:
    for node in ast.walk(source.tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            name = _of_library(names, node)
            parent = names.parent(node)
            if name and not (isinstance(parent, ast.Attribute) and _of_library(names, parent)):
                yield Draw(span=source.span(node), name=name, row=row(name))


def _of_library(names: Names, node: ast.AST) -> str:
    return next((name for name in names.every(node) if name == _LIBRARY or name.startswith(_LIBRARY + ".")), "")


def _imports(source: Source) -> Iterator[Draw]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            named = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in named:
            if name.partition(".")[0] == _LIBRARY:
                yield Draw(span=source.span(node), name=name, row=row(name))
