"""What the sides of an attribution showed, reduced to what can be compared. Knows no table and names nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import Exit
from .codes import lookup

HELD, RED, TIMEOUT, ERROR = "held", "red", "timeout", "error"
ABSENT, UNJUDGED = "absent", "unjudged"
# What a side can show. `error`: the oracle itself broke. `absent`: this side has no sources that could be judged.
# `unjudged`: we failed.
KINDS = (HELD, RED, TIMEOUT, ERROR, ABSENT, UNJUDGED)
NOT_HELD = (RED, TIMEOUT, ERROR)
# A mass failure: more than this share of at least so many targets are red on parent and candidate alike.
MASS_SHARE, MASS_TARGETS = 0.8, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What one side showed: one of KINDS, the reason code where it did not hold, the case that did not hold."""

    kind: str
    reason: str | None = None
    index: int | None = None

    @classmethod
    def of(cls, verdict: Mapping[str, Any]) -> Sight:
        """What a verdict says; the words of people in it, which may hold the time of day, are left out."""
        reason, example = verdict["reason"], verdict["counterexample"]
        if reason is None:
            return cls(kind=HELD)
        kind = ERROR if lookup(reason).exit is Exit.INCOMPLETE else TIMEOUT if reason == "timeout" else RED
        return cls(kind=kind, reason=reason, index=None if example is None else example["index"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Varied:
    """What parent and candidate showed with one pin moved; `axis` is what kind of pin it is."""

    name: str
    axis: str
    parent: Sight
    candidate: Sight

    @property
    def counts(self) -> bool:
        """Whether both sides gave a verdict that can be replayed."""
        return {self.parent.kind, self.candidate.kind} <= {HELD, RED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All that is known of one red target. `varied` None: more targets were red than variations are run for."""

    candidate: Sight
    parent: Sight
    base: Sight
    varied: tuple[Varied, ...] | None = ()
    mass: bool = False

    @property
    def counted(self) -> tuple[Varied, ...]:
        """The variations that say something."""
        return tuple(each for each in self.varied or () if each.counts)

    @property
    def broke_earlier(self) -> bool:
        """Whether the candidate's first case that does not hold comes before that of the parent, and of base.

        Cases are asked in one order and up to the first that does not hold, so that the others held there.
        """
        mine = self.candidate.index
        if mine is None or self.parent.index is None:
            return False
        return self.parent.index > mine and (
            self.base.kind in (HELD, ABSENT) or self.base.index is not None and self.base.index > mine)

    @property
    def hangs_on_speed(self) -> bool:
        """Whether any side reached its time limit, so that another machine may see something else."""
        sights = [self.candidate, self.parent, self.base]
        sights += [sight for each in self.varied or () for sight in (each.parent, each.candidate)]
        return any(sight.kind == TIMEOUT for sight in sights)

    def axes(self, side: str) -> frozenset[str]:
        """The axes on which a side, `parent` or `candidate`, showed something else than under the pinned policy."""
        return frozenset(each.axis for each in self.counted if side in self.flips(each))

    def flips(self, varied: Varied) -> tuple[str, ...]:
        """The sides that show something else under this variation than under the pinned policy."""
        pinned = {"parent": (self.parent, varied.parent), "candidate": (self.candidate, varied.candidate)}
        return tuple(side for side, (before, after) in pinned.items() if varied.counts and before != after)


def is_mass(pairs: Sequence[tuple[Sight, Sight]]) -> bool:
    """Whether the (parent, candidate) pairs of all targets of a score are a mass failure.

    What is red on the candidate alone never is: one broken import of a patch breaks every property, and is its fault.
    """
    both = sum(1 for parent, candidate in pairs if parent.kind in NOT_HELD and candidate.kind in NOT_HELD)
    return len(pairs) >= MASS_TARGETS and both > MASS_SHARE * len(pairs)
