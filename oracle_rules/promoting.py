"""From a falsified case to a line of a seed corpus: judged, shrunk, and shown; where deciding and doing meet.

Writes no corpus; that is a person's verb. Knows nothing of terminals.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .asking.questions import Question, Questions
from .errors import UsageError
from .protocol import canonical, corpus, typed
from .record import Row
from .scoring.judging import Judging
from .scoring.planning import COMMITTED, Asked, Planner, Progress, usual
from .scoring.shrinking import Shrinking
from .shrinking.shrink import BUDGET
from .worker import Worker
from .workspace import Subject

EXPLORE = "explore"
# Most smaller cases break base too, and each that does costs an Action of its own.
REFERRED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A case that falsifies, as it was found and as small as it gets; `why` it was not made smaller, where it was not.

    `origin` says which corpus it is of; `asked` how many cases shrinking asked.
    """

    label: str
    property_id: str
    seeds: str
    origin: str
    reason: str
    detail: str
    case: Any
    smallest: Any
    asked: int
    why: str
    repro: str


class Promotion:
    """Looks for the counterexample of one target over the candidate's sources, and makes it small."""

    def __init__(self, subject: Subject, worker: Worker, progress: Progress, *, today: datetime.date) -> None:
        self._subject = subject
        self._planner = Planner(worker, progress)
        self._judging = Judging(worker, progress)
        self._questions = Questions(subject, standard=sys.stdlib_module_names, today=today)

    def question(self, label: str) -> Question:
        """The question of one label. Raises UsageError where it can't be asked, or stands for several."""
        tests = self._subject.tests([label])
        if len(tests) != 1:
            raise UsageError(f"stands for {len(tests)} properties", where=label, remedy="name one target")
        if tests[0].selector is not None:
            raise UsageError("is a suite, and has no seeds that a case could be added to", where=label,
                             remedy="write the case as @example(…) above the test, in a commit of a person's own")
        question = self._questions.ask(tests[0])
        if question is None or self._questions.findings:
            finding = self._questions.findings[0]
            raise UsageError(f"can't be asked: {finding.code}: {finding.detail}", where=label, remedy=finding.remedy)
        return question

    def counterexample(self, question: Question, *, budget: int = BUDGET) -> Found | None:
        """The case of the replay lane that the candidate falsifies; None where it holds. Raises UsageError where it is
        red without a case."""
        return self._found(question, usual(question), budget)

    def explored(self, question: Question, seeds: Sequence[int], *, budget: int = BUDGET) -> Found | None:
        """The same for what these seeds draw, in a lane of its own that no score asks."""
        ask = Asked(question=question, lane=EXPLORE, committed=False, seeds=tuple(seeds))
        return self._found(question, ask, budget)

    def _found(self, question: Question, ask: Asked, budget: int) -> Found | None:
        [ready] = self._planner.ready([ask], self._subject.candidate)
        for starved in ready.starved:
            raise UsageError(starved.detail, where=starved.subject, remedy=starved.remedy)
        [row] = self._judging.judge([(self._planner.plan(ready), question.test.property_id)])
        example = row.verdict["counterexample"]
        if row.verdict["bit"] == 1:
            return None
        if example is None:
            raise UsageError(f"{row.verdict['reason']}: {row.verdict['detail']}", where=str(question.test.label),
                             remedy=f"it names no case that could be kept; see it: "
                                    f"`oracle-rules replay {row.plan.action}`")
        origin, index = _origin(ready.parts, example["index"])
        drawn = [name for name, _ in ready.parts if name != COMMITTED]
        value = self._value(question, dict(zip(drawn, ready.about.corpora, strict=True)), origin, index)
        smallest, asked, why = self._smallest(question, row, origin, value, budget)
        return Found(
            label=str(question.test.label), property_id=question.test.property_id, seeds=question.seeds,
            origin=origin, reason=row.verdict["reason"], detail=row.verdict["detail"], case=typed.encode(value),
            smallest=typed.encode(smallest), asked=asked, why=why, repro=f"oracle-rules replay {row.plan.action}")

    def _value(self, question: Question, drawn: dict[str, bytes], origin: str, index: int) -> Any:
        if origin == COMMITTED:
            return canonical.loads(question.oracle[question.seeds])[index]
        document = corpus.parse(drawn[origin])
        given = document["cases"][index]
        return typed.decode(given) if document["schema"] == corpus.TYPED else given

    def _smallest(self, question: Question, row: Row, origin: str, value: Any, budget: int) -> tuple[Any, int, str]:
        """A committed case may hold what it expects, so that a smaller one counts only where base still holds it."""
        shrinking = Shrinking(self._planner, self._judging, question, self._subject.candidate)
        if origin != COMMITTED:
            smallest, asked = shrinking.shrink(value, row.verdict, budget=budget)
            return smallest, asked, ""
        reference = Shrinking(self._planner, self._judging, self._base(question), self._subject.base)
        if reference.row([value]).verdict["bit"] != 1:
            return value, 0, "base breaks it too, and nothing else says what a smaller case should expect"
        smallest, asked = shrinking.shrink(value, row.verdict, budget=min(budget, REFERRED), reference=reference)
        return smallest, asked, ""

    def _base(self, question: Question) -> Question:
        """The same question over base's own sources."""
        return replace(question, sources=self._subject.base_side.sources(question.test) or ())


def _origin(parts: Sequence[tuple[str, int]], index: int) -> tuple[str, int]:
    for name, count in parts:
        if index < count:
            return name, index
        index -= count
    raise UsageError("the verdict names a case that was not asked", remedy="score again")
