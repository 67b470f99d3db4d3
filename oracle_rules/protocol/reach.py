"""Which lines of the candidate a property ran: what the cell says, put together and read strictly.

The cell can say what it likes; nothing is decided by it but where faults are put into the sources.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import canonical

SCHEMA = "oracle_rules/reach/v1"


class InvalidReach(ValueError):
    """Bytes that are no reach document."""


def document(observations: Sequence[Mapping[str, Any] | None]) -> bytes:
    """What all runs of one Action told, as one document; what is malformed in it counts as not told."""
    lines: dict[str, set[int]] = {}
    for seen in observations:
        told = None if seen is None else seen.get("reached")
        for each in told if type(told) is list else ():
            if type(each) is list and len(each) == 2 and type(each[0]) is str and _numbers(each[1]):
                lines.setdefault(each[0], set()).update(each[1])
    return canonical.dumps({"schema": SCHEMA, "lines": {path: sorted(found) for path, found in lines.items()}})


def parse(data: bytes) -> dict[str, frozenset[int]]:
    """Path to the numbers of its lines. Raises InvalidReach."""
    try:
        found = canonical.loads(data)
    except ValueError as error:
        raise InvalidReach(str(error)) from None
    lines = found.get("lines") if type(found) is dict and found.get("schema") == SCHEMA else None
    if type(lines) is not dict or not all(_numbers(each) for each in lines.values()):
        raise InvalidReach("it names no lines by path")
    return {path: frozenset(each) for path, each in lines.items()}


def _numbers(value: Any) -> bool:
    return type(value) is list and all(type(each) is int and each > 0 for each in value)
