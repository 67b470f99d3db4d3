"""Makes a result without its blobs a miss, so that a hit is worth something. Knows nothing of how either is stored."""

from __future__ import annotations

from ..digest import Digest
from ..reapi.messages import ActionResult
from .interface import ActionCache, ContentStore


class Complete:
    """An ActionCache whose results have all their blobs in `content`.

    Blobs of up to `read_up_to` bytes are read, so that over a Verifying store a damaged one makes a miss too; of larger
    ones it is only asked whether they are there. Asking counts as use: the blobs outlive the result.
    """

    def __init__(self, inner: ActionCache, content: ContentStore, *, read_up_to: int) -> None:
        self._inner = inner
        self._content = content
        self._read_up_to = read_up_to

    def get(self, action: Digest) -> ActionResult | None:
        """The result, or None when a blob of it is absent."""
        result = self._inner.get(action)
        return result if result is not None and self._has(result) else None

    def put(self, action: Digest, result: ActionResult) -> None:
        """Keeps the result."""
        self._inner.put(action, result)

    def discard(self, action: Digest) -> None:
        """Forgets the result."""
        self._inner.discard(action)

    def _has(self, result: ActionResult) -> bool:
        small = [digest for digest in result.blobs if digest.size_bytes <= self._read_up_to]
        large = [digest for digest in result.blobs if digest.size_bytes > self._read_up_to]
        if large and self._content.find_missing(large):
            return False
        return all(self._content.get(digest) is not None for digest in small)
