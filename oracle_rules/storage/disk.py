"""Stores in a folder, shared by all processes of a user: `cas/ab/<hash>` and `ac/ab/<hash>`.

`cas` holds the bare bytes of blobs, so that a file can be mounted as it is. `ac` holds results with a checksum over key
and content, since nothing else would tell a result that was cut short from a smaller one. Opening writes nothing: a
read-only folder serves reads, and a write to it is a Malfunction.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ..digest import EMPTY, Digest
from ..errors import UsageError
from ..reapi.messages import ActionResult
from .eviction import BLOBS, RESULTS, Cap
from .folder import Folder
from .interface import MAX_BLOB_BYTES, check_size

_MAGIC = b"oracle_rules result 1\n"
_MAX_RESULT_BYTES = 1 << 20


class DiskContent:
    """A ContentStore in a folder. Looks at the size of a blob but not at its bytes: wrap it in `Verifying`."""

    def __init__(self, folder: Folder, cap: Cap) -> None:
        self._folder = folder
        self._cap = cap

    def get(self, digest: Digest) -> bytes | None:
        """The bytes of a file that has the blob's name and size."""
        if digest.size_bytes == 0:
            return b"" if digest == EMPTY else None
        if digest.size_bytes > MAX_BLOB_BYTES:
            return None
        data = self._folder.read(BLOBS, digest.hash, max_bytes=digest.size_bytes)
        return data if data is not None and len(data) == digest.size_bytes else None

    def put(self, data: bytes) -> Digest:
        """Keeps the blob."""
        return self.put_many((data,))[0]

    def put_many(self, blobs: Iterable[bytes]) -> tuple[Digest, ...]:
        """Keeps each of the blobs."""
        digests, sizes = [], []
        try:
            for data in blobs:
                check_size(len(data))
                digest = Digest.of(data)
                digests.append(digest)
                if not self._holds(digest, data):
                    self._folder.write(BLOBS, digest.hash, data)
                    sizes.append(len(data))
        finally:
            self._cap.wrote(sizes)
        return tuple(digests)

    def contains(self, digest: Digest) -> bool:
        """Whether there is a file of the blob's name and size."""
        if digest.size_bytes == 0:
            return digest == EMPTY
        return self._folder.claim(BLOBS, digest.hash) == digest.size_bytes

    def find_missing(self, digests: Iterable[Digest]) -> frozenset[Digest]:
        """Those that there is no such file for."""
        return frozenset(digest for digest in digests if not self.contains(digest))

    def path(self, digest: Digest) -> Path | None:
        """The file of the blob's name and size. Reading on is safe when it is evicted meanwhile, opening it is not."""
        if self._folder.claim(BLOBS, digest.hash) != digest.size_bytes:
            return None
        return Path(self._folder.entry(BLOBS, digest.hash))

    def discard(self, digest: Digest) -> None:
        """Removes the file of the blob's name."""
        self._folder.remove(BLOBS, digest.hash)

    def _holds(self, digest: Digest, data: bytes) -> bool:
        # The bytes are compared, not the size alone: a damaged blob is mended by the next put of the same one.
        there = self._folder.read(BLOBS, digest.hash, max_bytes=len(data)) == data
        return there and self._folder.claim(BLOBS, digest.hash) == len(data)


class DiskActions:
    """An ActionCache in a folder. A result with a wrong checksum, or under another key's name, is a miss."""

    def __init__(self, folder: Folder, cap: Cap) -> None:
        self._folder = folder
        self._cap = cap

    def get(self, action: Digest) -> ActionResult | None:
        """The result; a damaged one is removed."""
        data = self._folder.read(RESULTS, action.hash, max_bytes=_MAX_RESULT_BYTES)
        if data is None:
            return None
        result = _decoded(action.hash, data)
        if result is None:
            self._folder.remove(RESULTS, action.hash)
        return result

    def put(self, action: Digest, result: ActionResult) -> None:
        """Keeps the result, in place of one that is there."""
        payload = result.encode()
        data = _MAGIC + _checksum(action.hash, payload) + payload
        if len(data) > _MAX_RESULT_BYTES:
            raise UsageError(
                f"a result of {len(payload)} bytes is too large to be kept",
                code="result_too_large",
                remedy="let the command write fewer outputs",
            )
        self._folder.write(RESULTS, action.hash, data)
        self._cap.wrote((len(data),))

    def discard(self, action: Digest) -> None:
        """Removes the result."""
        self._folder.remove(RESULTS, action.hash)


@dataclass(frozen=True, slots=True, kw_only=True)
class Disk:
    """Both stores of one folder, and the cap that they share."""

    content: DiskContent
    actions: DiskActions
    cap: Cap


def open_disk(
    root: Path,
    *,
    cap_bytes: int,
    now: Callable[[], float] = time.time,
    keep_seconds: float = 600.0,
    durable: bool = False,
) -> Disk:
    """The stores in that folder, which need not exist yet.

    `cap_bytes` is what they may take together, less what was used within the last `keep_seconds`.
    """
    if cap_bytes <= 0:
        raise UsageError(f"a cache of {cap_bytes} bytes can hold nothing", remedy="give it a cap above zero")
    folder = Folder(root, now=now, keep_seconds=keep_seconds, durable=durable)

    def references(name: str) -> list[str]:
        data = folder.read(RESULTS, name, max_bytes=_MAX_RESULT_BYTES, mark=False)
        result = None if data is None else _decoded(name, data)
        return [] if result is None else [digest.hash for digest in result.blobs]

    cap = Cap(folder, cap_bytes, references)
    return Disk(content=DiskContent(folder, cap), actions=DiskActions(folder, cap), cap=cap)


def _decoded(name: str, data: bytes) -> ActionResult | None:
    head = len(_MAGIC) + hashlib.sha256().digest_size
    if data[:head] != _MAGIC + _checksum(name, data[head:]):
        return None
    try:
        return ActionResult.decode(data[head:])
    except ValueError:
        return None


def _checksum(name: str, payload: bytes) -> bytes:
    return hashlib.sha256(name.encode("ascii") + payload).digest()
