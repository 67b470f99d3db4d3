"""Opens what is to be scored: base and candidate as trees, and base's declarations. Reads git, decides nothing.

Declarations, properties and artifacts come from base; from the candidate only what base's `oracle_candidate` selects in
its tree, with base's package boundaries.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import relpath
from .errors import IncompleteError, UsageError
from .gate.paths import OraclePaths
from .label import Label, Pattern
from .loading import Workspace, load_workspace
from .loading.targets import Candidate, DomainLock, Fixtures, Freeze, Profile, PropertyTest
from .scm import Change, Mode, Repository, Tree, compare

WORKTREE = "worktree"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One pair of trees under judgement. `candidate_id` is a commit, or the tree id of uncommitted work.

    `unselectable` says why base's declarations can't be read over the candidate's files; empty when they can.
    """

    base_id: str
    candidate_id: str
    parent_id: str
    base: Tree = field(repr=False)
    candidate: Tree = field(repr=False)
    declared: Workspace = field(repr=False)
    selected: Workspace = field(repr=False)
    unselectable: str = ""
    uncommitted: bool = False

    def command(self, patterns: Sequence[str]) -> str:
        """The command line that scores the same again, from any folder of the repository."""
        sides = ["--worktree"] if self.uncommitted else ["--head", self.candidate_id]
        return shlex.join(["oracle-rules", "score", "--base", self.base_id, *sides, *patterns])

    @property
    def changes(self) -> tuple[Change, ...]:
        """Every path that differs, by object id and mode."""
        return compare(self.base, self.candidate)

    def tests(self, patterns: Sequence[str]) -> tuple[PropertyTest, ...]:
        """The property tests that the patterns select; all of them without patterns."""
        try:
            parsed = [Pattern.parse(text) for text in patterns or ("//...",)]
        except ValueError as error:
            raise UsageError(str(error), remedy="write a target pattern such as //pkg:name or //...") from None
        return self.declared.select(parsed)

    def candidate_of(self, test: PropertyTest) -> tuple[Candidate, Candidate]:
        """The candidate's declaration as it selects files in base, and in the candidate's tree."""
        before, after = self.declared.targets[test.candidate], self.selected.targets[test.candidate]
        assert isinstance(before, Candidate) and isinstance(after, Candidate)
        return before, after

    def target(self, label: Label) -> object:
        """A declared target of base."""
        return self.declared.targets[label]

    def link_targets(self) -> dict[str, str]:
        """Where the candidate's symbolic links point, for links that base does not have alike."""
        return {change.path: self.candidate.link(change.path) for change in self.changes
                if change.after is not None and change.after.mode is Mode.LINK}


def open_subject(repository: Repository, *, base: str | None, head: str | None, worktree: bool) -> Subject:
    """Resolves the two sides and loads base's declarations.

    Without revisions the work tree is judged against HEAD; with a head alone, against the default base. Raises
    UsageError for revisions that can't be scored against each other.
    """
    if worktree and head is not None:
        raise UsageError("--worktree and --head exclude each other", remedy="give one of them")
    uncommitted = worktree or head is None
    base_id = repository.resolve(base or ("HEAD" if uncommitted else repository.default_base()))
    head_id = repository.resolve("HEAD" if uncommitted else str(head))
    if not uncommitted and head_id == base_id:
        raise UsageError("base and candidate are the same commit, so there is no patch to judge", where=base_id[:12],
                         remedy="give another --head, or leave both out to judge uncommitted work")
    parent = repository.merge_base(base_id, head_id)
    if parent is None:
        raise UsageError("base and candidate share no history", where=f"{base_id[:12]}..{head_id[:12]}",
                         remedy="rebase the patch on the base it is for")
    trusted = repository.tree(base_id)
    judged = repository.worktree() if uncommitted else repository.tree(head_id)
    declared = load_workspace(trusted)
    selected, unselectable = _select(trusted, judged, declared)
    return Subject(base_id=base_id, candidate_id=judged.id if uncommitted else head_id, parent_id=parent, base=trusted,
                   candidate=judged, declared=declared, selected=selected, unselectable=unselectable,
                   uncommitted=uncommitted)


def _select(trusted: Tree, judged: Tree, declared: Workspace) -> tuple[Workspace, str]:
    """Base's declarations over the candidate's files. Base loads by itself: an error here is the candidate's doing."""
    try:
        return load_workspace(trusted, universe=judged.paths()), ""
    except (UsageError, IncompleteError) as error:
        return declared, f"{error.where}: {error.detail}"


def discover(start: Path) -> Repository:
    """The repository around a folder."""
    return Repository.discover(start)


def oracle_paths(subject: Subject) -> OraclePaths:
    """What base declares, by kind, for the gate."""
    targets = list(subject.declared.targets.values())
    candidates = [target for target in targets if isinstance(target, Candidate)]
    tests = [target for target in targets if isinstance(target, PropertyTest)]
    fixtures = [target for target in targets if isinstance(target, Fixtures)]
    after = [target for target in subject.selected.targets.values() if isinstance(target, Candidate)]
    base_sources = frozenset(path for target in candidates for path in target.srcs)
    return OraclePaths(
        base_sources=base_sources, candidate_sources=frozenset(path for target in after for path in target.srcs),
        source_roots=frozenset(_roots(base_sources)),
        properties=frozenset(test.property for test in tests),
        supports=frozenset(path for test in tests for path in test.deps),
        seeds=frozenset(test.seeds for test in tests),
        fixtures=frozenset(path for target in fixtures for path in target.srcs),
        manifests=frozenset(target.manifest for target in fixtures),
        ledgers=frozenset(target.ledger for target in targets if isinstance(target, Freeze)),
        domain_locks=frozenset(target.lock for target in targets if isinstance(target, DomainLock)),
        journals=frozenset(path for path in subject.base.paths() if relpath.is_within(path, "oracles")),
        profiles=frozenset(target.profile for target in targets if isinstance(target, Profile)),
        declarations=frozenset(subject.declared.declared_files()),
        locks=frozenset(target.requirements for target in candidates if target.requirements))


def _roots(sources: frozenset[str]) -> Iterator[str]:
    """The top folders of the sources; a file at the top says nothing about the workspace."""
    for path in sources:
        if "/" in path:
            yield path.partition("/")[0]


def import_names(before: Candidate, standard: Mapping[str, object] | frozenset[str]) -> tuple[str, ...]:
    """Top-level names that an import in a property finds in the candidate, from base's sources alone.

    A name of the standard library never is one: a patch must not stand in for what the judge imports.
    """
    found = set()
    for root in before.import_roots:
        for path in before.srcs:
            if relpath.is_within(path, root):
                inside = path[len(root):].lstrip("/") if root else path
                found.add(inside.partition("/")[0].removesuffix(".py"))
    return tuple(sorted(name for name in found if name.isidentifier() and name not in standard))
