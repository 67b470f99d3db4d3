"""What differs between two trees: path by path, object id by object id, mode by mode.

Pure: no I/O, no git. There is no rename detection: a file that moved is one path gone and one path new. Nothing but
the two trees is consulted, so attributes, filters, history and replace refs have no say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from .tree import Entry


class HasEntries(Protocol):
    """Anything that maps paths to entries, such as a `Tree`."""

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Every leaf by its path."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One path that is not the same on both sides; None where it is absent. At least one side is there."""

    path: str
    before: Entry | None
    after: Entry | None


def compare(base: HasEntries, candidate: HasEntries) -> tuple[Change, ...]:
    """Every path whose presence, mode or object id differs, sorted by path.

    Two trees of different object formats share no id, so every path of both is a change: closed, not open.
    """
    before, after = base.entries, candidate.entries
    return tuple(
        Change(path=path, before=before.get(path), after=after.get(path))
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    )
