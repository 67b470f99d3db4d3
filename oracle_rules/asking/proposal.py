"""The oracle that a person's patch proposes: read from the candidate, held against base's by the laws of the lanes.

Base's oracle is what a score asks, whoever made the patch. What stands here decides only whether the proposed one may
become the next base's: it has to be readable, keep the laws that an oracle keeps by itself, and be reached from base's
by steps that the lanes allow. It is admitted by holding on the trusted commit afterwards, not by this. Where its
declarations can't be read, base's say what each path is, so that no law goes unasked.
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from .. import workspace
from ..artifacts.domains.lock import parse_domain_lock
from ..artifacts.fixtures import Manifest, parse_manifest
from ..artifacts.freezing.collection import check_matches, named_files
from ..artifacts.freezing.laws import check_freeze
from ..artifacts.freezing.ledger import Ledger, parse_freeze
from ..artifacts.profile import parse_profile
from ..artifacts.seeds import parse_corpus
from ..artifacts.violation import Violation
from ..digest import Digest
from ..errors import IncompleteError, UsageError
from ..gate import domain_lane, fixture_lane, ledger_lane, seed_lane
from ..gate.author import Edit
from ..gate.finding import Finding
from ..gate.lanes import Step, refused
from ..gate.paths import OraclePaths
from ..gate.review import from_violations, overlaps
from ..inventory import declared_paths
from ..loading import Workspace, load_workspace
from ..loading.targets import Candidate, DomainLock, Fixtures, Profile, PropertyTest
from ..scm import Tree
from ..workspace import Subject
from . import journals
from .asked import Succession
from .fixtures import hold_laws

Read = TypeVar("Read")


class Proposal:
    """One proposed oracle; `steps` is what was done to base's, `findings` what stands against it.

    `declared` are the candidate's declarations; None when they can't be read, or when nothing of the oracle changed.
    """

    def __init__(self, subject: Subject, edits: Iterable[Edit], *, today: datetime.date) -> None:
        self._subject = subject
        self._today = today
        self._lanes = {edit.change.path: edit.row.person for edit in edits}
        self._edited = self._lanes.keys()
        self._before = workspace.oracle_paths(subject)
        self._steps: list[Step] = []
        self._violations: dict[Violation, None] = {}
        self._overlaps: tuple[Finding, ...] = ()
        self.declared = self._load() if self._edited else None
        self._unread = self.declared is None
        if self._edited:
            declared = self.declared or subject.selected
            self._hold(declared, declared_paths(subject.candidate, declared))

    @property
    def steps(self) -> tuple[Step, ...]:
        """Everything that was done to the oracle, as the lanes tell it."""
        return tuple(self._steps)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The steps that no person may take, and the laws that the proposed oracle breaks by itself."""
        return (*refused(self._steps), *from_violations(self._violations), *self._overlaps)

    def _load(self) -> Workspace | None:
        """The candidate's own declarations."""
        try:
            return load_workspace(self._subject.candidate)
        except (UsageError, IncompleteError) as error:
            self._malformed("", error)
            return None

    def _hold(self, declared: Workspace, after: OraclePaths) -> None:
        tests = Succession(self._subject.base, self._subject.declared, self._subject.candidate, declared)
        for path in self._touched(self._before.seeds, after.seeds):
            self._corpus(path)
        self._dropped(after)
        for path in self._touched(self._before.ledgers, after.ledgers):
            self._ledger(path, declared)
        self._fixtures(declared, after)
        # A lock that stays may be wanted by more tests than before.
        for path in sorted(self._before.domain_locks | after.domain_locks):
            self._lock(path, declared, tests)
        self._steps += tests.steps
        self._steps += journals.steps(self._subject.base, self._subject.declared, self._subject.candidate, declared)
        for path in self._touched(self._before.profiles, after.profiles):
            self._profile(path, declared)
        if self._unread:
            return  # what else there is may be named by the declarations that can't be read
        self._overlaps = overlaps(replace(after, base_sources=_sources(declared)))
        known = {*self._before.declared, *after.declared}
        for path in sorted(self._edited - known):
            if self._lanes[path] in ("seed", "fixture"):
                self._beside(path)

    def _touched(self, before: frozenset[str], after: frozenset[str]) -> list[str]:
        """What changed, and what is declared for the first time, changed or not."""
        return sorted((self._edited & (before | after)) | (after - before))

    def _dropped(self, after: OraclePaths) -> None:
        """Cases that stay where they are and are asked no more: corpora that no target names."""
        for path in sorted(self._before.seeds - after.seeds):
            if path in self._subject.candidate.entries:
                self._steps.append(Step(subject=path, sign="corpus-undeclared", detail="no target names it"))

    def _corpus(self, path: str) -> None:
        old = self._old(lambda: parse_corpus(_read(self._subject.base, path), path=path))
        data = _read(self._subject.candidate, path)
        if data is None:
            self._steps += seed_lane.compare(path, old, None)
            return
        new = self._new(path, lambda: parse_corpus(data, path=path))
        if new is None:
            return
        if old is None and path in self._subject.base.entries:
            self._steps.append(Step(subject=path, sign="corpus-mended", detail=f"{len(new)} cases, base's unreadable"))
        self._steps += seed_lane.compare(path, old, new)

    def _ledger(self, path: str, declared: Workspace) -> None:
        old = self._old(lambda: parse_freeze(_read(self._subject.base, path), path=path))
        data = _read(self._subject.candidate, path)
        if data is None:
            self._steps += ledger_lane.compare(path, old, None)
            return
        new = self._new(path, lambda: parse_freeze(data, path=path))
        if new is not None:
            self._steps += ledger_lane.compare(path, old, new)
            self._broken(check_freeze(new, today=self._today))
            if not self._unread:
                self._broken(self._unmatched(new, declared))

    def _unmatched(self, ledger: Ledger, declared: Workspace) -> tuple[Violation, ...]:
        tree = self._subject.candidate
        held = tree.read_many(path for path in named_files(ledger)
                              if path in tree.entries and tree.entries[path].mode.is_plain)
        return check_matches(ledger, _names(declared), held)

    def _fixtures(self, declared: Workspace, after: OraclePaths) -> None:
        """Every fixture by its path over all manifests, and the laws of each manifest that was touched."""
        base, candidate, paths = self._subject.base, self._subject.candidate, (self._before.fixtures, after.fixtures)
        manifests = self._before.manifests | after.manifests
        if paths[0] == paths[1] and self._before.manifests == after.manifests and not (
                (manifests | paths[0]) & self._edited):
            return
        old, new, unread = list[Manifest](), list[Manifest](), set[str]()
        for path in sorted(manifests):
            was, now = _fixture_paths(self._subject.declared, path), _fixture_paths(declared, path)
            held = self._old(functools.partial(_manifest, base, path))
            old += [held] if held is not None else []
            if path not in after.manifests:
                continue
            found = self._new(path, functools.partial(_manifest, candidate, path))
            if found is None:
                unread.update(was, now, (row.path for row in held.rows) if held is not None else ())
                continue
            new.append(found)
            if {path, *was, *now} & self._edited or was != now:
                broken = hold_laws(candidate, found, now).violations
                self._broken(each for each in broken if not self._unread or each.subject in was)
        elsewhere = {*after.declared, *_sources(declared)} - after.fixtures
        self._steps += fixture_lane.compare(old, new, _digests(base, paths[0]), _digests(candidate, paths[1]),
                                            elsewhere=elsewhere, unread=unread)

    def _lock(self, path: str, declared: Workspace, tests: Succession) -> None:
        """A lock that changed or is new, with a domain in it for every test that wants one."""
        compare = functools.partial(domain_lane.compare, path, followed=tests.followed.get(path, ()),
                                    told=tests.told.get(path, ()))
        base, candidate = (functools.partial(_read, tree) for tree in (self._subject.base, self._subject.candidate))
        old = self._old(lambda: parse_domain_lock(base(path), path=path, source=base))
        data = candidate(path)
        if data is None:
            self._steps += compare(old, None)
            return
        new = self._new(path, lambda: parse_domain_lock(data, path=path, source=candidate))
        if new is None:
            return
        self._steps += compare(old, new)
        for name in sorted(name for name, lock in _drawing(declared).items() if lock == path):
            if new.find(name) is None and (old is None or old.find(name) is None) and name not in tests.drawing:
                self._steps.append(Step(subject=path, sign="domain-missing", detail=f"locks no domain for {name}"))

    def _profile(self, path: str, declared: Workspace) -> None:
        for target in declared.targets.values():
            if isinstance(target, Profile) and target.profile == path:
                self._new(path, functools.partial(parse_profile, _read(self._subject.candidate, path), path=path,
                                                  label=str(target.label), attributes=target.attributes))

    def _beside(self, path: str) -> None:
        """What lies in an oracle folder and nothing declares; among fixtures nothing may appear without a row."""
        is_new = path not in self._subject.base.entries
        sign = "fixture-stray" if is_new and self._lanes[path] == "fixture" else "beside"
        self._steps.append(Step(subject=path, sign=sign, detail="added" if is_new else "changed or removed"))

    def _old(self, read: Callable[[], Read]) -> Read | None:
        """Base's version; None when it is not there or can't be read, which is base's fault and no step."""
        try:
            return read()
        except IncompleteError:
            return None

    def _new(self, path: str, read: Callable[[], Read]) -> Read | None:
        try:
            return read()
        except IncompleteError as error:
            self._malformed(path, error)
            return None

    def _malformed(self, path: str, error: IncompleteError | UsageError) -> None:
        subject = path or error.where
        detail = f"{error.where}: {error.detail}" if error.where and error.where != subject else error.detail
        self._steps.append(Step(subject=subject, sign="malformed", detail=detail, remedy=error.remedy))

    def _broken(self, violations: Iterable[Violation]) -> None:
        self._violations.update(dict.fromkeys(violations))


def _read(tree: Tree, path: str) -> bytes | None:
    try:
        return tree.read(path)
    except KeyError:
        return None


def _manifest(tree: Tree, path: str) -> Manifest:
    return parse_manifest(_read(tree, path), path=path)


def _sources(declared: Workspace) -> frozenset[str]:
    return frozenset(path for target in declared.targets.values() if isinstance(target, Candidate)
                     for path in target.srcs)


def _names(declared: Workspace) -> set[str]:
    return {test.property_id for test in declared.targets.values() if isinstance(test, PropertyTest)}


def _drawing(declared: Workspace) -> dict[str, str]:
    """The property ids of the tests that name a lock, with its path."""
    found = {}
    for test in declared.targets.values():
        if isinstance(test, PropertyTest) and test.domain_lock is not None:
            target = declared.targets[test.domain_lock]
            assert isinstance(target, DomainLock)  # loading has checked the rule of every label
            found[test.property_id] = target.lock
    return found


def _fixture_paths(declared: Workspace, manifest: str) -> set[str]:
    """What the targets of this manifest declare."""
    return {path for target in declared.targets.values()
            if isinstance(target, Fixtures) and target.manifest == manifest for path in target.srcs}


def _digests(tree: Tree, paths: Iterable[str]) -> Mapping[str, Digest]:
    """Those of the paths that the tree has, with their digests."""
    held = tree.read_many(path for path in sorted(paths) if path in tree.entries and tree.entries[path].mode.is_plain)
    return {path: Digest.of(data) for path, data in held.items()}
