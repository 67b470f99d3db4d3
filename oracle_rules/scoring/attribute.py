"""Judges what has to be known to say who is to blame: the parent for every target, base and variations for red ones.

Every side is judged over base's oracle, on the same cases: its input root differs from the candidate's in the sources
and the list of them alone, since its judgement is the candidate's with other sources. Gathers evidence;
`gate/attribution.py` says what it means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..analysis.variations import VARIATIONS, vary
from ..asking.questions import Question
from ..digest import Digest
from ..errors import OracleError, TooLargeError
from ..gate import attribution, evidence
from ..gate.evidence import Evidence, Sight
from ..record import Attributed, Row
from ..workspace import Side
from .judging import Judging
from .planning import Planner, Ready

# Variations are run for so many red targets; for one whose time is up, so many of them.
VARIED_MOST, VARIED_SLOW = 12, 2
# What a side gave: a row, why there is none, or None where it has no sources that could be judged.
Judged = Row | OracleError | None
Pair = tuple[Judged, Judged]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """What is known of one target. `ready` and `varied` are (parent, candidate); `varied` follows VARIATIONS."""

    property_id: str
    candidate: Row
    parent: Judged
    base: Judged
    ready: tuple[Ready | None, Ready]
    varied: tuple[Pair, ...] | None = ()

    def evidence(self, mass: bool) -> Evidence:
        """What the sides showed."""
        varied = None if self.varied is None else tuple(
            evidence.Varied(name=each.name, axis=each.axis, parent=_sight(parent), candidate=_sight(candidate))
            for each, (parent, candidate) in zip(VARIATIONS, self.varied, strict=False))
        return Evidence(candidate=_sight(self.candidate), parent=_sight(self.parent), base=_sight(self.base),
                        varied=varied, mass=mass)

    @property
    def is_red(self) -> bool:
        """Whether there is anything to blame somebody for."""
        return bool(self.candidate.verdict["bit"] != 1)


class Attribution:
    """Asks the other sides of one score."""

    def __init__(self, planner: Planner, judging: Judging, *, parent: Side, base: Side) -> None:
        self._planner = planner
        self._judging = judging
        self._parent, self._base = parent, base

    def attribute(self, asked: Sequence[tuple[Question, Ready]], rows: Sequence[Row]) -> list[Attributed]:
        """For each target, in this order, what became of it, and who is to blame when it is red."""
        cases = self._cases(asked, rows)
        mass = evidence.is_mass([(_sight(case.parent), _sight(case.candidate)) for case in cases])
        wanted = [number for number, case in enumerate(cases)
                  if case.is_red and attribution.asks_variations(case.evidence(mass))]
        for number in wanted[VARIED_MOST:]:
            cases[number] = replace(cases[number], varied=None)
        chosen = wanted[:VARIED_MOST]
        for number, case in zip(chosen, self._varied([cases[each] for each in chosen]), strict=True):
            cases[number] = case
        return [_attributed(case, mass) for case in cases]

    def _cases(self, asked: Sequence[tuple[Question, Ready]], rows: Sequence[Row]) -> list[_Case]:
        theirs = [self._ready(question, ready, self._parent) for question, ready in asked]
        parents = self._ask(theirs, rows)
        bases: list[Judged] = list(parents)
        if self._base.commit != self._parent.commit:
            red = [number for number, row in enumerate(rows) if row.verdict["bit"] != 1]
            found = self._ask([self._ready(*asked[number], self._base) for number in red],
                              [*rows, *filter(None, map(_row, parents))])
            for number, judged in zip(red, found, strict=True):
                bases[number] = judged
        return [_Case(property_id=row.property_id, candidate=row, parent=parent, base=base, ready=(other, ours))
                for (_, ours), row, parent, base, other in zip(asked, rows, parents, bases, theirs, strict=True)]

    def _ready(self, question: Question, ready: Ready, side: Side) -> Ready | None:
        """The same judgement over the sources of a side; None when it has none that could be judged."""
        paths = side.sources(question.test)
        if paths is None:
            return None
        try:
            sources = self._planner.sources(paths, side.tree)
        except TooLargeError:
            return None
        return replace(ready, about=replace(ready.about, candidate=sources))

    def _varied(self, cases: Sequence[_Case]) -> list[_Case]:
        """The cases with what both sides give when one pin is moved."""
        asked: list[Ready | None] = []
        counts = []
        for case in cases:
            slow = case.candidate.verdict["reason"] == "timeout"
            chosen = VARIATIONS[:VARIED_SLOW] if slow else VARIATIONS
            counts.append(len(chosen))
            asked += [None if side is None else replace(side, policy=vary(side.policy, variation))
                      for variation in chosen for side in case.ready]
        answers = iter(self._ask(asked, ()))
        return [replace(case, varied=tuple((next(answers), next(answers)) for _ in range(count)))
                for case, count in zip(cases, counts, strict=True)]

    def _ask(self, asked: Sequence[Ready | None], known: Sequence[Row]) -> list[Judged]:
        """What each gives; what has the inputs of a known row has its answer, and nothing is asked twice."""
        plans = [None if each is None else (self._planner.plan(each), each.about.property_id) for each in asked]
        found: dict[Digest, Row | OracleError] = {row.plan.action: row for row in known}
        asks = list({plan.action: (plan, name) for plan, name in filter(None, plans)
                     if plan.action not in found}.values())
        found |= {plan.action: row for (plan, _), row in zip(asks, self._judging.attempt(asks), strict=True)}
        return [None if each is None else found[each[0].action] for each in plans]


def _sight(judged: Judged) -> Sight:
    if judged is None:
        return Sight(kind=evidence.ABSENT)
    return Sight(kind=evidence.UNJUDGED) if isinstance(judged, OracleError) else Sight.of(judged.verdict)


def _attributed(case: _Case, mass: bool) -> Attributed:
    seen = case.evidence(mass)
    failed = [each for each in (case.parent, case.base) if isinstance(each, OracleError)]
    return Attributed(
        change=attribution.change(seen.parent, seen.candidate), evidence=seen,
        row=attribution.classify(seen) if case.is_red else None,
        parent=_row(case.parent), base=None if case.base is case.parent else _row(case.base),
        varied=tuple((_row(parent), _row(candidate)) for parent, candidate in case.varied or ()),
        problem=str(failed[0]) if failed else "")


def _row(judged: Judged) -> Row | None:
    return judged if isinstance(judged, Row) else None
