"""Who is to blame for a red property, by a table whose first matching row decides, and what follows from it.

The evidence is what three sides showed over the same oracle and the same cases: the candidate, its parent (the merge
base) and base itself; and what parent and candidate showed when one pin of the policy was moved. An attribution
explains a red bit and never forgives it: whatever the row, a red target still counts as red. Knows nothing of how a
side was judged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from .evidence import ABSENT, ERROR, HELD, NOT_HELD, RED, TIMEOUT, UNJUDGED, Evidence, Sight
from .reasons import ambient

BLAMES = ("candidate", "pre-existing", "environment", "introduced-nondeterminism", "too-noisy")
# So many variations have to have given a verdict on both sides before constancy means something.
FEWEST_VARIATIONS = 2
_AMBIENT = frozenset(code for code, *_ in ambient.ROWS)

# (parent held, candidate held) -> what became of the property.
CHANGES: Mapping[tuple[bool, bool], str] = MappingProxyType({
    (False, True): "fixed", (True, True): "kept", (True, False): "broke", (False, False): "still-red"})


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
    "an earlier case": lambda seen: seen.broke_earlier,
    "not varied": lambda seen: seen.varied is None,
    "same each time": lambda seen: len(seen.varied or ()) >= FEWEST_VARIATIONS and all(
        (each.parent.kind, each.candidate.kind) == (HELD, TIMEOUT) for each in seen.varied or ()),
    "too few count": lambda seen: len(seen.counted) < FEWEST_VARIATIONS,
    "parent varies": lambda seen: bool(seen.axes("parent")),
    "candidate varies": lambda seen: bool(seen.axes("candidate")),
    "candidate varies alone": lambda seen: bool(seen.axes("candidate") - seen.axes("parent")),
})
VARYING = frozenset(WHEN) - {"always", "a side unjudged", "mass failure", "ambient read", "an earlier case"}

TABLE: tuple[Row, ...] = (
    Row(name="not-judged", when="a side unjudged", blame="too-noisy",
        why="a side could not be judged, so that there is nothing to compare with"),
    Row(name="harness-error", candidate=(ERROR,), blame="too-noisy",
        why="the property or its artifacts broke, whatever the candidate does"),
    _red_on_base("base-red", "pre-existing", "base itself breaks the property, though the parent did not",
                 parent=(HELD, ABSENT), base=NOT_HELD),
    Row(name="broke-more", candidate=(RED,), parent=NOT_HELD, when="an earlier case", blame="candidate",
        why="the parent is red too, at a later case: it held where the candidate is red"),
    Row(name="behind-base", parent=NOT_HELD, base=(HELD,), blame="pre-existing",
        why="the parent is red too, and base has mended it since: bring the patch up to base"),
    Row(name="no-parent", parent=(ABSENT,), blame="too-noisy",
        why="the parent's sources can't be judged under base's declarations"),
    _red_on_base("parent-error", "too-noisy", "the property broke on the parent", parent=(ERROR,)),
    _red_on_base("mass-failure", "too-noisy", "nearly everything is red on the parent too: a broken harness, no bug",
                 parent=NOT_HELD, when="mass failure"),
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
