"""Journals: the moves between their states, what they ask in the lanes, and what a verdict on the parent means."""

from __future__ import annotations

from collections.abc import Mapping

from oracle_rules.artifacts.journals.asked import LANES
from oracle_rules.artifacts.journals.outcomes import CASELESS, FAILED, MIXED, OUTCOMES
from oracle_rules.artifacts.journals.states import MOVES

from .markdown import table


def _journal_moves(_texts: Mapping[str, str]) -> str:
    """The table of moves."""
    rows = [(row.before or "(none)", f"`{row.name}`", row.after, "a person" if row.person else "anybody", row.needs)
            for row in MOVES]
    return table(("From", "Move", "To", "Who", "Needs"), rows)


def _journal_lanes(_texts: Mapping[str, str]) -> str:
    """What a journal asks."""
    def said(asked: bool) -> str:
        return "asked" if asked else "-"

    rows = [(f"`{row.name}`", ", ".join(row.states),
             {True: "yes", False: "no", None: "either"}[row.stale], said(row.cases), said(row.seeds),
             said(row.holdout), row.why) for row in LANES]
    return table(("Row", "States", "Stale", "Realised cases", "Replay seeds", "Held-out seeds", "Why"), rows)


def _hunt_outcomes(_texts: Mapping[str, str]) -> str:
    """What a seed is after it was judged on the parent."""
    rows = [(f"`{row.name}`", ", ".join(f"`{reason}`" for reason in row.reasons if reason) or "-", row.outcome, row.why)
            for row in (*OUTCOMES, MIXED, CASELESS, FAILED)]
    return table(("Row", "Reasons of the verdict", "The seed is", "Why"), rows)


PARTS = (_journal_moves, _journal_lanes, _hunt_outcomes)
