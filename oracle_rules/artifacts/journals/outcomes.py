"""What a verdict on the parent makes of a hunted seed, by a table over the reason codes. First row that fits decides.

A hit is a case for which the property is seen not to hold. What hangs on the machine's speed or size, on the moment, or
on whether the parent can be loaded at all says nothing about a case and is noise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

HIT, MISS, NOISE, STOP = "hit", "miss", "noise", "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRow:
    """One row: for these reasons (None: the bit is 1), what the seed is, and why."""

    name: str
    reasons: tuple[str | None, ...]
    outcome: str
    why: str


OUTCOMES: tuple[OutcomeRow, ...] = (
    OutcomeRow(name="held", reasons=(None,), outcome=MISS, why="the property holds for every case of the seed"),
    OutcomeRow(name="falsified", outcome=HIT, why="the property is seen not to hold for a case",
               reasons=("property_failed", "candidate_raised", "candidate_exited", "transport_unpinned",
                        "transport_drift")),
    OutcomeRow(name="limit", outcome=NOISE, why="a limit hangs on the machine's speed and size",
               reasons=("timeout", "memory_limit", "output_limit", "process_limit")),
    OutcomeRow(name="killed", outcome=NOISE, why="a signal may come from outside, when memory is short",
               reasons=("candidate_crashed",)),
    OutcomeRow(name="unloaded", outcome=NOISE, why="what the parent does not have says nothing about a case",
               reasons=("import_failed",)),
    OutcomeRow(name="suite", outcome=NOISE, why="a suite that did not run as it should says nothing about a case",
               reasons=("suite_collect_error", "suite_empty", "suite_missing", "suite_extra", "suite_deselected",
                        "suite_skipped", "suite_xfailed", "suite_xpassed", "suite_setup_error", "suite_teardown_error",
                        "suite_stopped", "suite_unwatched", "suite_no_cases", "suite_exit_differs")),
    OutcomeRow(name="wall", outcome=NOISE, why="the answer came in a way that is believed for nobody",
               reasons=("protocol_violation", "transcript_incomplete", "harness_read", "candidate_comparison",
                        "introduced_nondeterminism")),
    OutcomeRow(name="ambient", outcome=NOISE, why="the answer hangs on the moment or the machine",
               reasons=("entropy_clock", "entropy_random", "entropy_uuid", "entropy_urandom", "entropy_network",
                        "entropy_env", "entropy_host", "entropy_hash", "entropy_native")),
    OutcomeRow(name="oracle", outcome=STOP, why="the property itself has to be mended first",
               reasons=("oracle_error", "property_broken", "suite_unpinned", "suite_case_unfit")),
)  # fmt: skip
# Not a verdict: two runs of one Action that disagree, and an Action that could not be run.
MIXED = OutcomeRow(name="mixed", reasons=(), outcome=NOISE, why="two runs of the same inputs disagree")
CASELESS = OutcomeRow(name="caseless", reasons=(), outcome=NOISE, why="the verdict names no case that could be kept")
FAILED = OutcomeRow(name="not-run", reasons=(), outcome=NOISE, why="it could not be run")


def outcome(verdicts: Sequence[Mapping[str, Any]]) -> OutcomeRow:
    """The row for what one Action gave, run once or more. Raises KeyError for a reason that no row has."""
    reasons = {each["reason"] for each in verdicts}
    if len({(each["reason"], each["detail"], str(each["counterexample"])) for each in verdicts}) > 1:
        return MIXED
    for row in OUTCOMES:
        if reasons <= set(row.reasons):
            return row
    raise KeyError(sorted(map(str, reasons)))
