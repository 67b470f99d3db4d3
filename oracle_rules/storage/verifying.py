"""Reads every byte against its digest: whatever lies below may be damaged, or lie. Knows not how it is stored."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..digest import Digest
from .interface import ContentStore


class Verifying:
    """A ContentStore whose `get` gives the right bytes or None; a blob that is not its digest's is discarded."""

    def __init__(self, inner: ContentStore) -> None:
        self._inner = inner

    def get(self, digest: Digest) -> bytes | None:
        """The blob, hashed after it was read."""
        data = self._inner.get(digest)
        if data is None or Digest.of(data) == digest:
            return data
        self._inner.discard(digest)
        return None

    def put(self, data: bytes) -> Digest:
        """Keeps the blob."""
        return self._inner.put(data)

    def put_many(self, blobs: Iterable[bytes]) -> tuple[Digest, ...]:
        """Keeps each of the blobs."""
        return self._inner.put_many(blobs)

    def contains(self, digest: Digest) -> bool:
        """Whether the blob seems to be there; its bytes are not looked at."""
        return self._inner.contains(digest)

    def find_missing(self, digests: Iterable[Digest]) -> frozenset[Digest]:
        """Those that are not there; the bytes of the others are not looked at."""
        return self._inner.find_missing(digests)

    def path(self, digest: Digest) -> Path | None:
        """A file that held the right bytes a moment ago; who can't trust the disk that long reads with `get`."""
        return None if self.get(digest) is None else self._inner.path(digest)

    def discard(self, digest: Digest) -> None:
        """Forgets the blob."""
        self._inner.discard(digest)
