"""The lines about what is frozen, for a person: what it is, how long it may stay so, and what it does now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .printable import printable


def debt(record: dict[str, Any], paint: Callable[[str, str], str]) -> list[str]:
    """A head and two lines for each frozen thing; none where nothing is frozen."""
    rows = record["debt"]
    if not rows:
        return []
    lines = [paint("yellow", f"frozen (debt, no evidence): {len(rows)}")]
    for row in rows:
        lines.append(f"  {printable(row['id'])} {printable(_thing(row))}: {printable(row['class'])}, "
                     f"{printable(row['owner'] or 'nobody')}, {_expiry(row)}; {_now(row)}")
        if row["repro"] is not None:
            lines.append(paint("dim", f"    {row['repro']}"))
    return lines


def _thing(row: dict[str, Any]) -> str:
    return str(row["label"] or row["property_id"] or row["nodeid"])


def _expiry(row: dict[str, Any]) -> str:
    if row["expires"] is None:
        return "without an end"
    left = row["days_left"]
    if left < 0:
        return f"expired on {row['expires']}"
    return f"until {row['expires']}, {left} {'day' if left == 1 else 'days'} left"


def _now(row: dict[str, Any]) -> str:
    """What it does now."""
    if row["bit"] is None:
        return "not run" if row["reason"] is None else f"could not be run ({row['reason']}: {printable(row['detail'])})"
    return "holds now" if row["bit"] == 1 else f"red now ({row['reason']})"
