"""What a ledger takes out of the collection, what stays of it as debt, and what its rows lead to.

The day, the declared ids, the sources and the outcomes are arguments. More names than eight because every question
about what a ledger does to a collection has its one function here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from ...errors import UsageError
from ..violation import Violation
from .laws import place, violation
from .ledger import FreezeRow, Ledger
from .nodeid import defines, problem, split
from .tables import DEFAULT_DAYS, LAWS

_LAWS = {law.name: law for law in LAWS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What is left to score, and what the ledger took out; together the ids that were asked for, in their order."""

    kept: tuple[str, ...]
    frozen: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Debt:
    """One frozen thing as a debt line. `days_left` is 0 on the last good day, negative after it, None without a day.

    `long` says that the day is further away than the default of seven days.
    """

    id: str
    thing: str
    kind: str
    owner: str
    expires: date | None
    days_left: int | None
    long: bool


def exclude(property_ids: Collection[str], ledger: Ledger) -> Collected:
    """Takes the frozen property ids out of the collection."""
    frozen = ledger.frozen_properties
    return Collected(kept=tuple(name for name in property_ids if name not in frozen),
                     frozen=tuple(name for name in property_ids if name in frozen))


def debt(ledger: Ledger, today: date) -> tuple[Debt, ...]:
    """Every row as a debt line, the most urgent first; expired rows are still debt."""
    lines = [_line(row, today) for row in ledger.rows]
    return tuple(sorted(lines, key=lambda line: (line.expires or date.min, line.id)))


def usual_expiry(today: date) -> date:
    """The last good day of a row that says none. Raises UsageError where the calendar has no such day."""
    try:
        return today + timedelta(days=DEFAULT_DAYS)
    except OverflowError:
        raise UsageError(f"--today {today} leaves no {DEFAULT_DAYS} days until the last day of the calendar",
                         remedy="give the day on which this is run") from None


def still_collected(ledger: Ledger, collected: Collection[str]) -> tuple[Violation, ...]:
    """The frozen property ids among the collected ones."""
    found = []
    for name in sorted(ledger.frozen_properties & set(collected)):
        detail = f"property {name!r} is frozen in {ledger.path} and still collected"
        remedy = "take it out of the suite or give its target the ledger, or let a person thaw it"
        found.append(Violation(code="freeze_still_collected", subject=ledger.path, detail=detail, remedy=remedy))
    return tuple(found)


def named_files(ledger: Ledger) -> tuple[str, ...]:
    """The files that the exact node ids of a ledger name, sorted; what `check_matches` wants to see."""
    return tuple(sorted({split(row.nodeid)[0] for row in ledger.rows if row.nodeid and problem(row.nodeid) is None}))


def check_matches(
    ledger: Ledger, property_ids: Collection[str], sources: Mapping[str, bytes]
) -> tuple[Violation, ...]:
    """The rows that match nothing: a property that no target declares, a test that is not in its file.

    `sources` holds those of `named_files` that exist. A node id that is not exact breaks another law.
    """
    found = []
    for index, row in enumerate(ledger.rows):
        name = "property-declared" if row.property_id is not None else "test-found"
        detail = _unmatched(row, property_ids, sources)
        if detail is not None:
            found.append(violation(ledger, _LAWS[name], f"{place(index, row, _LAWS[name].field)}: {detail}"))
    return tuple(sorted(found))


def check_outcomes(ledger: Ledger, outcomes: Mapping[str, Sequence[int]]) -> tuple[Violation, ...]:
    """The frozen properties that are red in every one of at least two runs: broken, not flaky.

    `outcomes` holds, by property id, one bit for each run that differs from the others, in its sources or around them.
    One run, or none, settles nothing.
    """
    law = _LAWS["sometimes-green"]
    found = []
    for index, row in enumerate(ledger.rows):
        bits = outcomes.get(row.property_id or "", ())
        if len(bits) >= 2 and not any(bits):
            detail = f"{row.thing} is red in {len(bits)} of {len(bits)} runs"
            found.append(violation(ledger, law, f"{place(index, row, law.field)}: {detail}"))
    return tuple(sorted(found))


def _line(row: FreezeRow, today: date) -> Debt:
    left = None if row.expires is None else (row.expires - today).days
    return Debt(id=row.id, thing=row.thing, kind=row.kind, owner=row.owner, expires=row.expires, days_left=left,
                long=left is not None and left > DEFAULT_DAYS)


def _unmatched(row: FreezeRow, property_ids: Collection[str], sources: Mapping[str, bytes]) -> str | None:
    if row.property_id is not None:
        return None if row.property_id in property_ids else f"no target declares {row.property_id!r}"
    assert row.nodeid is not None  # parsing has seen to it
    if problem(row.nodeid) is not None:
        return None
    path, names, _ = split(row.nodeid)
    if path not in sources:
        return f"there is no file {path}"
    try:
        found = defines(sources[path], names)
    except ValueError:
        return f"{path} can't be read as Python"
    return None if found else f"{path} defines no {'::'.join(names)}"
