"""Journals: moves between states, what the lanes ask, what a verdict on the parent means, how fast a hunt is, which faults
strength puts into sources."""

from __future__ import annotations

import json
from collections.abc import Mapping

from oracle_rules.artifacts.journals.asked import LANES
from oracle_rules.artifacts.journals.outcomes import CASELESS, FAILED, MIXED, OUTCOMES
from oracle_rules.artifacts.journals.states import MOVES
from oracle_rules.mutation.operators import OPERATORS

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


def _hunt_throughput(texts: Mapping[str, str]) -> str:
    """The numbers of one run of `bench/hunt_throughput.py`."""
    found = json.loads(texts["docs/hunt.json"])
    words = {"pytest": "`pytest --hypothesis-seed`, a process for each seed, one at a time",
             "pytest_spread": "the same, one for each CPU at a time",
             "cold": "`journal hunt --jobs 1`, nothing in the cache",
             "cold_spread": "`journal hunt`, nothing in the cache",
             "drawn": "`journal hunt` on another parent, what the seeds draw in the cache",
             "cached": "`journal hunt` on the same parent again"}
    rows = [(str(size["cases"]), words[name], f"{row['median_s']:.2f} s", f"{row['min_s']:.2f} to {row['max_s']:.2f} s",
             f"{row['cases_per_s']:.0f}", f"{row['over_pytest']:.2f}")
            for size in found["sizes"] for name, row in size["rows"].items()]
    head = f"{found['seeds']} seeds, {found['rounds']} rounds, {found['cpus']} CPUs."
    return head + "\n\n" + table(("Cases of a seed", "What", "Median", "Range", "Cases per second",
                                  "Times as fast as pytest"), rows)


def _mutation_operators(_texts: Mapping[str, str]) -> str:
    """What each operator changes."""
    return table(("Operator", "Puts"), [(f"`{name}`", what) for name, what in OPERATORS.items()])


PARTS = (_journal_moves, _journal_lanes, _hunt_outcomes, _hunt_throughput, _mutation_operators)
