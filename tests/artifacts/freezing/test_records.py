"""Outcomes of frozen properties out of records: each Action once, nothing from lines that did not run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oracle_rules import record as record_room
from oracle_rules.artifacts.freezing.records import SCHEMA, outcomes
from oracle_rules.errors import IncompleteError


def line(name: str | None, bit: int | None, action: str | None) -> dict[str, Any]:
    return {"property_id": name, "bit": bit, "action": action and {"hash": action, "size_bytes": 1}, "owner": "Ada"}


def record(*lines: dict[str, Any]) -> bytes:
    return json.dumps({"schema": "oracle_rules/record/v1", "debt": list(lines), "bit": 1}).encode()


def test_bits_are_gathered_by_property() -> None:
    one = record(line("a", 0, "x"), line("b", 1, "y"), line("c", None, None), line(None, None, None))
    two = record(line("a", 0, "x"), line("b", 0, "z"))
    assert outcomes({"1.json": one, "2.json": two}) == {"a": (0,), "b": (1, 0)}
    assert outcomes({}) == {}
    assert SCHEMA == record_room.SCHEMA


BAD: dict[str, bytes] = {
    "is no record": b"{}",
    "is no record of schema": record().replace(b"v1", b"v9"),
    "debt: has to be a list": b'{"schema": "oracle_rules/record/v1", "debt": {}}',
    "debt[0]: is no line": record({"bit": 1}),
    "debt[0].bit: has to be from 0": record(line("a", 2, "x")),
    "debt[0].action: has no 'hash'": record(line("a", 1, "x") | {"action": {}}),
    "debt[0].action: has to be an object": record(line("a", 1, None)),
}


@pytest.mark.parametrize("message", BAD)
def test_what_is_no_record_is_refused(message: str) -> None:
    with pytest.raises(IncompleteError) as caught:
        outcomes({"r.json": BAD[message]})
    assert message in caught.value.detail and caught.value.where.startswith("r.json:1:")
