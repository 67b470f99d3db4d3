"""The journal lane: what a change does to the journal of one test and to its realised cases.

Law: what was found stays found. A state follows another by moves of the table; a realised case never changes; a seed
that somebody has seen is never forgotten. What a journal says by itself is held by its own laws. Knows no files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..artifacts.journals.journal import Journal
from ..artifacts.journals.states import NONE, reachable
from .lanes import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A journal on one side, with the bytes of the realised cases that it names; a case without a file is absent."""

    journal: Journal
    cases: Mapping[str, bytes]


def compare(path: str, before: Kept | None, after: Kept | None) -> tuple[Step, ...]:
    """The steps from one journal to the other; None where there is none."""
    if after is None:
        return () if before is None else (Step(subject=path, sign="journal-removed", detail="the file is gone"),)
    return tuple(_steps(path, before, after)) or _changed(path, before, after)


def _steps(path: str, before: Kept | None, after: Kept) -> Iterator[Step]:
    was, now = NONE if before is None else before.journal.state, after.journal.state
    if not reachable(was, now):
        yield Step(subject=path, sign="journal-jumped", detail=f"was {was}, is {now}")
    elif before is None:
        yield Step(subject=path, sign="journal-new", detail=f"a new journal, {now}, {_hits(after)}")
    elif was != now:
        yield Step(subject=path, sign="journal-moved", detail=f"was {was}, is {now}, {_hits(after)}")
    if before is not None:
        yield from _lost(path, before, after)
    for case in sorted(set(after.cases) - set(before.cases if before is not None else ())):
        yield Step(subject=case, sign="journal-case-new", detail=f"a realised case of {after.journal.id}")


def _lost(path: str, before: Kept, after: Kept) -> Iterator[Step]:
    for case in before.journal.cases:
        if case not in after.journal.cases:
            yield Step(subject=path, sign="journal-case-lost", detail=f"names {case} no more")
        elif case in before.cases and after.cases.get(case) != before.cases[case]:
            yield Step(subject=case, sign="journal-case-lost", detail="is gone or has other bytes")
    forgotten = sorted(before.journal.known - after.journal.known)
    if forgotten:
        yield Step(subject=path, sign="journal-seed-unseen", detail=f"forgets seed {forgotten[0]}")
    if after.journal.held_out < before.journal.held_out:
        yield Step(subject=path, sign="journal-held-less",
                   detail=f"held out {before.journal.held_out} seeds, holds out {after.journal.held_out}")


def _changed(path: str, before: Kept | None, after: Kept) -> tuple[Step, ...]:
    if before is not None and before.journal == after.journal:
        return ()
    return (Step(subject=path, sign="journal-changed", detail=f"{after.journal.state} as before"),)


def _hits(kept: Kept) -> str:
    return "1 hit" if kept.journal.hits == 1 else f"{kept.journal.hits} hits"
