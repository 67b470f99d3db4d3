"""Reason codes, exit codes and every table that decides."""

from __future__ import annotations

from collections.abc import Mapping

from oracle_rules.analysis.variations import VARIATIONS
from oracle_rules.commands.exits import COMMON, EXITS
from oracle_rules.errors import Exit
from oracle_rules.gate import attribution
from oracle_rules.gate.codes import CATALOGUE
from oracle_rules.gate.decide import TABLE
from oracle_rules.gate.tables import ROWS
from oracle_rules.protocol import verdict
from oracle_rules.trust.check import ROWS as SIGNATURES

from .markdown import code as _code
from .markdown import table

# Rows of the gate may name hundreds of files.
MOST_PATTERNS = 8
_EXITS = {
    Exit.ACCEPT: "Every property that was asked held.",
    Exit.FALSIFIED: "A property does not hold, or the candidate broke off.",
    Exit.USAGE: "The command, a declaration or a revision is wrong.",
    Exit.INCOMPLETE: "An oracle artifact of base is missing, empty or malformed, or a property is broken.",
    Exit.REFUSED: "The gate refused the patch, or an answer hangs on ambient entropy.",
    Exit.MALFUNCTION: "Scoring itself failed. Nothing is known of the patch and nothing was cached.",
    Exit.NOTHING: "No property was left to ask.",
    Exit.UNTRUSTED: "The oracle is not signed as was asked, or a replay gave other bytes than the stored verdict.",
}


def _codes(_texts: Mapping[str, str]) -> str:
    """The catalogue of reason codes, by exit code."""
    parts = []
    for number in sorted({row.exit for row in CATALOGUE.values()}):
        rows = [(f'<a id="{row.code}"></a>`{row.code}`', row.lane, row.meaning, row.remedy)
                for row in CATALOGUE.values() if row.exit is number]
        parts.append(f"### Exit {int(number)}: {number.name.lower()}\n\n"
                     + table(("Code", "Lane", "Meaning", "What to do"), rows))
    return "\n\n".join(parts)


def _verb_exits(_texts: Mapping[str, str]) -> str:
    """What each verb's exit codes say, beside score's."""
    rows = [(_code(verb), "; ".join(f"{int(code)} {text}" for code, text in row.items() if code not in COMMON or
                                    text != COMMON[code])) for verb, row in EXITS.items() if verb != "score"]
    return table(("Command", "Exit codes beside 2 and 5"), rows)


def _exits(_texts: Mapping[str, str]) -> str:
    """The exit codes of score."""
    return table(("Exit", "Name", "Meaning"), [(str(int(code)), code.name.lower(), _EXITS[code]) for code in Exit])


def _verdict_rows(_texts: Mapping[str, str]) -> str:
    """The rows by which one target's verdict is made."""
    return table(("Row", "When"), [(_code(row), text) for row, text in verdict.ROWS])


def _decision_rows(_texts: Mapping[str, str]) -> str:
    """The rows by which findings and verdicts become one decision."""
    return table(("Row", "Decision", "Exit", "Bit", "Why"),
                 [(_code(row.row), _code(row.decision), str(int(row.exit)), "none" if row.bit is None else str(row.bit),
                   row.why) for row in TABLE])


def _signature_rows(_texts: Mapping[str, str]) -> str:
    """The rows by which an oracle's signatures are believed or not."""
    return table(("Row", "Code", "Why"), [(_code(row.name), _code(row.code), row.why) for row in SIGNATURES])


def _gate_rows(_texts: Mapping[str, str]) -> str:
    """The rows of the gate."""
    rows = []
    for row in ROWS:
        about = _folded(row.patterns) or ", ".join(row.groups) or row.kind.replace("_", " ")
        rows.append((_code(row.name), row.when, about, _code(row.code or "") or "nothing", _code(row.person), row.why))
    return table(("Row", "When", "Paths", "Code", "By a person", "Why"), rows)


def _folded(patterns: tuple[str, ...]) -> str:
    """The first patterns, and how many there are beside them."""
    rest = len(patterns) - MOST_PATTERNS
    shown = patterns if rest <= 1 else patterns[:MOST_PATTERNS]
    return ", ".join([*map(_code, shown), *([f"and {rest} more"] if rest > 1 else [])])


def _attribution_rows(_texts: Mapping[str, str]) -> str:
    """The rows by which a red property is blamed on somebody."""
    rows = []
    for row in attribution.TABLE:
        sides = [", ".join(kinds) or "any" for kinds in (row.candidate, row.parent, row.base)]
        code = "as it is" if row.code is None else f"{_code(row.code)} {'instead' if row.instead else 'as well'}"
        rows.append((_code(row.name), *sides, row.when, row.blame, code, row.why))
    return table(("Row", "Candidate", "Parent", "Base", "When", "Blame", "Reason", "Why"), rows)


def _variations(_texts: Mapping[str, str]) -> str:
    """The policies with one pin moved."""
    return table(("Variation", "Axis", "Why"), [(_code(row.name), row.axis, row.why) for row in VARIATIONS])


def _changes(_texts: Mapping[str, str]) -> str:
    """What became of a property."""
    word = {True: "held", False: "red"}
    return table(("Parent", "Candidate", "Change"),
                 [(word[before], word[after], _code(name)) for (before, after), name in attribution.CHANGES.items()])


PARTS = (_codes, _exits, _verb_exits, _verdict_rows, _decision_rows, _gate_rows, _attribution_rows, _variations, _changes,
         _signature_rows)
