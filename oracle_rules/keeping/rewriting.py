"""Puts new bytes in the place of a file that a person keeps: whole or not at all, with its mode, never through a link.

Knows nothing of what the bytes mean.
"""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from ..errors import UsageError

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
MOST = 64 << 20  # bytes, as in `protocol/canonical.py`


def read_regular(place: Path) -> bytes:
    """The bytes of a regular file; UsageError for a link, anything else, and a file that can't be read."""
    try:
        descriptor = os.open(place, _READ)
    except OSError as error:
        problem = "is a link" if place.is_symlink() else f"cannot be read: {error.strerror}"
        raise UsageError(problem, where=str(place), remedy="name a regular file") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UsageError("is no regular file", where=str(place), remedy="name a regular file")
        if status.st_size > MOST:
            raise UsageError(f"has {status.st_size} bytes, at most {MOST} are read", where=str(place),
                             remedy="split it")
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            return stream.read()
    finally:
        os.close(descriptor)


def replace_regular(place: Path, data: bytes) -> None:
    """Puts these bytes in the place of a regular file, which keeps its mode, or makes it; UsageError for a link.

    A reader sees the old file or the new one. Other hard links keep the old bytes.
    """
    try:
        status = os.lstat(place)
    except FileNotFoundError:
        mode = 0o644
    else:
        if not stat.S_ISREG(status.st_mode):
            raise UsageError("is no regular file", where=str(place), remedy="name the file itself")
        mode = stat.S_IMODE(status.st_mode)
    descriptor, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            os.fchmod(descriptor, mode)
            stream.write(data)
            stream.flush()
            os.fsync(descriptor)
        os.replace(name, place)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
