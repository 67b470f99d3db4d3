"""Files under one root that many processes read, write and remove at once. Knows nothing of what is in them.

How it holds together without a lock around entries:

- An entry is written to `tmp/` and renamed into place, so that its name never stands for half of it, also when the
  writer is killed. What a killed writer leaves in `tmp/` is collected later (`eviction.py`).
- The modification time of an entry says when it was last used; we set it ourselves, the file system's own access times
  are usually off. Use within the last `keep_seconds / 4` is not written down again.
- Removal for space renames the entry away *first* and then looks at its time once more, and puts it back when it was
  used meanwhile. Whoever marks an entry as used looks *afterwards* whether it still has its name. One of the two sees
  the other.

Entries are not synced to the disk unless `durable` is asked for: a power cut can leave an entry empty or damaged, and
that is a miss like any other damage.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from ..errors import Malfunction

# These mean that there is no usable entry. Anything else (no descriptors left, no memory) is trouble of the process,
# which a miss would hide.
_MISS = frozenset(
    (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EISDIR, errno.ENXIO, errno.ENODEV)
    + (errno.EACCES, errno.EPERM, errno.EIO, errno.ESTALE)
)
_OCCUPIED = frozenset((errno.EISDIR, errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR))
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_CREATE = os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_CREAT | os.O_EXCL


class Folder:
    """Entries `root/kind/ab/ab…`; their names are the hexadecimal hashes of digests, checked by whoever made those."""

    def __init__(self, root: Path, *, now: Callable[[], float], keep_seconds: float, durable: bool) -> None:
        self.root = os.path.abspath(root)
        self.now = now
        self.keep_seconds = keep_seconds
        self._durable = durable

    def entry(self, kind: str, name: str) -> str:
        """Where an entry is."""
        return f"{self.root}/{kind}/{name[:2]}/{name}"

    def read(self, kind: str, name: str, *, max_bytes: int, mark: bool = True) -> bytes | None:
        """The bytes of a regular file of at most that size, marked as used; None when there is none."""
        path = self.entry(kind, name)
        try:
            descriptor = os.open(path, _READ)
            try:
                status = os.fstat(descriptor)
                if not stat.S_ISREG(status.st_mode) or status.st_size > max_bytes:
                    return None
                data = _read_all(descriptor, status.st_size)
                if mark:
                    self._mark(descriptor, status.st_mtime)
                return data
            finally:
                os.close(descriptor)
        except OSError as error:
            _miss(error, path)
            return None

    def claim(self, kind: str, name: str) -> int | None:
        """The size of an entry, marked as used; None when there is none."""
        path = self.entry(kind, name)
        try:
            status = os.stat(path, follow_symlinks=False)
            if stat.S_ISREG(status.st_mode):
                if self._mark(path, status.st_mtime):
                    status = os.stat(path, follow_symlinks=False)
                return status.st_size
        except OSError as error:
            _miss(error, path)
        return None

    def write(self, kind: str, name: str, data: bytes) -> None:
        """Puts an entry in place of whatever is there; a Malfunction, with nothing changed, when it can't."""
        path = self.entry(kind, name)
        try:
            try:
                self._write(data, path)
            except FileNotFoundError:
                # A process that was stopped for minutes may find its file collected as a leftover.
                self._write(data, path)
        except OSError as error:
            raise malfunction(error, path) from None

    def _write(self, data: bytes, path: str) -> None:
        with self._written(data) as temporary:
            self._place(temporary, path)

    def remove(self, kind: str, name: str) -> None:
        """Removes an entry, whatever it is, if that is possible."""
        path = self.entry(kind, name)
        try:
            os.unlink(path)
        except IsADirectoryError:
            with contextlib.suppress(OSError):
                self._set_aside(path)
        except OSError:
            pass

    def retire(self, kind: str, name: str, last_used: float) -> bool:
        """Removes an entry unless it was used after that time; whether it did."""
        path = self.entry(kind, name)
        aside = self._temporary()
        try:
            os.rename(path, aside)
            unused = os.stat(aside, follow_symlinks=False).st_mtime <= last_used
            if not unused:
                # Not a rename, which could undo a write made since.
                with contextlib.suppress(FileExistsError):
                    os.link(aside, path, follow_symlinks=False)
            os.unlink(aside)
        except OSError:
            return False
        return unused

    def make(self, path: str) -> None:
        """Makes the root or a folder below it, and what is above it. Ours get a mode that the umask has no say in."""
        try:
            os.mkdir(path, 0o755)
        except FileExistsError:
            return
        except FileNotFoundError:
            if path == self.root:
                os.makedirs(os.path.dirname(path), exist_ok=True)
            else:
                self.make(os.path.dirname(path))
            # Once more, and not for ever: some file systems take no new folder and say that one above is missing.
            with contextlib.suppress(FileExistsError):
                os.mkdir(path, 0o755)
        os.chmod(path, 0o755)

    def _mark(self, target: int | str, last_used: float) -> bool:
        now = self.now()
        if 0 <= now - last_used < self.keep_seconds / 4:
            return False
        with contextlib.suppress(OSError):
            # Without the right to do that (a read-only cache) nobody can evict the entry from here either.
            if isinstance(target, int):
                os.utime(target, (now, now))
            else:
                os.utime(target, (now, now), follow_symlinks=False)
        return True

    def _temporary(self) -> str:
        return f"{self.root}/tmp/{os.getpid()}.{os.urandom(8).hex()}"

    @contextlib.contextmanager
    def _written(self, data: bytes) -> Iterator[str]:
        path = self._temporary()
        try:
            descriptor = os.open(path, _CREATE, 0o600)
        except FileNotFoundError:
            self.make(os.path.dirname(path))
            descriptor = os.open(path, _CREATE, 0o600)
        try:
            try:
                _write_all(descriptor, data)
                # Read-only for all: the sandbox's user has to read entries, and nobody has to write one in place.
                os.fchmod(descriptor, 0o444)
                now = self.now()
                os.utime(descriptor, (now, now))
                if self._durable:
                    os.fsync(descriptor)
            finally:
                os.close(descriptor)
            yield path
        finally:
            with contextlib.suppress(OSError):
                os.unlink(path)

    def _place(self, temporary: str, path: str) -> None:
        try:
            os.rename(temporary, path)
        except FileNotFoundError:
            self.make(os.path.dirname(path))
            os.rename(temporary, path)
        except OSError as error:
            if error.errno not in _OCCUPIED:
                raise
            self._set_aside(path)
            os.rename(temporary, path)
        if self._durable:
            _sync_folder(os.path.dirname(path))

    def _set_aside(self, path: str) -> None:
        import shutil  # slow to import, and hardly ever needed

        aside = self._temporary()
        os.rename(path, aside)
        shutil.rmtree(aside, ignore_errors=True)


def malfunction(error: OSError, path: str) -> Malfunction:
    """What a failed write means for the person who owns the cache."""
    what = os.strerror(error.errno) if error.errno else str(error)
    code, remedy = "cache_unusable", "look at what is at that path, or name another cache folder"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        code, remedy = "cache_full", "free space there, lower the cap of the cache, or name another cache folder"
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        code, remedy = "cache_read_only", "make it writable for this user, or name another cache folder"
    return Malfunction(f"the cache can't be used: {what}", where=path, remedy=remedy, code=code)


def _miss(error: OSError, path: str) -> None:
    if error.errno not in _MISS:
        raise malfunction(error, path) from None


def _read_all(descriptor: int, size: int) -> bytes | None:
    data = os.read(descriptor, size)
    if len(data) == size:
        return data
    parts = [data]
    while data and (data := os.read(descriptor, size)):
        parts.append(data)
    whole = b"".join(parts)
    return whole if len(whole) == size else None


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _sync_folder(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
