"""The table of cheats with their honest twins, by class of the catalogue: A and B git, C imports, D wall, E answers, F denial."""

from __future__ import annotations

from ..kit import Case
from . import answers, denial, git, imports, judge, pins, wall, wire

CASES: tuple[Case, ...] = (*judge.CASES, *git.CASES, *imports.CASES, *wall.CASES, *answers.CASES, *denial.CASES,
                           *pins.CASES, *wire.CASES)
