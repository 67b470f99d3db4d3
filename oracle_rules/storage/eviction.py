"""Keeps a folder of entries below a cap, least recently used first. Knows of results only that they name blobs.

- A result goes before the blobs it names: a blob counts as used when a result that names it was.
- What was used within the folder's `keep_seconds` stays, whatever the cap says: it may be in use. The cap can be
  exceeded by that much.
- How much is there is kept in the file `usage`, so that a process that writes ten blobs does not have to look at a
  hundred thousand. A process killed at the wrong moment makes it wrong by one entry, and each sweep makes it right.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from ..errors import Malfunction
from .folder import Folder

RESULTS: Final = "ac"
BLOBS: Final = "cas"

_HASH = re.compile(r"[0-9a-f]{64}\Z")
_BLOCK = 4096
_USAGE = re.compile(rb"(\d{1,20}) (\d{1,20})\n *\Z")
# A writer that takes longer than this to write one blob may have to write it again.
_LEFTOVER_SECONDS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    kind: str
    name: str
    size: int
    last_used: float


@dataclass(slots=True)
class _Usage:
    total: int
    due: int


class Cap:
    """The cap of one folder. `references` gives the hashes of the blobs that a stored result names."""

    def __init__(self, folder: Folder, cap_bytes: int, references: Callable[[str], Iterable[str]]) -> None:
        self._folder = folder
        self._cap = cap_bytes
        self._references = references

    def wrote(self, sizes: Iterable[int]) -> None:
        """Counts entries just written, and makes room when it is due. Never fails: the entries are written."""
        size = sum(map(occupied, sizes))
        if size and self._count(size):
            self.sweep()

    def sweep(self) -> None:
        """Measures the folder and evicts down to nine tenths of the cap; nothing when another process is at it."""
        sweeping = f"{self._folder.root}/tmp/sweep"
        with contextlib.suppress(OSError, Malfunction), _locked(sweeping, fcntl.LOCK_EX | fcntl.LOCK_NB):
            with self._usage() as usage:
                before = usage.total
            self._collect_leftovers()
            entries = list(self._entries())
            total = sum(entry.size for entry in entries)
            if total > self._cap:
                total -= self._evict(entries, total - self._cap + self._cap // 10)
            with self._usage() as usage:
                # What others wrote meanwhile may or may not have been seen: counted twice is on the safe side.
                usage.total = total + max(0, usage.total - before)
                # Where all of it is in use, the next sweep has to wait, or each further write would start one.
                usage.due = max(self._cap, usage.total + self._cap // 20)

    def _count(self, size: int) -> bool:
        try:
            with self._usage() as usage:
                usage.total += size
                return usage.total > usage.due
        except OSError:
            return True

    @contextlib.contextmanager
    def _usage(self) -> Iterator[_Usage]:
        with _locked(f"{self._folder.root}/usage", fcntl.LOCK_EX) as descriptor:
            found = _USAGE.match(os.pread(descriptor, 100, 0))
            # What is not known is to be measured: anything is more than a due of nothing.
            usage = _Usage(int(found[1]), int(found[2])) if found else _Usage(0, 0)
            yield usage
            os.pwrite(descriptor, (b"%d %d\n" % (usage.total, usage.due)).ljust(48), 0)

    def _evict(self, entries: list[_Entry], wanted: int) -> int:
        named = {entry.name: tuple(self._references(entry.name)) for entry in entries if entry.kind == RESULTS}
        used: dict[str, float] = {}
        for entry in entries:
            if entry.kind == RESULTS:
                for name in named[entry.name]:
                    used[name] = max(used.get(name, 0.0), entry.last_used)

        def order(entry: _Entry) -> tuple[float, bool]:
            outlived = used.get(entry.name, 0.0) if entry.kind == BLOBS else 0.0
            return max(entry.last_used, outlived), entry.kind == BLOBS

        now, freed, kept = self._folder.now(), 0, set[str]()
        for entry in sorted(entries, key=order):
            if freed >= wanted:
                break
            # A time in the future comes from a clock that was wrong, and must not keep an entry for ever.
            if -self._folder.keep_seconds <= now - order(entry)[0] < self._folder.keep_seconds:
                continue
            if entry.kind == BLOBS and entry.name in kept:
                continue
            if self._folder.retire(entry.kind, entry.name, entry.last_used):
                freed += entry.size
            elif entry.kind == RESULTS:
                kept.update(named[entry.name])
        return freed

    def _entries(self) -> Iterator[_Entry]:
        for kind in (RESULTS, BLOBS):
            for shard in _listed(f"{self._folder.root}/{kind}"):
                for item in _listed(shard.path):
                    if not _HASH.match(item.name) or item.name[:2] != shard.name:
                        continue
                    with contextlib.suppress(FileNotFoundError):
                        status = item.stat(follow_symlinks=False)
                        if stat.S_ISREG(status.st_mode):
                            size = occupied(status.st_size)
                            yield _Entry(kind=kind, name=item.name, size=size, last_used=status.st_mtime)
                        else:
                            self._folder.remove(kind, item.name)

    def _collect_leftovers(self) -> None:
        import shutil  # slow to import, and not needed by a process that only reads

        for item in _listed(f"{self._folder.root}/tmp"):
            with contextlib.suppress(OSError):
                age = abs(self._folder.now() - item.stat(follow_symlinks=False).st_mtime)
                if item.name != "sweep" and age > _LEFTOVER_SECONDS:
                    if item.is_dir(follow_symlinks=False):
                        shutil.rmtree(item.path, ignore_errors=True)
                    else:
                        os.unlink(item.path)


def occupied(size: int) -> int:
    """What an entry of that size takes on the disk: whole blocks, and one for its name."""
    return (size + _BLOCK - 1) // _BLOCK * _BLOCK or _BLOCK


def _listed(path: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as items:
            return list(items)
    except OSError:
        return []


@contextlib.contextmanager
def _locked(path: str, how: int) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    try:
        os.fchmod(descriptor, 0o644)
        fcntl.flock(descriptor, how)
        yield descriptor
    finally:
        os.close(descriptor)
