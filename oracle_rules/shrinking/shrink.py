"""One shrinking: batches of simpler cases go out, the first of each that still fails comes back, until none does.

Budgeted by the number of cases that were asked, never by time, so that the same case shrinks to the same case on any
machine. Knows nothing of who asks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .simpler import key, simpler

BATCH, BUDGET = 64, 2_000


class Shrink:
    """Shrinks one case that fails; `case` is the simplest that is known to fail.

    `allowed` says whether a value may be asked at all (whether it is in the domain); `keys` is that of `simpler`.
    """

    def __init__(self, case: Any, *, allowed: Callable[[Any], bool], keys: bool, budget: int = BUDGET) -> None:
        self.case = case
        self.asked = 0
        self._allowed = allowed
        self._keys = keys
        self._budget = budget
        self._refuted: set[tuple[int, str]] = set()
        self._rest = self._candidates()

    def batch(self) -> list[Any]:
        """The next cases to ask, the simplest first; empty when nothing simpler is left, or the budget is spent."""
        return self._rest[: max(0, min(BATCH, self._budget - self.asked))]

    def told(self, first: int | None, *, count: int) -> None:
        """`count` cases of the batch were asked, or those up to `first`, which is the first that failed as before.

        Those before it are no counterexamples; neither are all of them where it is None.
        """
        self.asked += count if first is None else first + 1
        self._refuted.update(key(case) for case in self._rest[: count if first is None else first])
        if first is None:
            self._rest = self._rest[count:]
        else:
            self.case = self._rest[first]
            self._rest = self._candidates()

    def _candidates(self) -> list[Any]:
        return [each for each in simpler(self.case, keys=self._keys)
                if key(each) not in self._refuted and self._allowed(each)]
