"""Pinned entropy: `os.urandom`, `random`, `uuid`, and `hash` of text. The bytes are one keyed stream."""

from __future__ import annotations

import _random
import builtins
import hashlib
import os
import random
import sys
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .pin_clock import sealed

if TYPE_CHECKING:
    from .pins import Attribution

_SALTED = (str, bytes)
_getframe = sys._getframe


class ByteStream:
    """SHA-256 in counter mode."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._count = 0

    def take(self, size: int) -> bytes:
        """The next `size` bytes of the stream."""
        found = b""
        while len(found) < size:
            found += hashlib.sha256(self._key + self._count.to_bytes(8, "big")).digest()
            self._count += 1
        return found[:size]


def install(reads: Attribution, key: bytes) -> None:
    """Replaces the entropy sources of this process."""
    stream = ByteStream(key)
    _pin_urandom(reads, stream)
    _pin_random(reads, stream)
    _pin_hash(reads)


def _pin_urandom(reads: Attribution, stream: ByteStream) -> None:
    def urandom(size: int, /) -> bytes:
        reads.read("urandom", "os.urandom")
        return stream.take(size)

    def getrandom(size: int, flags: int = 0) -> bytes:
        reads.read("urandom", "os.getrandom")
        return stream.take(size)

    posix = sys.modules["posix"]
    for module in (os, posix):
        module.urandom = urandom  # type: ignore[attr-defined]
        module.getrandom = getrandom  # type: ignore[attr-defined]
    def generate_time_safe() -> tuple[bytes, None]:
        reads.read("uuid", "_uuid.generate_time_safe")
        return stream.take(16), None

    native: Any = sys.modules.get("_uuid")
    if native is not None:
        native.generate_time_safe = generate_time_safe
    random._urandom = urandom  # type: ignore[attr-defined]
    uuid._generate_time_safe = None  # type: ignore[attr-defined]
    uuid._node = 0x02_00_00_00_00_01  # type: ignore[attr-defined]


def _pin_random(reads: Attribution, stream: ByteStream) -> None:
    _pin_generator(reads, stream)
    original = random.Random.seed
    shared = random._inst
    seeded: list[bool] = []

    def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        if a is None:
            reads.read("random", "random.Random() without a seed")
            a = int.from_bytes(stream.take(32), "big")
        elif self is shared:
            seeded.append(True)
        original(self, a, version)

    random.Random.seed = seed  # type: ignore[method-assign]
    original(shared, int.from_bytes(stream.take(32), "big"))
    random.seed = shared.seed
    for name in random.__all__:
        method = getattr(random, name)
        if getattr(method, "__self__", None) is shared and name not in ("seed", "getstate", "setstate"):
            setattr(random, name, _drawing(reads, f"random.{name}", method, seeded))


def _seeding(original: Callable[..., Any]) -> Callable[..., Any]:
    def safe(generator: Any, number: int) -> None:
        original(generator, int.__abs__(number))
    return sealed(safe)


def _pin_generator(reads: Attribution, stream: ByteStream) -> None:
    """The generator below `random.Random` seeds itself from the kernel when it gets no seed."""
    generator: Any = _random.Random
    seed, original_hash = _seeding(generator.seed), builtins.hash

    def reseed(self: Any, a: Any = None, /) -> None:
        if a is None:
            reads.read("random", "a generator without a seed", depth=3 if _getframe(1).f_code is init.__code__ else 2)
            a = int.from_bytes(stream.take(32), "big")
        seed(self, int.__abs__(a) if isinstance(a, int) else original_hash(a) & (1 << 64) - 1)

    def new(cls: Any, *args: Any, **kwargs: Any) -> Any:
        # A subclass whose `__init__` seeds nothing would keep what the kernel gave.
        made = generator.__new__(cls)
        seed(made, 0)
        return made

    def init(self: Any, a: Any = None, /) -> None:
        reseed(self, a)

    generator.seed, generator.__init__ = reseed, init
    random.Random.__new__ = staticmethod(new)  # type: ignore[method-assign]


def _drawing(reads: Attribution, what: str, method: Callable[..., Any], seeded: list[bool]) -> Callable[..., Any]:
    def draw(*args: Any, **kwargs: Any) -> Any:
        if not seeded:
            reads.read("random", what)
        return method(*args, **kwargs)
    draw.__name__ = what.removeprefix("random.")
    return draw


def _pin_hash(reads: Attribution) -> None:
    original = builtins.hash

    def hash(value: Any, /) -> int:
        # A class that defines __hash__ by it does what it should; a result computed from it hangs on the hash seed.
        if sys._getframe(1).f_code.co_name != "__hash__" and _salted(value):
            reads.read("hash", "hash() of text")
        return original(value)

    builtins.hash = hash


def _salted(value: Any) -> bool:
    return isinstance(value, _SALTED) or isinstance(value, (tuple, frozenset)) and any(_salted(v) for v in value)
