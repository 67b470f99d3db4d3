"""Who is to blame for a red property, by a table whose first matching row decides, and what follows from it.

The evidence is what three sides showed over the same oracle and the same cases: the candidate, its parent (the merge
base) and base itself; and what parent and candidate showed when one pin of the policy was moved. An attribution
explains a red bit and never forgives it: whatever the row, a red target still counts as red. Knows nothing of how a
side was judged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ..errors import Exit
from .codes import lookup
from .reasons import ambient

HELD, RED, TIMEOUT, ERROR = "held", "red", "timeout", "error"
ABSENT, UNJUDGED = "absent", "unjudged"
# What a side can show. `error`: the oracle itself broke. `absent`: this side has no sources that could be judged.
# `unjudged`: we failed.
KINDS = (HELD, RED, TIMEOUT, ERROR, ABSENT, UNJUDGED)
_NOT_HELD = (RED, TIMEOUT, ERROR)
BLAMES = ("candidate", "pre-existing", "environment", "introduced-nondeterminism", "too-noisy")
# A mass failure: more than this share of at least so many targets are red on parent and candidate alike.
MASS_SHARE, MASS_TARGETS = 0.8, 5
# So many variations have to have given a verdict on both sides before constancy means something.
FEWEST_VARIATIONS = 2
_AMBIENT = frozenset(code for code, *_ in ambient.ROWS)

# (parent held, candidate held) -> what became of the property.
CHANGES: Mapping[tuple[bool, bool], str] = MappingProxyType({
    (False, True): "fixed", (True, True): "kept", (True, False): "broke", (False, False): "still-red"})


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

    def axes(self, side: str) -> frozenset[str]:
        """The axes on which a side, `parent` or `candidate`, showed something else than under the pinned policy."""
        return frozenset(each.axis for each in self.counted if side in self.flips(each))

    def flips(self, varied: Varied) -> tuple[str, ...]:
        """The sides that show something else under this variation than under the pinned policy."""
        pinned = {"parent": (self.parent, varied.parent), "candidate": (self.candidate, varied.candidate)}
        return tuple(side for side, (before, after) in pinned.items() if varied.counts and before != after)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row: kinds of each side (empty: any) and a word of WHEN. `code` None: the verdict's own reasons stand.

    `instead`: the code takes the place of `property_failed`, and of what the parent shows as well; else it stands
    beside them.
    """

    name: str
    candidate: tuple[str, ...] = ()
    parent: tuple[str, ...] = ()
    base: tuple[str, ...] = ()
    when: str = "always"
    blame: str
    code: str | None = None
    instead: bool = False
    why: str


def _red_on_base(name: str, blame: str, why: str, **cells: Any) -> Row:
    return Row(name=name, blame=blame, why=why, code="property_red_on_base", instead=True, **cells)


# Whether a row's word fits; those of VARYING look at variations.
WHEN: Mapping[str, Callable[[Evidence], bool]] = MappingProxyType({
    "always": lambda seen: True,
    "a side unjudged": lambda seen: UNJUDGED in (seen.candidate.kind, seen.parent.kind, seen.base.kind),
    "mass failure": lambda seen: seen.mass,
    "ambient read": lambda seen: seen.candidate.reason in _AMBIENT,
    "not varied": lambda seen: seen.varied is None,
    "same each time": lambda seen: len(seen.varied or ()) >= FEWEST_VARIATIONS and all(
        (each.parent.kind, each.candidate.kind) == (HELD, TIMEOUT) for each in seen.varied or ()),
    "too few count": lambda seen: len(seen.counted) < FEWEST_VARIATIONS,
    "parent varies": lambda seen: bool(seen.axes("parent")),
    "candidate varies": lambda seen: bool(seen.axes("candidate")),
    "candidate varies alone": lambda seen: bool(seen.axes("candidate") - seen.axes("parent")),
})
VARYING = frozenset(WHEN) - {"always", "a side unjudged", "mass failure", "ambient read"}

TABLE: tuple[Row, ...] = (
    Row(name="not-judged", when="a side unjudged", blame="too-noisy",
        why="a side could not be judged, so that there is nothing to compare with"),
    Row(name="harness-error", candidate=(ERROR,), blame="too-noisy",
        why="the property or its artifacts broke, whatever the candidate does"),
    _red_on_base("base-red", "pre-existing", "base itself breaks the property, though the parent did not",
                 parent=(HELD, ABSENT), base=_NOT_HELD),
    Row(name="behind-base", parent=_NOT_HELD, base=(HELD,), blame="pre-existing",
        why="the parent is red too, and base has mended it since: bring the patch up to base"),
    Row(name="no-parent", parent=(ABSENT,), blame="too-noisy",
        why="the parent's sources can't be judged under base's declarations"),
    _red_on_base("parent-error", "too-noisy", "the property broke on the parent", parent=(ERROR,)),
    _red_on_base("mass-failure", "too-noisy", "nearly everything is red on the parent too: a broken harness, no bug",
                 parent=_NOT_HELD, when="mass failure"),
    _red_on_base("parent-timed-out", "too-noisy", "the parent reached the time limit, so its answer is not known",
                 parent=(TIMEOUT,)),
    Row(name="environment-red", parent=(RED,), when="parent varies", blame="environment", code="property_unstable",
        instead=True, why="the parent is red too, and its answer hangs on what was varied"),
    _red_on_base("pre-existing", "pre-existing", "the parent is red too, on the same inputs", parent=(RED,)),
    Row(name="ambient-introduced", when="ambient read", blame="introduced-nondeterminism",
        code="introduced_nondeterminism", why="the parent holds without reading what the candidate reads"),
    Row(name="slow", candidate=(TIMEOUT,), when="same each time", blame="candidate",
        why="the candidate reached the time limit each time, the parent never"),
    Row(name="timed-out", candidate=(TIMEOUT,), blame="too-noisy",
        why="the candidate reached the time limit in some runs only: the machine's speed decides"),
    Row(name="candidate-not-varied", when="not varied", blame="candidate",
        why="the parent holds on the same inputs; more targets are red than variations are run for"),
    Row(name="too-few", when="too few count", blame="too-noisy",
        why="under too many variations a side gave no verdict that could be compared"),
    Row(name="introduced-nondeterminism", when="candidate varies alone", blame="introduced-nondeterminism",
        code="introduced_nondeterminism", why="the candidate's answer hangs on what the parent's does not hang on"),
    Row(name="environment", when="candidate varies", blame="environment", code="property_unstable", instead=True,
        why="parent and candidate both give another answer under the same variation"),
    Row(name="candidate-throughout", when="parent varies", blame="candidate",
        why="the candidate is red whatever is varied, the parent under some variations only"),
    Row(name="candidate", blame="candidate",
        why="the parent holds on the same inputs, and neither side gives another answer under any variation"),
)  # fmt: skip


def classify(evidence: Evidence) -> Row:
    """The row of a red target; the last row of the table takes whatever is left."""
    return next(row for row in TABLE if _cells_fit(row, evidence) and WHEN[row.when](evidence))


def asks_variations(evidence: Evidence) -> bool:
    """Whether a row that looks at variations comes into question before one is sure without them."""
    for row in TABLE:
        if _cells_fit(row, evidence):
            if row.when in VARYING:
                return True
            if WHEN[row.when](evidence):
                return False
    return False


def is_mass(pairs: Sequence[tuple[Sight, Sight]]) -> bool:
    """Whether the (parent, candidate) pairs of all targets of a score are a mass failure.

    What is red on the candidate alone never is: one broken import of a patch breaks every property, and is its fault.
    """
    both = sum(1 for parent, candidate in pairs if parent.kind in _NOT_HELD and candidate.kind in _NOT_HELD)
    return len(pairs) >= MASS_TARGETS and both > MASS_SHARE * len(pairs)


def codes(row: Row, evidence: Evidence, own: Collection[str]) -> tuple[str, ...]:
    """The reason codes of a red target, from those of its verdict; never none, and never one that accepts."""
    if row.code is None:
        return tuple(own)
    if not row.instead:
        return (*own, row.code)
    shown = {evidence.parent.reason, evidence.base.reason, "property_failed"}
    return (row.code, *(code for code in own if code not in shown))


def change(parent: Sight, candidate: Sight) -> str | None:
    """`fixed`, `kept`, `broke` or `still-red`; None when the parent gave no bit."""
    if parent.kind in (ABSENT, UNJUDGED):
        return None
    return CHANGES[parent.kind == HELD, candidate.kind == HELD]


def _cells_fit(row: Row, seen: Evidence) -> bool:
    pairs = ((row.candidate, seen.candidate), (row.parent, seen.parent), (row.base, seen.base))
    return all(not kinds or sight.kind in kinds for kinds, sight in pairs)
