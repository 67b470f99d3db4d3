"""The frozen lane: runs what the ledgers take out of the collection, so that there is evidence for the way out.

Nothing that happens here counts: a frozen property that is red, crashes, reaches its limit or can't even be read is a
line of debt with the reason, and no error. Its lane is in the key, so that none of its verdicts is ever served to a
gating run. Knows no decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..analysis.actions import Plan
from ..asking.questions import FrozenRow, Questions
from ..errors import Malfunction, OracleError
from ..gate.finding import Finding
from ..gate.review import from_violations
from ..record import DebtLine, Row
from ..scm import Tree
from .judging import Judging
from .planning import Planner, usual

LANE = "frozen"
# A frozen property has this long, or its own limit where that is shorter.
MOST_SECONDS = 10


class FrozenLane:
    """Runs frozen properties over one side."""

    def __init__(self, questions: Questions, planner: Planner, judging: Judging, side: Tree) -> None:
        self._questions = questions
        self._planner = planner
        self._judging = judging
        self._side = side

    def run(self, rows: Sequence[FrozenRow]) -> tuple[DebtLine, ...]:
        """A line of debt for each row, in this order; a row about no property here says nothing of its own."""
        planned = [self._plan(row) for row in rows]
        plans = [each for each in planned if isinstance(each, Plan)]
        asks = [(plan, row.property_id) for plan, row in zip(planned, rows, strict=True) if isinstance(plan, Plan)]
        try:
            judged = dict(zip((plan.action for plan in plans), self._judging.attempt(asks), strict=True))
        except (OracleError, OSError) as error:
            judged = dict.fromkeys((plan.action for plan in plans), _failure(error))
        return tuple(_line(row, judged[each.action] if isinstance(each, Plan) else each)
                     for row, each in zip(rows, planned, strict=True))

    def _plan(self, row: FrozenRow) -> Plan | OracleError | Finding | None:
        if row.test is None:
            return None
        try:
            question = self._questions.ask_apart(row.test)
            if isinstance(question, Finding):
                return question
            seconds = min(row.test.timeout_seconds, MOST_SECONDS)
            short = replace(question, test=replace(row.test, timeout_seconds=seconds))
            [ready] = self._planner.ready([replace(usual(short), lane=LANE)], self._side)
            if ready.starved:
                return next(iter(from_violations(ready.starved)))
            return self._planner.plan(ready)
        except (OracleError, OSError) as error:
            return _failure(error)


def listed(rows: Sequence[FrozenRow]) -> tuple[DebtLine, ...]:
    """The lines of debt where nothing is run."""
    return tuple(_line(row, None) for row in rows)


def _failure(error: OracleError | OSError) -> OracleError:
    return error if isinstance(error, OracleError) else Malfunction(f"could not be run: {error}")


def _line(row: FrozenRow, given: Row | OracleError | Finding | None) -> DebtLine:
    return DebtLine(row=row.row, line=row.line, today=row.today, label=None if row.test is None else row.test.label,
                    run=given if isinstance(given, Row) else None,
                    problem=(given.code, given.detail) if isinstance(given, (OracleError, Finding)) else None)
