"""Simpler values: the order, that it goes down, that shapes stay; and what a shrinking ends with, worked out by hand."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.shrinking.shrink import Shrink
from oracle_rules.shrinking.simpler import key, simpler

LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.binary(max_size=8),
    st.decimals(allow_nan=False, places=2, min_value=-999, max_value=999), st.datetimes().map(lambda value: value.replace(fold=0)),
    st.dates())
VALUES = st.recursive(LEAVES, lambda inner: st.one_of(
    st.lists(inner, max_size=4), st.tuples(inner, inner), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=8)


def shape(value: Any) -> Any:
    """The types of a value's parts, of each container those of what is in it, whatever their number."""
    if isinstance(value, dict):
        return dict, {name: shape(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value), {str(shape(item)) for item in value}
    return type(value)


def within(smaller: Any, larger: Any) -> bool:
    if shape(smaller) == shape(larger):
        return True
    if type(smaller) is not type(larger):
        return False
    if isinstance(smaller, dict):
        return smaller.keys() == larger.keys() and all(within(smaller[name], larger[name]) for name in smaller)
    if isinstance(smaller, (list, tuple)):
        return all(any(within(item, other) for other in larger) for item in smaller)
    return False


@settings(max_examples=150)
@given(VALUES)
def test_what_is_simpler_is_smaller_of_the_same_shape_and_in_order(value: Any) -> None:
    found = simpler(value, keys=False)
    keys = [key(each) for each in found]
    assert keys == sorted(set(keys)) and all(each < key(value) for each in keys)
    assert all(within(each, value) for each in found)


@pytest.mark.parametrize(("smaller", "larger"), [
    (0, -1), (9, 10), (2**70, 2**80), ("a", "b"), ("", "a"), ("z", "aa"), (b"", b"\0"), ([], [0]), ((0,), (0, 0)),
    (0.0, -0.0), (1.0, math.inf), (Decimal("0"), Decimal("0.00")), ({}, {"a": 1}),
    (datetime.date(1999, 1, 1), datetime.date(2000, 1, 1)),
])
def test_shorter_is_simpler_and_of_one_length_what_sorts_first(smaller: Any, larger: Any) -> None:
    assert key(smaller) < key(larger)


def shrunk(case: Any, fails: Callable[[Any], bool], *, keys: bool = False, budget: int = 5_000,
           allowed: Callable[[Any], bool] = lambda value: True) -> tuple[Any, int]:
    """Asks as a judge does: the first of each batch that fails is told."""
    shrink = Shrink(case, allowed=allowed, keys=keys, budget=budget)
    while batch := shrink.batch():
        shrink.told(next((place for place, each in enumerate(batch) if fails(each)), None), count=len(batch))
    return shrink.case, shrink.asked


MINIMA: dict[str, tuple[Any, Callable[[Any], bool], Any]] = {
    "a number above a bound": (123_456_789, lambda case: case > 1_000, 1_001),
    "a huge number": (2**200 + 5, lambda case: case > 2**64, 2**64 + 1),
    "a number below a bound": (-987, lambda case: case < -20, -21),
    "an odd number": (99_999, lambda case: case % 2 == 1, 1),
    "a text with a colon": ("Host: example.org", lambda case: ":" in case, ":"),
    "a text of three": ("abcdefgh", lambda case: len(case) >= 3, "000"),
    "bytes with a newline": (b"a\r\nb\r\n", lambda case: b"\n" in case, b"\n"),
    "two equal items": ([5, 8, 9, 8, 7], lambda case: len(set(case)) < len(case), [0, 0]),
    "a list that is not sorted": ([3, 9, 5, 7], lambda case: case != sorted(case), [1, 0]),
    "nested": ({"a": [1, (2, "xyz")], "b": 4.5}, lambda case: "z" in str(case["a"]), {"a": [(0, "z")], "b": 0.0}),
    "a fraction": (7.25, lambda case: case > 2, 3.0),
    "a price": (Decimal("12.50"), lambda case: case >= 10, Decimal("10")),
    "a date in a month": (datetime.date(2024, 2, 29), lambda case: case.month == 2, datetime.date(2024, 2, 1)),
    "an hour": (datetime.datetime(2024, 5, 6, 7, 8, 9, 10), lambda case: case.hour == 7,
                datetime.datetime(2024, 1, 1, 7)),
    "a set": (frozenset(), lambda case: True, frozenset()),
    "a surrogate": ("a\ud800b", lambda case: "\ud800" in case, "\ud800"),
    "not a number": ([1.5, math.nan], lambda case: any(math.isnan(item) for item in case), None),
}  # fmt: skip
del MINIMA["a set"]


@pytest.mark.parametrize("name", MINIMA)
def test_the_smallest_case_is_found(name: str) -> None:
    case, fails, smallest = MINIMA[name]
    found, _ = shrunk(case, fails)
    assert fails(found)
    if smallest is None:
        assert len(found) == 1 and math.isnan(found[0])
    else:
        assert found == smallest and key(found) == key(smallest)


@settings(max_examples=60)
@given(VALUES, st.integers(0, 40), st.integers(1, 60))
def test_a_shrinking_fails_still_never_grows_keeps_its_budget_and_does_the_same_again(
    value: Any, salt: int, budget: int
) -> None:
    def fails(case: Any) -> bool:
        return sum(key(case)[1].encode()) % 7 != salt % 7 or case is value

    first = shrunk(value, fails, budget=budget)
    assert fails(first[0]) or key(first[0]) == key(value)
    assert key(first[0]) <= key(value) and first[1] <= budget
    assert key(shrunk(value, fails, budget=budget)[0]) == key(first[0])


def test_keys_of_a_dictionary_go_only_where_a_domain_says_what_may_go() -> None:
    case = {"raw": "a:b", "note": "x", "more": 1}
    assert shrunk(case, lambda each: ":" in each["raw"])[0] == {"raw": ":", "note": "", "more": 0}
    found, _ = shrunk(case, lambda each: ":" in each.get("raw", ""), keys=True)
    assert found == {"raw": ":"}


def test_what_is_not_allowed_is_never_asked() -> None:
    asked: list[int] = []

    def fails(case: int) -> bool:
        asked.append(case)
        return case > 50

    assert shrunk(1_000, fails, allowed=lambda case: case % 10 == 0)[0] == 60
    assert all(case % 10 == 0 for case in asked)


def test_no_budget_asks_nothing() -> None:
    assert shrunk(1_000, lambda case: True, budget=0) == (1_000, 0)
