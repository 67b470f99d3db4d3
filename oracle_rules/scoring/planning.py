"""From questions to Judge Actions: policies, drawn corpora, the sources of one side, third-party packages.

Reads trees and runs the generator where a corpus is not stored yet. Knows no verdict and no decision; which tree counts
as the candidate is an argument, so that every side is planned in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..analysis.actions import CORPUS_PATH, Judgement, Plan, generate_plan, judge_plan
from ..analysis.policy import Policy, policy
from ..artifacts.domains.drawn import check_corpus
from ..artifacts.violation import Violation
from ..asking.questions import Question
from ..digest import Digest
from ..errors import Malfunction
from ..protocol import corpus as corpora
from ..reapi.profile import named
from ..scm import Tree
from ..worker import Worker

KEY_PROFILE = "bazel-4"
REPLAY = "replay"

# The bytes of a corpus and their document.
Corpus = tuple[bytes, dict[str, Any]]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A judgement with everything that it needs, and the policy that it runs under.

    `starved` says why its drawn cases may not be asked; then nothing may be judged.
    """

    about: Judgement = field(repr=False)
    policy: Policy
    starved: tuple[Violation, ...] = ()


class Planner:
    """Makes the Actions of one worker; what it has read or drawn once is not read again."""

    def __init__(self, worker: Worker, progress: Progress) -> None:
        self._worker = worker
        self._progress = progress
        self._blobs: dict[tuple[str, str], bytes] = {}
        self._packages: dict[str, bytes] = {}

    def ready(self, asked: Sequence[Question], side: Tree, *, lane: str = REPLAY) -> list[Ready]:
        """The questions as judgements over the sources of that side; draws the corpora that are not stored yet."""
        policies = [policy(question.profile) for question in asked]
        drawn = self._corpora(list(zip(asked, policies, strict=True)))
        ready = []
        for question, pinned in zip(asked, policies, strict=True):
            data = drawn.get(str(question.test.label))
            corpus = None if data is None else (data, corpora.parse(data))
            ready.append(Ready(about=self._judgement(question, side, corpus, lane), policy=pinned,
                               starved=_starved(question, corpus)))
        return ready

    def plan(self, ready: Ready) -> Plan:
        """The Judge Action."""
        return judge_plan(ready.about, ready.policy, self._worker.host, named(KEY_PROFILE))

    def sources(self, paths: Sequence[str], side: Tree) -> dict[str, bytes]:
        """These sources of one side, each read once. Raises TooLargeError for what is no input."""
        missing = [path for path in dict.fromkeys(paths) if (side.id, path) not in self._blobs]
        self._blobs |= {(side.id, path): data for path, data in side.read_many(missing).items()}
        return {path: self._blobs[side.id, path] for path in paths}

    def _judgement(self, question: Question, side: Tree, corpus: Corpus | None, lane: str) -> Judgement:
        test = question.test
        generated = 0 if corpus is None else len(corpus[1]["cases"])
        return Judgement(
            label=str(test.label), property_id=test.property_id, lane=lane, property=test.property, seeds=test.seeds,
            cases=question.cases + generated, oracle=question.oracle, candidate=self.sources(question.sources, side),
            imports=question.import_roots, roots=question.import_names, allow=test.allow, environment=dict(test.env),
            timeout_seconds=test.timeout_seconds, fresh_cell=test.fresh_cell,
            generated=None if corpus is None else corpus[0],
            dependencies=self._dependencies(question.requirements))

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
                label, domain = str(question.test.label), question.domain
                filters = {each.path: question.oracle[each.path] for each in domain.filters}
                plan = generate_plan(label, domain.request, pinned, self._worker.host, named(KEY_PROFILE), filters)
                plans[label] = plan
                corpus = self._stored_corpus(plan)
                if corpus is not None:
                    found[plan.action] = corpus
        missing = {plan.action: plan for plan in plans.values() if plan.action not in found}
        for plan in missing.values():
            self._worker.store_inputs(plan)
        for number, (action, result) in enumerate(self._worker.execute(list(missing)), 1):
            found[action] = self._worker.output(result, CORPUS_PATH)[1]
            try:
                document = corpora.parse(found[action])
            except corpora.InvalidCorpus as error:
                raise Malfunction(f"the generator wrote no corpus: {error}", where=missing[action].label) from None
            if corpora.cacheable(document):
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
            return corpus if corpora.cacheable(corpora.parse(corpus)) else None
        except (Malfunction, corpora.InvalidCorpus):
            return None


def _starved(question: Question, corpus: Corpus | None) -> tuple[Violation, ...]:
    if question.domain is None or corpus is None:
        return ()
    return check_corpus(question.domain, corpus[1], Digest.of(corpus[0]))
