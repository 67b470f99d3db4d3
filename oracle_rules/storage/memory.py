"""Stores in memory: for one process and its threads, gone when it ends. Never evict."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..digest import EMPTY, Digest
from ..reapi.messages import ActionResult
from .interface import check_size


class MemoryContent:
    """A ContentStore in a dict. One dict operation is one step for every thread, so there is no lock."""

    def __init__(self) -> None:
        self._blobs: dict[Digest, bytes] = {EMPTY: b""}

    def get(self, digest: Digest) -> bytes | None:
        """The blob, or None."""
        return self._blobs.get(digest)

    def put(self, data: bytes) -> Digest:
        """Keeps the blob."""
        check_size(len(data))
        digest = Digest.of(data)
        self._blobs[digest] = bytes(data)
        return digest

    def put_many(self, blobs: Iterable[bytes]) -> tuple[Digest, ...]:
        """Keeps each of the blobs."""
        return tuple(self.put(data) for data in blobs)

    def contains(self, digest: Digest) -> bool:
        """Whether the blob is there."""
        return digest in self._blobs

    def find_missing(self, digests: Iterable[Digest]) -> frozenset[Digest]:
        """Those that are not there."""
        return frozenset(digest for digest in digests if digest not in self._blobs)

    def path(self, digest: Digest) -> Path | None:
        """None: no blob is in a file."""
        return None

    def discard(self, digest: Digest) -> None:
        """Forgets the blob; the empty one is always there."""
        if digest != EMPTY:
            self._blobs.pop(digest, None)


class MemoryActions:
    """An ActionCache in a dict."""

    def __init__(self) -> None:
        self._results: dict[Digest, ActionResult] = {}

    def get(self, action: Digest) -> ActionResult | None:
        """The result, or None."""
        return self._results.get(action)

    def put(self, action: Digest, result: ActionResult) -> None:
        """Keeps the result."""
        self._results[action] = result

    def discard(self, action: Digest) -> None:
        """Forgets the result."""
        self._results.pop(action, None)
