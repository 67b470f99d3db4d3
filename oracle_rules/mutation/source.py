"""One Python source with the places of its nodes and tokens, as numbers of characters. Runs nothing of it."""

from __future__ import annotations

import ast
import re
import tokenize
from bisect import bisect_left
from collections.abc import Iterator

# What ends a line for Python; a form feed or a separator of Unicode does not.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NO_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
            tokenize.ENDMARKER)

# Where something begins and where it ends, in characters of the text.
Span = tuple[int, int]


class NotPython(ValueError):
    """Bytes that this interpreter can't read as a source."""


class Source:
    """A source as text. Raises NotPython.

    The interpreter's own rules say how it is encoded (PEP 263); what is made of it is encoded in the same way.
    """

    def __init__(self, data: bytes) -> None:
        try:
            self._encoding = tokenize.detect_encoding(iter(data.splitlines(keepends=True)).__next__)[0]
            self.text = data.decode(self._encoding)
            self.tree = ast.parse(data)
            lines = _LINE.findall(self.text)
            self._tokens = list(_tokens(lines))
        except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError, tokenize.TokenError) as error:
            raise NotPython(f"{type(error).__name__}: {error}") from None
        self._lines = [line if line.isascii() else line.encode() for line in lines]
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line))
        self._spans = [(self._starts[first[0] - 1] + first[1], self._starts[last[0] - 1] + last[1])
                       for _, first, last in self._tokens]

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Where a node stands, without parentheses around it."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._place(node.lineno, node.col_offset), self._place(node.end_lineno, node.end_col_offset)

    def words(self, start: int, end: int) -> list[tuple[str, Span]]:
        """The tokens from one place to another, without comments and parentheses."""
        found = []
        for number in range(bisect_left(self._spans, (start, start)), len(self._spans)):
            if self._spans[number][1] > end:
                break
            if self._tokens[number][0] not in ("(", ")"):
                found.append((self._tokens[number][0], self._spans[number]))
        return found

    def line(self, place: int) -> int:
        """The number of the line, from 1, in which a place stands."""
        return bisect_left(self._starts, place + 1)

    def replaced(self, span: Span, text: str) -> bytes:
        """The source with something else in one place. Raises UnicodeEncodeError."""
        return f"{self.text[:span[0]]}{text}{self.text[span[1]:]}".encode(self._encoding)

    def lines_of(self, data: bytes | None = None) -> list[str]:
        """Its lines, or those of what `replaced` gave, each with what ends it."""
        return _LINE.findall(self.text if data is None else data.decode(self._encoding))

    def _place(self, line: int, column: int) -> int:
        """`column` counts bytes of UTF-8, as nodes have it."""
        given = self._lines[line - 1]
        return self._starts[line - 1] + (column if isinstance(given, str) else len(given[:column].decode()))


def _tokens(lines: list[str]) -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    for token in tokenize.generate_tokens(iter(lines).__next__):
        if token.type not in _NO_CODE:
            yield token.string, token.start, token.end
