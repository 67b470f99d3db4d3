"""What became of mutants: the shape of a measure of strength."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .mutants import Mutant

KILLED, SURVIVED, UNDECIDED = "killed", "survived", "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One mutant and what became of it; `action` is the digest of the judgement that shows it again."""

    mutant: Mutant
    outcome: str
    reason: str | None
    detail: str
    action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What was measured. `broken` is the verdict of the sources as they are where it is red; then nothing is tried.

    `lines` counts the lines that were run by path, None where that can't be told; `places` counts all edits of these;
    `unread` are sources that were run and can't be given a fault.
    `action` is the digest of the judgement of the sources as they are, which asks so many `cases`; of a suite, tests.
    """

    action: str
    cases: int
    broken: Mapping[str, Any] | None
    lines: Mapping[str, int] | None
    places: int
    unread: tuple[str, ...]
    tried: tuple[Tried, ...]

    def count(self, outcome: str) -> int:
        """How many mutants have this outcome."""
        return sum(each.outcome == outcome for each in self.tried)
