"""The small parts that several messages share: digests, points in time, and which texts, names and paths are allowed.

Knows nothing of the messages that hold them.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from .. import relpath
from ..digest import Digest
from . import wire

# The range of google.protobuf.Timestamp: the years 1 to 9999.
_FIRST_SECOND, _LAST_SECOND = -62_135_596_800, 253_402_300_799

# The same few names occur in the trees of all Actions of a run.
_problem = functools.lru_cache(1 << 15)(relpath.problem)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Timestamp:
    """`google.protobuf.Timestamp`: seconds since 1970 and nanoseconds that count forward."""

    seconds: int
    nanos: int = 0

    def __post_init__(self) -> None:
        check_seconds("Timestamp", self.seconds, self.nanos, _FIRST_SECOND, _LAST_SECOND)

    def encode(self) -> bytes:
        """The bytes of the message."""
        return wire.integer(1, self.seconds) + wire.integer(2, self.nanos)

    @classmethod
    def decode(cls, data: bytes) -> Timestamp:
        """Reads untrusted bytes; ValueError when they are not a Timestamp."""
        reader = wire.Reader("Timestamp", data)
        return cls(seconds=reader.integer(1), nanos=reader.integer(2))


def check_seconds(what: str, seconds: int, nanos: int, first: int, last: int) -> None:
    """Raises ValueError unless this is a time in the given range with a fraction below one second."""
    if type(seconds) is not int or not first <= seconds <= last:
        raise ValueError(f"{what}: {seconds!r} seconds is not from {first} to {last}")
    if type(nanos) is not int or not 0 <= nanos < 1_000_000_000:
        raise ValueError(f"{what}: {nanos!r} is not a number of nanoseconds below one second")


def encode_digest(digest: Digest) -> bytes:
    """The bytes of `Digest`."""
    return wire.text(1, digest.hash) + wire.integer(2, digest.size_bytes)


def decode_digest(data: bytes) -> Digest:
    """Reads untrusted bytes; ValueError when they are not a SHA-256 digest with a size."""
    reader = wire.Reader("Digest", data)
    return Digest(reader.text(1), reader.integer(2))


def check_text(what: str, value: str) -> None:
    """Raises ValueError unless the value can be an argument or a variable: UTF-8 without a zero byte."""
    if not isinstance(value, str) or "\0" in value:
        raise ValueError(f"{what}: {value!r} is not text without zero bytes")
    if not value.isascii() and any(0xD800 <= ord(char) <= 0xDFFF for char in value):
        raise ValueError(f"{what}: {value!r} is not UTF-8")


def check_path(what: str, path: str) -> None:
    """Raises ValueError unless this is a normalised relative path that an Action may name."""
    fault = _problem(path) if isinstance(path, str) else "is not text"
    if fault:
        raise ValueError(f"{what}: the path {path!r} {fault}")


def check_name(what: str, name: str) -> None:
    """Raises ValueError unless this is one component of such a path."""
    if isinstance(name, str) and "/" in name:
        raise ValueError(f"{what}: the name {name!r} holds a slash")
    check_path(what, name)


def utf8(text: str) -> bytes:
    """The order that REAPI asks for, as a sort key."""
    return text.encode("utf-8")
