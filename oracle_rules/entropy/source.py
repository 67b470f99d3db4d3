"""Bytes to a syntax tree, or the reason why there is none, with its place. Never a traceback.

Reads a source as Python does: byte order mark, PEP 263 cookie, UTF-8 otherwise. Knows nothing of rules.
"""

from __future__ import annotations

import ast
import re
import tokenize
import warnings
from dataclasses import dataclass, field

from .hit import Span

MAX_BYTES = 8 << 20
MAX_EXPRESSION = 120
_LINE_END = re.compile("\r\n|\r|\n")


class UnreadableError(Exception):
    """A source without a tree: what is wrong and where; the span is the first character when nothing says better."""

    def __init__(self, says: str, span: Span) -> None:
        super().__init__(says)
        self.says = says
        self.span = span


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One parsed source."""

    path: str
    tree: ast.Module = field(repr=False)
    lines: tuple[str, ...] = field(repr=False)

    def span(self, node: ast.AST) -> Span:
        """Where a node stands, in characters."""
        line, end_line = getattr(node, "lineno", 1), getattr(node, "end_lineno", None) or 1
        end = getattr(node, "end_col_offset", None) or 0
        return Span(line=line, column=self._column(line, getattr(node, "col_offset", 0)), end_line=end_line,
                    end_column=self._column(end_line, end))

    def written(self, node: ast.AST) -> str:
        """A node as it is written, on one line, cut after MAX_EXPRESSION characters."""
        span = self.span(node)
        if span.line == span.end_line:
            text = self._line(span.line)[span.column - 1 : span.end_column - 1]
        else:
            first = self._line(span.line)[span.column - 1 :]
            between = self.lines[span.line : min(span.end_line - 1, span.line + MAX_EXPRESSION)]
            last = self._line(span.end_line)[: span.end_column - 1]
            text = " ".join(each.strip() for each in (first, *between, last))
        return text if len(text) <= MAX_EXPRESSION else text[: MAX_EXPRESSION - 1] + "…"

    def _line(self, number: int) -> str:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def _column(self, line: int, offset: int) -> int:
        text = self._line(line)
        if text.isascii():
            return 1 + offset
        return 1 + len(text.encode("utf-8", "replace")[:offset].decode("utf-8", "ignore"))


def parse(data: bytes | str, path: str) -> Source:
    """The tree of a source. Raises UnreadableError for whatever Python would not compile, and for what is too much."""
    if len(data) > MAX_BYTES:
        raise _at(f"has more than {MAX_BYTES} bytes, which is not read")
    text = data if isinstance(data, str) else _decoded(data)
    if "\0" in text:
        before = text[: text.index("\0")]
        lines = _LINE_END.split(before)
        raise _at("holds a null byte", len(lines), len(lines[-1]) + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError as error:
        raise _at(f"is no Python: {error.msg}", error.lineno or 1, error.offset or 1) from None
    except (RecursionError, MemoryError):
        raise _at("is nested too deeply to be read") from None
    except (ValueError, OverflowError) as error:
        raise _at(f"is no Python: {error}") from None
    return Source(path=path, tree=tree, lines=tuple(_LINE_END.split(text)))


def too_deep() -> UnreadableError:
    """For a tree that was built and is still too deep, or too tangled, to be followed."""
    return _at("is nested or tangled too deeply to be read")


def _decoded(data: bytes) -> str:
    lines = iter(data.splitlines(keepends=True)[:2])
    try:
        encoding, _ = tokenize.detect_encoding(lambda: next(lines))
        text = data.decode(encoding)
    except (SyntaxError, LookupError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            before = data[: error.start].splitlines() or [b""]
            raise _at(f"is not {error.encoding}", len(before), len(before[-1]) + 1) from None
        raise _at(f"cannot be decoded: {error}") from None
    return text.removeprefix("\ufeff")


def _at(says: str, line: int = 1, column: int = 1) -> UnreadableError:
    line, column = max(line, 1), max(column, 1)
    return UnreadableError(says, Span(line=line, column=column, end_line=line, end_column=column))
