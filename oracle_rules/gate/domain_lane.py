"""The generator lane: what a change does to what is drawn, test by test, and to rows that no test draws from.

Law: a domain may widen and never narrow, and no property loses its domain, whichever lock it is in and whatever it is
called there. What is narrower is decided field by field by `artifacts/domains/compare.py`; here its answers become
steps. Knows nothing of how cases are drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from ..artifacts.domains.compare import NARROWED, UNLOCKED, Narrowing, compare_drawn, compare_locks, rewritten
from ..artifacts.domains.lock import DomainLock, LockedDomain
from .lanes import Step

_FILTERS = ("restore the filter; or mend it under its own name, with an acceptance_floor in its row, and let people "
            "read what it accepts")
_SIGNS: Mapping[str, str] = MappingProxyType({NARROWED: "domain-narrowed", UNLOCKED: "domain-unlocked"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What a test draws from: the lock it names, empty for none, and its row there. `unread`: the lock can't be."""

    lock: str
    row: LockedDomain | None
    unread: bool = False


def compare(
    path: str, before: DomainLock | None, after: DomainLock | None, *, followed: Collection[str] = (),
    told: Collection[str] = (),
) -> tuple[Step, ...]:
    """The steps from base's lock to the new one; None where there is none, or none that could be read.

    `followed` are the ids of base's rows, and `told` those of the new ones, of which `follow` speaks.
    """
    found = compare_locks(before, after, followed=followed)
    lost = {each.property_id for each in found}
    steps = [_lost(path, each) for each in found]
    for domain in after.domains if after is not None else ():
        old = before.find(domain.property_id) if before is not None else None
        if domain.property_id not in lost and domain.property_id not in told:
            steps += _gained(path, old, domain)
    return tuple(steps)


def follow(label: str, old: Drawn, new: Drawn) -> Iterator[Step]:
    """The steps from what a test draws in base to what it would draw."""
    if old.row is None or new.unread:
        return
    if not new.lock:
        yield Step(subject=old.lock, sign="domain-undeclared", detail=f"{label} names no lock")
        return
    found = compare_drawn(old.row, new.row)
    for each in found:
        yield _lost(new.lock, each)
    if found or new.row is None:
        return
    if (old.lock, old.row.property_id) != (new.lock, new.row.property_id):
        here, there = f"{new.lock}:{new.row.property_id}", f"{old.lock}:{old.row.property_id}"
        yield Step(subject=new.lock, sign="domain-moved", detail=f"{label} draws from {here}, drew from {there}")
    yield from _gained(new.lock, replace(old.row, property_id=new.row.property_id), new.row)


def _lost(path: str, each: Narrowing) -> Step:
    return Step(subject=path, sign=_SIGNS[each.code], detail=f"{each} [{each.row}]",
                remedy=_FILTERS if each.field == "filters" else "")


def _gained(path: str, old: LockedDomain | None, new: LockedDomain) -> Iterator[Step]:
    told = f"{new.property_id}: {new.max_examples} examples within {new.deadline_ms} ms, {new.fingerprint.hash[:12]}"
    if old is None:
        yield Step(subject=path, sign="domain-new", detail=told)
        return
    changed = {str(now): was for was, now in rewritten(old, new)}
    for each in new.filters:
        if str(each) in changed:
            yield Step(subject=path, sign="filter-rewritten", detail=f"{new.property_id}: {each} was "
                       f"{changed[str(each)].source[:12]}, is {each.source[:12]}: not comparable, so read it")
    if old != replace(new, filters=tuple(changed.get(str(each), each) for each in new.filters)):
        was = f"was {old.max_examples} within {old.deadline_ms} ms, {old.fingerprint.hash[:12]}"
        yield Step(subject=path, sign="domain-widened", detail=f"{told}; {was}")
