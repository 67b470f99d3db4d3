"""Both shapes of the ledger, what is counted over its rows, and the collection without what is frozen."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.artifacts.freezing.collection import exclude, still_collected
from oracle_rules.artifacts.freezing.laws import check_freeze
from oracle_rules.artifacts.freezing.ledger import parse_freeze
from oracle_rules.errors import IncompleteError

DAY = date(2026, 10, 1)


def row(**more: Any) -> dict[str, Any]:
    full = {
        "id": "FRZ-0001",
        "nodeid": "tests/test_retry.py::TestClock::test_wall_clock_moves",
        "class": "clock",
        "seam": "src/retry.py::SystemClock.now",
        "evidence": "went backwards once under a clock step, 1 of 4000 runs",
        "owner": "Ada Lindqvist",
        "last_green": "2026-09-01",
        "expires": "2027-12-31",
        "agent_may_extend": False,
    } | more
    return {key: value for key, value in full.items() if value is not None}


def frozen(name: str, **more: Any) -> dict[str, Any]:
    return row(id=f"FRZ-{name}", nodeid=None, property=name, **more)


def ledger(*rows: dict[str, Any], budget: int = 5) -> Any:
    return parse_freeze(json.dumps({"budget": budget, "rows": list(rows)}, indent=1).encode(), path="freeze.json")


def codes(value: Any, day: date = DAY) -> list[str]:
    return [violation.code for violation in check_freeze(value, today=day)]


def test_a_row_about_a_node_id_freezes_no_property() -> None:
    read = ledger(row())
    assert read.budget == 5
    assert read.rows[0].kind == "time-dependent"
    assert read.rows[0].expires == date(2027, 12, 31)
    assert read.frozen_properties == frozenset()
    assert codes(read) == []
    assert still_collected(read, ["retry_date"]) == ()


def test_the_short_shape_is_read() -> None:
    text = {"excluded_property_ids": ["prop.http.retry_after_parse"], "reason": {"prop.http.retry_after_parse": "race"}}
    read = parse_freeze(json.dumps(text).encode(), path="freeze.json")
    assert read.frozen_properties == {"prop.http.retry_after_parse"}
    assert read.rows[0].evidence == "race"
    assert codes(read, date(9999, 1, 1)) == ["freeze_unaccounted"]
    [law] = check_freeze(read, today=DAY)
    assert law.remedy == "oracle-rules freeze import freeze.json --out freeze.json"
    assert [v.code for v in still_collected(read, ["prop.http.retry_after_parse"])] == ["freeze_still_collected"]


def test_an_empty_ledger_freezes_nothing() -> None:
    assert codes(ledger(budget=0)) == []
    assert codes(parse_freeze(b'{"excluded_property_ids": [], "reason": {}}', path="freeze.json")) == []
    assert exclude(["a", "b"], ledger()).kept == ("a", "b")


def test_budget() -> None:
    assert codes(ledger(frozen("a"), frozen("b"), budget=2)) == []
    assert codes(ledger(frozen("a"), frozen("b"), frozen("c"), budget=2)) == ["freeze_budget_exceeded"]


def test_duplicates_by_id_and_by_frozen_thing() -> None:
    assert codes(ledger(frozen("a"), row(id="FRZ-a"))) == ["freeze_duplicate_id"]
    assert codes(ledger(frozen("a"), frozen("a") | {"id": "FRZ-9"})) == ["freeze_duplicate_id"]
    assert codes(ledger(frozen("a"), frozen("b") | {"id": " frz-A"})) == ["freeze_duplicate_id"]
    assert codes(ledger(frozen("a"), frozen("b"))) == []


def test_a_row_that_agents_may_extend() -> None:
    assert codes(ledger(frozen("a", agent_may_extend=True))) == ["freeze_agent_extendable"]
    assert codes(ledger(frozen("a", agent_may_extend=None))) == []


@given(st.integers(-400, 400))
def test_a_row_is_good_through_its_day(days: int) -> None:
    read = ledger(frozen("a", last_green="2025-01-01", expires=(DAY + timedelta(days=days)).isoformat()))
    assert codes(read) == (["freeze_expired"] if days < 0 else [])
    assert read.frozen_properties == {"a"}


@given(st.lists(st.sampled_from("abcdef"), unique=True), st.lists(st.sampled_from("abcdef"), unique=True))
def test_collection_is_split_and_what_stays_is_seen(names: list[str], cold: list[str]) -> None:
    read = ledger(*(frozen(name) for name in cold), budget=9)
    split = exclude(names, read)
    assert list(split.kept) == [name for name in names if name not in cold]
    assert list(split.frozen) == [name for name in names if name in cold]
    assert still_collected(read, split.kept) == ()
    assert [v.detail.split("'")[1] for v in still_collected(read, names)] == sorted(split.frozen)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ({"rows": []}, "(top): has no 'budget'"),
        ({"budget": 1, "rows": {}}, "rows: has to be a list, this is an object"),
        ({"budget": -1, "rows": []}, "budget: has to be from 0"),
        ({"budget": True, "rows": []}, "budget: has to be a whole number, this is a boolean"),
        ({"budget": 1, "rows": [row(property="p")]}, "rows[0]: needs exactly one of"),
        ({"budget": 1, "rows": [row(nodeid=None)]}, "rows[0]: needs exactly one of"),
        ({"budget": 1, "rows": [row(owner="")]}, "rows[0].owner: must not be empty"),
        ({"budget": 1, "rows": [row(evidence=None)]}, "rows[0]: has no 'evidence'"),
        ({"budget": 1, "rows": [row(), row(expires="2027-02-30")]}, "rows[1].expires: is not a day of the calendar"),
        ({"budget": 1, "rows": [row(expires="20271231")]}, "rows[0].expires: has to be a day written"),
        ({"budget": 1, "rows": [row(expires=None)]}, "rows[0]: has no 'expires'"),
        ({"budget": 1, "rows": [row(agent_may_extend=0)]}, "rows[0].agent_may_extend: has to be true or false"),
        ({"budget": 1, "rows": [row(agent_may_extned=True)]}, "rows[0].agent_may_extned: is not a field"),
        ({"excluded_property_ids": ["a"], "reason": {}}, "excluded_property_ids[0]: has no entry"),
        ({"excluded_property_ids": [], "reason": {"a": "x"}}, "reason.a: gives a reason"),
        ({"excluded_property_ids": [1], "reason": {}}, "excluded_property_ids[0]: has to be text"),
        ({"excluded_property_ids": [], "rows": []}, "(top): has no 'reason'"),
        ([], "(top): has to be an object, this is a list"),
    ],
)
def test_errors_name_the_field(text: Any, message: str) -> None:
    with pytest.raises(IncompleteError) as caught:
        parse_freeze(json.dumps(text).encode(), path="freeze.json")
    assert caught.value.detail.startswith(message)
    assert caught.value.where.startswith("freeze.json:1:")


def test_a_missing_ledger_is_incomplete() -> None:
    with pytest.raises(IncompleteError, match="does not exist"):
        parse_freeze(None, path="freeze.json")
