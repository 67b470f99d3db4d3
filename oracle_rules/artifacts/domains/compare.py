"""What a change of a domain lock takes away: rows field by field, and rows or whole locks that are gone. Pure.

Call `compare_locks` with the lock of the trusted side and the one that is to take its place; nothing found means that
every property is asked at least as much as before, as far as filters of the same name accept as much: `rewritten` says
which of them a person has to read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from .kinds import ROW
from .lock import DomainLock, Filter, LockedDomain
from .order import RULES, Difference, differences, shown

NARROWED, UNLOCKED = "domain_narrowed", "domain_unlocked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """One thing that live asks less of than locked: a reason code, the property, the field's path and both values.

    `row` names the row of the order that fired.
    """

    code: str
    property_id: str
    field: str
    locked: str
    live: str
    row: str

    def __str__(self) -> str:
        where = f"{self.property_id}.{self.field}" if self.field else self.property_id
        return f"{where}: locked {self.locked}, live {self.live}"


def compare(locked: LockedDomain, live: LockedDomain) -> tuple[Narrowing, ...]:
    """Each field in which `live` asks less than `locked`; empty when it asks at least as much.

    Both are rows of one property; the id is that of the locked row.
    """
    return tuple(
        Narrowing(code=NARROWED, property_id=locked.property_id, field=each.path, locked=each.locked, live=each.live,
                  row=each.row)
        for each in _differences(locked, live))


def compare_drawn(locked: LockedDomain, live: LockedDomain | None, *, row: str = "unlocked") -> tuple[Narrowing, ...]:
    """The same where the live row may be missing, and may have another id: what one test draws, then and now."""
    if live is not None:
        return compare(locked, live)
    return (Narrowing(code=UNLOCKED, property_id=locked.property_id, field="", locked=str(locked.fingerprint),
                      live="absent", row=row),)


def compare_locks(
    locked: DomainLock | None, live: DomainLock | None, *, followed: Collection[str] = ()
) -> tuple[Narrowing, ...]:
    """The same for whole locks; None stands for a lock that is not there. A property that is gone is unlocked.

    `followed` are ids that are left out, because the tests that draw from them are compared by themselves.
    """
    found: list[Narrowing] = []
    for row in () if locked is None else locked.domains:
        if row.property_id not in followed:
            now = None if live is None else live.find(row.property_id)
            found += compare_drawn(row, now, row="unlocked" if live is not None else "lock-removed")
    return tuple(found)


def rewritten(locked: LockedDomain, live: LockedDomain) -> tuple[tuple[Filter, Filter], ...]:
    """Filters of the same name whose file says something else, before and after.

    Nothing proves which of the two accepts more.
    """
    before = {str(each): each for each in locked.filters}
    return tuple((before[str(each)], each) for each in live.filters
                 if str(each) in before and before[str(each)] != each)


def _bounded(locked: LockedDomain, live: LockedDomain) -> bool:
    """Whether something still says how much the filters may take away: a floor, or the very corpus of before."""
    return live.acceptance_floor is not None or live.corpus is not None and live.corpus == locked.corpus


def _differences(locked: LockedDomain, live: LockedDomain) -> Iterator[Difference]:
    for column in ROW.columns:
        before, after = getattr(locked, column.name), getattr(live, column.name)
        if column.order == "domain":
            yield from differences(before, after, column.name)
        elif not RULES[column.order].allows(before, after):
            yield Difference(path=column.name, locked=_value(before), live=_value(after), row=column.order)
        elif column.order == "pin" and before not in (None, after) and locked.drawn == live.drawn:
            yield Difference(path=column.name, locked=_value(before), live=_value(after), row=column.order)
        elif column.order == "fewer" and rewritten(locked, live) and not _bounded(locked, live):
            yield Difference(path=column.name, locked=_value(before), row=column.order,
                             live=f"{_value(after)} without an acceptance_floor or the locked corpus")


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{each} ({each.source[:12]})" for each in value) or "none"
    return shown(value)
