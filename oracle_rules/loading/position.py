"""Where in a file something is: read from the evaluator's report, narrowed to an attribute by looking at the syntax.

Starlark's syntax is near enough to Python's for Python's own parser to find a call and its keywords; where it is not,
the place stays that of the call. Knows nothing of rules.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

_SPAN = re.compile(r"^ *--> (\S+):(\d+):(\d+)$", re.MULTILINE)
_FRAME = re.compile(r"^  \* (\S+):(\d+), in ", re.MULTILINE)
_QUOTED = re.compile(r"^\d+ \|", re.MULTILINE)
_LONGEST_LINE = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file under evaluation: `token` names it to the evaluator, `shift` lines were put before it."""

    path: str
    text: str
    token: str
    shift: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A place in a file; lines and columns start at 1, columns count characters."""

    source: Source
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.source.path}:{self.line}:{self.column}"

    @property
    def excerpt(self) -> str:
        """The line, without what a terminal would obey and not longer than a line should be."""
        lines = self.source.text.split("\n")
        line = lines[self.line - 1].strip() if self.line <= len(lines) else ""
        shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
        return shown if len(shown) <= _LONGEST_LINE else shown[:_LONGEST_LINE] + "…"


def reported(report: str, sources: Mapping[str, Source], default: Source) -> Position:
    """The innermost place in a user's file that an evaluator's report names."""
    # The message in the middle of a report is the user's to choose; the last span and the first frames are not.
    spans = list(_SPAN.finditer(report))
    if spans:
        place = _at(spans[-1].group(1), spans[-1].group(2), spans[-1].group(3), sources)
        if place is not None:
            return place if _QUOTED.search(report, spans[-1].end()) else _end(place.source)
    head = report[: report.find("\nerror: ")] if report.startswith("Traceback") else ""
    frames = [_at(match.group(1), match.group(2), "", sources) for match in _FRAME.finditer(head)]
    known = [place for place in frames if place is not None]
    return known[-1] if known else Position(source=default, line=1, column=1)


def callers(report: str, sources: Mapping[str, Source], place: Position) -> list[str]:
    """`path:line` of every user's frame above the innermost, outermost first."""
    if not report.startswith("Traceback"):
        return []
    head = report[: report.find("\nerror: ")]
    frames = [_at(match.group(1), match.group(2), "", sources) for match in _FRAME.finditer(head)]
    lines = [f"{frame.source.path}:{frame.line}" for frame in frames if frame is not None]
    return [line for line in lines[:-1] if line != f"{place.source.path}:{place.line}"]


def narrowed(place: Position, attribute: str, value: str) -> Position:
    """The place of an attribute, or of a text inside its value, in the call that starts at `place`."""
    if not attribute:
        return place
    for call in _calls(place):
        for keyword in call.keywords:
            if keyword.arg == attribute:
                node = _text(keyword.value, value) or keyword
                return _place(place.source, node.lineno, node.col_offset)
        for argument in call.args:
            found = _text(argument, value)
            if found is not None:
                return _place(place.source, found.lineno, found.col_offset)
    return place


def _text(node: ast.expr, value: str) -> ast.Constant | None:
    """The first string constant with this value, in the order of the text."""
    found = [inner for inner in ast.walk(node) if isinstance(inner, ast.Constant) and inner.value == value]
    return min(found, key=lambda inner: (inner.lineno, inner.col_offset), default=None) if value else None


def _end(source: Source) -> Position:
    """Behind the last text: the evaluator quotes no line, and says line 1, when a file ends too early."""
    lines = source.text.rstrip().split("\n")
    return Position(source=source, line=len(lines), column=len(lines[-1].rstrip()) + 1)


def _calls(place: Position) -> list[ast.Call]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(place.source.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [node for node in found if _place(place.source, node.lineno, node.col_offset) == place]


def _place(source: Source, line: int, offset: int) -> Position:
    text = source.text.split("\n")[line - 1]
    column = len(text.encode("utf-8")[:offset].decode("utf-8", "replace")) + 1
    return Position(source=source, line=line, column=column)


def _at(token: str, line: str, column: str, sources: Mapping[str, Source]) -> Position | None:
    source = sources.get(token)
    if source is None:
        return None
    number = max(1, int(line[:9]) - source.shift)
    if column:
        return Position(source=source, line=number, column=max(1, int(column[:9])))
    lines = source.text.split("\n")
    text = lines[number - 1] if number <= len(lines) else ""
    return Position(source=source, line=number, column=len(text) - len(text.lstrip()) + 1)
