"""What a person may change, and the laws that the change is held to."""

from __future__ import annotations

from collections.abc import Mapping

from oracle_rules.artifacts.journals.laws import LAWS
from oracle_rules.gate.lanes import LANE_ROWS
from oracle_rules.gate.symptoms import SYMPTOMS
from oracle_rules.gate.tables import PERSON
from oracle_rules.gate.test_lane import EASES

from .markdown import code as _code
from .markdown import table


def _person_words(_texts: Mapping[str, str]) -> str:
    """What a row of the gate means for a person."""
    return table(("By a person", "Means"), [(_code(word), text) for word, text in PERSON.items()])


def _lane_rows(_texts: Mapping[str, str]) -> str:
    """The laws of the lanes."""
    rows = [(_code(row.sign), row.lane, _code(row.code or "") or "allowed", row.why, row.remedy) for row in LANE_ROWS]
    return table(("Row", "Lane", "Code", "Why", "What to do"), rows)


def _journal_laws(_texts: Mapping[str, str]) -> str:
    """What a journal may not say."""
    rows = [(_code(law.name), law.says, "yes" if law.short else "no", law.remedy) for law in LAWS]
    return table(("Law", "Says", "Older shape too", "What to do"), rows)


def _test_eases(_texts: Mapping[str, str]) -> str:
    """The ways in which a target asks less."""
    return table(("Attribute", "Shown because"), [(_code(ease.field), ease.says) for ease in EASES])


def _symptoms(_texts: Mapping[str, str]) -> str:
    """From what people see to codes, commands and what to do."""
    parts = []
    for topic in dict.fromkeys(row.topic for row in SYMPTOMS):
        rows = [(row.symptom, ", ".join(map(_code, row.codes)), _code(row.command), row.action)
                for row in SYMPTOMS if row.topic == topic]
        parts.append(f"## {topic}\n\n" + table(("You see", "Codes", "Found by", "What to do"), rows))
    return "\n\n".join(parts)


PARTS = (_person_words, _lane_rows, _journal_laws, _test_eases, _symptoms)
