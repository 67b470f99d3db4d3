"""Shrinks a case that falsifies a property: one Judge Action for each batch, the first that fails is the next best.

A case that fails for another reason is none: the verdict's reason and what it says before its first colon have to be
the same. Everything is asked in a lane of its own and cached. Knows nothing of where a case came from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
# Whether a case counts beside that it fails.
Check = Callable[[Any], bool]


class Shrinking:
    """Shrinks cases of one question over the sources of one side."""

    def __init__(self, planner: Planner, judging: Judging, question: Question, side: Tree) -> None:
        self._planner = planner
        self._judging = judging
        self._question = question
        self._side = side

    def shrink(self, case: Any, verdict: Mapping[str, Any], *, budget: int = BUDGET,
               counts: Check = lambda case: True) -> tuple[Any, int]:
        """The simplest value found that fails as this verdict says, and how many were asked. Raises Malfunction."""
        domain = self._question.domain
        shrink = Shrink(case, keys=domain is not None, budget=budget,
                        allowed=lambda value: domain is None or contains(domain.domain, value))
        wanted = _reason(verdict)
        while batch := shrink.batch():
            sifted = self._planner.sift(self._question, batch)
            shrink.told(self._first(batch, sifted, wanted, counts), count=len(batch))
        return shrink.case, shrink.asked

    def row(self, cases: Sequence[Any]) -> Row:
        """The verdict over these cases alone."""
        given = as_corpus([typed.encode(case) for case in cases])
        [ready] = self._planner.ready([Asked(question=self._question, lane=LANE, committed=False, given=given)],
                                      self._side)
        [row] = self._judging.judge([(self._planner.plan(ready), ready.about.property_id)])
        return row

    def _first(self, batch: Sequence[Any], places: Sequence[int], wanted: tuple[str, str], counts: Check) -> int | None:
        """The place in the batch of the first case that fails for the wanted reason and counts."""
        left = list(places)
        while left:
            seen = self.row([batch[place] for place in left]).verdict
            example = seen["counterexample"]
            if seen["bit"] == 1 or example is None:
                return None
            index = int(example["index"])
            if not 0 <= index < len(left):
                raise Malfunction("a verdict names a case that was not asked", where=self._question.test.property_id)
            if _reason(seen) == wanted and counts(batch[left[index]]):
                return left[index]
            left = left[index + 1:]
        return None


def _reason(verdict: Mapping[str, Any]) -> tuple[str, str]:
    return str(verdict["reason"]), str(verdict["detail"]).partition(":")[0]
