"""Limits on the text of a BUILD or .bzl file, checked before the Starlark parser sees it. Knows nothing of its meaning.

The parser and compiler recurse once per level of nesting and have no limit of their own: some thousand levels end the
process. So the nesting that a text can have is bounded from above here by counting tokens: open brackets, indentation,
`elif` chains, and operators since the last comma of each open bracket. The bound is generous for what people write.

What is not bounded: the memory that one operation takes (`"x" * 1000000000`) and the time of arithmetic on huge
numbers. Whoever reads declarations of strangers does so in a process that may die.
"""

from __future__ import annotations

import re

from oracle_rules.loading.problem import Problem

MAX_BYTES = 1 << 20
MAX_NESTING = 500

_TOKEN = re.compile(
    r"""
      (?P<text>[rRbB]{0,2}(?:\"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))
    | (?P<comment>\#[^\n]*)
    | (?P<newline>\n[ \t]*)
    | (?P<word>[^\W\d]\w*)
    | (?P<number>[\d][\w.]*)
    | (?P<space>[ \t\r]+|\\\r?\n)
    | (?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_OPERATORS = frozenset({"and", "or", "not", "if", "else", "lambda", "in", "for"})


def decode(data: bytes) -> str:
    """The text of a file; Problem when it is too large or not UTF-8."""
    if len(data) > MAX_BYTES:
        raise Problem(f"{len(data)} bytes, at most {MAX_BYTES} are read", remedy="split the file into several packages")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Problem("the file is not UTF-8", remedy="save it as UTF-8", line=line) from None


def check_nesting(text: str) -> None:
    """Problem when the text may nest deeper than MAX_NESTING."""
    counter = _Nesting()
    line = 1
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup, match.group()
        if kind == "newline":
            counter.newline(len(token) - 1)
        elif kind == "word" and token in _OPERATORS:
            counter.operator(sticky=token in ("lambda", "for"))
        elif kind == "word" and token == "elif":
            counter.elifs += 1
        elif kind == "mark":
            counter.mark(token)
        if counter.depth > MAX_NESTING:
            raise Problem(
                f"nested deeper than {MAX_NESTING} levels", remedy="build the value step by step, with names", line=line
            )
        line += token.count("\n")


class _Nesting:
    """Upper bound of the syntax tree's depth so far."""

    def __init__(self) -> None:
        # Per open bracket: operators in the current item, and whether a comma may belong to a lambda or a for.
        self._items: list[tuple[int, bool]] = [(0, False)]
        self._total = 0
        self._indent = 0
        self.elifs = 0

    @property
    def depth(self) -> int:
        return self._total + self._indent + self.elifs + len(self._items)

    def newline(self, indent: int) -> None:
        # Inside brackets a new line continues the statement.
        if len(self._items) == 1:
            self._indent = indent
            self._set(0, False)

    def operator(self, *, sticky: bool = False) -> None:
        count, sticks = self._items[-1]
        self._set(count + 1, sticks or sticky)

    def mark(self, token: str) -> None:
        if token in "([{":
            self.operator()
            self._items.append((0, False))
        elif token in ")]}" and len(self._items) > 1:
            self._set(0, False)
            self._items.pop()
        elif token == "," and len(self._items) > 1 and not self._items[-1][1]:
            self._set(0, False)
        else:
            self.operator()

    def _set(self, count: int, sticks: bool) -> None:
        self._total += count - self._items[-1][0]
        self._items[-1] = (count, sticks)
