"""The lines about journals, for a person: what each asked, how many seeds are held out, what is history or waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .printable import printable


def journals(record: dict[str, Any], paint: Callable[[str, str], str]) -> list[str]:
    """One line for each journal; none where no target has one."""
    return [_line(row, paint) for row in record["journals"]]


def _line(row: dict[str, Any], paint: Callable[[str, str], str]) -> str:
    parts = [f"{row['cases']} realised", f"{len(row['seeds'])} seeds replayed", f"{row['holdout']['count']} held out"]
    if row["row"] == "open":
        parts = ["asks nothing before a person locks it"]
    if row["frozen"]["seeds"]:
        parts.append(f"frozen until {row['frozen']['until']}: {', '.join(map(str, row['frozen']['seeds']))}")
    if row["stale"] is not None:
        parts.append(f"stale: {printable(row['stale'])}")
    usual = row["row"] == "asked" and not row["frozen"]["seeds"]
    text = f"journal {printable(row['property_id'])} ({row['state']}): {'; '.join(parts)}"
    return paint("dim" if usual else "yellow", text)
