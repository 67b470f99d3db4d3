"""The closed catalogue of reason codes: what each means, which exit code it leads to, and what to do about it.

The rows stand in `reasons/`, by lane. A code that is not here does not exist; `decide.py` treats it as our own fault.
`--explain CODE` and the documentation are drawn from this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..errors import Exit, Malfunction
from .reasons import ambient, freeze, generator, journal, lanes, lint, other, patch, suites, trust, verdicts


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One reason: its lane is where it is usually found, its exit what `score` answers when nothing weighs more."""

    code: str
    lane: str
    exit: Exit
    meaning: str
    remedy: str


def _table() -> Mapping[str, Code]:
    groups = [(Exit.REFUSED, module.ROWS) for module in (patch, lanes, generator, journal, freeze, ambient, lint)]
    groups += [(Exit.FALSIFIED, verdicts.FALSIFIED), (Exit.INCOMPLETE, verdicts.INCOMPLETE),
               (Exit.FALSIFIED, suites.FALSIFIED), (Exit.INCOMPLETE, suites.INCOMPLETE), (Exit.REFUSED, suites.REFUSED),
               (Exit.INCOMPLETE, generator.INCOMPLETE),
               (Exit.INCOMPLETE, journal.INCOMPLETE), (Exit.UNTRUSTED, trust.ROWS)]
    rows = [
        Code(code=code, lane=lane, exit=exit_code, meaning=meaning, remedy=remedy)
        for exit_code, group in groups
        for code, lane, meaning, remedy in group
    ]
    rows += [Code(code=code, lane="harness", exit=exit_, meaning=says, remedy=do)
             for code, exit_, says, do in other.ROWS]
    return MappingProxyType({row.code: row for row in rows})


CATALOGUE = _table()


def lookup(code: str) -> Code:
    """The row of a code; a code that is not in the catalogue is a fault of ours."""
    if code not in CATALOGUE:
        raise Malfunction(f"{code!r} is not in the catalogue of reason codes")
    return CATALOGUE[code]


def explain(code: str) -> str:
    """What `--explain CODE` prints, without a line feed at the end. Raises KeyError for a code that does not exist."""
    row = CATALOGUE[code]
    outcome = f"exit {row.exit.value} ({row.exit.name.lower()})"
    return f"{row.code}: {row.meaning}\n  lane: {row.lane}\n  leads to: {outcome}\n  what to do: {row.remedy}"
