"""Shrinks a case that falsifies a property: one Judge Action for each batch, the first that fails is the next best.

A case that fails for another reason is none: the verdict's reason and what it says before its first colon have to be
the same. Everything is asked in a lane of its own and cached. Knows nothing of where a case came from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..artifacts.domains.member import contains
from ..artifacts.journals.realised import as_corpus
from ..asking.questions import Question
from ..errors import Malfunction
from ..protocol import typed
from ..record import Row
from ..scm import Tree
from ..shrinking.shrink import BUDGET, Shrink
from .judging import Judging
from .planning import Asked, Planner

LANE = "shrink"


class Shrinking:
    """Shrinks cases of one question over the sources of one side."""

    def __init__(self, planner: Planner, judging: Judging, question: Question, side: Tree) -> None:
        self._planner = planner
        self._judging = judging
        self._question = question
        self._side = side

    def shrink(self, case: Any, verdict: Mapping[str, Any], *, budget: int = BUDGET,
               reference: Shrinking | None = None) -> tuple[Any, int]:
        """The simplest value found that fails as this verdict says, and how many were asked. Raises Malfunction.

        With a reference only cases count that hold there.
        """
        domain = self._question.domain
        shrink = Shrink(case, keys=domain is not None, budget=budget,
                        allowed=lambda value: domain is None or contains(domain.domain, value))
        wanted = _reason(verdict)
        while batch := shrink.batch():
            places = self._planner.sift(self._question, batch)
            if reference is not None:
                places = reference.holding(batch, places)
            shrink.told(self._first(batch, places, wanted), count=len(batch))
        return shrink.case, shrink.asked

    def holding(self, batch: Sequence[Any], places: Sequence[int]) -> list[int]:
        """Those of the places whose cases hold here."""
        left, found = list(places), list[int]()
        while left:
            broken = self._broken(self.row([batch[place] for place in left]), len(left))
            found += left[: len(left) if broken is None else broken]
            left = [] if broken is None else left[broken + 1:]
        return found

    def row(self, cases: Sequence[Any]) -> Row:
        """The verdict over these cases alone."""
        given = as_corpus([typed.encode(case) for case in cases])
        [ready] = self._planner.ready([Asked(question=self._question, lane=LANE, committed=False, given=given)],
                                      self._side)
        [row] = self._judging.judge([(self._planner.plan(ready), ready.about.property_id)])
        return row

    def _first(self, batch: Sequence[Any], places: Sequence[int], wanted: tuple[str, str]) -> int | None:
        """The place in the batch of the first case that fails for the wanted reason."""
        left = list(places)
        while left:
            row = self.row([batch[place] for place in left])
            index = self._broken(row, len(left))
            if index is None or row.verdict["counterexample"] is None:
                return None
            if _reason(row.verdict) == wanted:
                return left[index]
            left = left[index + 1:]
        return None

    def _broken(self, row: Row, count: int) -> int | None:
        """The index of the first case that did not hold; 0 where a verdict names none, None where all held."""
        if row.verdict["bit"] == 1:
            return None
        example = row.verdict["counterexample"]
        index = 0 if example is None else int(example["index"])
        if not 0 <= index < count:
            raise Malfunction("a verdict names a case that was not asked", where=self._question.test.property_id)
        return index


def _reason(verdict: Mapping[str, Any]) -> tuple[str, str]:
    return str(verdict["reason"]), str(verdict["detail"]).partition(":")[0]
