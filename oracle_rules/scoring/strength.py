"""How strong a property is: small faults are put into what it runs of one side, and each is judged like a patch.

The sources as they are have to hold first. Every judgement is a cached Action in a lane of its own, so that none is
ever served to a score. Writes no file and decides nothing about the property.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..analysis.actions import Plan
from ..artifacts.journals.outcomes import HIT, MISS, outcome
from ..errors import IncompleteError, Malfunction, OracleError
from ..mutation.measured import KILLED, SURVIVED, UNDECIDED, Measured, Tried
from ..mutation.mutants import Mutant, mutants
from ..mutation.operators import Edit, edits
from ..mutation.source import NotPython, Source
from ..protocol import layout, reach
from ..record import Row
from ..scm import Tree
from ..worker import Worker
from .judging import Judging
from .planning import Asked, Planner, Progress, Ready

Sources = dict[str, tuple[Source, list[Edit]]]
LANE, REACH_LANE = "strength", "reach"
# What a verdict makes of a mutant: what is noise for a seed is noise here too.
_CALLED = {HIT: KILLED, MISS: SURVIVED}


class Strength:
    """Measures one question over the sources of one side."""

    def __init__(self, worker: Worker, progress: Progress, asked: Asked, side: Tree) -> None:
        self._worker = worker
        self._planner = Planner(worker, progress)
        self._judging = Judging(worker, progress)
        self._asked = asked
        self._side = side

    def measure(self, *, most: int, seconds: int) -> Measured:
        """Tries at most so many mutants, each for at most so long. Raises IncompleteError for what can't be asked."""
        [ready] = self._planner.ready([replace(self._asked, lane=LANE)], self._side)
        for starved in ready.starved:
            raise IncompleteError(starved.detail, where=starved.subject, remedy=starved.remedy)
        suite = ready.about.suite is not None
        whole = replace(ready, about=replace(ready.about, lane=LANE if suite else REACH_LANE, reach=not suite))
        plan = self._planner.plan(whole)
        [row] = self._judging.judge([(plan, ready.about.property_id)])
        if row.verdict["bit"] != 1:
            return Measured(action=str(plan.action), cases=ready.cases, broken=row.verdict, lines=None, places=0,
                            unread=(), tried=())
        lines = None if suite else self._lines(plan)
        sources, unread = _sources(ready, lines)
        made = list(mutants(sources, most=most))
        return Measured(
            action=str(plan.action), cases=ready.cases, broken=None,
            lines=None if lines is None else {path: len(lines[path]) for path in sources if path in lines},
            places=sum(len(found) for _, found in sources.values()), unread=unread,
            tried=self._tried(ready, made, seconds))

    def _lines(self, plan: Plan) -> dict[str, frozenset[int]]:
        result = self._worker.lookup(plan.action)
        if result is None:
            raise Malfunction("what was run is not in the cache any more", where=plan.label,
                              remedy="give the cache more room: --cache-size")
        try:
            return reach.parse(self._worker.output(result, layout.REACH)[1])
        except reach.InvalidReach as error:
            raise Malfunction(f"which lines were run can't be read: {error}", where=plan.label) from None

    def _tried(self, ready: Ready, made: Sequence[Mutant], seconds: int) -> tuple[Tried, ...]:
        about = replace(ready.about, timeout_seconds=min(seconds, ready.about.timeout_seconds))
        plans = [self._planner.plan(replace(ready, about=replace(
            about, candidate={**about.candidate, mutant.path: mutant.data}))) for mutant in made]
        rows = self._judging.attempt([(plan, about.property_id) for plan in plans])
        return tuple(_told(mutant, plan, row) for mutant, plan, row in zip(made, plans, rows, strict=True))


def _sources(ready: Ready, lines: dict[str, frozenset[int]] | None) -> tuple[Sources, tuple[str, ...]]:
    """Each Python source that was run, with its edits; and those that can't be read, or are nested too deeply."""
    found: Sources = {}
    unread = []
    for path, data in ready.about.candidate.items():
        if path.endswith(".py") and (lines is None or path in lines):
            try:
                source = Source(data)
                found[path] = source, edits(source, None if lines is None else lines[path])
            except (NotPython, RecursionError):
                unread.append(path)
    return found, tuple(unread)


def _told(mutant: Mutant, plan: Plan, row: Row | OracleError) -> Tried:
    if isinstance(row, OracleError):
        return Tried(mutant=mutant, outcome=UNDECIDED, reason=row.code, detail=row.detail, action=str(plan.action))
    called = _CALLED.get(outcome([row.verdict]).outcome, UNDECIDED)
    return Tried(mutant=mutant, outcome=called, reason=row.verdict["reason"], detail=row.verdict["detail"],
                 action=str(plan.action))
