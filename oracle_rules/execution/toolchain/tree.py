"""Read-only folders that are built once and used by many: laid down atomically, checked on each use.

A folder `NAME` has beside it `NAME.complete`, written last, with a signature of every entry (mode, size, times,
inode). A folder without it, or that no longer matches, is built anew; so neither a kill midway nor a later write can
go unnoticed. Knows nothing of what the folders hold.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from oracle_rules.errors import Malfunction

STAMP = 315_532_800  # 1980-01-01 UTC, the oldest time that a zip file can name: one fixed time for every entry


def materialise(final: Path, build: Callable[[Path], None]) -> Path:
    """Returns `final`, complete and undamaged, calling `build(empty folder)` first if it is not there.

    Many processes may call this at once: one builds, the others wait for it. Modes become read-only and readable by
    everybody whatever the umask. Raises Malfunction when the cache cannot be written.
    """
    if is_intact(final):
        return final
    try:
        ensure_folder(final.parent)
        with _locked(final.with_name(final.name + ".lock")):
            if not is_intact(final):
                _build(final, build)
    except OSError as error:
        raise Malfunction(
            f"the cache cannot be written: {error.strerror or error}",
            where=str(final),
            remedy="free space or name another folder with --cache-dir",
        ) from error
    return final


def is_intact(final: Path) -> bool:
    """Whether the folder is complete and as it was when it was laid down."""
    try:
        return _marker(final).read_text("ascii") == signature([str(final)])
    except (OSError, ValueError):
        return False


def signature(tops: Iterable[str]) -> str:
    """What `stat` says of these folders and files and all below them, as one hash; absence counts too."""
    state = hashlib.sha256()
    for top in sorted(tops):
        for path in _below(top):
            state.update(stat_line(path, follow=False))
    return state.hexdigest()


def stat_line(path: str, *, follow: bool) -> bytes:
    """One line that differs when the entry was written, replaced, renamed over or removed.

    The change time is in it since nobody but the kernel can set it: a write that restores size and mtime shows.
    """
    try:
        found = os.stat(path, follow_symlinks=follow)
    except OSError:
        return os.fsencode(path) + b"\0absent\n"
    facts = (found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
    return os.fsencode(path) + b"\0" + repr(facts).encode("ascii") + b"\n"


def ensure_folder(path: Path) -> None:
    """Makes the folder and its parents, readable by everybody whatever the umask; leaves existing ones as they are."""
    missing = []
    while not path.is_dir():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        try:
            folder.mkdir()
        except FileExistsError:
            continue  # another process was quicker
        folder.chmod(0o755)


def write_atomically(path: Path, data: bytes) -> None:
    """Replaces the file in one step; a reader sees the old or the new bytes, readable by everybody."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            os.fchmod(stream.fileno(), 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def remove(path: Path) -> None:
    """Removes a folder that may be read-only; a missing one is fine."""
    if not path.is_dir() or path.is_symlink():
        path.unlink(missing_ok=True)
        return
    for folder, _, _ in os.walk(path):
        os.chmod(folder, 0o700)
    shutil.rmtree(path)


def _build(final: Path, build: Callable[[Path], None]) -> None:
    marker = _marker(final)
    marker.unlink(missing_ok=True)
    _sweep(final)
    work = Path(tempfile.mkdtemp(dir=final.parent, prefix=f".{final.name}."))
    try:
        content = work / "content"
        content.mkdir()
        build(content)
        _seal(content)
        # Moving a folder into another one writes its `..`, so it has to be writable until it is in place.
        if final.is_dir() and not final.is_symlink():
            final.chmod(0o755)
        if os.path.lexists(final):
            os.rename(final, work / "damaged")
        os.rename(content, final)
        os.utime(final, (STAMP, STAMP))
        final.chmod(0o555)
    finally:
        remove(work)
    write_atomically(marker, signature([str(final)]).encode("ascii"))


def _sweep(final: Path) -> None:
    # What a killed build left; safe under the lock, for only its holder makes such folders.
    for left in final.parent.glob(f".{final.name}.*"):
        remove(left)


def _seal(top: Path) -> None:
    for folder, below, names in os.walk(top, topdown=False):
        for path in (f"{folder}/{name}" for name in (*names, *below)):
            mode = os.lstat(path).st_mode
            if stat.S_ISREG(mode):
                os.chmod(path, 0o555 if mode & 0o100 else 0o444)
            elif not stat.S_ISLNK(mode) and not stat.S_ISDIR(mode):
                raise Malfunction(f"{path} is neither a file, a folder nor a link")
            os.utime(path, (STAMP, STAMP), follow_symlinks=False)
            if stat.S_ISDIR(mode):
                os.chmod(path, 0o555)


def _below(top: str) -> Iterator[str]:
    yield top
    for folder, below, names in os.walk(top):
        below.sort()
        yield from (f"{folder}/{name}" for name in sorted((*names, *below)))


def _marker(final: Path) -> Path:
    return final.with_name(final.name + ".complete")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
