"""The tree of uncommitted work: what `git add --all` and `git write-tree` would record, if git kept its hands off.

Knows nothing of revisions. Git is asked two questions, both about names: which paths the index tracks, and which
others are not ignored (`.gitignore` and `info/exclude` count, the user's own excludes do not). It works on a copy of
the index and writes nothing. What a path holds is then read from the disk, so assume-unchanged and skip-worktree
bits, cached times, filters, line endings and encodings have no say.

A path that a sparse checkout left out is the one thing the index is believed about: it is not on the disk because
git took it away, and committing would keep it. A populated submodule stands with its own HEAD, an unpopulated one with
the index's commit. A nested repository that is not a submodule is not descended into.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from ..errors import UsageError
from .disk import Disk
from .git import Silent
from .limits import Limits
from .locate import locate_here
from .objects import is_full_id, name_problem, tree_id
from .revisions import head
from .session import Session, open_session
from .snapshot import Stored
from .tree import Entry, Mode, Tree, ordered
from .view import settings

_NESTED = "nested repository"
_IGNORE_LINK = ": Too many levels of symbolic links"  # a `.gitignore` that is a link: git warns and does not follow


@dataclass(frozen=True, kw_only=True, slots=True)
class _Tracked:
    """A line of the index."""

    mode: str
    oid: str
    skipped: bool


class _Work:
    """Bytes from the disk, except where a sparse checkout took the file away."""

    def __init__(self, disk: Disk, stored: Stored, sparse: frozenset[str]) -> None:
        self._disk = disk
        self._stored = stored
        self._sparse = sparse

    def read(self, entries: Sequence[Entry]) -> dict[str, bytes]:
        found = self._disk.read([entry for entry in entries if entry.path not in self._sparse])
        found.update(self._stored.read([entry for entry in entries if entry.path in self._sparse]))
        return {entry.path: found[entry.path] for entry in entries}


def read_worktree(session: Session) -> Tree:
    """The snapshot of the work tree as it is now."""
    top = session.layout.top
    if top is None:
        raise UsageError(
            "a bare repository has no work tree", where=session.layout.shown, remedy="give a commit as the candidate"
        )
    tracked = _tracked(session)
    untracked, skipped = _untracked(session, top)
    paths = sorted(tracked.keys() | untracked)
    _checked(paths, session.limits, top)
    disk = Disk(top, session.algorithm, session.limits)
    entries, sparse = [], set()
    keep_sparse = _is_sparse(session)
    for path, found in disk.look(paths).items():
        line = tracked.get(path)
        if isinstance(found, Entry):
            entries.append(found)
        elif line and line.mode == Mode.GITLINK and found.kind == "folder":
            entries.append(Entry(path=path, mode=Mode.GITLINK, oid=_submodule(session, top / path, line.oid)))
        elif line and line.skipped and keep_sparse and found.kind == "absent":
            entries.append(Entry(path=path, mode=Mode(line.mode), oid=line.oid))
            sparse.add(path)
        elif found.kind not in ("absent", "hidden", "folder"):
            skipped[path] = found.kind
    try:
        found_id = tree_id(((entry.path, entry.mode, entry.oid) for entry in entries), session.algorithm)
    except ValueError as problem:
        raise UsageError(f"no tree can hold this: {problem}", where=str(top), remedy="rename or remove it") from None
    blobs = _Work(disk, Stored(session), frozenset(sparse))
    return Tree(id=found_id, entries=ordered(entries), blobs=blobs, skipped=MappingProxyType(skipped))


def _tracked(session: Session) -> dict[str, _Tracked]:
    """The paths of the index, read from a copy of it in the private folder."""
    _copy_index(session)
    done = session.run(["ls-files", "--stage", "-t", "-z"], _index(session))
    if done.code:
        raise UsageError(
            f"the index cannot be read: {done.err}", where=session.layout.shown, remedy="rebuild it with `git reset`"
        )
    found: dict[str, _Tracked] = {}
    for item in done.out.split(b"\0")[:-1]:
        facts, _, raw = item.partition(b"\t")
        tag, mode, oid, _stage = facts.decode("ascii").split(" ")
        path = raw.decode("utf-8", "surrogateescape")
        found[path] = _Tracked(mode=mode, oid=oid, skipped=tag == "S")
    return found


def _untracked(session: Session, top: Path) -> tuple[set[str], dict[str, str]]:
    """Paths that are neither tracked nor ignored, and nested repositories."""
    variables = {**_index(session), "GIT_WORK_TREE": str(top)}
    try:
        done = session.run(["ls-files", "--others", "--exclude-standard", "-z"], variables, top)
    except Silent:
        _blame_ignore_files(top)
        raise
    warnings = [line for line in done.err.splitlines() if not line.endswith(_IGNORE_LINK)]
    if done.code or warnings:  # each warning is a folder or an ignore file that git could not read and left out
        raise UsageError(
            f"the work tree cannot be read: {'; '.join(warnings)}",
            where=str(top),
            remedy="mend the rights of what is named there, or name it in .gitignore",
        )
    own = session.home.path.resolve()
    private = f"{own.relative_to(top)}/" if own.is_relative_to(top) else None  # a TMPDIR inside the work tree
    names = [item.decode("utf-8", "surrogateescape") for item in done.out.split(b"\0")[:-1]]
    names = [name for name in names if private is None or not name.startswith(private)]
    nested = {name.rstrip("/"): _NESTED for name in names if name.endswith("/")}
    return {name for name in names if not name.endswith("/")}, nested


def _index(session: Session) -> Mapping[str, str]:
    return {"GIT_INDEX_FILE": str(session.view.folder / "index")}


def _copy_index(session: Session) -> None:
    """Copies what git reads from its folder to list a work tree: index, shared index, `info/exclude`."""
    source, target = session.layout.folder, session.view.folder
    pairs = [(source / "index", target / "index")]
    pairs += [(found, target / found.name) for found in source.glob("sharedindex.*")]
    pairs += [(session.layout.common / "info" / "exclude", target / "info" / "exclude")]
    for old, new in pairs:
        new.unlink(missing_ok=True)
        _copy(old, new)


def _copy(old: Path, new: Path) -> None:
    try:
        if not old.exists():
            return
        if not old.is_file():
            raise UsageError("this has to be a regular file", where=str(old), remedy="remove it")
        new.write_bytes(old.read_bytes())
    except OSError as problem:
        raise UsageError(
            f"this file cannot be copied: {problem.strerror}", where=str(old), remedy="mend its rights"
        ) from None


def _is_sparse(session: Session) -> bool:
    """Whether a sparse checkout is on, which git writes down in one of two configuration files."""
    keys = {
        **settings(session.git, session.layout.common / "config"),
        **settings(session.git, session.layout.folder / "config.worktree"),
    }
    return keys.get("core.sparsecheckout", "false").lower() in ("true", "yes", "on", "1", "")


def _submodule(session: Session, folder: Path, recorded: str) -> str:
    """The commit checked out in a submodule, or the recorded one if none is."""
    try:
        layout = locate_here(folder)
        if layout is None:
            return recorded
        inner = open_session(layout, session.limits)
        try:
            found = head(inner)
        finally:
            inner.close()
    except OSError as problem:
        raise UsageError(
            f"this submodule cannot be read: {problem.strerror}", where=str(folder), remedy="mend its rights"
        ) from None
    return found if found and is_full_id(found, session.algorithm) else recorded


def _checked(paths: Sequence[str], limits: Limits, top: Path) -> None:
    """Refuses too many paths, and any that could lead out of the work tree: an index may hold what git never added."""
    if len(paths) > limits.entries:
        raise UsageError(
            f"the work tree has more than {limits.entries} files",
            where=str(top),
            remedy="name generated files in .gitignore",
        )
    for path in paths:
        for part in path.encode("utf-8", "surrogateescape").split(b"/"):
            if problem := name_problem(part):
                raise UsageError(
                    f"the path {path!r} holds {problem}",
                    where=str(top),
                    remedy="rename or remove it, and rebuild the index with `git reset`",
                )


def _blame_ignore_files(top: Path) -> None:
    """Names an ignore file that git waits for, if there is one."""
    for folder, names, files in os.walk(top):
        names[:] = [name for name in names if name != ".git"]
        path = Path(folder, ".gitignore")
        if ".gitignore" in files and not path.is_file() and not path.is_symlink():
            raise UsageError("this is not a regular file", where=str(path), remedy="remove it")
