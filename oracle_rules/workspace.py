"""Opens what is to be scored: base, candidate and oracle as trees, and the declarations. Reads git, decides nothing.

Declarations, properties and artifacts come from the oracle's tree: base, or a commit of another repository. From the
candidate come only the files that the oracle's `oracle_candidate` selects in its tree, with the oracle's package
boundaries; what base holds at those paths says which names a property may import.

More names than eight because a subject is opened in several ways.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import relpath
from .again import again
from .errors import IncompleteError, UsageError
from .gate.author import Author
from .gate.finding import Finding
from .gate.paths import OraclePaths
from .inventory import declared_paths, oracle_files
from .label import Label, Pattern
from .loading import Workspace, load_workspace
from .loading.targets import Candidate, PropertyTest
from .scm import Change, Mode, Repository, Tree, compare, split_address
from .trust.oracle import Standing, oracle_digest
from .unreadable import Unreadable

# Where an oracle comes from.
BASE, SEPARATE = "base", "separate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One pair of trees under judgement. `candidate_id` is a commit, or the tree id of uncommitted work.

    `oracle` is base itself unless `separate`, and `standing` says which it is; `declared` are its declarations over its
    own files, `before` over base's, `selected` over the candidate's. `unselectable` says why the last can't be read;
    empty when they can. `demands` are the options that name files outside of the repository (signatures, a
    secret), as a shell reads them, and `untrusted` says why these can't be believed.
    """

    base_id: str
    candidate_id: str
    parent_id: str
    standing: Standing
    base: Tree = field(repr=False)
    candidate: Tree = field(repr=False)
    oracle: Tree = field(repr=False)
    declared: Workspace = field(repr=False)
    before: Workspace = field(repr=False)
    selected: Workspace = field(repr=False)
    unselectable: str = ""
    uncommitted: bool = False
    demands: tuple[str, ...] = ()
    untrusted: tuple[Finding, ...] = ()

    @property
    def separate(self) -> bool:
        """Whether the oracle comes from another repository."""
        return self.standing.source == SEPARATE

    def command(self, words: Sequence[str], *, author: Author, today: datetime.date | None, verb: str = "score") -> str:
        """The command line that scores, or gates, the same again; `today` is None where no day counted."""
        return again(verb, base=self.base_id, head=None if self.uncommitted else self.candidate_id, author=author,
                     oracle=self.standing.commit if self.separate else None, demands=self.demands, today=today,
                     words=words)

    @property
    def base_side(self) -> Side:
        """Base's own sources, as the oracle's declarations select them."""
        return Side(commit=self.base_id, tree=self.base, selected=self.before)

    @property
    def changes(self) -> tuple[Change, ...]:
        """Every path that differs, by object id and mode."""
        return compare(self.base, self.candidate)

    def merged(self, declared: Workspace) -> Subject:
        """The same when the candidate has become base, with these declarations of its own."""
        return dataclasses.replace(self, base=self.candidate, oracle=self.candidate, declared=declared, before=declared,
                                   selected=declared, unselectable="", untrusted=())

    def tests(self, patterns: Sequence[str]) -> tuple[PropertyTest, ...]:
        """The property tests that the patterns select; all of them without patterns."""
        try:
            parsed = [Pattern.parse(text) for text in patterns or ("//...",)]
        except ValueError as error:
            raise UsageError(str(error), remedy="write a target pattern such as //pkg:name or //...") from None
        return self.declared.select(parsed)

    def candidate_of(self, test: PropertyTest) -> tuple[Candidate, Candidate]:
        """The candidate's declaration as it selects files in base, and in the candidate's tree."""
        before, after = self.before.targets[test.candidate], self.selected.targets[test.candidate]
        assert isinstance(before, Candidate) and isinstance(after, Candidate)
        return before, after

    def target(self, label: Label) -> object:
        """A declared target of the oracle."""
        return self.declared.targets[label]

    def link_targets(self) -> dict[str, str]:
        """Where the candidate's symbolic links point, for links that base does not have alike."""
        return {change.path: self.candidate.link(change.path) for change in self.changes
                if change.after is not None and change.after.mode is Mode.LINK}


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A commit whose sources can stand where the candidate's do; `selected` is None when the oracle can't select."""

    commit: str
    tree: Tree = field(repr=False)
    selected: Workspace | None = field(repr=False)

    def sources(self, test: PropertyTest) -> tuple[str, ...] | None:
        """The paths that the oracle's declaration selects here; None when they can't be judged."""
        target = None if self.selected is None else self.selected.targets.get(test.candidate)
        if not isinstance(target, Candidate) or any(relpath.problem(path) for path in target.srcs):
            return None
        return tuple(path for path in target.srcs if path in self.tree.entries)


def parent_side(repository: Repository, subject: Subject) -> Side:
    """The merge base's sources under the oracle's declarations."""
    if subject.parent_id == subject.base_id:
        return subject.base_side
    tree = repository.tree(subject.parent_id)
    selected, unselectable = _select(subject.oracle, tree, subject.before, subject.separate)
    return Side(commit=subject.parent_id, tree=tree, selected=None if unselectable else selected)


def open_subject(
    repository: Repository, *, base: str | None, head: str | None, worktree: bool, oracle: str | None = None
) -> Subject:
    """Resolves the two sides and loads the oracle's declarations.

    Without revisions the work tree is judged against HEAD; with a head alone, against the default base. `oracle` is
    `REPO@REV`, and None for base. Raises UsageError for revisions that can't be scored against each other.
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
    before = repository.tree(base_id)
    judged = repository.worktree() if uncommitted else repository.tree(head_id)
    oracle_id, trusted = (base_id, before) if oracle is None else open_oracle(repository, oracle)
    apart = oracle is not None
    sides = base_id, judged.id if uncommitted else head_id, parent
    declared = _load(oracle_id, trusted, apart, sides, uncommitted)
    over_base = load_workspace(trusted, universe=before.paths(), apart=True) if apart else declared
    selected, unselectable = _select(trusted, judged, over_base, apart)
    standing = Standing(commit=oracle_id, digest=oracle_digest(oracle_files(trusted, declared)),
                        source=SEPARATE if apart else BASE, signed_by=())
    return Subject(base_id=base_id, candidate_id=sides[1], parent_id=parent,
                   standing=standing, base=before, candidate=judged, oracle=trusted, declared=declared,
                   before=over_base, selected=selected, unselectable=unselectable, uncommitted=uncommitted)


def open_parent(repository: Repository, revision: str | None) -> Subject:
    """The work tree's oracle over the sources of a commit, read from git objects: what a hunt asks.

    Without a revision it is the merge base of HEAD and the default base. Raises UsageError.
    """
    parent = repository.merge_base(repository.default_base(), "HEAD") if revision is None else revision
    if parent is None:
        raise UsageError("HEAD shares no history with the default base", remedy="name the --parent")
    commit = repository.resolve(parent)
    oracle, judged = repository.worktree(), repository.tree(commit)
    declared = load_workspace(oracle)
    before, unselectable = _select(oracle, judged, declared, apart=False)
    if unselectable:
        raise UsageError(f"the work tree's declarations can't be read over the parent: {unselectable}",
                         where=commit[:12], remedy="name another --parent")
    return _over(oracle, declared, judged, commit, before)


def open_worktree(repository: Repository) -> Subject:
    """The work tree's oracle over the work tree's own sources."""
    tree = repository.worktree()
    declared = load_workspace(tree)
    return _over(tree, declared, tree, tree.id, declared)


def _over(oracle: Tree, declared: Workspace, judged: Tree, commit: str, selected: Workspace) -> Subject:
    """An uncommitted oracle over one side, which is base, candidate and parent alike."""
    standing = Standing(commit=oracle.id, digest=oracle_digest(oracle_files(oracle, declared)), source=BASE,
                        signed_by=())
    return Subject(base_id=commit, candidate_id=commit, parent_id=commit, standing=standing, base=judged,
                   candidate=judged, oracle=oracle, declared=declared, before=selected, selected=selected)


def open_oracle(repository: Repository, address: str) -> tuple[str, Tree]:
    """The commit and the tree of a separate oracle, `REPO@REV`; its repository is closed together with the first.

    Raises UsageError for one that lies among the files under judgement, where a patch could put it, and for the
    repository under judgement itself: whoever may push there would say what is asked.
    """
    place, revision = split_address(address)
    found = Repository.at(place)
    repository.close_with(found)
    top = repository.top
    if not set(repository.folders).isdisjoint(found.folders):
        raise UsageError("this is the repository that is judged", where=str(place),
                         remedy="leave --oracle out, and name the commit that holds the oracle with --base; or keep "
                                "the oracle in a repository of its own")
    if top is not None and any(folder.is_relative_to(top) for folder in found.folders):
        raise UsageError("this repository lies inside the work tree that is judged", where=str(place),
                         remedy="clone the oracle beside it, where no patch can put files")
    commit = found.resolve(revision)
    return commit, found.tree(commit)


def _load(oracle_id: str, trusted: Tree, apart: bool, sides: tuple[str, str, str], uncommitted: bool) -> Workspace:
    """The oracle's declarations. Raises Unreadable, which knows what was to be judged, for what they name in vain."""
    try:
        return load_workspace(trusted, apart=apart)
    except IncompleteError as error:
        raise Unreadable(error, sides=sides, oracle=oracle_id, source=SEPARATE if apart else BASE,
                         uncommitted=uncommitted) from None


def _select(trusted: Tree, judged: Tree, before: Workspace, apart: bool) -> tuple[Workspace, str]:
    """The declarations over the candidate's files. They load by themselves: an error here is the candidate's doing."""
    try:
        return load_workspace(trusted, universe=judged.paths(), apart=apart), ""
    except (UsageError, IncompleteError) as error:
        return before, f"{error.where}: {error.detail}"


def discover(start: Path) -> Repository:
    """The repository around a folder."""
    return Repository.discover(start)


def oracle_paths(subject: Subject) -> OraclePaths:
    """What the oracle declares, by kind, for the gate; its paths are protected in the candidate's repository too."""
    base_sources = _sources(subject.before)
    return dataclasses.replace(
        declared_paths(subject.oracle, subject.declared), base_sources=base_sources,
        candidate_sources=_sources(subject.selected), source_roots=frozenset(_roots(base_sources)))


def _sources(selected: Workspace) -> frozenset[str]:
    targets = selected.targets.values()
    return frozenset(path for target in targets if isinstance(target, Candidate) for path in target.srcs)


def _roots(sources: frozenset[str]) -> Iterator[str]:
    """The top folders of the sources; a file at the top says nothing about the workspace."""
    for path in sources:
        if "/" in path:
            yield path.partition("/")[0]


def import_names(before: Candidate, standard: Mapping[str, object] | frozenset[str]) -> tuple[str, ...]:
    """Top-level names that an import in a property finds in the candidate, from base's sources alone.

    A name of the standard library never is one: a patch must not stand in for what the judge imports.
    """
    return tuple(name for name in top_names(before) if name.isidentifier() and name not in standard)


def top_names(before: Candidate) -> tuple[str, ...]:
    """What stands at the top of the import roots in base's sources, by name; not each can be imported."""
    found = set()
    for root in before.import_roots:
        for path in before.srcs:
            if relpath.is_within(path, root):
                inside = path[len(root):].lstrip("/") if root else path
                found.add(inside.partition("/")[0].removesuffix(".py"))
    return tuple(sorted(found))
