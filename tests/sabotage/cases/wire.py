"""Attacks on the wire, the cell's own code and the judge's stand-ins."""

from __future__ import annotations

from ..kit import Case

CASES: tuple[Case, ...] = ()
