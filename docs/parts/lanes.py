"""What a person may change, and the laws that the change is held to."""

from __future__ import annotations

from collections.abc import Mapping

from oracle_rules.gate.lanes import LANE_ROWS
from oracle_rules.gate.tables import PERSON

from .markdown import code as _code
from .markdown import table


def _person_words(_texts: Mapping[str, str]) -> str:
    """What a row of the gate means for a person."""
    return table(("By a person", "Means"), [(_code(word), text) for word, text in PERSON.items()])


def _lane_rows(_texts: Mapping[str, str]) -> str:
    """The laws of the lanes."""
    rows = [(_code(row.sign), row.lane, _code(row.code or "") or "allowed", row.why, row.remedy) for row in LANE_ROWS]
    return table(("Row", "Lane", "Code", "Why", "What to do"), rows)


PARTS = (_person_words, _lane_rows)
