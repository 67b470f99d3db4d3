"""The laws of a lock beside its own form: who draws cases has a row, and every filter is a declared input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...entropy.drawing import Draw, drawing
from ...entropy.source import UnreadableError, parse
from ...errors import IncompleteError
from ..violation import Violation
from .lock import LockedDomain


def unlocked(path: str, property_id: str) -> Violation:
    """A target that names this lock, which has no row for its property."""
    return Violation(code="domain_unlocked", subject=path, detail=f"locks no domain for {property_id}",
                     remedy="let a person lock it, or drop domain_lock from the target")


def drawn_elsewhere(sources: Mapping[str, bytes]) -> tuple[Violation, ...]:
    """Each place in these oracle files that draws cases, or sets how they are drawn, by itself.

    A file that can't be parsed is left to the judge, which has to load it.
    """
    found = []
    for path, data in sources.items():
        for draw in _draws(path, data) if path.endswith(".py") else ():
            found.append(Violation(
                code="domain_unlocked", subject=f"{path}:{draw.span.line}:{draw.span.column}",
                detail=f"{draw.name} {draw.row.says}, where no lock can see it",
                remedy="write hold(case), lock the domain in domain_lock.json, and let the target name the lock"))
    return tuple(found)


def _draws(path: str, data: bytes) -> tuple[Draw, ...]:
    try:
        return drawing(parse(data, path))
    except UnreadableError:
        return ()


def check_filters(locked: LockedDomain, deps: Iterable[str]) -> LockedDomain:
    """The same row. Raises IncompleteError for a filter whose file the target doesn't declare: it would be no input."""
    declared = set(deps)
    for each in locked.filters:
        if each.path not in declared:
            raise IncompleteError(f"{locked.property_id}.filters: {each.path} is not in the deps of the target",
                                  where=locked.path, remedy=f"add {each.path!r} to deps of the target in base")
    return locked
