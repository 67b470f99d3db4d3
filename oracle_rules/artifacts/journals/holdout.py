"""Which seeds are held out: derived when a patch is scored, never written down, so that nobody has seen what they draw.

Two schemes. From the merge base alone: `int(sha256("PARENT:i")[:8], 16) % 10000` for i = 0, 1, …; whoever reads the
repository can work them out, but not before the merge base is there. With a secret: HMAC-SHA-256 (RFC 2104) over merge
base, tree of the patch, property id and i, so that the author of a patch can't work them out for the patch that they
write; a commitment to the secret lets an audit check them later. Seeds that somebody has seen are skipped.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Collection
from itertools import count

PARENT, SECRET = "parent", "hmac-sha256"
LEAST_SECRET, MOST_SECRET = 32, 4096  # bytes
MOST = 100
_COMMITMENT = b"oracle_rules/holdout-secret/v1\0"
_RANGE = 10_000


class WeakSecret(ValueError):
    """A secret that could be guessed."""


def enough(wanted: int, *, seen: Collection[int]) -> bool:
    """Whether so many seeds can be held out by a merge base: half of all there are stay free, so that drawing ends."""
    return wanted <= MOST and wanted + len({seed for seed in seen if seed < _RANGE}) <= _RANGE // 2


def from_parent(parent_sha: str, wanted: int, *, seen: Collection[int]) -> tuple[int, ...]:
    """So many seeds of a merge base, none of them seen. Raises ValueError when there are not so many."""
    if not enough(wanted, seen=seen):
        raise ValueError(f"{wanted} seeds are more than can be held out beside {len(set(seen))} that were seen")
    return _drawn(lambda number: int(hashlib.sha256(f"{parent_sha}:{number}".encode()).hexdigest()[:8], 16) % _RANGE,
                  wanted, seen)


def from_secret(secret: bytes, *, parent_sha: str, patch_tree: str, property_id: str, wanted: int,
                seen: Collection[int]) -> tuple[int, ...]:
    """So many seeds that hang on a secret and on the patch, none of them seen. Raises WeakSecret."""
    _check(secret)
    if wanted > MOST:
        raise ValueError(f"{wanted} seeds are more than are held out")

    def seed(number: int) -> int:
        message = f"{parent_sha}\n{patch_tree}\n{property_id}\n{number}".encode()
        return int(hmac.new(secret, message, hashlib.sha256).hexdigest()[:16], 16)

    return _drawn(seed, wanted, seen)


def commitment(secret: bytes) -> str:
    """What may be published of a secret: whoever gets it later can check that it is the one. Raises WeakSecret."""
    _check(secret)
    return hashlib.sha256(_COMMITMENT + secret).hexdigest()


def _check(secret: bytes) -> None:
    if not LEAST_SECRET <= len(secret) <= MOST_SECRET or len(set(secret)) < 8:
        raise WeakSecret(f"a secret has {LEAST_SECRET} to {MOST_SECRET} random bytes")


def _drawn(seed: Callable[[int], int], wanted: int, seen: Collection[int]) -> tuple[int, ...]:
    taken, found = set(seen), list[int]()
    for number in count():
        if len(found) == wanted:
            return tuple(found)
        drawn = seed(number)
        if drawn not in taken:
            taken.add(drawn)
            found.append(drawn)
    raise AssertionError
