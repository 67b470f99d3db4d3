"""Typed JSON: what is written is read back, types and signs included, and one value has one spelling."""

from __future__ import annotations

import datetime
import math
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.protocol import corpus, typed

ZONES = st.none() | st.integers(-1439, 1439).map(lambda minutes: datetime.timezone(datetime.timedelta(minutes=minutes)))
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None, exclude_categories=()))
    | st.binary() | st.dates() | st.decimals()
    | st.builds(lambda moment, zone: moment.replace(fold=0, tzinfo=zone), st.datetimes(), ZONES)
)  # fmt: skip
HASHABLE = st.none() | st.integers() | st.text(max_size=3) | st.binary(max_size=3) | st.tuples(st.integers(), st.text())
VALUES = st.recursive(
    LEAVES | st.sets(HASHABLE) | st.frozensets(HASHABLE), lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(max_size=2), inner)
    | st.dictionaries(st.sampled_from(["$a", "$tuple", 1, None]), inner), max_leaves=8)  # fmt: skip


def same(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (set, frozenset)):
        return len(one) == len(other) and {repr(item) for item in one} == {repr(item) for item in other}
    return repr(one) == repr(other)


@given(VALUES)
@settings(max_examples=200, deadline=None)
def test_what_is_written_is_read_back(value: Any) -> None:
    line = typed.text(value)
    assert line.isascii() and "\n" not in line
    assert same(typed.read(line), value)
    assert typed.text(typed.read(line)) == line


@given(LEAVES, LEAVES)
@settings(max_examples=200, deadline=None)
def test_two_values_are_never_written_alike(one: Any, other: Any) -> None:
    assert (typed.text(one) == typed.text(other)) == same(one, other)


def test_the_spellings() -> None:
    spelled = {
        "null": None, "1": 1, "1.0": 1.0, '{"$float":"-0.0"}': -0.0, '{"$float":"nan"}': math.nan, '"a"': "a",
        '{"$text":[55296]}': "\ud800", '{"$bytes":"00ff"}': b"\x00\xff", '{"$decimal":"1.50"}': Decimal("1.50"),
        '{"$tuple":[1,[2]]}': (1, [2]), '{"$date":"2026-01-02"}': datetime.date(2026, 1, 2),
        '{"$datetime":"2026-01-02T03:04:05"}': datetime.datetime(2026, 1, 2, 3, 4, 5),
        '{"$dict":[["$a",1]]}': {"$a": 1}, '{"$dict":[[1,2]]}': {1: 2}, '{"a":1}': {"a": 1},
        str(1 << 100): 1 << 100, '{"$set":[10,9,{"$tuple":[]}]}': {(), 9, 10},
        '{"$frozenset":["b",{"$bytes":"00"}]}': frozenset({b"\x00", "b"}),
    }  # fmt: skip
    assert {typed.text(value) for value in spelled.values()} == set(spelled)
    assert {key for text in spelled for key in typed.TAGS if key in text} == set(typed.TAGS)


@pytest.mark.parametrize("wrong", [
    {"$float": "1.5"}, {"$decimal": 1}, {"$decimal": "1_0"}, {"$decimal": " 1"}, {"$bytes": "FF"}, {"$bytes": "f"},
    {"$text": "a"}, {"$text": [0x110000]}, {"$date": "20260102"}, {"$datetime": "2026-01-02"}, {"$tuple": 1},
    {"$dict": [[1, 2], [1, 3]]}, {"$dict": [[[], 1]]}, {"$dict": 1}, {"$other": 1}, {"$tuple": [], "a": 1},
    {"$tuple": [{"$decimal": "x"}]}, {"$set": [2, 1]}, {"$set": [1, 1]}, {"$set": [[1]]}, {"$set": 1},
    {"$frozenset": [1, 1.0]},
])  # fmt: skip
def test_a_wrong_spelling_is_refused(wrong: Any) -> None:
    with pytest.raises(typed.Misspelt):
        typed.decode(wrong)


@pytest.mark.parametrize("value", [object(), 1j, datetime.time(1), range(2), type("N", (int,), {})(1)])
def test_a_type_without_a_spelling_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="has no spelling"):
        typed.text(value)


GOOD: dict[str, Any] = {"schema": corpus.TYPED, "cases": [1], "problem": None, "counts": {
    "drawn": 2, "accepted": 1, "distinct": 1, "wanted": 1, "filters": []}}  # fmt: skip


def encoded(value: Any) -> bytes:
    return typed.text(value).encode()


def test_a_corpus_document_is_read_strictly() -> None:
    assert corpus.parse(encoded(GOOD)) == GOOD
    assert corpus.parse(encoded(corpus.failed("why")))["cases"] == []
    counts = GOOD["counts"]
    for wrong in ({**GOOD, "cases": [1, 2]}, {**GOOD, "cases": []}, {**GOOD, "more": 1}, {**GOOD, "schema": "x"}, [],
                  {**GOOD, "problem": {"limit": ""}}, {**GOOD, "problem": {"limit": "", "detail": "x"}},
                  {**GOOD, "counts": {**counts, "drawn": None}}, {**GOOD, "counts": {**counts, "filters": 1}}):
        with pytest.raises(corpus.InvalidCorpus):
            corpus.parse(encoded(wrong))
    with pytest.raises(corpus.InvalidCorpus):
        corpus.parse(b"{")


def test_what_a_limit_ended_is_not_stored() -> None:
    assert corpus.cacheable(GOOD) and corpus.cacheable(corpus.failed("a filter raised"))
    assert not any(corpus.cacheable(corpus.failed("ended", limit=limit)) for limit in corpus.LIMITS)
