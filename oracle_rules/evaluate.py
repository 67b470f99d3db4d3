"""Scores one subject on one worker: gate, artifacts, Actions, cache, execution, decision. Where deciding meets the world.

Prints nothing. Every submission yields one `Score`; only our own failures and bad declarations are exceptions.
"""

from __future__ import annotations

import dataclasses
import datetime
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import relpath, workspace
from .analysis.actions import CORPUS_PATH, VERDICT_PATH, Judgement, Plan, generate_plan, judge_plan
from .analysis.policy import Policy, policy
from .artifacts.domain import parse_domain_lock
from .artifacts.fixtures import check_fixtures, parse_manifest
from .artifacts.freeze import parse_freeze
from .artifacts.freeze_laws import check_freeze, exclude, still_collected
from .artifacts.seeds import parse_corpus
from .digest import Digest
from .errors import Exit, IncompleteError, Malfunction, UsageError
from .gate.codes import lookup
from .gate.decide import Decision, Outcome, decide
from .gate.finding import Finding
from .gate.review import from_violations, overlaps, review
from .loading.targets import DomainLock, Fixtures, Freeze, Profile, PropertyTest
from .protocol import canonical, verdict
from .reapi.messages import ActionResult
from .reapi.profile import named
from .worker import Worker
from .workspace import Subject

KEY_PROFILE = "bazel-4"
REPLAY = "replay"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One target and lane: its Action, its verdict and where that came from."""

    plan: Plan
    property_id: str
    verdict: Mapping[str, Any]
    verdict_digest: Digest
    served_from: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Everything one `score` saw."""

    subject: Subject
    decision: Decision
    rows: tuple[Row, ...]
    frozen: tuple[str, ...]
    plans: tuple[Plan, ...] = field(repr=False)


Progress = Callable[[str, int, int], None]


class Evaluation:
    """One score in the making; `findings` grows while artifacts are read."""

    def __init__(self, subject: Subject, worker: Worker, *, today: datetime.date, progress: Progress) -> None:
        self._subject = subject
        self._worker = worker
        self._today = today
        self._progress = progress
        self.findings: list[Finding] = []
        self._blobs: dict[tuple[str, str], bytes] = {}

    def score(self, patterns: Sequence[str]) -> Score:
        """Judges what the patterns select, unless the gate or an artifact stands in the way."""
        tests = self._subject.tests(patterns)
        paths = workspace.oracle_paths(self._subject)
        self.findings += review(self._subject.changes, paths, self._subject.link_targets())
        self.findings += overlaps(paths)
        tests, frozen = self._collect(tests)
        judgements = [about for test in tests if (about := self._judgement(test)) is not None]
        if self.findings:
            return self._decided([], frozen, [])
        plans = [self._plan(*about) for about in judgements]
        rows = self._judge(plans, {test: about for test, (_, about, _) in zip(tests, judgements)})
        return self._decided(rows, frozen, plans)

    def plan(self, patterns: Sequence[str]) -> list[Plan]:
        """The Judge Actions of what the patterns select, without judging; for `why`."""
        tests, _ = self._collect(self._subject.tests(patterns))
        judgements = [about for test in tests if (about := self._judgement(test)) is not None]
        return [self._plan(*about) for about in judgements]

    def _decided(self, rows: list[Row], frozen: tuple[str, ...], plans: list[Plan]) -> Score:
        outcomes = []
        for row in rows:
            seen = row.verdict
            code = seen["reason"]
            # Every red bit is a falsified property; the verdict's own code says how, and stands beside it.
            if seen["bit"] == 0 and lookup(code).exit is Exit.FALSIFIED and code != "property_failed":
                outcomes.append(Outcome(label=row.plan.label, lane=row.plan.lane, bit=0, reason="property_failed",
                                        cause=_cause(row)))
            outcomes.append(Outcome(label=row.plan.label, lane=row.plan.lane, bit=seen["bit"], reason=code,
                                    cause=_cause(row)))
        return Score(subject=self._subject, decision=decide(self.findings, outcomes), rows=tuple(rows), frozen=frozen,
                     plans=tuple(plans))

    def _collect(self, tests: Sequence[PropertyTest]) -> tuple[tuple[PropertyTest, ...], tuple[str, ...]]:
        """Takes what a ledger freezes out of the collection and holds every ledger against its laws."""
        frozen: list[str] = []
        for label in sorted({test.freeze for test in tests if test.freeze is not None}):
            target = self._subject.target(label)
            assert isinstance(target, Freeze)
            ledger = self._artifact(lambda path=target.ledger: parse_freeze(self._base(path), path=path))
            if ledger is None:
                continue
            self.findings += from_violations(check_freeze(ledger, today=self._today))
            mine = [test.property_id for test in tests if test.freeze == label]
            taken = exclude(mine, ledger)
            frozen += taken.frozen
            others = [test.property_id for test in tests if test.freeze != label]
            self.findings += from_violations(still_collected(ledger, [*taken.kept, *others]))
            tests = tuple(test for test in tests if test.freeze != label or test.property_id in taken.kept)
        return tuple(tests), tuple(sorted(frozen))

    def _artifact(self, read: Callable[[], Any]) -> Any:
        """What a parser gives, or None and a finding when base's oracle is incomplete."""
        try:
            return read()
        except IncompleteError as error:
            code = error.code if error.code in ("oracle_incomplete",) else "oracle_incomplete"
            self.findings.append(Finding(code=code, lane=lookup(code).lane, subject=error.where, detail=error.detail,
                                         row="oracle-incomplete", remedy=error.remedy, edits_oracle=False))
            return None

    def _base(self, path: str) -> bytes | None:
        try:
            return self._subject.base.read(path)
        except KeyError:
            return None

    def _fixtures(self, test: PropertyTest) -> dict[str, bytes] | None:
        found: dict[str, bytes] = {}
        for label in test.fixtures:
            target = self._subject.target(label)
            assert isinstance(target, Fixtures)
            manifest = self._artifact(lambda t=target: parse_manifest(self._base(t.manifest), path=t.manifest))
            if manifest is None:
                return None
            files = self._subject.base.read_many(path for path in target.srcs if path in self._subject.base.entries)
            checked = check_fixtures(manifest, {path: Digest.of(data) for path, data in files.items()})
            known = {(finding.code, finding.subject) for finding in self.findings}
            self.findings += [f for f in from_violations(checked.violations) if (f.code, f.subject) not in known]
            found |= {path: files[path] for path in checked.files}
            found[target.manifest] = self._base(target.manifest) or b""
        return found

    def _domain(self, test: PropertyTest) -> dict[str, Any] | None:
        if test.domain_lock is None:
            return None
        target = self._subject.target(test.domain_lock)
        assert isinstance(target, DomainLock)
        lock = self._artifact(lambda: parse_domain_lock(self._base(target.lock), path=target.lock))
        domain = None if lock is None else lock.find(test.property_id)
        if lock is not None and domain is None:
            self._artifact(lambda: _raise(IncompleteError(
                f"locks no domain for {test.property_id}", where=target.lock,
                remedy="let a person lock it, or drop domain_lock from the target")))
        return None if domain is None else {name: getattr(domain, name) for name in (
            "min_size", "max_size", "alphabet", "max_examples", "seed")}

    def _judgement(self, test: PropertyTest) -> tuple[PropertyTest, Judgement, dict[str, Any] | None] | None:
        before, after = self._subject.candidate_of(test)
        seeds = self._artifact(lambda: parse_corpus(self._base(test.seeds), path=test.seeds))
        sources = self._artifact(lambda: self._oracle_files(test))
        fixtures, domain = self._fixtures(test), self._domain(test)
        if seeds is None or sources is None or fixtures is None:
            return None
        self._refuse_paths(after.srcs)
        oracle = {**sources, test.seeds: self._base(test.seeds) or b"", **fixtures}
        lock = None
        if before.requirements is not None:
            lock = self._artifact(lambda: self._needed(str(before.requirements)))
        return test, Judgement(
            label=str(test.label), property_id=test.property_id, lane=REPLAY, property=test.property, seeds=test.seeds,
            cases=len(seeds), oracle=oracle, candidate={} if self.findings else self._candidate(after.srcs),
            imports=tuple(root or "." for root in before.import_roots),
            roots=workspace.import_names(before, sys.stdlib_module_names), allow=test.allow,
            environment=dict(test.env), timeout_seconds=test.timeout_seconds, fresh_cell=test.fresh_cell,
            dependencies=None if lock is None or self.findings else self._worker.pex(lock, str(before.requirements)),
        ), domain

    def _oracle_files(self, test: PropertyTest) -> dict[str, bytes]:
        return {path: self._needed(path) for path in (test.property, *test.deps)}

    def _needed(self, path: str) -> bytes:
        data = self._base(path)
        if data is None:
            raise IncompleteError("is declared and missing", where=path, remedy="restore it in base")
        return data

    def _refuse_paths(self, paths: Sequence[str]) -> None:
        known = {finding.subject for finding in self.findings}
        for path in paths:
            reason = relpath.problem(path)
            if reason is not None and path not in known:
                self.findings.append(Finding(
                    code="path_collision", lane="candidate", subject=path, detail=f"{reason}, so that it can't be an input",
                    row="unusable-path", remedy="rename the file", edits_oracle=False))

    def _candidate(self, paths: Sequence[str]) -> dict[str, bytes]:
        wanted = [path for path in paths if path in self._subject.candidate.entries]
        missing = [path for path in wanted if ("c", path) not in self._blobs]
        for path, data in self._subject.candidate.read_many(missing).items():
            self._blobs[("c", path)] = data
        return {path: self._blobs[("c", path)] for path in wanted}

    def _policy(self, test: PropertyTest) -> Policy:
        if test.profile is None:
            return policy()
        target = self._subject.target(test.profile)
        assert isinstance(target, Profile)
        data = self._needed(target.profile)
        try:
            given = canonical.loads(data)
        except ValueError as error:
            raise UsageError(f"is not JSON: {error}", where=target.profile, remedy="mend the profile in base") from None
        if type(given) is not dict:
            raise UsageError("a profile is a JSON object", where=target.profile, remedy="mend the profile in base")
        return policy(given, where=target.profile)

    def _plan(self, test: PropertyTest, about: Judgement, domain: dict[str, Any] | None) -> Plan:
        pinned = self._policy(test)
        if domain is not None:
            corpus = self._generated(test, domain, pinned)
            about = _with_corpus(about, corpus)
        return judge_plan(about, pinned, self._worker.host, named(KEY_PROFILE))

    def _generated(self, test: PropertyTest, domain: dict[str, Any], pinned: Policy) -> bytes:
        plan = generate_plan(str(test.label), domain, pinned, self._worker.host, named(KEY_PROFILE))
        result = self._worker.lookup(plan.action)
        if result is None:
            self._progress(f"generate {test.property_id}", 0, 0)
            self._worker.store_inputs(plan)
            [(_, result)] = self._worker.execute([plan.action])
            self._worker.cache.actions.put(plan.action, result)
        return self._worker.output(result, CORPUS_PATH)[1]

    def _judge(self, plans: list[Plan], about: Mapping[PropertyTest, Judgement]) -> list[Row]:
        found: dict[str, Row] = {}
        ids = {judgement.label: judgement.property_id for judgement in about.values()}
        waiting = []
        for plan in plans:
            row = self._stored(plan, ids[plan.label])
            if row is None:
                self._worker.store_inputs(plan)
                waiting.append(plan)
            else:
                found[plan.label] = row
        by_action = {plan.action: plan for plan in waiting}
        for number, (action, result) in enumerate(self._worker.execute(list(by_action)), 1):
            for plan in [plan for plan in waiting if plan.action == action]:
                row = self._row(plan, result, ids[plan.label], "executed")
                found[plan.label] = row
                if verdict.cacheable(dict(row.verdict)):
                    self._worker.cache.actions.put(action, result)
            self._progress(by_action[action].label, number, len(by_action))
        return [found[plan.label] for plan in plans]

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
        if read["target"] != plan.label or read["lane"] != plan.lane:
            raise verdict.InvalidVerdict("target: of another one")
        return Row(plan=plan, property_id=property_id, verdict=read, verdict_digest=digest, served_from=served_from)


def _with_corpus(about: Judgement, corpus: bytes) -> Judgement:
    count = len(canonical.loads(corpus)["cases"])
    return dataclasses.replace(about, generated=corpus, cases=about.cases + count)


def _raise(error: IncompleteError) -> Any:
    raise error


def _cause(row: Row) -> str:
    """One line: which case, what happened."""
    seen = row.verdict
    example = seen["counterexample"]
    if example is None:
        return str(seen["detail"])
    return f"{row.property_id}:seed={example['index']} {seen['detail']}: {shown_case(example['case'])}"


def shown_case(case: Any) -> str:
    """A case on one line, cut where it is long."""
    text = canonical.dumps(case).decode("ascii").strip()
    return text if len(text) <= 160 else text[:157] + "..."
