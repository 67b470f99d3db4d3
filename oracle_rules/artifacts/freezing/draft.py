"""Proposes a row for each failing test of a log: class, evidence and day, each by a stated rule. Writes no ledger.

What a log can't say is left open: owner, the last green day, most seams, and what shows it again. A proposal is a
draft; the row that a person makes of it is held to the laws as any other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from .collection import usual_expiry
from .failures import GREEN, Failure, Log
from .nodeid import problem
from .rules import RULES, Rule
from .shapes import ASKS, ORDER
from .tables import KINDS

MOST_LINES, MOST_WIDTH, MOST_ID = 3, 200, 40
_NO_WORD = re.compile(r"[^A-Za-z0-9]+")
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
    named: Counter[str] = Counter()
    return tuple(_proposal(failure, _id(failure, named), today) for failure in log.failures)


def _id(failure: Failure, named: Counter[str]) -> str:
    """A short id out of the test's name, other than those before it: `FZ-retries`, `FZ-retries-2`."""
    name = failure.nodeid.partition("[")[0].rpartition("::")[2].removeprefix("test_")
    short = f"FZ-{_NO_WORD.sub('-', name).strip('-')[:MOST_ID] or 'row'}"
    named[short] += 1
    return short if named[short] == 1 else f"{short}-{named[short]}"


def document(proposals: tuple[Proposal, ...]) -> dict[str, Any]:
    """What `freeze draft --format json` prints."""
    return {"schema": "oracle_rules/freeze-draft/v1", "proposals": [
        {"nodeid": each.nodeid, "class": each.kind or None, "rule": each.rule or None,
         "evidence": list(each.evidence), "instead": each.instead or None, "notes": list(each.notes),
         "row": None if each.row is None else dict(each.row), "lacks": list(each.lacks)} for each in proposals]}


def _proposal(failure: Failure, name: str, today: date) -> Proposal:
    rule, line = _rule(failure)
    kind = _KINDS[rule.kind] if rule else None
    quote = tuple(_quote(failure, line if rule and not rule.head else ""))
    instead = ""
    if "::" not in failure.nodeid:
        instead = "mend the file; what can't be collected is broken, not flaky"
    elif kind is not None and not kind.freezable:
        instead = kind.instead
    row = None
    if not instead:
        row = _row(failure, name, rule, line, quote, usual_expiry(today).isoformat())
    return Proposal(nodeid=failure.nodeid, kind=rule.kind if rule else "", rule=rule.name if rule else "",
                    evidence=quote, instead=instead, notes=tuple(_notes(failure, rule)), row=row)


def _rule(failure: Failure) -> tuple[Rule | None, str]:
    """The first rule that one of the lines matches, and that line."""
    for rule in RULES:
        found = _matching(rule, failure.head if rule.head else _telling(failure))
        if not found or rule.also and not any(re.search(rule.also, line) for line in _telling(failure)):
            continue
        if not rule.varies or set(_matching(rule, failure.green_head)) - set(found):
            return rule, found[0]
    return None, ""


def _matching(rule: Rule, lines: Sequence[str]) -> list[str]:
    return [line.strip() for line in lines if _PATTERNS[rule.name].search(line)]


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


def _row(failure: Failure, name: str, rule: Rule | None, line: str, quote: tuple[str, ...],
         expires: str) -> dict[str, Any]:
    counted = [f"{failure.red} of {failure.runs} runs"] if failure.runs > 1 else []
    needs = _KINDS[rule.kind].needs if rule else ""
    given: dict[str, Any] = {name: None for name in (ask.field for ask in ASKS) if name not in ("order", "skew")}
    given |= {"id": name, "evidence": "; ".join([*quote, *counted]) or None, "expires": expires,
              "class": rule.kind if rule else None, "seam": _seam(failure, rule), "agent_may_extend": False,
              "nodeid": failure.nodeid if failure.exact and problem(failure.nodeid) is None else None}
    if needs:
        given[needs] = line if rule and rule.head else None
    return {name: given[name] for name in ORDER if name in given}


def _seam(failure: Failure, rule: Rule | None) -> str | None:
    """What the rule suggests, and the deepest frame outside of the tests; None where no rule suggests anything."""
    word = rule.seam if rule else ""
    frames = [found for line in failure.lines if (found := _FRAME.match(line)) and not _TEST.match(found["path"])]
    if not frames or not word:
        return word or None
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
        shuffled = [line for each in RULES if each.head for line in _matching(each, failure.head)]
        if shuffled:
            yield f"the run was shuffled ({shuffled[0]}), which shows no order; give the log of another"
