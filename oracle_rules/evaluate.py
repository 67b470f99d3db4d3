"""Scores one subject on one worker: gate, artifacts, Actions, cache, execution, decision: deciding meets the world.

Prints nothing. Every submission yields one `Score`; only our own failures and bad declarations are exceptions.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Sequence
from dataclasses import replace

from .analysis.actions import Plan
from .artifacts.journals.journal import Tools
from .asking.questions import Question, Questions
from .errors import IncompleteError, Malfunction, TooLargeError
from .gate.apart import shares
from .gate.author import Author
from .gate.decide import decide
from .outcomes import outcomes
from .record import DebtLine, Row, Score
from .scoring.attribute import Attribution
from .scoring.frozen import FrozenLane, listed
from .scoring.judging import Judging
from .scoring.lanes import Lanes
from .scoring.planning import Asked, Planner, Progress
from .worker import Worker
from .workspace import Side, Subject

APART = ("--require-assurance", "apart")
# What keeps a question from being asked, whatever else is found.
_UNASKED = ("oracle_incomplete", "path_collision", "domain_unlocked")


class Evaluation:
    """One score in the making."""

    def __init__(self, subject: Subject, worker: Worker, *, today: datetime.date, progress: Progress,
                 author: Author = Author.AGENT, secret: bytes | None = None, apart: bool = False) -> None:
        """With `apart` a suite, which shares its process with the candidate, is refused."""
        self._subject = subject
        self._author = author
        self._apart = apart
        self._questions = Questions(subject, standard=sys.stdlib_module_names, today=today, author=author)
        self._lanes = Lanes(subject, tools=lambda: Tools(**worker.versions), secret=secret, today=today)
        self._planner = Planner(worker, progress)
        self._judging = Judging(worker, progress)

    def score(self, patterns: Sequence[str], *, parent: Side | None = None) -> Score:
        """Judges what the patterns select, unless the gate or an artifact stands in the way.

        With a parent, every target is attributed: its change against the parent, and who is to blame for a red one.
        """
        tests = self._subject.tests(patterns)
        self._questions.gate()
        tests, frozen = self._questions.collect(tests)
        asked = [question for test in tests if (question := self._questions.ask(test)) is not None]
        self._read_sources(asked)
        words = [*(["--attribute"] if parent is not None else []), *(APART if self._apart else ()), *patterns]
        if self._apart:
            self._questions.add(shares(str(test.label) for test in tests if test.selector is not None))
        if self._questions.findings:
            return self._decided([], frozen, listed(self._questions.frozen), words)
        asks = [ask for question in asked for ask in self._lanes.asked(question)]
        self._questions.add(self._lanes.refused)
        rows = [] if self._questions.findings else self._judged(asks, parent)
        if self._questions.findings:
            return self._decided([], frozen, listed(self._questions.frozen), words)
        lane = FrozenLane(self._questions, self._planner, self._judging, self._subject.candidate)
        return self._decided(rows, frozen, lane.run(self._questions.frozen), words)

    def plan(self, patterns: Sequence[str]) -> tuple[list[Plan], tuple[str, ...]]:
        """The Judge Actions of what the patterns select, without gate and judging, and the frozen ids; for `why`.

        Raises IncompleteError when the oracle of one of them can't be read.
        """
        tests, frozen = self._questions.collect(self._subject.tests(patterns))
        asked = [self._questions.ask(test) for test in tests]
        if None in asked:
            why = next(finding for finding in reversed(self._questions.findings) if finding.code in _UNASKED)
            raise IncompleteError(why.detail, where=why.subject, remedy=why.remedy)
        asks = [ask for each in asked if each is not None for ask in self._lanes.asked(each)]
        ready = self._planner.ready(asks, self._subject.candidate)
        return [self._planner.plan(each) for each in ready], frozen

    def _decided(self, rows: Sequence[Row], frozen: tuple[str, ...], debt: tuple[DebtLine, ...],
                 words: Sequence[str]) -> Score:
        late = self._lanes.findings if rows else []
        decision = decide([*self._questions.findings, *late], outcomes(rows))
        if decision.bit is None:
            raise Malfunction(decision.reasons[0].detail, where=decision.reasons[0].subject)
        sides = self._subject
        return Score(base_id=sides.base_id, candidate_id=sides.candidate_id, parent_id=sides.parent_id,
                     oracle=sides.standing, decision=decision,
                     repro=sides.command(words, author=self._author, today=self._questions.day),
                     rows=tuple(rows), frozen=frozen, debt=debt, journals=tuple(self._lanes.lines),
                     author=self._author,
                     edits=() if self._questions.gated is None else self._questions.gated.admitted)

    def _judged(self, asks: Sequence[Asked], parent: Side | None) -> list[Row]:
        """The rows of what is asked; with a parent, each says what became of it and who is to blame.

        None are judged when the drawn cases of one may not be asked; then there is a finding.
        """
        ready = self._planner.ready(asks, self._subject.candidate)
        self._questions.starved(violation for each in ready for violation in each.starved)
        if self._questions.findings:
            return []
        judged = self._judging.judge([(self._planner.plan(each), each.about.property_id) for each in ready])
        rows = [replace(row, parts=each.parts) for row, each in zip(judged, ready, strict=True)]
        if parent is None:
            return rows
        ask = Attribution(self._planner, self._judging, parent=parent, base=self._subject.base_side)
        told = ask.attribute(list(zip([each.question for each in asks], ready, strict=True)), rows)
        return [replace(row, attributed=each) for row, each in zip(rows, told, strict=True)]

    def _read_sources(self, asked: Sequence[Question]) -> None:
        """Reads the candidate once; files too large to be inputs are its failure, not an error of ours."""
        if self._questions.findings:
            return
        try:
            self._planner.sources([path for question in asked for path in question.sources], self._subject.candidate)
        except TooLargeError as error:
            self._questions.too_large(error)
