"""The declared domain locks of a tree: read, held against their laws, compared with those of another tree.

`oracle-rules domain` asks it about the work tree and about commits; `score` holds the same laws on base while it reads
its questions. Reads trees; writes, draws and prints nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence

from ..artifacts.domains.compare import Narrowing, compare_drawn, compare_locks, rewritten
from ..artifacts.domains.laws import check_filters, drawn_elsewhere, unlocked
from ..artifacts.domains.lock import DomainLock, LockedDomain, parse_domain_lock
from ..artifacts.violation import Violation
from ..errors import IncompleteError, UsageError
from ..gate.codes import lookup
from ..gate.finding import Finding
from ..gate.review import from_violations
from ..loading import Workspace, load_workspace
from ..loading.succession import successors
from ..loading.targets import DomainLock as Declared
from ..loading.targets import PropertyTest
from ..scm import Tree


def read_locks(tree: Tree) -> dict[str, DomainLock]:
    """Every declared lock by path. Raises IncompleteError for the first that can't be read."""
    return {path: _lock(tree, path) for path in _paths(tree)}


def check_tree(tree: Tree) -> tuple[int, tuple[Finding, ...]]:
    """How many domains a tree locks, and what is wrong with its locks; each finding once."""
    found: dict[Finding, None] = {}
    locks: dict[str, DomainLock] = {}
    for path in _paths(tree):
        try:
            locks[path] = _lock(tree, path)
        except IncompleteError as error:
            found[_incomplete(error)] = None
    declared = load_workspace(tree).targets
    for test in declared.values():
        if isinstance(test, PropertyTest):
            target = None if test.domain_lock is None else declared[test.domain_lock]
            lock = locks.get(target.lock) if isinstance(target, Declared) else None
            try:
                violations = tuple(_broken(tree, test, lock))
            except IncompleteError as error:
                found[_incomplete(error)] = None
            else:
                found.update(dict.fromkeys(from_violations(violations)))
    return sum(len(lock.domains) for lock in locks.values()), tuple(found)


def compare_trees(before: Tree, after: Tree) -> tuple[tuple[Narrowing, ...], tuple[str, ...]]:
    """What is drawn less in the second tree than in the first: by each test, and by rows that none draws from.

    Beside it each filter that only people can compare, with the digests of its file.

    Raises IncompleteError.
    """
    old, new = read_locks(before), read_locks(after)
    found: list[Narrowing] = []
    unproven: list[str] = []
    followed: dict[str, set[str]] = {}
    sides = load_workspace(before), load_workspace(after)
    for test, later in successors(*sides, same=lambda was, now: _read(before, was) == _read(after, now)):
        row = _row(sides[0], old, test)
        if row is not None and later:
            followed.setdefault(row.path, set()).add(row.property_id)
            for each in later:
                found += compare_drawn(row, _row(sides[1], new, each))
                unproven += _unproven(row, _row(sides[1], new, each))
    for path in sorted(old):
        found += compare_locks(old[path], new.get(path), followed=followed.get(path, ()))
        for row in old[path].domains:
            if row.property_id not in followed.get(path, ()):
                unproven += _unproven(row, new[path].find(row.property_id) if path in new else None)
    return tuple(dict.fromkeys(found)), tuple(dict.fromkeys(unproven))


def _unproven(locked: LockedDomain, live: LockedDomain | None) -> Iterator[str]:
    for was, now in () if live is None else rewritten(locked, live):
        yield f"{locked.property_id}: {now} was {was.source[:12]}, is {now.source[:12]}"


def rows(locks: dict[str, DomainLock], property_id: str | None) -> tuple[LockedDomain, ...]:
    """The rows of these locks, of one property or of all."""
    return tuple(row for path in sorted(locks) for row in locks[path].domains
                 if property_id in (None, row.property_id))


def no_row(property_id: str, known: Sequence[str]) -> UsageError:
    """The error for a property that none of these known ones is."""
    near = difflib.get_close_matches(property_id, known, n=1)
    said = f"did you mean {near[0]}?" if near else f"locked are {', '.join(known) or 'none'}"
    return UsageError("has no locked domain", where=property_id, remedy=said)


def _broken(tree: Tree, test: PropertyTest, lock: DomainLock | None) -> Iterator[Violation]:
    row = None if lock is None else lock.find(test.property_id)
    if lock is not None and row is None:
        yield unlocked(lock.path, test.property_id)
    if row is not None:
        check_filters(row, test.deps)
    sources = ((path, _read(tree, path)) for path in (test.property, *test.deps))
    yield from drawn_elsewhere({path: data for path, data in sources if data is not None})


def _row(declared: Workspace, locks: Mapping[str, DomainLock], test: PropertyTest) -> LockedDomain | None:
    """What a test draws from."""
    target = None if test.domain_lock is None else declared.targets[test.domain_lock]
    return locks[target.lock].find(test.property_id) if isinstance(target, Declared) else None


def _paths(tree: Tree) -> list[str]:
    return sorted({each.lock for each in load_workspace(tree).targets.values() if isinstance(each, Declared)})


def _lock(tree: Tree, path: str) -> DomainLock:
    return parse_domain_lock(_read(tree, path), path=path, source=lambda wanted: _read(tree, wanted))


def _read(tree: Tree, path: str) -> bytes | None:
    try:
        return tree.read(path)
    except KeyError:
        return None


def _incomplete(error: IncompleteError) -> Finding:
    return Finding(code=error.code, lane=lookup(error.code).lane, subject=error.where, detail=error.detail,
                   row="oracle-incomplete", remedy=error.remedy, edits_oracle=False)
