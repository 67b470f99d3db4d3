"""Journals of a tree with their realised cases: read, held to their laws, paired with those of a proposal.

Reads trees, asks no property. Knows no worker, so that whether a seed still draws what it drew is not known here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..artifacts.domains.lock import LockedDomain
from ..artifacts.journals.journal import Journal, parse_journal
from ..artifacts.journals.laws import check_journal
from ..artifacts.journals.realised import Realised, parse_realised
from ..artifacts.violation import Violation
from ..errors import IncompleteError
from ..gate import journal_lane
from ..gate.journal_lane import Kept
from ..gate.lanes import Step
from ..loading import Workspace
from ..loading.succession import successors
from ..loading.targets import PropertyTest
from ..scm import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """The journal of one property with its realised cases by path, and the laws that it breaks."""

    journal: Journal
    cases: dict[str, Realised] = field(repr=False)
    broken: tuple[Violation, ...]

    def given(self, paths: tuple[str, ...]) -> list[object]:
        """These realised cases as typed JSON, in the journal's order."""
        return [self.cases[path].case for path in paths]


def remembered(tree: Tree, path: str, *, property_id: str, domain: LockedDomain | None,
               suite: bool = False) -> Remembered:
    """A journal and all that it names. Raises IncompleteError for what can't be read."""
    journal = parse_journal(_read(tree, path), path=path)
    cases = {case: parse_realised(_read(tree, case), path=case) for case in journal.cases}
    return Remembered(journal=journal, cases=cases,
                      broken=check_journal(journal, property_id=property_id, domain=domain, cases=cases,
                                           suite=suite))


def steps(base: Tree, before: Workspace, candidate: Tree, after: Workspace) -> tuple[Step, ...]:
    """What a proposal does to the journals: each test's against that of the test that goes on as it."""
    found: dict[Step, None] = {}
    told: set[str] = set()
    for test, later in successors(before, after, same=lambda was, now: _read(base, was) == _read(candidate, now)):
        if not later and test.journal is not None:
            found[_undeclared(base, test.journal, f"{test.label} is gone")] = None
        for each in later:
            if each.journal is not None:
                told.add(each.journal)
            found.update(dict.fromkeys(_pair(base, test, candidate, each)))
    for target in after.targets.values():
        if isinstance(target, PropertyTest) and target.journal is not None and target.journal not in told:
            found.update(dict.fromkeys(_steps(target.journal, None, candidate)))
    return tuple(found)


def _pair(base: Tree, was: PropertyTest, candidate: Tree, now: PropertyTest) -> Iterator[Step]:
    if was.journal is None:
        if now.journal is not None:
            yield from _steps(now.journal, None, candidate)
    elif now.journal is None:
        yield _undeclared(base, was.journal, f"{now.label} names it no more")
    else:
        yield from _steps(now.journal, _old(base, was.journal), candidate)


def _undeclared(base: Tree, path: str, detail: str) -> Step:
    return journal_lane.gone(path, _old(base, path), sign="journal-undeclared", detail=detail)


def _old(base: Tree, path: str) -> Kept | None:
    """Base's journal; None for one that can't be read, which is base's fault and no step."""
    try:
        return _kept(base, path)
    except IncompleteError:
        return None


def _steps(path: str, old: Kept | None, candidate: Tree) -> Iterator[Step]:
    try:
        yield from journal_lane.compare(path, old, _kept(candidate, path))
    except IncompleteError as error:
        yield Step(subject=path, sign="malformed", detail=f"{error.where}: {error.detail}", remedy=error.remedy)


def _kept(tree: Tree, path: str) -> Kept | None:
    data = _read(tree, path)
    if data is None:
        return None
    journal = parse_journal(data, path=path)
    cases = {case: found for case in journal.cases if (found := _read(tree, case)) is not None}
    return Kept(journal=journal, cases=cases)


def _read(tree: Tree, path: str) -> bytes | None:
    try:
        return tree.read(path)
    except KeyError:
        return None
