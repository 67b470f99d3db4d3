"""The laws of a freeze ledger, and what it takes out of the collection.

Laws: no more rows than the budget; no id and no frozen thing twice; no row that an agent may extend; no row past its
day (expired fails closed: the row neither vanishes nor keeps silencing); a frozen property is absent from the
collection. The day is an argument. Knows nothing of targets beyond their property ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date

from .freeze import FreezeRow, Ledger
from .violation import Violation

_BY_PERSON = "a person changes the ledger in a commit of its own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What is left to score, and what the ledger took out; together the ids that were asked for, in their order."""

    kept: tuple[str, ...]
    frozen: tuple[str, ...]


def exclude(property_ids: Collection[str], ledger: Ledger) -> Collected:
    """Takes the frozen property ids out of the collection."""
    frozen = ledger.frozen_properties
    return Collected(
        kept=tuple(name for name in property_ids if name not in frozen),
        frozen=tuple(name for name in property_ids if name in frozen),
    )


def check_freeze(ledger: Ledger, *, today: date) -> tuple[Violation, ...]:
    """Every law that the ledger breaks by itself on that day, ordered."""
    broken = [*_over_budget(ledger), *_repeated(ledger), *_extendable(ledger), *_expired(ledger, today)]
    return tuple(sorted(broken))


def still_collected(ledger: Ledger, collected: Collection[str]) -> tuple[Violation, ...]:
    """The frozen property ids among the collected ones."""
    found = []
    for name in sorted(ledger.frozen_properties & set(collected)):
        detail = f"property {name!r} is frozen in {ledger.path} and still collected"
        remedy = "take it out of the suite or give its target the ledger, or let a person thaw it"
        found.append(Violation(code="freeze_still_collected", subject=ledger.path, detail=detail, remedy=remedy))
    return tuple(found)


def _over_budget(ledger: Ledger) -> Iterator[Violation]:
    if ledger.budget is not None and len(ledger.rows) > ledger.budget:
        detail = f"{len(ledger.rows)} rows, the budget is {ledger.budget}"
        remedy = f"mend or drop what is frozen until it fits; {_BY_PERSON}"
        yield Violation(code="freeze_budget_exceeded", subject=ledger.path, detail=detail, remedy=remedy)


def _repeated(ledger: Ledger) -> Iterator[Violation]:
    ids = Counter(row.id for row in ledger.rows)
    things = Counter(_thing(row) for row in ledger.rows)
    for name, count in [*ids.items(), *((thing, n) for thing, n in things.items() if thing not in ids)]:
        if count > 1:
            detail = f"{name!r} stands in {count} rows"
            remedy = f"keep one row; {_BY_PERSON}"
            yield Violation(code="freeze_duplicate_id", subject=ledger.path, detail=detail, remedy=remedy)


def _extendable(ledger: Ledger) -> Iterator[Violation]:
    for row in ledger.rows:
        if row.agent_may_extend:
            detail = f"row {row.id!r} lets agents extend it"
            remedy = f"set agent_may_extend to false; {_BY_PERSON}"
            yield Violation(code="freeze_agent_extendable", subject=ledger.path, detail=detail, remedy=remedy)


def _expired(ledger: Ledger, today: date) -> Iterator[Violation]:
    """A row is good through the day that it names."""
    for row in ledger.rows:
        if row.expires is not None and row.expires < today:
            detail = f"row {row.id!r} for {_thing(row)} expired on {row.expires.isoformat()}"
            remedy = f"mend the cause and remove the row, or renew it; {_BY_PERSON}"
            yield Violation(code="freeze_expired", subject=ledger.path, detail=detail, remedy=remedy)


def _thing(row: FreezeRow) -> str:
    return row.property_id or row.nodeid or row.id
