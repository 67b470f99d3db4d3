"""From questions to Judge Actions: policies, drawn corpora, the sources of one side, third-party packages.

Reads trees and runs the generator where a corpus is not stored yet. Knows no verdict and no decision; which tree counts
as the candidate is an argument, so that every side is planned in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..analysis.actions import Judgement, Plan, Suite, generate_plan, judge_plan
from ..analysis.policy import Policy, policy
from ..artifacts.domains.drawn import check_corpus
from ..artifacts.violation import Violation
from ..asking.questions import Question
from ..digest import Digest
from ..errors import Malfunction
from ..protocol import canonical, layout, typed
from ..protocol import corpus as corpora
from ..reapi.messages import ActionResult
from ..reapi.profile import named
from ..record import HOLDOUT
from ..scm import Tree
from ..worker import Worker

KEY_PROFILE = "bazel-4"
# Cases for each property of a suite where neither lock nor profile says how many: what Hypothesis asks by itself.
MAX_EXAMPLES = 100
REPLAY = "replay"
# Words for where cases come from, beside `seed-N` and `holdout-N` for what a seed draws.
COMMITTED, GIVEN, TESTS = "committed", "given", "tests"

# The bytes of a corpus and their document.
Corpus = tuple[bytes, dict[str, Any]]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one lane asks of one question, in this order: the committed corpus, `given`, what each of `seeds` draws.

    `given` is a corpus document (`protocol/corpus.py`). A seed stands in for that of the locked domain. Of a suite
    `given` holds arguments by node id, and `seeds` are what it runs with.
    """

    question: Question
    lane: str = REPLAY
    committed: bool = True
    given: bytes | None = field(default=None, repr=False)
    seeds: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A judgement with everything that it needs, and the policy that it runs under.

    `starved` says why its drawn cases may not be asked; then nothing may be judged. `parts` says where its cases come
    from: a word for each corpus, and how many cases it has, in their order.
    """

    about: Judgement = field(repr=False)
    policy: Policy
    starved: tuple[Violation, ...] = ()
    parts: tuple[tuple[str, int], ...] = ()

    @property
    def cases(self) -> int:
        """How many cases it asks; of a suite, how many tests."""
        return sum(count for _, count in self.parts)


def usual(question: Question) -> Asked:
    """What a question asks by itself: its committed corpus, and the draw of its domain where it has a locked one."""
    if question.test.selector is not None:
        return Asked(question=question, seeds=(_seed(question),))
    return Asked(question=question, seeds=() if question.domain is None else (question.domain.seed,))


class Planner:
    """Makes the Actions of one worker; what it has read or drawn once is not read again."""

    def __init__(self, worker: Worker, progress: Progress) -> None:
        self._worker = worker
        self._progress = progress
        self._blobs: dict[tuple[str, str], bytes] = {}
        self._packages: dict[str, bytes] = {}

    def ready(self, asks: Sequence[Asked], side: Tree) -> list[Ready]:
        """Each as a judgement over the sources of that side; draws the corpora that are not stored yet."""
        policies = [_policy(ask.question) for ask in asks]
        drawn = self._corpora(list(zip(asks, policies, strict=True)))
        return [self._ready(ask, side, pinned, corpora)
                for ask, pinned, corpora in zip(asks, policies, drawn, strict=True)]

    def plan(self, ready: Ready) -> Plan:
        """The Judge Action."""
        return judge_plan(ready.about, ready.policy, self._worker.host, named(KEY_PROFILE))

    def drawn(self, questions: Sequence[Question]) -> list[Corpus]:
        """What the locked domain of each draws by its own seed."""
        found = self._corpora([(usual(each), policy(each.profile)) for each in questions])
        return [corpus for each in found for corpus in each.values()]

    def sift(self, question: Question, cases: Sequence[Any]) -> list[int]:
        """The places of those cases that pass every filter of the question's domain; of all where it has none."""
        domain = question.domain
        if domain is None or not domain.filters:
            return list(range(len(cases)))
        given = [typed.encode(case) for case in cases]
        request = {"cases": given, "filters": domain.request["filters"]}
        plan = self._generating(question, request, _policy(question))
        document = self._drawn({plan.action: plan})[plan.action][1]
        passed = [canonical.dumps(case) for case in document["cases"]]
        return [place for place, case in enumerate(given) if canonical.dumps(case) in passed]

    def sources(self, paths: Sequence[str], side: Tree) -> dict[str, bytes]:
        """These sources of one side, each read once. Raises TooLargeError for what is no input."""
        missing = [path for path in dict.fromkeys(paths) if (side.id, path) not in self._blobs]
        self._blobs |= {(side.id, path): data for path, data in side.read_many(missing).items()}
        return {path: self._blobs[side.id, path] for path in paths}

    def _ready(self, ask: Asked, side: Tree, pinned: Policy, drawn: Mapping[int, Corpus]) -> Ready:
        question = ask.question
        given = [] if ask.given is None else [(GIVEN, (ask.given, corpora.parse(ask.given)))]
        # A held-out seed stands neither in a record nor in the name of an input.
        names = [f"{HOLDOUT}-{number}" if ask.lane == HOLDOUT else f"seed-{seed}" for number, seed in enumerate(drawn)]
        asked = [*given, *zip(names, drawn.values(), strict=True)]
        parts = [(COMMITTED, question.cases)] if ask.committed else []
        parts += [(name, len(document["cases"])) for name, (_, document) in asked]
        if question.test.selector is not None:
            parts = [(TESTS, question.cases)]
        starved = [violation for seed, corpus in drawn.items() for violation in _starved(question, seed, corpus)]
        return Ready(about=self._judgement(ask, side, tuple(data for _, (data, _) in asked)),
                     policy=pinned, starved=tuple(dict.fromkeys(starved)), parts=tuple(parts))

    def _judgement(self, ask: Asked, side: Tree, asked: tuple[bytes, ...]) -> Judgement:
        question, test = ask.question, ask.question.test
        oracle = {path: data for path, data in question.oracle.items() if ask.committed or path != test.seeds}
        return Judgement(
            label=str(test.label), property_id=test.property_id, lane=ask.lane, property=test.property,
            seeds=test.seeds if ask.committed else None, oracle=oracle,
            candidate=self.sources(question.sources, side),
            imports=question.import_roots, roots=question.top_names, allow=test.allow, environment=dict(test.env),
            timeout_seconds=test.timeout_seconds, fresh_cell=test.fresh_cell, corpora=asked,
            dependencies=self._dependencies(question.requirements), suite=_suite(ask))

    def _dependencies(self, requirements: tuple[str, bytes] | None) -> bytes | None:
        if requirements is None:
            return None
        where, lock = requirements
        if where not in self._packages:
            self._progress(f"packages of {where}", 0, 0)
            self._packages[where] = self._worker.pex(lock, where)
        return self._packages[where]

    def _corpora(self, asks: Sequence[tuple[Asked, Policy]]) -> list[dict[int, Corpus]]:
        """What each seed of each ask draws, from the cache where it is there."""
        # A suite draws by itself while it runs.
        plans = [{seed: self._drawing(ask.question, seed, pinned) for seed in ask.seeds
                  if ask.question.test.selector is None} for ask, pinned in asks]
        found = self._drawn({plan.action: plan for each in plans for plan in each.values()})
        return [{seed: found[plan.action] for seed, plan in each.items()} for each in plans]

    def _drawn(self, every: Mapping[Digest, Plan]) -> dict[Digest, Corpus]:
        """What each Generate Action gives, from the cache where it is there."""
        stored = {action: self._stored_corpus(plan) for action, plan in every.items()}
        found = {action: corpus for action, corpus in stored.items() if corpus is not None}
        missing = {action: plan for action, plan in every.items() if action not in found}
        for plan in missing.values():
            self._worker.store_inputs(plan)
        for number, (action, result) in enumerate(self._worker.execute(list(missing)), 1):
            found[action] = self._executed_corpus(missing[action], result)
            self._progress(f"cases for {missing[action].label}", number, len(missing))
        return found

    def _drawing(self, question: Question, seed: int, pinned: Policy) -> Plan:
        domain = question.domain
        assert domain is not None  # who asks for a seed has read the lock that it stands in for
        return self._generating(question, {**domain.request, "seed": seed}, pinned)

    def _generating(self, question: Question, request: Mapping[str, Any], pinned: Policy) -> Plan:
        assert question.domain is not None
        filters = {each.path: question.oracle[each.path] for each in question.domain.filters}
        return generate_plan(str(question.test.label), request, pinned, self._worker.host, named(KEY_PROFILE), filters)

    def _executed_corpus(self, plan: Plan, result: ActionResult) -> Corpus:
        data = self._worker.output(result, layout.corpus(0))[1]
        try:
            document = corpora.parse(data)
        except corpora.InvalidCorpus as error:
            raise Malfunction(f"the generator wrote no corpus: {error}", where=plan.label) from None
        if corpora.cacheable(document):
            self._worker.cache.actions.put(plan.action, result)
        return data, document

    def _stored_corpus(self, plan: Plan) -> Corpus | None:
        """A stored corpus; one that can't be read is a miss."""
        result = self._worker.lookup(plan.action)
        if result is None:
            return None
        try:
            data = self._worker.output(result, layout.corpus(0))[1]
            document = corpora.parse(data)
        except (Malfunction, corpora.InvalidCorpus):
            return None
        return (data, document) if corpora.cacheable(document) else None


def _policy(question: Question) -> Policy:
    """The policy of the question's profile, where it lies among the inputs."""
    found = policy(question.profile)
    if question.test.profile is None:
        return found
    return replace(found, path=layout.policy(named(KEY_PROFILE).output_root, str(question.test.profile)))


def _seed(question: Question) -> int:
    return question.profile.seed if question.domain is None else question.domain.seed


def _suite(ask: Asked) -> Suite | None:
    question = ask.question
    if question.test.selector is None:
        return None
    most = question.profile.max_examples or MAX_EXAMPLES if question.domain is None else question.domain.max_examples
    return Suite(selector=question.test.selector, nodeids=question.test.nodeids, max_examples=most,
                 seeds=ask.seeds or (_seed(question),))


def _starved(question: Question, seed: int, corpus: Corpus) -> tuple[Violation, ...]:
    """Why what a seed draws may not be asked; the corpus that a lock pins is the one of its own seed."""
    domain = question.domain
    assert domain is not None
    pinned = domain if seed == domain.seed else replace(domain, corpus=None)
    return check_corpus(pinned, corpus[1], Digest.of(corpus[0]))
