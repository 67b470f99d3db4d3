"""Proposes a row for each failing test of a log: class, evidence and day, each by a stated rule. Writes no ledger.

What a log can't say is left open: owner, the last green day, most seams, and what shows it again. A proposal is a
draft; the row that a person makes of it is held to the laws as any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from .collection import usual_expiry
from .failures import GREEN, Failure, Log
from .nodeid import problem
from .rules import RULES, Rule
from .shapes import ASKS, ORDER
from .tables import KINDS

MOST_LINES, MOST_WIDTH = 3, 200
_KINDS = {kind.name: kind for kind in KINDS}
_PATTERNS = {rule.name: re.compile(rule.pattern) for rule in RULES}
_FRAME = re.compile(r"(?P<path>[^\s/:<>][^\s:<>]*\.py):(?P<line>\d+): ")
_SHORT = re.compile(r"\S.*:\d+: in \S")
_TEST = re.compile(r"(?:.*/)?(?:test_[^/]*|[^/]*_test|conftest)\.py\Z|(?:.*/)?tests?/|.*site-packages/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One failing test. `row` is a native row, None where a person is asked; it is None as a whole for what can't be
    frozen, and `instead` says what to do.

    `rule` names the rule that gave the class, empty for none. `notes` say what speaks against freezing.
    """

    nodeid: str
    kind: str
    rule: str
    evidence: tuple[str, ...]
    instead: str
    notes: tuple[str, ...]
    row: Mapping[str, Any] | None = field(repr=False)

    @property
    def lacks(self) -> tuple[str, ...]:
        """The fields that a person has to fill in."""
        return () if self.row is None else tuple(name for name, value in self.row.items() if value is None)


def propose(log: Log, *, today: date) -> tuple[Proposal, ...]:
    """A proposal for each failing test, in the log's order; the expiry is seven days from the day that is given.

    Raises UsageError where the calendar has no such day.
    """
    return tuple(_proposal(failure, log, today) for failure in log.failures)


def document(proposals: tuple[Proposal, ...]) -> dict[str, Any]:
    """What `freeze draft --format json` prints."""
    return {"schema": "oracle_rules/freeze-draft/v1", "proposals": [
        {"nodeid": each.nodeid, "class": each.kind or None, "rule": each.rule or None,
         "evidence": list(each.evidence), "instead": each.instead or None, "notes": list(each.notes),
         "row": None if each.row is None else dict(each.row), "lacks": list(each.lacks)} for each in proposals]}


def _proposal(failure: Failure, log: Log, today: date) -> Proposal:
    rule, line = _rule(failure, log)
    kind = _KINDS[rule.kind] if rule else None
    quote = tuple(_quote(failure, line if rule and not rule.head else ""))
    instead = ""
    if "::" not in failure.nodeid:
        instead = "mend the file; what can't be collected is broken, not flaky"
    elif kind is not None and not kind.freezable:
        instead = kind.instead
    row = None
    if not instead:
        row = _row(failure, rule, line, quote, usual_expiry(today).isoformat())
    return Proposal(nodeid=failure.nodeid, kind=rule.kind if rule else "", rule=rule.name if rule else "",
                    evidence=quote, instead=instead, notes=tuple(_notes(failure, rule)), row=row)


def _rule(failure: Failure, log: Log) -> tuple[Rule | None, str]:
    """The first rule that one of the lines matches, and that line."""
    for rule in RULES:
        for line in log.head if rule.head else _telling(failure):
            if _PATTERNS[rule.name].search(line):
                return rule, line.strip()
    return None, ""


def _telling(failure: Failure) -> list[str]:
    """The failing line of each frame and what pytest says of it; all lines where there are none such."""
    before = ("", *failure.lines)
    marked = [line for line, last in zip(failure.lines, before, strict=False)
              if line[:2] in ("E ", "> ") or line[:4] == "    " and _SHORT.match(last)]
    return marked or [line for line in failure.lines if line.strip()]


def _quote(failure: Failure, matched: str) -> Iterator[str]:
    """At most three lines as they stand, the one that decided among them."""
    lines = list(dict.fromkeys(line.strip() for line in _telling(failure) if line.strip(" E>")))
    chosen = lines[:MOST_LINES]
    if matched and matched not in chosen:
        chosen[MOST_LINES - 1:] = [matched]
    for line in chosen:
        yield line if len(line) <= MOST_WIDTH else line[: MOST_WIDTH - 1] + "…"


def _row(failure: Failure, rule: Rule | None, line: str, quote: tuple[str, ...], expires: str) -> dict[str, Any]:
    counted = [f"{failure.red} of {failure.runs} runs"] if failure.runs > 1 else []
    needs = _KINDS[rule.kind].needs if rule else ""
    given: dict[str, Any] = {name: None for name in (ask.field for ask in ASKS) if name not in ("order", "skew")}
    given |= {"id": failure.nodeid, "evidence": "; ".join([*quote, *counted]) or None, "expires": expires,
              "class": rule.kind if rule else None, "seam": _seam(failure, rule), "agent_may_extend": False,
              "nodeid": failure.nodeid if failure.exact and problem(failure.nodeid) is None else None}
    if needs:
        given[needs] = line if rule and rule.head else None
    return {name: given[name] for name in ORDER if name in given}


def _seam(failure: Failure, rule: Rule | None) -> str:
    """The deepest frame outside of the tests, and what the rule suggests; unknown where neither is there."""
    word = rule.seam if rule else "unknown"
    frames = [found for line in failure.lines if (found := _FRAME.match(line)) and not _TEST.match(found["path"])]
    if not frames or word == "unknown":
        return word
    return f"{word} at {frames[-1]['path']}:{frames[-1]['line']}"


def _notes(failure: Failure, rule: Rule | None) -> Iterator[str]:
    wrong = problem(failure.nodeid) if "::" in failure.nodeid else None
    if wrong:
        yield f"the node id {wrong}"
    if not failure.exact:
        yield "the node id is put together from a class name; write it as pytest prints it"
    if failure.runs > 1 and failure.red == failure.runs:
        yield f"red in all {failure.runs} runs of this log, which is broken rather than flaky"
    if {*failure.outcomes} & GREEN and failure.red == failure.runs:
        yield "passed its call and failed around it; the failure counts"
    if rule is None:
        yield "no rule knows this failure; keep it red until somebody does"
