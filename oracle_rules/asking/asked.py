"""What each test of base asks, and what goes on as it in a proposal asks: read from both sides for the test lane.

Reads trees, decides nothing. An artifact that can't be read is left out here: whoever reads it by itself says so.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping

from .. import relpath
from ..artifacts.domains.lock import DomainLock, parse_domain_lock
from ..artifacts.freezing.ledger import Ledger, parse_freeze
from ..artifacts.seeds import Corpus, parse_corpus
from ..errors import IncompleteError
from ..gate import test_lane
from ..gate.domain_lane import Drawn
from ..gate.lanes import Step
from ..gate.test_lane import Asked
from ..loading import Workspace, targets
from ..loading.succession import property_tests, successors
from ..loading.targets import Freeze, PropertyTest, Suite
from ..scm import Tree


class Succession:
    """The tests of two sides, paired.

    `followed` and `told` are, by lock, the ids of base's rows and of the new ones of which the steps speak; `drawing`
    the ids of the tests that go on as one that draws in base.
    """

    def __init__(self, base: Tree, before: Workspace, candidate: Tree, after: Workspace) -> None:
        old, new = _Side(base, before), _Side(candidate, after)
        seeds = {test.seeds for test in property_tests(after) if test.seeds is not None}
        self.followed: dict[str, set[str]] = {}
        self.told: dict[str, set[str]] = {}
        self.drawing: set[str] = set()
        steps: list[Step] = []
        for test, later in successors(before, after, same=lambda was, now: _read(base, was) == _read(candidate, now)):
            was = old.asked(test)
            if not later:
                steps += test_lane.removed(was, seeds)
            for each in later:
                now = new.asked(each)
                steps += test_lane.compare(was, now, frozen=old.frozen)
                self._follow(was, now)
        self.steps = (*dict.fromkeys(steps), *_suites(before, after))

    def _follow(self, was: Asked, now: Asked) -> None:
        if was.drawn.row is not None:
            self.followed.setdefault(was.drawn.lock, set()).add(was.property_id)
            self.drawing.add(now.property_id)
            self.told.setdefault(now.drawn.lock, set()).add(now.property_id)


class _Side:
    """One side's artifacts, each read once."""

    def __init__(self, tree: Tree, declared: Workspace) -> None:
        self._tree = tree
        self._declared = declared
        self._corpus = functools.cache(self._read_corpus)
        self._lock = functools.cache(self._read_lock)
        ledgers = {target.ledger: self._read_ledger(target.ledger) for target in declared.targets.values()
                   if isinstance(target, Freeze)}
        self._ledgers: Mapping[str, Ledger | None] = ledgers
        self.frozen = frozenset(name for ledger in ledgers.values() if ledger is not None
                                for name in ledger.frozen_properties)

    def asked(self, test: PropertyTest) -> Asked:
        return Asked(label=str(test.label), property=test.property, property_id=test.property_id,
                     seeds=test.seeds or "", corpus=None if test.seeds is None else self._corpus(test.seeds),
                     drawn=self._drawn(test), ledger=self._freezing(test), target=test)

    def _drawn(self, test: PropertyTest) -> Drawn:
        if test.domain_lock is None:
            return Drawn(lock="", row=None)
        target = self._declared.targets[test.domain_lock]
        assert isinstance(target, targets.DomainLock)  # loading has checked the rule of every label
        if _read(self._tree, target.lock) is None:
            return Drawn(lock=target.lock, row=None)
        lock = self._lock(target.lock)
        return Drawn(lock=target.lock, row=None if lock is None else lock.find(test.property_id), unread=lock is None)

    def _freezing(self, test: PropertyTest) -> str:
        """The ledger that freezes the test; empty without one."""
        if test.freeze is None:
            return ""
        target = self._declared.targets[test.freeze]
        assert isinstance(target, Freeze)  # as above
        ledger = self._ledgers[target.ledger]
        return target.ledger if ledger is not None and test.property_id in ledger.frozen_properties else ""

    def _read_corpus(self, path: str) -> Corpus | None:
        try:
            return parse_corpus(_read(self._tree, path), path=path)
        except IncompleteError:
            return None

    def _read_lock(self, path: str) -> DomainLock | None:
        source = functools.partial(_read, self._tree)
        try:
            return parse_domain_lock(source(path), path=path, source=source)
        except IncompleteError:
            return None

    def _read_ledger(self, path: str) -> Ledger | None:
        try:
            return parse_freeze(_read(self._tree, path), path=path)
        except IncompleteError:
            return None


def _suites(before: Workspace, after: Workspace) -> Iterator[Step]:
    """Suites by whose name fewer tests are asked than before."""
    for label, old in sorted(before.targets.items()):
        if isinstance(old, Suite):
            new = after.targets.get(label)
            kept = new.tests if isinstance(new, Suite) else ()
            if lost := sorted(str(test) for test in {*old.tests} - {*kept}):
                yield Step(subject=relpath.join(label.package, "BUILD.bazel"), sign="suite-shrunk",
                           detail=f"{label} leaves out {', '.join(lost)}")


def _read(tree: Tree, path: str) -> bytes | None:
    try:
        return tree.read(path)
    except KeyError:
        return None
