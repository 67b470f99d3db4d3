"""Mutants: a source with one edit. Which of many are tried hangs on their number alone, never on chance."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from .operators import Edit
from .source import Source

# Lines of a diff around the one that differs.
CONTEXT = 2
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One source of the candidate with one fault in it; `line` counts from 1, `data` is the whole file."""

    path: str
    line: int
    operator: str
    before: str
    after: str
    data: bytes
    diff: str


def mutants(sources: Mapping[str, tuple[Source, Sequence[Edit]]], *, most: int) -> Iterator[Mutant]:
    """At most so many of all edits of these sources, evenly spread; more of them are these and others.

    An edit that leaves no source which compiles is passed over.
    """
    every = [(path, source, edit) for path, (source, found) in sorted(sources.items()) for edit in found]
    made = 0
    for path, source, edit in spread(every):
        if made == most:
            return
        mutant = _mutant(path, source, edit)
        if mutant is not None:
            made += 1
            yield mutant


def spread(items: Sequence[Item]) -> Iterator[Item]:
    """All items in an order of which every beginning is evenly spread: by the bits of their index, last bit first.

    This is the sequence of van der Corput in base 2.
    """
    bits = max(len(items) - 1, 0).bit_length()
    for number in range(1 << bits if items else 0):
        index = int(f"{number:0{bits}b}"[::-1], 2) if bits else 0
        if index < len(items):
            yield items[index]


def _mutant(path: str, source: Source, edit: Edit) -> Mutant | None:
    data = source.replaced(edit.span, edit.text)
    try:
        compile(data, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return Mutant(path=path, line=source.line(edit.span[0]), operator=edit.operator,
                  before=source.text[edit.span[0]:edit.span[1]], after=edit.text, data=data,
                  diff=_diff(path, source.lines_of(), source.lines_of(data)))


def _diff(path: str, before: list[str], after: list[str]) -> str:
    """A unified diff, as `git apply` takes it."""
    made = difflib.unified_diff(before, after, f"a/{path}", f"b/{path}", n=CONTEXT)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in made)
