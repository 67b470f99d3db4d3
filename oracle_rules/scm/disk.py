"""Reads a work tree file by file, as raw bytes, without ever following a symbolic link. Knows nothing of git commands.

Every folder on the way is opened by itself, relative to the one above and with O_NOFOLLOW, so a path whose folder has
been swapped for a link leads nowhere. Nothing is opened that could block: pipes, sockets and devices are recognised
by `lstat`, and O_NONBLOCK covers one that appears in between. A file's mode comes from its owner's executable bit,
whatever `core.fileMode` says.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import TooLargeError, UsageError
from .limits import Limits
from .objects import ObjectFormat
from .tree import Entry, Mode

_CHUNK = 1024 * 1024
_TRIES = 3
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_KINDS = {
    stat.S_IFDIR: "folder",
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Other:
    """Something at this path that is no file: `kind` is `absent`, `hidden` (below a file or link), `folder`, …"""

    kind: str


class Disk:
    """The files below one folder."""

    def __init__(self, top: Path, algorithm: ObjectFormat, limits: Limits) -> None:
        self._top = top
        self._algorithm = algorithm
        self._limits = limits

    def look(self, paths: Sequence[str]) -> dict[str, Entry | Other]:
        """What is at each path: its mode and the id that git would give its raw bytes."""
        found: dict[str, Entry | Other] = {}

        def visit(path: str, folder: int, name: bytes) -> None:
            found[path] = self._entry(path, folder, name)

        self._visit(paths, visit, lambda path, kind: found.__setitem__(path, Other(kind=kind)))
        return found

    def read(self, entries: Sequence[Entry]) -> dict[str, bytes]:
        """The bytes of these files and links, which must still be the ones that `look` saw."""
        wanted = {entry.path: entry for entry in entries}
        found: dict[str, bytes] = {}
        total = 0

        def visit(path: str, folder: int, name: bytes) -> None:
            nonlocal total
            found[path] = self._bytes(wanted[path], folder, name)
            total += len(found[path])
            if total > self._limits.total_bytes:
                raise TooLargeError(
                    f"the files asked for have more than {self._limits.total_bytes} bytes",
                    where=path,
                    remedy="keep generated files out of what is declared",
                )

        self._visit(list(wanted), visit, lambda path, kind: _changed(path))
        return found

    def _visit(
        self, paths: Sequence[str], visit: Callable[[str, int, bytes], None], lost: Callable[[str, str], None]
    ) -> None:
        """Calls `visit` with an open folder for each path, or `lost` when the folder is not there or not a folder."""
        for folder, names in _grouped(paths).items():
            descriptor = self._open_folder(folder)
            try:
                for name in names:
                    path = f"{folder}/{name}" if folder else name
                    if isinstance(descriptor, str):
                        lost(path, descriptor)
                        continue
                    try:
                        visit(path, descriptor, os.fsencode(name))
                    except OSError as problem:
                        raise _unreadable(path, problem) from None
            finally:
                if isinstance(descriptor, int):
                    os.close(descriptor)

    def _open_folder(self, folder: str) -> int | str:
        """A descriptor of the folder, or why there is none."""
        try:
            current = os.open(self._top, _OPEN | os.O_DIRECTORY)
        except OSError as problem:
            raise _unreadable(str(self._top), problem) from None
        for part in folder.split("/") if folder else ():
            try:
                below = os.open(os.fsencode(part), _OPEN | os.O_DIRECTORY, dir_fd=current)
            except FileNotFoundError:
                return "absent"
            except OSError as problem:
                if problem.errno in (errno.ENOTDIR, errno.ELOOP):  # a file or a link stands in the way
                    return "hidden"
                raise _unreadable(folder, problem) from None
            finally:
                os.close(current)
            current = below
        return current

    def _entry(self, path: str, folder: int, name: bytes) -> Entry | Other:
        for _ in range(_TRIES):
            try:
                status = os.lstat(name, dir_fd=folder)
                if stat.S_ISLNK(status.st_mode):
                    target = os.fsencode(os.readlink(name, dir_fd=folder))
                    return Entry(path=path, mode=Mode.LINK, oid=self._hash(len(target), target))
                if not stat.S_ISREG(status.st_mode):
                    return Other(kind=_KINDS.get(stat.S_IFMT(status.st_mode), "device"))
                found = self._hash_file(path, folder, name)
            except FileNotFoundError:
                return Other(kind="absent")
            if found:
                return found
        raise _busy(path)

    def _hash_file(self, path: str, folder: int, name: bytes) -> Entry | None:
        """The entry of a regular file, None if it was not one any more or changed under our hands."""
        descriptor = os.open(name, _OPEN, dir_fd=folder)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return None
            if status.st_size > self._limits.disk_bytes:
                raise UsageError(
                    f"this file has {status.st_size} bytes, more than the {self._limits.disk_bytes} that are hashed",
                    where=path,
                    remedy="name it in .gitignore or move it away",
                )
            first = os.read(descriptor, _CHUNK)
            digest = self._hasher(status.st_size)
            size = 0
            while first:
                digest.update(first)
                size += len(first)
                if size > status.st_size:
                    return None
                first = os.read(descriptor, _CHUNK)
            if size != status.st_size:
                return None
            mode = Mode.EXECUTABLE if status.st_mode & stat.S_IXUSR else Mode.FILE
            return Entry(path=path, mode=mode, oid=digest.hexdigest())
        finally:
            os.close(descriptor)

    def _bytes(self, entry: Entry, folder: int, name: bytes) -> bytes:
        limit = self._limits.blob_bytes
        try:
            if entry.mode is Mode.LINK:
                data = os.fsencode(os.readlink(name, dir_fd=folder))
            else:
                with os.fdopen(os.open(name, _OPEN, dir_fd=folder), "rb") as file:
                    status = os.fstat(file.fileno())
                    if not stat.S_ISREG(status.st_mode):
                        raise _gone(entry.path)
                    if status.st_size > limit:
                        raise TooLargeError(
                            f"this file has {status.st_size} bytes, more than the {limit} that are read",
                            where=entry.path,
                            remedy="keep it out of what is declared, or split it",
                        )
                    data = file.read(limit + 1)
        except PermissionError:
            raise
        except OSError:
            raise _gone(entry.path) from None
        if self._hash(len(data), data) != entry.oid:
            raise _gone(entry.path)
        return data

    def _hash(self, size: int, data: bytes) -> str:
        digest = self._hasher(size)
        digest.update(data)
        return digest.hexdigest()

    def _hasher(self, size: int) -> hashlib._Hash:
        return hashlib.new(self._algorithm, b"blob %d\0" % size, usedforsecurity=False)


def _grouped(paths: Sequence[str]) -> Mapping[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for path in sorted(paths):
        folder, _, name = path.rpartition("/")
        groups.setdefault(folder, []).append(name)
    return groups


def _changed(path: str) -> None:
    raise _gone(path)


def _gone(path: str) -> UsageError:
    return UsageError("this file changed after the work tree was looked at", where=path, remedy="run again")


def _busy(path: str) -> UsageError:
    return UsageError("this file changes while it is read", where=path, remedy="stop what writes to it and run again")


def _unreadable(path: str, problem: OSError) -> UsageError:
    return UsageError(
        f"this cannot be read: {problem.strerror}", where=path, remedy="mend its rights, or name it in .gitignore"
    )
