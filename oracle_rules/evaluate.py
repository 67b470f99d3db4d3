"""Scores one subject on one worker: gate, artifacts, Actions, cache, execution, decision: deciding meets the world.

Prints nothing. Every submission yields one `Score`; only our own failures and bad declarations are exceptions.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Sequence
from typing import Any

from .analysis.actions import Plan
from .errors import Exit, IncompleteError, Malfunction, TooLargeError
from .gate.codes import lookup
from .gate.decide import Outcome, decide
from .judging import Judging
from .planning import Planner, Progress
from .protocol import canonical
from .questions import Question, Questions
from .record import Row, Score
from .worker import Worker
from .workspace import Subject

# What keeps a question from being asked, whatever else is found.
_UNASKED = ("oracle_incomplete", "path_collision")


class Evaluation:
    """One score in the making."""

    def __init__(self, subject: Subject, worker: Worker, *, today: datetime.date, progress: Progress) -> None:
        self._subject = subject
        self._questions = Questions(subject, standard=sys.stdlib_module_names, today=today)
        self._planner = Planner(worker, progress)
        self._judging = Judging(worker, progress)

    def score(self, patterns: Sequence[str]) -> Score:
        """Judges what the patterns select, unless the gate or an artifact stands in the way."""
        tests = self._subject.tests(patterns)
        self._questions.gate()
        tests, frozen = self._questions.collect(tests)
        asked = [question for test in tests if (question := self._questions.ask(test)) is not None]
        self._read_sources(asked)
        if self._questions.findings:
            return self._decided([], frozen, [], patterns)
        plans = self._plans(asked)
        return self._decided(self._judging.judge(plans), frozen, [plan for plan, _ in plans], patterns)

    def plan(self, patterns: Sequence[str]) -> tuple[list[Plan], tuple[str, ...]]:
        """The Judge Actions of what the patterns select, without gate and judging, and the frozen ids; for `why`.

        Raises IncompleteError when the oracle of one of them can't be read.
        """
        tests, frozen = self._questions.collect(self._subject.tests(patterns))
        asked = [self._questions.ask(test) for test in tests]
        if None in asked:
            why = next(finding for finding in reversed(self._questions.findings) if finding.code in _UNASKED)
            raise IncompleteError(why.detail, where=why.subject, remedy=why.remedy)
        return [plan for plan, _ in self._plans([question for question in asked if question is not None])], frozen

    def _decided(self, rows: list[Row], frozen: tuple[str, ...], plans: list[Plan], patterns: Sequence[str]) -> Score:
        outcomes = []
        for row in rows:
            seen = row.verdict
            code, about = seen["reason"], {"label": row.plan.label, "lane": row.plan.lane, "cause": _cause(row)}
            # Every red bit is a falsified property; the verdict's own code says how, and stands beside it.
            if code not in (None, "property_failed") and lookup(code).exit is Exit.FALSIFIED:
                outcomes.append(Outcome(bit=0, reason="property_failed", **about))
            outcomes.append(Outcome(bit=seen["bit"], reason=code, **about))
        decision = decide(self._questions.findings, outcomes)
        if decision.bit is None:
            raise Malfunction(decision.reasons[0].detail, where=decision.reasons[0].subject)
        sides = self._subject
        return Score(base_id=sides.base_id, candidate_id=sides.candidate_id, parent_id=sides.parent_id,
                     oracle=sides.standing, repro=sides.command(patterns), decision=decision, rows=tuple(rows),
                     frozen=frozen, plans=tuple(plans))

    def _plans(self, asked: Sequence[Question]) -> list[tuple[Plan, str]]:
        """A Judge Action and its property's id for each question."""
        ready = self._planner.ready(asked, self._subject.candidate)
        return [(self._planner.plan(each), each.about.property_id) for each in ready]

    def _read_sources(self, asked: Sequence[Question]) -> None:
        """Reads the candidate once; files too large to be inputs are its failure, not an error of ours."""
        if self._questions.findings:
            return
        try:
            self._planner.sources([path for question in asked for path in question.sources], self._subject.candidate)
        except TooLargeError as error:
            self._questions.too_large(error)


def _cause(row: Row) -> str:
    """One line: which case, what happened."""
    seen = row.verdict
    example = seen["counterexample"]
    if example is None:
        return str(seen["detail"])
    return f"{row.property_id}:seed={example['index']} {seen['detail']}: {_shown_case(example['case'])}"


def _shown_case(case: Any) -> str:
    """A case on one line, cut where it is long."""
    text = canonical.dumps(case).decode("ascii").strip()
    return text if len(text) <= 160 else text[:157] + "..."
