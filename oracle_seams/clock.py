"""A clock that moves only when it is told to. Knows nothing of the machine's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class FakeClock:
    """Stands at `instant` until somebody advances it or sleeps on it.

    `instant` is an aware datetime, an ISO 8601 text with an offset, or seconds since the epoch. Raises ValueError for a
    time without a zone: which instant that is would depend on the machine; and for a tick back.
    """

    def __init__(self, instant: datetime | str | int | float, *, tick_ms: int = 0) -> None:
        if isinstance(instant, (int, float)):
            instant = datetime.fromtimestamp(instant, UTC)
        elif isinstance(instant, str):
            instant = datetime.fromisoformat(instant)
        if instant.tzinfo is None:
            raise ValueError("a clock needs an instant with a time zone, such as 2026-09-16T10:00:00+00:00")
        if tick_ms < 0:
            raise ValueError("a clock does not go back")
        self._now = instant
        self._tick = timedelta(milliseconds=tick_ms)
        self._slept: list[float] = []
        self._reads = 0

    def now(self) -> datetime:
        """The instant; afterwards the clock moves on by `tick_ms`."""
        seen = self._now
        self._now += self._tick
        self._reads += 1
        return seen

    def time(self) -> float:
        """Seconds since the epoch, as `time.time` gives them."""
        return self.now().timestamp()

    def advance_ms(self, milliseconds: int) -> None:
        """Moves the clock forward; raises ValueError for a step back."""
        if milliseconds < 0:
            raise ValueError("a clock does not go back")
        self._now += timedelta(milliseconds=milliseconds)

    def sleep(self, seconds: float) -> None:
        """Moves the clock forward and writes the wait down."""
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        self._slept.append(seconds)
        self._now += timedelta(seconds=seconds)

    @property
    def slept(self) -> tuple[float, ...]:
        """The waits so far, in order."""
        return tuple(self._slept)

    @property
    def reads(self) -> int:
        """How often the clock was read."""
        return self._reads
