"""A lawful row and a lawful ledger, to be broken in one place."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from oracle_rules.artifacts.freezing.laws import check_freeze
from oracle_rules.artifacts.freezing.ledger import Ledger, parse_freeze

DAY = date(2026, 10, 1)
LAWFUL = {
    "id": "FRZ-0001",
    "nodeid": "tests/test_retry.py::TestClock::test_wall_clock_moves",
    "class": "clock",
    "seam": "src/retry.py::SystemClock.now",
    "evidence": "went backwards once under a clock step, 1 of 4000 runs",
    "owner": "Ada Lindqvist",
    "last_green": "2026-09-01",
    "expires": "2027-12-31",
    "agent_may_extend": False,
}


def row(**more: Any) -> dict[str, Any]:
    """The lawful row with these fields; None takes one away, `kind` is its class."""
    if "kind" in more:
        more["class"] = more.pop("kind")
    return {key: value for key, value in {**LAWFUL, **more}.items() if value is not None}


def ledger(*rows: dict[str, Any], budget: int = 5) -> Ledger:
    """A native ledger."""
    return parse_freeze(json.dumps({"budget": budget, "rows": list(rows)}, indent=1).encode(), path="freeze.json")


def broken(value: Ledger, day: date = DAY) -> list[str]:
    """The names of the laws that it breaks."""
    return [found.row for found in check_freeze(value, today=day)]
