"""Scores one subject on one worker: gate, artifacts, Actions, cache, execution, decision: deciding meets the world.

Prints nothing. Every submission yields one `Score`; only our own failures and bad declarations are exceptions.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Sequence
from typing import Any

from .analysis.actions import CORPUS_PATH, VERDICT_PATH, Judgement, Plan, generate_plan, judge_plan
from .analysis.policy import Policy, parse_profile, policy
from .artifacts.domain import Domain
from .digest import Digest
from .errors import Exit, IncompleteError, Malfunction, TooLargeError
from .gate.codes import CATALOGUE, lookup
from .gate.decide import Outcome, decide
from .protocol import canonical, verdict
from .questions import Question, Questions
from .reapi.messages import ActionResult
from .reapi.profile import named
from .record import Row, Score
from .worker import Worker
from .workspace import Subject

KEY_PROFILE = "bazel-4"
REPLAY = "replay"
# What keeps a question from being asked, whatever else is found.
_UNASKED = ("oracle_incomplete", "path_collision")
_DOMAIN_FIELDS = ("min_size", "max_size", "alphabet", "max_examples", "seed")


Progress = Callable[[str, int, int], None]


class Evaluation:
    """One score in the making."""

    def __init__(self, subject: Subject, worker: Worker, *, today: datetime.date, progress: Progress) -> None:
        self._subject = subject
        self._worker = worker
        self._progress = progress
        self._questions = Questions(subject, standard=sys.stdlib_module_names, today=today)
        self._blobs: dict[str, bytes] = {}
        self._packages: dict[str, bytes] = {}

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
        return self._decided(self._judge(plans), frozen, [plan for plan, _ in plans], patterns)

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
                     repro=sides.command(patterns), decision=decision, rows=tuple(rows), frozen=frozen,
                     plans=tuple(plans))

    def _plans(self, asked: Sequence[Question]) -> list[tuple[Plan, str]]:
        """A Judge Action and its property's id for each question; draws the corpora that are not stored yet."""
        policies = [_policy(question) for question in asked]
        drawn = self._corpora([(question, pinned) for question, pinned in zip(asked, policies, strict=True)])
        found = []
        for question, pinned in zip(asked, policies, strict=True):
            about = self._judgement(question, drawn.get(str(question.test.label)))
            plan = judge_plan(about, pinned, self._worker.host, named(KEY_PROFILE))
            found.append((plan, question.test.property_id))
        return found

    def _judgement(self, question: Question, corpus: bytes | None) -> Judgement:
        test = question.test
        generated = 0 if corpus is None else len(_cases(corpus) or ())
        return Judgement(
            label=str(test.label), property_id=test.property_id, lane=REPLAY, property=test.property, seeds=test.seeds,
            cases=question.cases + generated, oracle=question.oracle, candidate=self._candidate(question.sources),
            imports=question.import_roots, roots=question.import_names, allow=test.allow, environment=dict(test.env),
            timeout_seconds=test.timeout_seconds, fresh_cell=test.fresh_cell, generated=corpus,
            dependencies=self._dependencies(question.requirements))

    def _read_sources(self, asked: Sequence[Question]) -> None:
        """Reads the candidate once; files too large to be inputs are its failure, not an error of ours."""
        if self._questions.findings:
            return
        try:
            self._candidate(list(dict.fromkeys(path for question in asked for path in question.sources)))
        except TooLargeError as error:
            self._questions.too_large(error)

    def _candidate(self, paths: Sequence[str]) -> dict[str, bytes]:
        missing = [path for path in paths if path not in self._blobs]
        self._blobs |= self._subject.candidate.read_many(missing)
        return {path: self._blobs[path] for path in paths}

    def _dependencies(self, requirements: tuple[str, bytes] | None) -> bytes | None:
        if requirements is None:
            return None
        where, lock = requirements
        if where not in self._packages:
            self._progress(f"packages of {where}", 0, 0)
            self._packages[where] = self._worker.pex(lock, where)
        return self._packages[where]

    def _corpora(self, asked: Sequence[tuple[Question, Policy]]) -> dict[str, bytes]:
        """The generated corpus of each label that has a locked domain, from the cache where it is there."""
        plans: dict[str, Plan] = {}
        found: dict[Digest, bytes] = {}
        for question, pinned in asked:
            if question.domain is not None:
                label, domain = str(question.test.label), _domain(question.domain)
                plan = generate_plan(label, domain, pinned, self._worker.host, named(KEY_PROFILE))
                plans[label] = plan
                corpus = self._stored_corpus(plan)
                if corpus is not None:
                    found[plan.action] = corpus
        missing = {plan.action: plan for plan in plans.values() if plan.action not in found}
        for plan in missing.values():
            self._worker.store_inputs(plan)
        for number, (action, result) in enumerate(self._worker.execute(list(missing)), 1):
            found[action] = self._worker.output(result, CORPUS_PATH)[1]
            if _cases(found[action]) is None:
                raise Malfunction("the generator wrote no corpus", where=missing[action].label)
            self._worker.cache.actions.put(action, result)
            self._progress(f"cases for {missing[action].label}", number, len(missing))
        return {label: found[plan.action] for label, plan in plans.items()}

    def _stored_corpus(self, plan: Plan) -> bytes | None:
        """A stored corpus; one that can't be read is a miss."""
        result = self._worker.lookup(plan.action)
        if result is None:
            return None
        try:
            corpus = self._worker.output(result, CORPUS_PATH)[1]
        except Malfunction:
            return None
        return corpus if _cases(corpus) is not None else None

    def _judge(self, plans: Sequence[tuple[Plan, str]]) -> list[Row]:
        found: dict[str, Row] = {}
        waiting: dict[Digest, tuple[Plan, str]] = {}
        for plan, property_id in plans:
            row = self._stored(plan, property_id)
            if row is None:
                self._worker.store_inputs(plan)
                waiting[plan.action] = plan, property_id
            else:
                found[plan.label] = row
        for number, (action, result) in enumerate(self._worker.execute(list(waiting)), 1):
            plan, property_id = waiting[action]
            row = self._row(plan, result, property_id, "executed")
            found[plan.label] = row
            if verdict.cacheable(dict(row.verdict)):
                self._worker.cache.actions.put(action, result)
            self._progress(plan.label, number, len(waiting))
        return [found[plan.label] for plan, _ in plans]

    def _stored(self, plan: Plan, property_id: str) -> Row | None:
        """The row of a stored result; one that can't be believed is a miss."""
        result = self._worker.lookup(plan.action)
        if result is None:
            return None
        try:
            row = self._row(plan, result, property_id, "local")
        except (ValueError, Malfunction):
            return None
        return row if verdict.cacheable(dict(row.verdict)) else None

    def _row(self, plan: Plan, result: ActionResult, property_id: str, served_from: str) -> Row:
        digest, data = self._worker.output(result, VERDICT_PATH)
        read = verdict.parse(canonical.loads(data))
        if (read["target"], read["lane"], read["property_id"]) != (plan.label, plan.lane, property_id):
            raise verdict.InvalidVerdict("target: of another one")
        if read["reason"] is not None and read["reason"] not in CATALOGUE:
            raise verdict.InvalidVerdict("reason: not in the catalogue")
        return Row(plan=plan, property_id=property_id, verdict=read, verdict_digest=digest, served_from=served_from)


def _policy(question: Question) -> Policy:
    if question.profile is None:
        return policy()
    where, data = question.profile
    return parse_profile(data, where=where)


def _domain(domain: Domain) -> dict[str, Any]:
    """What the drawing hangs on; a deadline or a name changes no case."""
    return {name: getattr(domain, name) for name in _DOMAIN_FIELDS}


def _cases(corpus: bytes) -> list[Any] | None:
    """The cases of a generated corpus, None when these bytes are none."""
    try:
        document = canonical.loads(corpus)
    except ValueError:
        return None
    cases = document.get("cases") if type(document) is dict else None
    return cases if type(cases) is list and cases else None


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
