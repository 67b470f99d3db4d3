"""The record: everything one score saw, as one JSON document with a stable schema. Pure; every report is drawn from it.

Two workers that judge the same input write the same record but for `served_from` and `summary.cached`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from .analysis.actions import Plan
from .artifacts.freezing.collection import Debt
from .artifacts.freezing.ledger import FreezeRow
from .digest import Digest
from .gate import attribution
from .gate.author import Author, Edit
from .gate.decide import Decision
from .gate.evidence import Evidence
from .label import Label
from .trust.oracle import Standing

SCHEMA = "oracle_rules/record/v1"
# The lane whose cases nobody has seen, and what is told of one that did not hold.
HOLDOUT = "holdout"
_HELD_OUT = "a held-out case; which one is not shown"
# What a line of debt says of its run; all null where there was none.
_GIVEN = ("bit", "reason", "detail", "action", "verdict", "served_from", "repro")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One target and lane: its Action, its verdict and where that came from; `attributed` where somebody asked.

    `parts` says where the cases come from: a word for each corpus, and how many cases it has, in their order.
    """

    plan: Plan
    property_id: str
    verdict: Mapping[str, Any]
    verdict_digest: Digest
    served_from: str
    attributed: Attributed | None = None
    parts: tuple[tuple[str, int], ...] = ()

    @property
    def shown(self) -> Mapping[str, Any]:
        """What a report may show of the verdict: of a held-out case nothing but why it did not hold."""
        if self.plan.lane != HOLDOUT or self.verdict["bit"] == 1:
            return self.verdict
        return {**self.verdict, "detail": _HELD_OUT, "counterexample": None, "held": None, "notes": []}

    @property
    def shown_digest(self) -> Digest | None:
        """The digest of the verdict, where it gives nothing away: all else in a red one can be worked out, so that
        whoever has the digest could try cases until one fits."""
        return None if self.plan.lane == HOLDOUT and self.verdict["bit"] != 1 else self.verdict_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Attributed:
    """What became of one target, and who is to blame where it is red: the row that fired and what it was fired by.

    `row` is None for a target that holds. A side without a row of the record could not be judged; `base` is None too
    where base is the parent. `varied` holds parent and candidate for each variation of the evidence.
    """

    change: str | None
    row: attribution.Row | None
    evidence: Evidence
    parent: Row | None
    base: Row | None
    varied: tuple[tuple[Row | None, Row | None], ...]
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DebtLine:
    """A row of a freeze ledger on one day, and what the property gave in the frozen lane.

    `problem` is a reason code and a sentence where it could not be run. Neither run nor problem: nobody ran it.
    """

    row: FreezeRow
    line: Debt
    today: date
    label: Label | None
    run: Row | None
    problem: tuple[str, str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalLine:
    """A journal of one target on the day of the score; `row` is that of the table of what it asks.

    `stale` says why its seeds are history. `drawn` is the digest of the canonical list of held-out seeds, which are
    shown nowhere; `commitment` that of the secret that they were derived with.
    """

    label: str
    property_id: str
    state: str
    row: str
    stale: str | None
    cases: int
    seeds: tuple[int, ...]
    frozen: tuple[int, ...]
    frozen_until: str | None
    today: date
    held_out: int
    scheme: str
    commitment: str | None
    drawn: Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Everything one `score` saw. `edits` is what a person changed of the oracle; base's was asked all the same."""

    base_id: str
    candidate_id: str
    parent_id: str
    oracle: Standing
    repro: str
    decision: Decision
    rows: tuple[Row, ...]
    frozen: tuple[str, ...]
    debt: tuple[DebtLine, ...]
    journals: tuple[JournalLine, ...] = ()
    author: Author = Author.AGENT
    edits: tuple[Edit, ...] = ()


def record(score: Score) -> dict[str, Any]:
    """The record of a score; the shape is that of the published schema `oracle_rules/record/v1`."""
    decision = score.decision
    held = sum(1 for row in score.rows if row.verdict["bit"] == 1)
    return {
        "schema": SCHEMA,
        "base": score.base_id, "candidate": score.candidate_id, "parent": score.parent_id,
        "oracle": score.oracle.as_json(),
        "author": score.author.value,
        "edits": [{"path": edit.change.path, "lane": edit.lane, "row": edit.row.name, "detail": edit.detail}
                  for edit in score.edits],
        "decision": decision.decision, "bit": decision.bit, "exit": int(decision.exit), "row": decision.row,
        "replayable": bool(score.rows) and not any(map(_hangs_on_speed, score.rows)),
        "properties": sorted({row.property_id for row in score.rows} - {
            row.property_id for row in score.rows if row.verdict["bit"] != 1}),
        "reasons": [{"code": reason.code, "lane": reason.lane, "subject": reason.subject, "detail": reason.detail,
                     "row": reason.row, "remedy": reason.remedy} for reason in decision.reasons],
        "targets": [_target(row) for row in score.rows],
        "frozen": list(score.frozen), "debt": [_debt(line) for line in score.debt],
        "journals": list(map(_journal, score.journals)), "repro": score.repro,
        "summary": {"targets": len(score.rows), "held": held, "falsified": len(score.rows) - held,
                    "cached": sum(1 for row in score.rows if row.served_from != "executed"),
                    "frozen": len(score.debt)},
    }


def _hangs_on_speed(row: Row) -> bool:
    """Whether a time limit was reached, by the candidate or by a side that its attribution was made from."""
    if row.attributed is None:
        return bool(row.verdict["reason"] == "timeout")
    return row.attributed.evidence.hangs_on_speed


def _target(row: Row) -> dict[str, Any]:
    seen, told = row.shown, row.attributed
    return {
        "label": row.plan.label, "property_id": row.property_id, "lane": row.plan.lane, **_run(row),
        "assurance": seen["assurance"], "planned": seen["planned"], "held": seen["held"],
        "corpora": [{"name": name, "cases": count} for name, count in row.parts],
        "profile": {"name": row.plan.profile, "policy": row.plan.policy.as_json()},
        "change": None if told is None else told.change,
        "attribution": None if told is None else _attribution(told)}


def _run(row: Row) -> dict[str, Any]:
    """What one Action gave, and how to see it again."""
    seen, verdict = row.shown, row.shown_digest
    return {
        "bit": seen["bit"], "reason": seen["reason"], "detail": seen["detail"],
        "counterexample": seen["counterexample"],
        "action": row.plan.action.as_json(), "verdict": None if verdict is None else verdict.as_json(),
        "served_from": row.served_from,
        "repro": f"oracle-rules replay {row.plan.action}"}


def _debt(owed: DebtLine) -> dict[str, Any]:
    row, line = owed.row, owed.line
    code, detail = owed.problem or (None, "")
    given = dict.fromkeys(_GIVEN) | {"reason": code, "detail": detail} if owed.run is None else _run(owed.run)
    return {
        "id": row.id, "property_id": row.property_id, "nodeid": row.nodeid, "class": row.kind, "owner": row.owner,
        "expires": None if line.expires is None else line.expires.isoformat(), "days_left": line.days_left,
        "today": owed.today.isoformat(), "label": None if owed.label is None else str(owed.label),
        **{name: given[name] for name in _GIVEN}}


def _journal(line: JournalLine) -> dict[str, Any]:
    return {
        "label": line.label, "property_id": line.property_id, "state": line.state, "row": line.row,
        "stale": line.stale, "cases": line.cases, "seeds": list(line.seeds),
        "frozen": {"seeds": list(line.frozen), "until": line.frozen_until, "today": line.today.isoformat()},
        "holdout": {"count": line.held_out, "scheme": line.scheme, "commitment": line.commitment,
                    "seeds": line.drawn.as_json()}}


def _attribution(told: Attributed) -> dict[str, Any]:
    row, evidence = told.row, told.evidence
    pairs = zip(evidence.varied or (), told.varied, strict=True)
    return {
        "row": None if row is None else row.name, "blame": None if row is None else row.blame,
        "why": "" if row is None else row.why, "problem": told.problem,
        "parent": _maybe(told.parent), "base": _maybe(told.base),
        "variations": [{"name": each.name, "axis": each.axis, "counts": each.counts,
                        "flipped": list(evidence.flips(each)), "parent": _maybe(parent), "candidate": _maybe(candidate)}
                       for each, (parent, candidate) in pairs]}


def _maybe(row: Row | None) -> dict[str, Any] | None:
    return None if row is None else _run(row)
