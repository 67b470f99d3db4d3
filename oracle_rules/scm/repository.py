"""The face of a git repository: revisions to ids, ids to trees, and the work tree as a tree.

Knows nothing of rules, oracles or verdicts. Nothing is checked out, written or fetched, and nothing that the
repository names is executed; `view.py` and `git.py` say how.
"""

from __future__ import annotations

import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from . import revisions
from .limits import Limits
from .locate import locate, locate_exactly
from .session import Session, open_session
from .snapshot import read_commit
from .tree import Tree
from .worktree import read_worktree


class Repository:
    """A repository on this machine, opened for reading. Usable from several threads.

    Trees taken from it keep it open; `close` (or leaving the `with`) ends its git process and makes them unreadable.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._others: list[Repository] = []

    @classmethod
    def discover(cls, start: Path, *, limits: Limits | None = None) -> Repository:
        """The repository around a folder."""
        return cls(open_session(locate(start), limits or Limits()))

    @classmethod
    def at(cls, place: Path, *, limits: Limits | None = None) -> Repository:
        """The repository that is this very folder: a work tree, its `.git`, or a bare repository; none above it."""
        return cls(open_session(locate_exactly(place), limits or Limits()))

    @property
    def top(self) -> Path | None:
        """The folder of the work tree; None if the repository is bare."""
        return self._session.layout.top

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders that hold what belongs to this repository: work tree, git folder, and the one that is shared."""
        layout = self._session.layout
        return tuple(dict.fromkeys(place for place in (layout.top, layout.folder, layout.common) if place))

    @property
    def others(self) -> tuple[Repository, ...]:
        """The repositories that are closed together with this one."""
        return tuple(self._others)

    def resolve(self, revision: str) -> str:
        """The full id of the commit that a branch, tag, id, HEAD or one of these with `~N` names."""
        with self._lock:
            return revisions.resolve(self._session, revision)

    def merge_base(self, base: str, candidate: str) -> str | None:
        """The best common ancestor of two revisions; None if their histories are unrelated."""
        with self._lock:
            return revisions.merge_base(self._session, base, candidate)

    def default_base(self) -> str:
        """The revision that stands for trusted work unless somebody says otherwise."""
        with self._lock:
            return revisions.default_base(self._session)

    def tree(self, commit: str) -> Tree:
        """The snapshot that a commit holds."""
        return read_commit(self._session, self.resolve(commit))

    def worktree(self) -> Tree:
        """The snapshot of the work tree as it is now, untracked files that are not ignored included."""
        with self._lock:
            return read_worktree(self._session)

    def close_with(self, other: Repository) -> None:
        """Closes the other repository together with this one."""
        self._others.append(other)

    def close(self) -> None:
        """Ends the git process and removes the private folder. May be called twice."""
        self._session.close()
        for other in self._others:
            other.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
