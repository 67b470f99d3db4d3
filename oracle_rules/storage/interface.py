"""What every store can do. Knows no implementation.

Laws, held by the conformance suite for every implementation and stack of decorators:

- A store never gives bytes for a digest other than those that were put under it, *or* its docstring says that it does
  not look: then a `Verifying` store belongs around it.
- Absent, unreadable, damaged and half-written are one thing: a miss, None. A miss is always safe, since what is missed
  is made again.
- The empty blob is always there (REAPI, `ContentAddressableStorage`).
- What can't be written is a Malfunction with a remedy, and nothing that was there before is lost by it.
- An entry that one of these methods wrote or found is not evicted soon after: see the implementation for how soon.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, Protocol

from ..digest import Digest
from ..errors import UsageError
from ..reapi.messages import ActionResult

MAX_BLOB_BYTES: Final = 64 << 20


class ContentStore(Protocol):
    """Blobs by their digest."""

    def get(self, digest: Digest) -> bytes | None:
        """The blob, or None."""

    def put(self, data: bytes) -> Digest:
        """Keeps the blob and gives its digest; UsageError when it is larger than MAX_BLOB_BYTES."""

    def put_many(self, blobs: Iterable[bytes]) -> tuple[Digest, ...]:
        """Keeps each of the blobs, in order; those before one that fails are kept."""

    def contains(self, digest: Digest) -> bool:
        """Whether the blob seems to be there; cheap, so that its bytes are not looked at."""

    def find_missing(self, digests: Iterable[Digest]) -> frozenset[Digest]:
        """Those for which `contains` is False."""

    def path(self, digest: Digest) -> Path | None:
        """A file with the blob, to be read or mounted and never written; None where there is no such file."""

    def discard(self, digest: Digest) -> None:
        """Forgets the blob, if it can. Never fails: for entries that turned out to be damaged."""


class ActionCache(Protocol):
    """Results by the digest of their Action."""

    def get(self, action: Digest) -> ActionResult | None:
        """The result, or None."""

    def put(self, action: Digest, result: ActionResult) -> None:
        """Keeps the result, in place of one that is there. Its blobs have to be put first."""

    def discard(self, action: Digest) -> None:
        """Forgets the result, if it can. Never fails."""


def check_size(size: int) -> None:
    """Raises UsageError for a blob that no store takes."""
    if size > MAX_BLOB_BYTES:
        raise UsageError(
            f"a blob of {size} bytes is larger than the {MAX_BLOB_BYTES} bytes that are stored as one",
            code="blob_too_large",
            remedy="leave the file out of the inputs, or split it",
        )
