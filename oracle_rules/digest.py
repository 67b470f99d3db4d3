"""A REAPI digest: SHA-256 and size of a blob. Knows nothing of where blobs live."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

_HEX = re.compile(r"[0-9a-f]{64}\Z")


@dataclass(frozen=True, slots=True, order=True)
class Digest:
    """`build.bazel.remote.execution.v2.Digest` with the SHA256 digest function.

    `hash` is 64 lower-case hexadecimal digits, `size_bytes` the length of the blob in bytes.
    Raises ValueError when built from anything else.
    """

    hash: str
    size_bytes: int

    def __post_init__(self) -> None:
        if not isinstance(self.hash, str) or not _HEX.match(self.hash):
            raise ValueError(f"not a lower-case SHA-256 in hexadecimal: {self.hash!r}")
        if type(self.size_bytes) is not int or self.size_bytes < 0:
            raise ValueError(f"not a size in bytes: {self.size_bytes!r}")

    @classmethod
    def of(cls, data: bytes) -> Digest:
        """The digest of these bytes."""
        return cls(hashlib.sha256(data).hexdigest(), len(data))

    @classmethod
    def parse(cls, text: str) -> Digest:
        """Reads `HASH/SIZE`, the form that `str()` writes."""
        name, slash, size = text.partition("/")
        if not slash or not size.isascii() or not size.isdigit():
            raise ValueError(f"not a digest of the form HASH/SIZE: {text!r}")
        return cls(name, int(size))

    def __str__(self) -> str:
        return f"{self.hash}/{self.size_bytes}"

    def as_json(self) -> dict[str, str | int]:
        """The JSON shape used in records."""
        return {"hash": self.hash, "size_bytes": self.size_bytes}


EMPTY = Digest.of(b"")
