"""Hunts seeds on the parent: draws each seed's cases, judges them there, confirms and shrinks what falsifies.

The parent's sources come from git objects; nothing is checked out. Everything is cached, so that a hunt that was broken
off goes on where it was. Writes no file; what it gives is the same whatever order the Actions end in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..analysis.actions import Plan
from ..artifacts.journals.journal import Tools, case_path
from ..artifacts.journals.outcomes import CASELESS, FAILED, HIT, MIXED, OutcomeRow, outcome
from ..artifacts.journals.realised import Realised
from ..asking.questions import Question
from ..digest import Digest
from ..errors import IncompleteError, OracleError
from ..protocol import canonical, corpus, layout, typed
from ..protocol import verdict as verdicts
from ..record import Row
from ..scm import Tree
from ..shrinking.shrink import BUDGET
from ..worker import Worker
from .judging import Judging
from .planning import Asked, Planner, Progress, Ready
from .shrinking import Shrinking

LANE = "hunt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunted:
    """What became of one seed: the row of the table, how many cases it drew, and its shrunk case where it hit."""

    seed: int
    row: OutcomeRow
    reason: str | None
    detail: str
    drawn: int
    case: Realised | None
    action: Digest


class Hunt:
    """One hunt: a question, the parent's sources, and the worker that judges them."""

    def __init__(self, worker: Worker, progress: Progress, question: Question, *, parent_sha: str, side: Tree) -> None:
        self._worker = worker
        self._question = question
        self._parent_sha = parent_sha
        self._planner = Planner(worker, progress)
        self._judging = Judging(worker, progress)
        self._shrinking = Shrinking(self._planner, self._judging, question, side)
        self._side = side

    def seeds(self, seeds: Sequence[int], *, path: str, budget: int = BUDGET) -> list[Hunted]:
        """Each seed in its order; `path` is that of the journal. Raises IncompleteError for what can't be asked."""
        asks = [Asked(question=self._question, lane=LANE, committed=False, seeds=(seed,)) for seed in seeds]
        ready = self._planner.ready(asks, self._side)
        for each in ready:
            for starved in each.starved:
                raise IncompleteError(starved.detail, where=starved.subject, remedy=starved.remedy)
        plans = [self._planner.plan(each) for each in ready]
        property_id = self._question.test.property_id
        rows = self._judging.attempt([(plan, property_id) for plan in plans])
        again = self._confirmed([plan for plan, row in zip(plans, rows, strict=True) if _falsified(row)])
        found = []
        for seed, each, plan, row in zip(seeds, ready, plans, rows, strict=True):
            found.append(self._hunted(seed, each, plan, row, again.get(plan.action), path, budget))
        return found

    def _confirmed(self, plans: Sequence[Plan]) -> dict[Digest, dict[str, Any]]:
        """A second verdict of each, from another run of the same Action; nothing of it is stored."""
        found: dict[Digest, dict[str, Any]] = {}
        for action, result in self._worker.execute(list(dict.fromkeys(plan.action for plan in plans))):
            data = self._worker.output(result, layout.VERDICT)[1]
            found[action] = verdicts.parse(canonical.loads(data))
        return found

    def _hunted(self, seed: int, ready: Ready, plan: Plan, row: Row | OracleError, again: dict[str, Any] | None,
                path: str, budget: int) -> Hunted:
        drawn = sum(count for _, count in ready.parts)
        if isinstance(row, OracleError):
            return Hunted(seed=seed, row=FAILED, reason=row.code, detail=row.detail, drawn=drawn, case=None,
                          action=plan.action)
        seen = dict(row.verdict)
        found = outcome([seen] if again is None else [seen, again])
        if found.outcome == HIT and seen["counterexample"] is None:
            found = CASELESS
        realised = self._realised if self._question.test.selector is None else self._told
        case = realised(seed, (ready, plan), seen, path, budget) if found.outcome == HIT else None
        if found.outcome == HIT and case is None:
            found = MIXED
        return Hunted(seed=seed, row=found, reason=seen["reason"], detail=seen["detail"], drawn=drawn, case=case,
                      action=plan.action)

    def _told(self, seed: int, asked: tuple[Ready, Plan], seen: dict[str, Any], path: str, budget: int) -> Realised:
        """The arguments of a suite's test that failed, which Hypothesis has shrunk itself."""
        example = seen["counterexample"]
        return Realised(
            path=case_path(path, seed), id=self._question.test.property_id, seed=seed, case=example["case"],
            reason=seen["reason"], detail=seen["detail"], corpus=str(asked[1].action), index=example["index"],
            parent_sha=self._parent_sha, tools=Tools(**self._worker.versions))

    def _realised(self, seed: int, asked: tuple[Ready, Plan], seen: dict[str, Any], path: str,
                  budget: int) -> Realised | None:
        """The shrunk case of a hit; None where asked once more it holds, or fails for another reason."""
        ready, _ = asked
        example = seen["counterexample"]
        [drawn] = ready.about.corpora
        document = corpus.parse(drawn)
        given = document["cases"][example["index"]]
        value = typed.decode(given) if document["schema"] == corpus.TYPED else given
        smallest, _ = self._shrinking.shrink(value, seen, budget=budget)
        last = self._shrinking.row([smallest]).verdict
        if last["reason"] != seen["reason"]:
            return None
        return Realised(
            path=case_path(path, seed), id=self._question.test.property_id, seed=seed, case=typed.encode(smallest),
            reason=last["reason"], detail=last["detail"],
            corpus=str(Digest.of(drawn)), index=example["index"], parent_sha=self._parent_sha,
            tools=Tools(**self._worker.versions))


def _falsified(row: Row | OracleError) -> bool:
    return isinstance(row, Row) and outcome([row.verdict]).outcome == HIT
