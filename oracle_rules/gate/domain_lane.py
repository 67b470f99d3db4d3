"""The generator lane: what a change does to a domain lock, property by property.

Law: a domain may widen and never narrow, and no property loses its domain. What is narrower is decided field by field
by `artifacts/domains/compare.py`; here its answers become steps. Knows nothing of how cases are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ..artifacts.domains.compare import NARROWED, UNLOCKED, compare_locks
from ..artifacts.domains.lock import DomainLock, LockedDomain
from .lanes import Step

_SIGNS: Mapping[str, str] = MappingProxyType({NARROWED: "domain-narrowed", UNLOCKED: "domain-unlocked"})


def compare(path: str, before: DomainLock | None, after: DomainLock | None) -> tuple[Step, ...]:
    """The steps from base's lock to the new one; None where there is none, or none that could be read."""
    found = compare_locks(before, after)
    lost = {each.property_id for each in found}
    steps = [Step(subject=path, sign=_SIGNS[each.code], detail=f"{each} [{each.row}]") for each in found]
    for domain in after.domains if after is not None else ():
        old = before.find(domain.property_id) if before is not None else None
        if domain.property_id not in lost:
            steps += _gained(path, old, domain)
    return tuple(steps)


def _gained(path: str, old: LockedDomain | None, new: LockedDomain) -> Iterator[Step]:
    told = f"{new.property_id}: {new.max_examples} examples within {new.deadline_ms} ms, {new.fingerprint.hash[:12]}"
    if old is None:
        yield Step(subject=path, sign="domain-new", detail=told)
    elif old != new:
        was = f"was {old.max_examples} within {old.deadline_ms} ms, {old.fingerprint.hash[:12]}"
        yield Step(subject=path, sign="domain-widened", detail=f"{told}; {was}")
