"""Lays input trees down on disk, read-only, each tree once. Knows nothing of what they are for."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from ..digest import Digest
from ..errors import Malfunction
from ..reapi.tree import FileInput, MissingDirectory, merkle, walk
from ..storage.interface import ContentStore

_PREFIX, _HELD = "staged-", ".lock"


class Staging:
    """Folders made from blobs of a content store; all are gone when it is closed."""

    def __init__(self, content: ContentStore, scratch: Path) -> None:
        self._content = content
        self._made: dict[Digest, Path] = {}
        self._lock = threading.Lock()
        try:
            scratch.mkdir(parents=True, exist_ok=True)
            _sweep(scratch)
            self._held, self._root = _claim(scratch)
        except OSError as error:
            raise Malfunction(f"no folder for inputs can be made: {error.strerror}", where=str(scratch),
                              remedy="give a writable --cache-dir with free space") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        _remove(self._root)
        os.close(self._held)

    def files(self, root: Digest) -> dict[str, Digest]:
        """Every file of an input tree by its path; raises Malfunction when the store has lost a part of it."""
        try:
            return {path: node.digest for path, node in walk(root, self._content.get)}
        except MissingDirectory as error:
            raise _lost(error.digest) from None

    def blob(self, digest: Digest) -> bytes:
        """One blob; raises Malfunction when the store has lost it."""
        data = self._content.get(digest)
        if data is None:
            raise _lost(digest)
        return data

    def folder(self, files: Mapping[str, Digest]) -> Path:
        """A read-only folder with these files, by their paths in it; every user may read it."""
        root = merkle({path: FileInput(digest) for path, digest in files.items()}).root
        with self._lock:
            if root not in self._made:
                self._made[root] = self._lay_down(root, files)
            return self._made[root]

    def _lay_down(self, root: Digest, files: Mapping[str, Digest]) -> Path:
        target = self._root / root.hash
        folders = {target}
        try:
            target.mkdir()
            for path, digest in files.items():
                place = target / path
                if place.parent not in folders:
                    place.parent.mkdir(parents=True, exist_ok=True)
                    folders.update(parent for parent in place.parents if parent.is_relative_to(target))
                place.write_bytes(self.blob(digest))
                os.chmod(place, 0o444)
            for folder in folders:
                os.chmod(folder, 0o555)
        except OSError as error:
            raise Malfunction(f"the inputs can't be laid down: {error.strerror}", where=str(target),
                              remedy="free some space, or give another --cache-dir") from None
        return target


def _claim(scratch: Path) -> tuple[int, Path]:
    """A new folder, and the descriptor whose lock says that a living process uses it."""
    while True:
        descriptor, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_HELD, dir=scratch)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            folder = Path(name.removesuffix(_HELD))
            folder.mkdir()
            return descriptor, folder
        os.close(descriptor)  # swept away between the two calls


def _sweep(scratch: Path) -> None:
    """Takes away what processes left that were killed."""
    for held in scratch.glob(f"{_PREFIX}*{_HELD}"):
        try:
            descriptor = os.open(held, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(Path(str(held).removesuffix(_HELD)))
        except BlockingIOError:
            pass
        finally:
            os.close(descriptor)


def _remove(folder: Path) -> None:
    """Takes a folder and its lock away; the lock last, so that a sweep finds what is left of an interrupted one."""
    for inside, _, _ in os.walk(folder):
        os.chmod(inside, 0o755)
    shutil.rmtree(folder, ignore_errors=True)
    Path(f"{folder}{_HELD}").unlink(missing_ok=True)


def _lost(digest: Digest) -> Malfunction:
    return Malfunction(f"the blob {digest} is not in the cache", remedy="score again, which puts every input there")
