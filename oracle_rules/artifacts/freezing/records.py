"""What records of earlier scores saw of frozen properties. Knows of a record only its lines of debt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import document
from ..document import Field

SCHEMA = "oracle_rules/record/v1"
_REMEDY = "give what `oracle-rules score --format json=FILE` writes"


def outcomes(records: Mapping[str, bytes]) -> dict[str, Sequence[int]]:
    """By property id, one bit for each Action that ran in the frozen lane, in the order of the records' paths.

    The same Action in several records is one run: its verdict was the same by design. Raises IncompleteError for what
    is no record.
    """
    found: dict[str, dict[str, int]] = {}
    for path in sorted(records):
        top = document.read(records[path], path=path, remedy=_REMEDY)
        held = dict(top.members())
        if "debt" not in held or top.value.get("schema") != SCHEMA:
            top.fail(f"is no record of schema {SCHEMA} with lines of debt")
        for line in held["debt"].items():
            _note(line, found)
    return {name: tuple(bits.values()) for name, bits in found.items()}


def _note(line: Field, found: dict[str, dict[str, int]]) -> None:
    held = dict(line.members())
    if not {"property_id", "bit", "action"} <= held.keys():
        line.fail("is no line of debt")
    if held["property_id"].value is not None and held["bit"].value is not None:
        action = dict(held["action"].members())
        if "hash" not in action:
            held["action"].fail("has no 'hash'")
        name = held["property_id"].words()
        found.setdefault(name, {})[action["hash"].words()] = held["bit"].integer(0, 1)
