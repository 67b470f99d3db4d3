"""What is held against properties and tests before they are asked."""

from __future__ import annotations

from collections.abc import Mapping

from oracle_rules.lint import rules, silences

from .markdown import code as _code
from .markdown import table


def _lint_rules(_texts: Mapping[str, str]) -> str:
    """What is refused in a property."""
    return table(("Rule", "Refuses", "Why", "Code"),
                 [(row.name, row.refuses, row.why, _code(row.code)) for row in rules.ROWS])


def _silences(_texts: Mapping[str, str]) -> str:
    """The spellings of a silence."""
    return table(("Silence", "Spelled"), [(rule.says, ", ".join(map(_code, rule.names))) for rule in silences.RULES])


PARTS = (_lint_rules, _silences)
