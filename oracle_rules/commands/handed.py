"""Reads files that whoever runs the command hands over: keys, trust files, signatures. Knows nothing of what they say.

None may come from the candidate: neither the file nor any symbolic link on the way to it may lie in a folder that a
patch can write. The way is walked from `/` with open folders, so that nothing can change between check and use, and a
folder is known by its device and number, so that another name for it (a bind mount, another spelling) is no way around.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..errors import UsageError

_MAX_LINKS = 40
_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_Id = tuple[int, int]


def read_handed(place: Path, *, outside: Sequence[Path], limit: int) -> bytes:
    """The bytes of a regular file outside of these folders; at most one byte more than the limit.

    Whoever parses them refuses what is over the limit. Raises UsageError when there is no such file.
    """
    with _opened(place, outside) as descriptor:
        return _read(descriptor, limit)


def read_secret(place: Path, *, outside: Sequence[Path], limit: int) -> bytes:
    """The same for a file that nobody but its owner may read or write, and whose owner is who runs this."""
    with _opened(place, outside) as descriptor:
        found = os.fstat(descriptor)
        if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o077:
            raise UsageError("can be read or changed by others", where=str(place), remedy=f"chmod 600 {place}")
        return _read(descriptor, limit)


@contextmanager
def _opened(place: Path, outside: Sequence[Path]) -> Iterator[int]:
    try:
        forbidden = {_id(os.stat(folder)) for folder in outside}
        descriptor = _walk(place, forbidden)
    except OSError as problem:
        raise UsageError(f"cannot be read: {problem.strerror}", where=str(place),
                         remedy="give a readable file") from None
    except ValueError:
        raise UsageError("a path cannot hold a NUL byte", where=repr(str(place)), remedy="give a file") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UsageError("is no regular file", where=str(place), remedy="give a file")
        yield descriptor
    finally:
        os.close(descriptor)


def _walk(place: Path, forbidden: set[_Id]) -> int:
    """Opens the file component by component."""
    rest = list(reversed(os.path.join(os.getcwd(), place).split("/")))
    here, links = os.open("/", _FOLDER), 0
    try:
        while True:
            part = rest.pop()
            if not rest and part not in ("", ".", ".."):
                _refuse(place, here, forbidden)
            if part in ("", ".") and rest:
                continue
            if part and stat.S_ISLNK(os.stat(part, dir_fd=here, follow_symlinks=False).st_mode):
                _refuse(place, here, forbidden)
                links += 1
                if links > _MAX_LINKS:
                    raise OSError(40, "Too many levels of symbolic links")
                target = os.readlink(part, dir_fd=here)
                rest += list(reversed(target.split("/")))
                following = os.open("/", _FOLDER) if target.startswith("/") else os.dup(here)
            elif rest:
                following = os.open(part, _FOLDER, dir_fd=here)
            else:
                return os.open(part or ".", _FILE, dir_fd=here)
            os.close(here)
            here = following
    finally:
        os.close(here)


def _refuse(place: Path, folder: int, forbidden: set[_Id]) -> None:
    """UsageError when this folder is one of those, or lies below one."""
    at = os.dup(folder)
    try:
        while True:
            found = _id(os.fstat(at))
            if found in forbidden:
                raise UsageError("lies in the repository, or the way to it leads through it", where=str(place),
                                 remedy="give a file from elsewhere, which nothing that is judged can change")
            above = os.open("..", _FOLDER, dir_fd=at)
            os.close(at)
            at = above
            if _id(os.fstat(at)) == found:
                return
    finally:
        os.close(at)


def _read(descriptor: int, limit: int) -> bytes:
    data = bytearray()
    while len(data) <= limit and (piece := os.read(descriptor, limit + 1 - len(data))):
        data += piece
    return bytes(data)


def _id(found: os.stat_result) -> _Id:
    return found.st_dev, found.st_ino
