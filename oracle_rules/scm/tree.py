"""A tree as a value: paths, modes and object ids, with a way to read the bytes behind them.

Knows nothing of git commands, commits or disks; who can read blobs is handed in as a `Blobs`. Paths are text in UTF-8
with `surrogateescape`, so that two names which differ in any byte stay two paths: names that differ only in case or
in Unicode normalisation, and names that are not UTF-8, are all there, each by itself.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol


class Mode(enum.StrEnum):
    """What a leaf is, in git's words."""

    FILE = "100644"
    EXECUTABLE = "100755"
    LINK = "120000"
    GITLINK = "160000"

    @property
    def is_plain(self) -> bool:
        """Whether it is a file with bytes of its own: neither a symbolic link nor a submodule."""
        return self in (Mode.FILE, Mode.EXECUTABLE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One leaf of a tree. `oid` is the id of the blob, or of the commit of a submodule."""

    path: str
    mode: Mode
    oid: str


class Blobs(Protocol):
    """Reads the bytes behind leaves, and lets none pass that do not hash to the leaf's id."""

    def read(self, entries: Sequence[Entry]) -> dict[str, bytes]:
        """The bytes of each of these files and links, by path."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Tree:
    """An immutable snapshot of a commit or of a work tree; `id` is the id of git's tree object for it.

    `skipped` says which paths of a work tree are left out, and why (a nested repository, a pipe, …).
    """

    id: str
    entries: Mapping[str, Entry] = field(hash=False)
    blobs: Blobs = field(repr=False, compare=False)
    skipped: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), compare=False)

    def paths(self) -> Collection[str]:
        """The plain files, executable or not, in order; links and submodules are not among them."""
        return tuple(path for path, entry in self.entries.items() if entry.mode.is_plain)

    def read(self, path: str) -> bytes:
        """The raw bytes of a plain file; KeyError for anything else."""
        return self.read_many((path,))[path]

    def read_many(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The raw bytes of many plain files in one go; KeyError if any of them is not one."""
        return self.blobs.read([self._plain(path) for path in dict.fromkeys(paths)])

    def link(self, path: str) -> str:
        """Where a symbolic link points, as it is written there; KeyError for anything else. Never followed."""
        entry = self.entries[path]
        if entry.mode is not Mode.LINK:
            raise KeyError(path)
        return self.blobs.read([entry])[path].decode("utf-8", "surrogateescape")

    def _plain(self, path: str) -> Entry:
        entry = self.entries[path]
        if not entry.mode.is_plain:
            raise KeyError(path)
        return entry


def ordered(entries: Iterable[Entry]) -> Mapping[str, Entry]:
    """The entries by path, sorted, read-only."""
    return MappingProxyType({entry.path: entry for entry in sorted(entries, key=lambda entry: entry.path)})
