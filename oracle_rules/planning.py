"""From questions to Judge Actions: policies, drawn corpora, the sources of one side, third-party packages.

Reads trees and runs the generator where a corpus is not stored yet. Knows no verdict and no decision; which tree counts
as the candidate is an argument, so that every side is planned in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .analysis.actions import CORPUS_PATH, Judgement, Plan, generate_plan, judge_plan
from .analysis.policy import Policy, policy
from .digest import Digest
from .errors import Malfunction
from .protocol import canonical
from .questions import Question
from .reapi.profile import named
from .scm import Tree
from .worker import Worker

KEY_PROFILE = "bazel-4"
REPLAY = "replay"

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A judgement with everything that it needs, and the policy that it runs under."""

    about: Judgement = field(repr=False)
    policy: Policy


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
        return [Ready(about=self._judgement(question, side, drawn.get(str(question.test.label)), lane), policy=pinned)
                for question, pinned in zip(asked, policies, strict=True)]

    def plan(self, ready: Ready) -> Plan:
        """The Judge Action."""
        return judge_plan(ready.about, ready.policy, self._worker.host, named(KEY_PROFILE))

    def sources(self, paths: Sequence[str], side: Tree) -> dict[str, bytes]:
        """These sources of one side, each read once. Raises TooLargeError for what is no input."""
        missing = [path for path in dict.fromkeys(paths) if (side.id, path) not in self._blobs]
        self._blobs |= {(side.id, path): data for path, data in side.read_many(missing).items()}
        return {path: self._blobs[side.id, path] for path in paths}

    def _judgement(self, question: Question, side: Tree, corpus: bytes | None, lane: str) -> Judgement:
        test = question.test
        generated = 0 if corpus is None else len(_cases(corpus) or ())
        return Judgement(
            label=str(test.label), property_id=test.property_id, lane=lane, property=test.property, seeds=test.seeds,
            cases=question.cases + generated, oracle=question.oracle, candidate=self.sources(question.sources, side),
            imports=question.import_roots, roots=question.import_names, allow=test.allow, environment=dict(test.env),
            timeout_seconds=test.timeout_seconds, fresh_cell=test.fresh_cell, generated=corpus,
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
                label, domain = str(question.test.label), question.domain.request
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




def _cases(corpus: bytes) -> list[Any] | None:
    """The cases of a generated corpus, None when these bytes are none."""
    try:
        document = canonical.loads(corpus)
    except ValueError:
        return None
    cases = document.get("cases") if type(document) is dict else None
    return cases if type(cases) is list and cases else None
