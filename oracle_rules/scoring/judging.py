"""From Judge Actions to rows of the record: cache where it can be believed, execution where not.

Knows nothing of what an Action is about, nor of what follows from its bit.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing

from ..analysis.actions import Plan
from ..digest import Digest
from ..errors import Malfunction, OracleError
from ..gate.codes import CATALOGUE
from ..protocol import canonical, layout, verdict
from ..reapi.messages import ActionResult
from ..record import Row
from ..worker import Worker
from .planning import Progress

# A plan, and the id of the property that it asks.
Ask = tuple[Plan, str]


class Judging:
    """Judges on one worker; what a machine's speed decides is run anew each time, everything else once."""

    def __init__(self, worker: Worker, progress: Progress) -> None:
        self._worker = worker
        self._progress = progress

    def judge(self, asked: Sequence[Ask]) -> list[Row]:
        """The row of each, in this order. Raises Malfunction for the first that can't be judged."""
        found: dict[Digest, Row] = {}
        with closing(self._rows(asked)) as rows:
            for action, row in rows:
                if isinstance(row, OracleError):
                    raise row
                found[action] = row
        return [found[plan.action] for plan, _ in asked]

    def attempt(self, asked: Sequence[Ask]) -> list[Row | OracleError]:
        """The row of each, or why there is none; one that fails takes no other with it."""
        found = dict(self._rows(asked))
        return [found[plan.action] for plan, _ in asked]

    def _rows(self, asked: Sequence[Ask]) -> Generator[tuple[Digest, Row | OracleError]]:
        waiting: dict[Digest, Ask] = {}
        for plan, property_id in asked:
            row = self._stored(plan, property_id)
            if row is None:
                self._worker.store_inputs(plan)
                waiting[plan.action] = plan, property_id
            else:
                yield plan.action, row
        with closing(self._worker.attempt(list(waiting))) as attempts:
            for number, (action, result) in enumerate(attempts, 1):
                plan, property_id = waiting[action]
                yield action, self._executed(plan, property_id, result)
                self._progress(plan.label, number, len(waiting))

    def _executed(self, plan: Plan, property_id: str, result: ActionResult | OracleError) -> Row | OracleError:
        if isinstance(result, OracleError):
            return result
        try:
            row = self._row(plan, result, property_id, "executed")
        except OracleError as error:
            return error
        except ValueError as error:
            return Malfunction(f"what was run left no verdict: {error}", where=plan.label)
        if verdict.cacheable(dict(row.verdict)):
            self._worker.cache.actions.put(plan.action, result)
        return row

    def _stored(self, plan: Plan, property_id: str) -> Row | None:
        """The row of a stored result; one that can't be believed is a miss."""
        result = self._worker.lookup(plan.action)
        if result is None:
            return None
        try:
            row = self._row(plan, result, property_id, "local")
        except (ValueError, Malfunction):
            return None
        return row if verdict.cacheable(dict(row.verdict)) else None

    def _row(self, plan: Plan, result: ActionResult, property_id: str, served_from: str) -> Row:
        digest, data = self._worker.output(result, layout.VERDICT)
        read = verdict.parse(canonical.loads(data))
        if (read["target"], read["lane"], read["property_id"]) != (plan.label, plan.lane, property_id):
            raise verdict.InvalidVerdict("target: of another one")
        if read["reason"] is not None and read["reason"] not in CATALOGUE:
            raise verdict.InvalidVerdict("reason: not in the catalogue")
        return Row(plan=plan, property_id=property_id, verdict=read, verdict_digest=digest, served_from=served_from)
