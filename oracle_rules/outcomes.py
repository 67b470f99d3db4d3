"""From the rows of a score to what the decision weighs: every red target with all of its reason codes. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .errors import Exit
from .gate import attribution
from .gate.codes import lookup
from .gate.decide import Outcome
from .protocol import canonical
from .record import Row


def outcomes(rows: Sequence[Row]) -> tuple[Outcome, ...]:
    """One outcome for each target that holds, and one for each reason of each that does not."""
    return tuple(outcome for row in rows for outcome in _of(row))


def _of(row: Row) -> Iterator[Outcome]:
    seen, told = row.verdict, row.attributed
    own = _own_codes(seen["reason"])
    found = told.row if told is not None else None
    if told is None or found is None:
        for code in own:
            yield Outcome(label=row.plan.label, lane=row.plan.lane, bit=seen["bit"], reason=code, cause=_cause(row))
        return
    for code in attribution.codes(found, told.evidence, [code for code in own if code is not None]):
        ours = code == found.code
        yield Outcome(label=row.plan.label, lane=row.plan.lane, bit=seen["bit"], reason=code,
                      cause=f"{found.why}; {_cause(row)}" if ours else _cause(row), row=found.name if ours else "")


def _own_codes(code: str | None) -> tuple[str | None, ...]:
    """Every red bit is a falsified property; the verdict's own code says how, and stands beside it."""
    if code not in (None, "property_failed") and lookup(code).exit is Exit.FALSIFIED:
        return "property_failed", code
    return (code,)


def _cause(row: Row) -> str:
    """One line: which case, what happened."""
    seen = row.shown
    example = seen["counterexample"]
    if example is None:
        return str(seen["detail"])
    return f"{row.property_id}:seed={example['index']} {seen['detail']}: {_shown_case(example['case'])}"


def _shown_case(case: Any) -> str:
    """A case on one line, cut where it is long."""
    text = canonical.dumps(case).decode("ascii").strip()
    return text if len(text) <= 160 else text[:157] + "..."
