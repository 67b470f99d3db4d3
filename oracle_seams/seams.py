"""The two things that production code may not fetch for itself: the time and new ids."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from .clock import FakeClock


@dataclass(frozen=True, slots=True)
class Seams:
    """`now()` gives an aware datetime, `new_id()` a text that no other call gives."""

    now: Callable[[], datetime]
    new_id: Callable[[], str]


def live_seams() -> Seams:
    """The machine's clock and random ids; belongs in `main`, never in a test."""
    return Seams(now=lambda: datetime.now(UTC), new_id=lambda: str(uuid.uuid4()))


def pinned_seams(start: datetime | str, *, tick_ms: int = 1000) -> Seams:
    """A clock that starts at `start` and ticks at each read, and ids that count: id-000001, id-000002, …

    Raises ValueError for a tick of nothing: a clock that stands still makes timestamps tie, and then their order is
    chance. A test that wants one says so with `Seams(now=FakeClock(start).now, …)`.
    """
    if tick_ms <= 0:
        raise ValueError("pinned seams have a clock that ticks: give tick_ms of 1 or more")
    clock = FakeClock(start, tick_ms=tick_ms)
    count = [0]

    def new_id() -> str:
        count[0] += 1
        return f"id-{count[0]:06d}"

    return Seams(now=clock.now, new_id=new_id)
