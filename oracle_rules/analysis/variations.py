"""Policies with one pin moved: the matrix that tells an answer of the code's from one of the environment's.

Each row moves one pin of a target's policy. The result is another policy document, so that no varied run shares a key
with the pinned one. Which cases are asked does not vary: they are drawn under the pinned policy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .policy import Policy

_DAY_NS = 86_400 * 10**9
_ENTROPY_SIZE = 1 << 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """A row: what is added to the clock, the hash seed and the entropy seed, and which variables are set."""

    name: str
    axis: str
    why: str
    clock_days: int = 0
    hash_step: int = 0
    entropy_step: int = 0
    environment: tuple[tuple[str, str], ...] = ()


_ORDER = "sets of text have another order, `hash` of text another value"
VARIATIONS: tuple[Variation, ...] = (
    Variation(name="hash-seed-1", axis="hash seed", hash_step=1, why=_ORDER),
    Variation(name="clock-398-days", axis="clock", clock_days=398, why="past every deadline of a year and a month"),
    Variation(name="hash-seed-2", axis="hash seed", hash_step=2, why=_ORDER),
    Variation(name="clock-16-years", axis="clock", clock_days=5844, why="past certificates and dates written in code"),
    Variation(name="entropy", axis="entropy", entropy_step=1, why="other bytes come out of the pinned stream"),
    Variation(name="hash-seed-3", axis="hash seed", hash_step=3, why=_ORDER),
    Variation(name="hash-seed-4", axis="hash seed", hash_step=4, why=_ORDER),
    Variation(name="allocator", axis="addresses", environment=(("PYTHONMALLOC", "malloc"),),
              why="objects lie elsewhere, so that sets of classes have another order"),
    Variation(name="time-zone", axis="time zone", environment=(("TZ", "AHEAD-13:30"),),
              why="half a day and more ahead of UTC"),
)  # fmt: skip


def vary(policy: Policy, variation: Variation) -> Policy:
    """The policy with that pin moved; a seed that leaves its range starts over."""
    document = dict(policy.document)
    document["clock_ns"] += variation.clock_days * _DAY_NS
    document["entropy"] = f"{(int(document['entropy'], 16) + variation.entropy_step) % _ENTROPY_SIZE:064x}"
    moved = dict(variation.environment)
    if variation.hash_step:
        # From 1 on: a seed of 0 would switch the salting off, which is no other order but none.
        document["hash_seed"] = (document["hash_seed"] + variation.hash_step - 1) % (2**32 - 1) + 1
        moved["PYTHONHASHSEED"] = str(document["hash_seed"])
    if "TZ" in moved:
        document["timezone"] = moved["TZ"]
    environment = dict(sorted({**policy.environment, **moved}.items()))
    return replace(policy, document={**document, "environment": environment}, environment=environment)
