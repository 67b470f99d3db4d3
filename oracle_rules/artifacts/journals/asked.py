"""What a journal asks in the two lanes on one day, by a table. The first row that fits decides; each says why."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from .journal import Journal
from .states import FROZEN, LOCKED


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneRow:
    """One row: in these states, with draws that are stale or not, what is asked."""

    name: str
    states: tuple[str, ...]
    stale: bool | None
    cases: bool
    seeds: bool
    holdout: bool
    why: str


LANES: tuple[LaneRow, ...] = (
    LaneRow(name="stale", states=(LOCKED, FROZEN), stale=True, cases=True, seeds=False, holdout=True,
            why="seeds of other versions draw other cases: what is realised stays, a person hunts again"),
    LaneRow(name="asked", states=(LOCKED, FROZEN), stale=False, cases=True, seeds=True, holdout=True,
            why="a locked journal is asked in both lanes"),
    LaneRow(name="open", states=("proposed", "hit"), stale=None, cases=False, seeds=False, holdout=False,
            why="a journal that nobody has locked asks nothing yet"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Asks:
    """What is asked: realised cases by path, seeds of replay, how many held-out seeds; `frozen` seeds wait."""

    row: LaneRow
    cases: tuple[str, ...]
    seeds: tuple[int, ...]
    frozen: tuple[int, ...]
    held_out: int


def frozen_on(journal: Journal, today: datetime.date) -> tuple[int, ...]:
    """The seeds that are not asked on this day (UTC): those frozen until a later day. On the last day they block."""
    if journal.freeze is None or today >= journal.freeze.until.date():
        return ()
    return tuple(seed for seed in journal.replayed if seed in journal.freeze.seeds)


def asks(journal: Journal, *, stale: bool, today: datetime.date) -> Asks:
    """What this journal asks."""
    row = next(row for row in LANES if journal.state in row.states and row.stale in (None, stale))
    frozen = frozen_on(journal, today) if row.seeds else ()
    return Asks(row=row, cases=journal.cases if row.cases else (), frozen=frozen,
                seeds=tuple(seed for seed in journal.replayed if seed not in frozen) if row.seeds else (),
                held_out=journal.held_out if row.holdout else 0)
