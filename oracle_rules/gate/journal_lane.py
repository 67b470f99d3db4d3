"""The journal lane: what a change does to the journal of one test and to its realised cases.

Law: what was found stays found. A state follows another by moves of the table; a realised case never changes; a seed
that somebody has seen is never forgotten, and one of replay is asked on while it draws what it drew. What a journal
says by itself is held by its own laws. Knows no files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..artifacts.journals.journal import Freeze, Journal
from ..artifacts.journals.states import reachable
from .lanes import Step

# What else a journal says of itself, and is told by name where it changed; the rest has steps of its own.
_SAID = ("id", "selector", "parent_sha", "tools", "domain", "owner", "generator_saw", "replay_flakes", "holdout_flakes",
         "noise")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A journal on one side, with the bytes of the realised cases that it names; a case without a file is absent."""

    journal: Journal
    cases: Mapping[str, bytes]


def compare(path: str, before: Kept | None, after: Kept | None) -> tuple[Step, ...]:
    """The steps from one journal to the other; None where there is none."""
    if after is None:
        return () if before is None else (gone(path, before, sign="journal-removed", detail="the file is gone"),)
    steps = tuple(_steps(path, before, after))
    if not steps and before is not None and before.journal != after.journal:
        return (Step(subject=path, sign="journal-changed", detail=f"{after.journal.state} as before"),)
    return steps


def gone(path: str, before: Kept | None, *, sign: str, detail: str) -> Step:
    """The step of a journal that is asked no more, by this sign unless nothing ever hit."""
    dead = before is not None and not before.journal.cases
    return Step(subject=path, sign="journal-dropped" if dead else sign, detail=detail)


def _steps(path: str, before: Kept | None, after: Kept) -> Iterator[Step]:
    for case in sorted(set(after.cases) - set(before.cases if before is not None else ())):
        yield Step(subject=case, sign="journal-case-new", detail=f"a realised case of {after.journal.id}")
    if before is None:
        yield Step(subject=path, sign="journal-new", detail=f"a new journal, {after.journal.state}, {_hits(after)}")
        yield from _frozen(path, None, after.journal)
        return
    yield from _state(path, before.journal, after)
    yield from _lost(path, before, after)
    yield from _asked_less(path, before.journal, after.journal)


def _state(path: str, was: Journal, after: Kept) -> Iterator[Step]:
    now = after.journal
    others = [name for name in _SAID if getattr(was, name) != getattr(now, name)]
    told = f"; other {', '.join(others)}" if others else ""
    if not reachable(was.state, now.state):
        yield Step(subject=path, sign="journal-jumped", detail=f"was {was.state}, is {now.state}")
    elif was.state != now.state:
        yield Step(subject=path, sign="journal-moved", detail=f"was {was.state}, is {now.state}, {_hits(after)}{told}")
    elif others:
        yield Step(subject=path, sign="journal-changed", detail=f"{now.state} as before{told}")


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


def _asked_less(path: str, was: Journal, now: Journal) -> Iterator[Step]:
    dropped = sorted(set(was.replayed) - set(now.replayed))
    if dropped:
        same = (was.tools, was.domain) == (now.tools, now.domain)
        yield Step(subject=path, sign="journal-seed-dropped" if same else "journal-seed-history",
                   detail=f"replays seed {', '.join(map(str, dropped))} no more")
    if was.commitment not in (None, now.commitment):
        yield Step(subject=path, sign="journal-secret-dropped" if now.commitment is None else "journal-secret-changed",
                   detail=f"was committed to {was.commitment}, is to {now.commitment or 'none'}")
    elif was.commitment != now.commitment:
        yield Step(subject=path, sign="journal-secret-changed", detail=f"is committed to {now.commitment}")
    yield from _frozen(path, was.freeze, now)


def _frozen(path: str, was: Freeze | None, now: Journal) -> Iterator[Step]:
    freeze = now.freeze
    if freeze is not None and (was is None or not set(freeze.seeds) <= set(was.seeds) or freeze.until > was.until):
        yield Step(subject=path, sign="journal-frozen",
                   detail=f"seed {', '.join(map(str, freeze.seeds))} until {freeze.until.isoformat()}")


def _hits(kept: Kept) -> str:
    return "1 hit" if kept.journal.hits == 1 else f"{kept.journal.hits} hits"
