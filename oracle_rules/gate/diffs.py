"""One file's change as lines for people: a unified diff of its bytes, bounded, that says what it leaves out.

What is not text, or is too large, is left to its digest. A JSON document with long lines is laid out first, a value to
a line, because a change in a long line is one that nobody sees; the diff says so. Deterministic: the same bytes give
the same lines on every machine. Knows nothing of paths and of what is oracle.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from .visible import CLOSE, OPEN, visible

CONTEXT = 3
# A line is cut after so many characters; a document with longer lines than LONG is laid out.
WIDTH, LONG = 400, 160
# Bytes of one side, and lines times lines, up to which a diff is worth its time; beyond, every line is another one.
LARGE, PAIRS = 1 << 20, 4_000_000
_NO_END = "\\ no line feed at the end"

Code = tuple[str, int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """`form` is text, laid-out, binary, large or same. `cut` counts lines of the diff that are not shown."""

    form: str
    lines: tuple[str, ...] = ()
    cut: int = 0


def diff(before: bytes | None, after: bytes | None, *, most: int) -> Diff:
    """The change between two contents, None for one that is not there, in at most so many lines."""
    if before == after:
        return Diff(form="same")
    if any(len(data or b"") > LARGE for data in (before, after)):
        return Diff(form="large")
    old, new = _text(before), _text(after)
    if old is None or new is None:
        return Diff(form="binary")
    form, sides = "text", (old, new)
    if any(len(line) > LONG for text in sides for line in text.split("\n")):
        laid = (_laid_out(old), _laid_out(new))
        if laid[0] is not None and laid[1] is not None and laid[0] != laid[1]:
            form, sides = "laid-out", (laid[0], laid[1])
    lines = [_cut(line) for line in _hunks(_lines(sides[0]), _lines(sides[1]))]
    return Diff(form=form, lines=tuple(lines[:most]), cut=max(0, len(lines) - most))


def _text(data: bytes | None) -> str | None:
    """None for what is no text."""
    if data is None:
        return ""
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _lines(text: str) -> list[str]:
    """Lines as they are shown; a last one without a line feed is told from one with it."""
    if not text:
        return []
    *lines, last = text.split("\n")
    return [*lines, *([f"{last}\n{_NO_END}"] if last else [])]


def _laid_out(text: str) -> str | None:
    """The same JSON value, a value to a line; None for what is no JSON, or says a key twice."""
    if not text:
        return ""
    try:
        value = json.loads(text, object_pairs_hook=_unique)
        return json.dumps(value, indent=1, sort_keys=True) + "\n"
    except (ValueError, RecursionError):
        return None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _hunks(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    for group in _grouped(_codes(old, new)):
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                yield from _marked(" ", old[i1:i2])
                continue
            yield from _marked("-", old[i1:i2])
            yield from _marked("+", new[j1:j2])


def _marked(mark: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        text, newline, note = line.partition("\n")
        yield mark + visible(text)
        if newline:
            yield note


def _codes(old: Sequence[str], new: Sequence[str]) -> list[Code]:
    """What to do to get from old to new: what both begin and end with is the same, what is between is compared."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    middle, fresh = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(middle) * len(fresh) > PAIRS:
        between: list[Code] = [("replace", 0, len(middle), 0, len(fresh))]
    else:
        between = [(tag, i1, i2, j1, j2) for tag, i1, i2, j1, j2 in
                   SequenceMatcher(None, middle, fresh).get_opcodes()]
    codes: list[Code] = [("equal", 0, head, 0, head)]
    codes += [(tag, i1 + head, i2 + head, j1 + head, j2 + head) for tag, i1, i2, j1, j2 in between]
    codes.append(("equal", len(old) - tail, len(old), len(new) - tail, len(new)))
    return [code for code in codes if code[1] != code[2] or code[3] != code[4]]


def _grouped(codes: Sequence[Code]) -> Iterator[list[Code]]:
    """Hunks: changes with a few lines around, parted where more than twice as many lines are the same."""
    group: list[Code] = []
    for index, code in enumerate(codes):
        tag, i1, i2, j1, j2 = code
        if tag != "equal":
            group.append(code)
            continue
        length = i2 - i1
        before = min(CONTEXT, length) if index else 0
        after = min(CONTEXT, length) if index + 1 < len(codes) else 0
        if index and after and length <= 2 * CONTEXT:
            group.append(code)
            continue
        if before:
            yield [*group, ("equal", i1, i1 + before, j1, j1 + before)]
            group = []
        if after:
            group = [("equal", i2 - after, i2, j2 - after, j2)]
    if any(code[0] != "equal" for code in group):
        yield group


def _range(start: int, end: int) -> str:
    """A range as diffs write it: from 1, and the line before where there is none."""
    length = end - start
    return f"{start + 1}" if length == 1 else f"{start + 1 if length else start},{length}"


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH else f"{line[:WIDTH]}{OPEN}and {len(line) - WIDTH} characters{CLOSE}"
