"""The freeze lane: what a change does to a ledger, row by row, so that no row and no budget changes unseen.

Nothing here is refused: what a ledger may hold is the law of the ledger by itself, with its date, and taking a row away
only brings evidence back. Rows are known by their id. Knows no date.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..artifacts.freezing.ledger import FreezeRow, Ledger
from .lanes import Step


def compare(path: str, before: Ledger | None, after: Ledger | None) -> tuple[Step, ...]:
    """The steps from base's ledger to the new one; None where there is none, or none that could be read."""
    old = {row.id: row for row in before.rows} if before is not None else {}
    new = {row.id: row for row in after.rows} if after is not None else {}
    steps = list(_budget(path, before, after))
    for name in [*old, *(name for name in new if name not in old)]:
        steps += _row(path, old.get(name), new.get(name))
    return tuple(steps)


def _budget(path: str, before: Ledger | None, after: Ledger | None) -> Iterator[Step]:
    was, now = (ledger.budget if ledger is not None else 0 for ledger in (before, after))
    if was != now:
        raised = now is None or (was is not None and now > was)
        told = "the budget was {}, is {}".format(*("without a limit" if each is None else each for each in (was, now)))
        yield Step(subject=path, sign="budget-raised" if raised else "budget-lowered", detail=told)


def _row(path: str, old: FreezeRow | None, new: FreezeRow | None) -> Iterator[Step]:
    if old is None and new is not None:
        yield Step(subject=path, sign="frozen", detail=f"{_told(new)}: {new.evidence!r}")
    elif new is None and old is not None:
        yield Step(subject=path, sign="thawed", detail=_told(old))
    elif old is not None and new is not None and old != new:
        later = old.expires is not None and (new.expires is None or new.expires > old.expires)
        if later:
            evidence = "with other evidence" if old.evidence != new.evidence else "with the same evidence"
            yield Step(subject=path, sign="renewed", detail=f"{_told(old)}; is {_told(new)}, {evidence}")
        else:
            yield Step(subject=path, sign="row-changed", detail=f"{_told(old)}; is {_told(new)}: {new.evidence!r}")


def _told(row: FreezeRow) -> str:
    until = f"until {row.expires.isoformat()}" if row.expires is not None else "without a day"
    return f"{row.id} {row.thing} {until}, owner {row.owner or 'nobody'}"
