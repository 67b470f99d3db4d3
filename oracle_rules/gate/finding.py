"""A finding: one path, what is wrong with it, and the table row that says so. Knows nothing of how it was found."""

from __future__ import annotations

from dataclasses import dataclass

CANDIDATE_LANE = "candidate"
SUMMARY_CODE = "oracle_edit_forbidden"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """`code` from the closed catalogue; `lane` is generator, fixture, freeze, seed, declaration, harness or candidate.

    `subject` is the path as git has it, `row` the name of the row that fired. `edits_oracle` says whether an agent
    touched the oracle or its harness at all; faults of base, laws that a person's change breaks and the candidate's own
    sources are no such edits.
    """

    code: str
    lane: str
    subject: str
    detail: str
    row: str
    remedy: str
    edits_oracle: bool
