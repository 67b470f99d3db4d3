"""The decision: what findings and outcomes add up to, by a table whose first matching row decides.

The table is read from the top, so that whatever is worse for trust weighs more: a patch that breaks a property and
edits its exam is refused, and one that also makes us fail is neither accepted nor rejected but told so. Acceptance is
the one row that asks for evidence and for the absence of everything else; nothing leads there by default. Knows nothing
of how outcomes came about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import Exit
from .codes import CATALOGUE
from .finding import Finding
from .review import summarise

HELD = "held"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one target gave: its label, the bit (None when it gave none), and why the bit is not 1.

    `reason` is None exactly when the bit is 1. `cause` is one line for people. `row` is the row of another table that
    gave the reason; where it is empty, the decision's own row is told.
    """

    label: str
    lane: str
    bit: int | None
    reason: str | None
    cause: str = ""
    row: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One reason of a decision; `row` names the row of the gate's table, or of this one, that fired."""

    code: str
    lane: str
    subject: str
    detail: str
    row: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """A row of the table: what of this class is among the evidence decides, unless a row above has matched.

    `sign` is the class of evidence, empty for the last row, which asks for none. `bit` None: nothing is known of the
    patch, and no record of a score may be written.
    """

    row: str
    sign: str
    decision: str
    exit: Exit
    bit: int | None
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The word, the process status, the bit, the row that decided, and every reason, the weightiest first."""

    decision: str
    exit: Exit
    bit: int | None
    row: str
    reasons: tuple[Reason, ...]


TABLE: tuple[Weight, ...] = (
    Weight(row="malfunction", sign="malfunction", decision="malfunction", exit=Exit.MALFUNCTION, bit=None,
           why="we failed, or contradict ourselves: no other evidence of this run can be believed to be whole"),
    Weight(row="untrusted", sign="untrusted", decision="untrusted", exit=Exit.UNTRUSTED, bit=0,
           why="evidence that cannot be believed outweighs what it says"),
    Weight(row="refused", sign="refused", decision="refused", exit=Exit.REFUSED, bit=0,
           why="the patch touched its exam, or its answers can't be replayed: no bit of it counts"),
    Weight(row="incomplete", sign="incomplete", decision="incomplete", exit=Exit.INCOMPLETE, bit=0,
           why="the oracle was not asked in full"),
    Weight(row="falsified", sign="falsified", decision="reject", exit=Exit.FALSIFIED, bit=0,
           why="a property does not hold"),
    Weight(row="all-held", sign=HELD, decision="accept", exit=Exit.ACCEPT, bit=1,
           why="at least one property was asked, and every one that was asked held"),
    Weight(row="nothing", sign="", decision="nothing", exit=Exit.NOTHING, bit=0,
           why="no property was asked, so nothing is known"),
)  # fmt: skip

# Exit code of a reason in the catalogue -> the class of evidence that it is. A reason that would accept is none.
SIGNS = {
    Exit.MALFUNCTION: "malfunction",
    Exit.UNTRUSTED: "untrusted",
    Exit.REFUSED: "refused",
    Exit.INCOMPLETE: "incomplete",
    Exit.FALSIFIED: "falsified",
    Exit.USAGE: "malfunction",
    Exit.NOTHING: "malfunction",
}


def decide(findings: Sequence[Finding], outcomes: Sequence[Outcome]) -> Decision:
    """The decision. A summary of the oracle's edits leads the reasons whenever there is such an edit."""
    summary = summarise(findings)
    told = [(_sign_of(f.code), _from_finding(f)) for f in ([summary] if summary else []) + _ordered(findings)]
    told += [(sign, reason) for sign, reason in map(_from_outcome, sorted(outcomes, key=_outcome_order)) if reason]
    signs = {sign for sign, _ in told} | {sign_of(outcome) for outcome in outcomes}
    order = [weight.sign for weight in TABLE]
    reasons = tuple(reason for _, reason in sorted(told, key=lambda pair: order.index(pair[0])))
    row = next(weight for weight in TABLE if not weight.sign or weight.sign in signs)
    if not row.sign:
        reasons = (_nothing(row),)
    return Decision(decision=row.decision, exit=row.exit, bit=row.bit, row=row.row, reasons=reasons)


def sign_of(outcome: Outcome) -> str:
    """The class of evidence that an outcome is. One that contradicts itself, or names no known reason, is our fault."""
    if outcome.bit == 1 and type(outcome.bit) is int:
        return HELD if outcome.reason is None else "malfunction"
    if outcome.bit is not None and not (type(outcome.bit) is int and outcome.bit == 0):
        return "malfunction"
    return _sign_of(outcome.reason)


def _sign_of(code: str | None) -> str:
    row = CATALOGUE.get(code) if code is not None else None
    return SIGNS[row.exit] if row else "malfunction"


def _from_finding(finding: Finding) -> Reason:
    return Reason(
        code=finding.code,
        lane=finding.lane,
        subject=finding.subject,
        detail=finding.detail,
        row=finding.row,
        remedy=finding.remedy,
    )


def _from_outcome(outcome: Outcome) -> tuple[str, Reason | None]:
    """The reason of an outcome that is not a pass; a contradiction becomes a malfunction that says what it saw."""
    sign = sign_of(outcome)
    if sign == HELD:
        return sign, None
    code, detail = outcome.reason, outcome.cause
    if code is None or code not in CATALOGUE or _sign_of(code) != sign:
        code, detail = "malfunction", f"bit {outcome.bit!r} with reason {outcome.reason!r} is no outcome; {detail}"
    row = outcome.row or next(weight.row for weight in TABLE if weight.sign == sign)
    remedy = CATALOGUE[code].remedy
    return sign, Reason(code=code, lane=outcome.lane, subject=outcome.label, detail=detail, row=row, remedy=remedy)


def _nothing(row: Weight) -> Reason:
    code = CATALOGUE["nothing_to_score"]
    return Reason(code=code.code, lane=code.lane, subject="", detail=code.meaning, row=row.row, remedy=code.remedy)


def _ordered(findings: Sequence[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: (finding.lane, finding.subject, finding.code, finding.detail))


def _outcome_order(outcome: Outcome) -> tuple[str, ...]:
    return outcome.label, outcome.lane, outcome.reason or "", repr(outcome.bit), outcome.cause
