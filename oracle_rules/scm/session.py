"""One repository opened for reading: its layout, its private view, its object reader.

Knows nothing of revisions or work trees; `revisions.py`, `snapshot.py` and `worktree.py` ask through it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .batch import Reader
from .git import Done, Git, check_version, find_git
from .limits import Limits
from .locate import Layout
from .objects import ObjectFormat
from .view import Home, View, object_format, settings


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """Everything that asks git a question needs. `close` ends the process and removes the private folder."""

    layout: Layout
    limits: Limits
    algorithm: ObjectFormat
    git: Git
    view: View
    reader: Reader
    home: Home

    @property
    def is_shallow(self) -> bool:
        """Whether the clone ends before the first commit."""
        return (self.layout.common / "shallow").exists()

    def run(
        self, arguments: Sequence[str | bytes], extra: Mapping[str, str] | None = None, folder: Path | None = None
    ) -> Done:
        """One git command that looks through the private view."""
        return self.git.run(arguments, {**self.view.variables(), **(extra or {})}, folder)

    def close(self) -> None:
        """Frees everything; reading afterwards is a ValueError."""
        self.reader.close()
        self.home.close()


def open_session(layout: Layout, limits: Limits) -> Session:
    """Opens a repository that was located."""
    binary = find_git(os.environ.get("PATH"))
    home = Home()
    git = Git(binary=binary, home=home.path, seconds=limits.seconds)
    check_version(git)
    keys = settings(git, layout.common / "config")
    algorithm = object_format(keys, layout.shown)
    view = View(layout, home.path, algorithm)
    reader = Reader(git, view.variables(), algorithm, _absent(keys))
    return Session(layout=layout, limits=limits, algorithm=algorithm, git=git, view=view, reader=reader, home=home)


def _absent(keys: Mapping[str, str]) -> str:
    """What to do about an object that is not there."""
    if "extensions.partialclone" in keys or any(key.endswith(".promisor") for key in keys):
        return "this is a partial clone and nothing is fetched while scoring; run `git fetch --refetch --no-filter`"
    return "see `git fsck`; fetch it, or clone the repository again"
