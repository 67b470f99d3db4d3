"""Noise: only what is declared is replaced, nothing is dropped, and numbers never hang on what the ids were."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import random
import time
import uuid
import zoneinfo
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from oracle_seams import canon, dumps

from .values import Point

A, B, C, D = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "abcd")
IDS = (A, B, C, D)
NIL = "00000000-0000-0000-0000-000000000000"


def test_declared_fields_are_replaced_and_others_stay_exact() -> None:
    value = {"request_id": A, "order": {"id": B, "request_id": A}, "events": [{"at": "2026-01-01T00:00:00Z", "due": "2026-01-01T00:00:00Z"}]}
    assert canon(value, noise={"**.request_id": "id", "events[*].at": "ts"}) == {
        "events": [{"at": "<ts:YYYY-MM-DDThh:mm:ssZ>", "due": "2026-01-01T00:00:00Z"}],
        "order": {"id": B, "request_id": "<id:1>"}, "request_id": "<id:1>"}
    assert canon(value) == value


def test_distinct_ids_stay_distinct_and_the_same_stays_the_same() -> None:
    assert canon([A, B, A, C], noise={"[*]": "id"}) == ["<id:1>", "<id:2>", "<id:1>", "<id:3>"]
    assert dumps([A, A], noise={"[*]": "id"}) != dumps([A, B], noise={"[*]": "id"}) == dumps([C, A], noise={"[*]": "id"})


def test_objects_keep_their_type_and_share_their_id_with_text() -> None:
    value = {"o": uuid.UUID(A), "t": A, "T": A.upper(), "at": dt.datetime(2026, 1, 1)}
    assert canon(value, noise={"o": "id", "t": "id", "T": "id", "at": "ts"}) == {
        "T": "<id:1>", "at": {"$datetime": "<ts:YYYY-MM-DDThh:mm:ss>"}, "o": {"$uuid": "<id:2>"}, "t": "<id:2>"}


@pytest.mark.parametrize(("kind", "good"), [
    ("id", A), ("id", A.upper()), ("id", "01ARZ3NDEKTSV4RRFFQ69G5FAV"), ("id", "id-000001"), ("ts", "2026-01-01T00:00:00Z"),
    ("ts", "2026-01-01 23:59"), ("ts", "2026-12-31T23:59:60.123456789+05:30"), (("id", r"ord_\d+"), "ord_12")])
def test_forms(kind: Any, good: str) -> None:
    assert str(canon({"f": good}, noise={"f": kind})["f"]).startswith("<")


@pytest.mark.parametrize(("kind", "bad", "shown"), [
    ("id", "", "''"), ("id", "unknown", "'unknown'"), ("id", A[:-1], "'aaaaaaaa-0000"), ("id", A + "\n", "'aaaaaaaa-0000"),
    ("id", None, "a value of type NoneType"), ("id", 5, "a value of type int"), ("id", [A], "a value of type list"),
    ("id", "<id:1>", "'<id:1>'"), ("id", NIL, "'00000000-"),
    ("id", "ffffffff-ffff-ffff-ffff-ffffffffffff", "'ffffffff-"), ("id", "0" * 26, "'0000"),
    ("id", uuid.UUID(int=0), "type uuid:UUID"), ("id", uuid.UUID(int=2**128 - 1), "type uuid:UUID"), ("id", dt.datetime(2026, 1, 1), "type datetime:datetime"), ("ts", "soon", "'soon'"),
    ("ts", "2026-13-01T00:00:00", "'2026-13-01"), ("ts", "2026-01-01", "'2026-01-01'"), ("ts", 0, "type int"),
    ("ts", "٢٠٢٦-01-01T00:00", "'\\u0662"), ("ts", uuid.UUID(A), "type uuid:UUID"), (("id", r"ord_\d+"), A, "'aaaaaaaa")])
def test_what_is_not_of_its_form_is_never_hidden(kind: Any, bad: Any, shown: str) -> None:
    with pytest.raises(ValueError) as caught:
        canon({"f": bad}, noise={"f": kind})
    assert str(caught.value).startswith("$.f: is declared as noise of the kind") and shown in str(caught.value)


@pytest.mark.parametrize(("kind", "value", "document"), [
    ("id", A, "<id:1>"), ("id", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "<ulid:1>"), ("id", "id-000001", "<id:1>"),
    ("id", uuid.UUID(A), {"$uuid": "<id:1>"}), (("id", r"[0-]+"), NIL, "<id:1>"), (("id", ".*"), A, "<id:1>"),
    ("ts", "2026-01-01T00:00:00", "<ts:YYYY-MM-DDThh:mm:ss>"), ("ts", "2026-01-01 00:00:00", "<ts:YYYY-MM-DD hh:mm:ss>"),
    ("ts", "2026-01-01T00:00", "<ts:YYYY-MM-DDThh:mm>"), ("ts", "2026-01-01T00:00:00.123Z", "<ts:YYYY-MM-DDThh:mm:ssZ>"),
    ("ts", "2026-01-01T00:00:00+00:00", "<ts:YYYY-MM-DDThh:mm:ss+00:00>"),
    ("ts", "2026-01-01T00:00:00+0000", "<ts:YYYY-MM-DDThh:mm:ss+0000>"),
    ("ts", "2026-01-01T00:00:00-05:30", "<ts:YYYY-MM-DDThh:mm:ss-05:30>"),
    ("ts", dt.datetime(2026, 1, 1), {"$datetime": "<ts:YYYY-MM-DDThh:mm:ss>"}),
    ("ts", dt.datetime(2026, 1, 1, 0, 0, 0, 5, tzinfo=dt.UTC), {"$datetime": "<ts:YYYY-MM-DDThh:mm:ss+00:00>"}),
    ("ts", dt.datetime(2026, 1, 1, tzinfo=zoneinfo.ZoneInfo("UTC")), {"$datetime": "<ts:YYYY-MM-DDThh:mm:ss[UTC]>"}),
    (("ts", r"\d+"), "1767225600", "<ts>")])
def test_what_form_it_has_is_no_noise(kind: Any, value: Any, document: Any) -> None:
    assert canon({"f": value}, noise={"f": kind}) == {"f": document}


@given(st.datetimes(), st.datetimes(), st.sampled_from([None, dt.UTC, dt.timezone(dt.timedelta(hours=1))]),
       st.sampled_from(["T", " "]), st.booleans())
@settings(max_examples=100, deadline=None)
def test_every_instant_of_one_form_has_one_token(one: Any, other: Any, zone: Any, between: str, text: bool) -> None:
    def token(moment: dt.datetime) -> str:
        moment = moment.replace(tzinfo=zone)
        return dumps(moment.isoformat(between) if text else moment, noise={"**": "ts"})
    assert token(one) == token(other)
    assert (zone is None) == (token(one) == dumps(one.isoformat(between) if text else one, noise={"**": "ts"}))


def test_ids_of_two_kinds_in_a_set_are_numbered_by_kind_and_place() -> None:
    ulids = ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "01BX5ZZKBKACTAV9WEVGEMMVRZ")
    found = {dumps({one, two, three}, noise={"[*]": "id"})
             for one, three in ((A, B), (C, D), (B, A)) for two in ulids}
    assert found == {dumps({D, A, ulids[0]}, noise={"[*]": "id"})}
    [text] = found
    assert (text.count("<id:"), text.count("<ulid:")) == (2, 1)
    assert dumps({A, *ulids}, noise={"[*]": "id"}) != text


def test_a_pattern_that_matches_nothing() -> None:
    with pytest.raises(ValueError, match=r"nothing in this document is at b, events\[\*\].at; mend the pattern"):
        canon({"a": 1, "events": []}, noise={"b": "id", "events[*].at": "ts", "c?": "id"})
    assert canon({"a": None, "events": []}, noise={"a?": "id", "events[*].at?": "ts"}) == {"a": None, "events": []}
    assert canon({"a": A}, noise={"a?": "id"}) == {"a": "<id:1>"}
    with pytest.raises(ValueError, match="nothing in this document is at h"):
        canon({"a": {}}, ordered=["h"])


@pytest.mark.parametrize("pattern", ["", ".", "a.", "a..b", "a b", "[x]", "[01]", "a[", 'a"b"', "a?b", "~", "?", "*.x y"])
def test_a_pattern_that_is_none(pattern: str) -> None:
    with pytest.raises(ValueError, match="is no path at character"):
        canon({}, noise={pattern: "id"})


def test_other_declarations_that_make_no_sense() -> None:
    with pytest.raises(ValueError, match="'uuid' is no kind of noise; there are id, ts"):
        canon({}, noise={"a": "uuid"})
    with pytest.raises(ValueError, match=r"\$.a: \* and a say different things"):
        canon({"a": A}, noise={"a": "id", "*": ("id", "x")})
    with pytest.raises(ValueError, match="ordered is a list"):
        canon({}, ordered="headers")


PATHS: list[tuple[str, Any, Any]] = [
    ("a.b", {"a": {"b": A}}, {"a": {"b": "<id:1>"}}),
    ("*.b", {"a": {"b": A}, "c": {"b": B}}, {"a": {"b": "<id:1>"}, "c": {"b": "<id:2>"}}),
    ("[1]", [A, A], [A, "<id:1>"]),
    ("**", A, "<id:1>"),
    ("**.id", {"id": A, "x": [{"id": B}]}, {"id": "<id:1>", "x": [{"id": "<id:2>"}]}),
    ('"a.b"[0]', {"a.b": [A]}, {"a.b": ["<id:1>"]}),
    ('"\\u00e9"', {"\u00e9": A}, {"\u00e9": "<id:1>"}),
    ("*~", {A: 1, B: 2}, {"<id:1>": 1, "<id:2>": 2}),
    ("*.id", {"1": {"id": A}, "2": {"id": B}}, {"1": {"id": "<id:1>"}, "2": {"id": "<id:2>"}}),
    ("*.id", {1: {"id": A}}, {"$map": [[1, {"id": "<id:1>"}]]}),
    ("y", Point(1, A), {"$dataclass": ["tests.seams.values:Point", {"x": 1, "y": "<id:1>"}]}),
    ("[*][0]", {(A, 1), (B, 2)}, {"$set": [{"$tuple": ["<id:1>", 1]}, {"$tuple": ["<id:2>", 2]}]}),
]


@pytest.mark.parametrize(("pattern", "value", "document"), PATHS, ids=[f"{row[0]} {number}" for number, row in enumerate(PATHS)])
def test_paths(pattern: str, value: Any, document: Any) -> None:
    assert canon(value, noise={pattern: "id"}) == document


def test_one_name_is_not_an_index_and_the_other_way_round() -> None:
    with pytest.raises(ValueError, match="nothing"):
        canon({"0": A}, noise={"[0]": "id"})
    with pytest.raises(ValueError, match="nothing"):
        canon({"0": A}, noise={"[*]": "id"})


def test_keys_that_are_timestamps_would_become_one() -> None:
    times = {"2026-01-01T00:00:00Z": 1, "2026-01-02T00:00:00Z": 2}
    with pytest.raises(ValueError, match="two of its keys would become one"):
        canon(times, noise={"*~": "ts"})
    assert canon(dict([times.popitem()]), noise={"*~": "ts"}) == {"<ts:YYYY-MM-DDThh:mm:ssZ>": 2}


def test_items_of_a_set_that_become_one_are_still_two() -> None:
    one = {(A, "2026-01-01T00:00:00Z"), (A, "2026-01-02T00:00:00Z")}
    assert canon(one, noise={"[*][0]": "id", "[*][1]": "ts"}) == {"$set": [{"$tuple": ["<id:1>", "<ts:YYYY-MM-DDThh:mm:ssZ>"]}] * 2}


def test_the_trap_numbers_do_not_follow_the_ids_through_a_sorted_set() -> None:
    """`first` points at one of two that look alike. Sorting by id, then numbering, would give 1 or 2 by chance."""
    noise = {"all[*]": "id", "first": "id", "by.*~": "id"}
    found = {dumps({"all": {one, other}, "by": {one: "x", other: "y"}, "first": first}, noise=noise)
             for one, other in itertools.permutations(IDS, 2) for first in (one,)}
    assert found == {'{"all":{"$set":["<id:1>","<id:2>"]},"by":{"<id:1>":"x","<id:2>":"y"},"first":"<id:1>"}'}


def _rename(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {_rename(key, names): _rename(item, names) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return type(value)(_rename(item, names) for item in value)
    return names.get(value, value) if isinstance(value, str) else value


_ID = st.sampled_from(IDS)
LINKED = st.fixed_dictionaries({
    "nodes": st.sets(_ID, max_size=4),
    "edges": st.sets(st.tuples(_ID, _ID), max_size=5),
    "groups": st.sets(st.frozensets(_ID, max_size=3), max_size=3),
    "by": st.dictionaries(_ID, _ID, max_size=3),
    "list": st.lists(_ID, max_size=2),
})
NOISE = {"nodes[*]?": "id", "edges[*][*]?": "id", "groups[*][*]?": "id", "by.*~?": "id", "by.*?": "id", "list[*]?": "id"}


EMPTY: dict[str, Any] = {"nodes": set(), "edges": set(), "groups": set(), "by": {}, "list": []}


@example({**EMPTY, "nodes": {A}, "groups": {frozenset({A, C})}, "by": {B: B}}, EMPTY, [B, A, D, C])
@given(LINKED, LINKED, st.permutations(IDS))
@settings(max_examples=150, deadline=None)
def test_equal_texts_exactly_when_some_renaming_makes_them_equal(one: Any, other: Any, order: list[str]) -> None:
    """The other side is all renamings, tried one by one."""
    assert dumps(_rename(one, dict(zip(IDS, order))), noise=NOISE) == dumps(one, noise=NOISE)
    alike = any(_rename(one, dict(zip(IDS, names))) == other for names in itertools.permutations(IDS))
    assert (dumps(one, noise=NOISE) == dumps(other, noise=NOISE)) == alike


@given(LINKED, st.integers(0, 4), st.data())
@settings(max_examples=100, deadline=None)
def test_small_differences_in_linked_ids_are_seen(one: Any, place: int, data: st.DataObject) -> None:
    """As above, with a document that is one step away."""
    name = sorted(one)[place]
    changed = one | {name: data.draw({"nodes": st.sets(_ID), "edges": st.sets(st.tuples(_ID, _ID), max_size=5), "list": st.lists(_ID, max_size=2),
                                      "groups": st.sets(st.frozensets(_ID), max_size=3), "by": st.dictionaries(_ID, _ID)}[name])}
    alike = any(_rename(one, dict(zip(IDS, names))) == changed for names in itertools.permutations(IDS))
    assert (dumps(one, noise=NOISE) == dumps(changed, noise=NOISE)) == alike


def _many(count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return [str(uuid.UUID(int=chance.getrandbits(128), version=4)) for _ in range(count)]


def _ring(names: list[str]) -> Any:
    return {(one, other) for one, other in zip(names, names[1:] + names[:1])}


def test_a_ring_and_two_rings_look_alike_from_each_place_and_differ() -> None:
    def text(*rings: Any) -> str:
        return dumps(set().union(*rings), noise={"[*][*]": "id"})
    six, again = _many(6, 1), _many(6, 2)
    assert text(_ring(six)) == text(_ring(again))
    assert text(_ring(six[:3]), _ring(six[3:])) == text(_ring(again[3:]), _ring(again[:3]))
    assert text(_ring(six)) != text(_ring(six[:3]), _ring(six[3:]))


def test_many_rows_by_id_are_numbered_quickly() -> None:
    names = _many(1500, 3)
    rows = {name: {"id": name, "total": place % 3} for place, name in enumerate(names)}
    start = time.perf_counter()
    document = canon(rows, noise={"*~": "id", "*.id": "id"})
    assert time.perf_counter() - start < 5
    assert len(document) == 1500 and all(row["id"] == key for key, row in document.items())


def test_what_cannot_be_numbered_is_refused_and_not_guessed() -> None:
    """Rings of rings: each id looks like each other, and trying out all orders would take for ever."""
    names = _many(400, 4)
    rings = set().union(*(_ring(names[start : start + 20]) for start in range(0, 400, 20)))
    rings |= {(one, names[(place * 7 + 3) % 400]) for place, one in enumerate(names)}
    start = time.perf_counter()
    with pytest.raises(ValueError, match="look too much alike to be numbered"):
        dumps(rings, noise={"[*][*]": "id"})
    assert time.perf_counter() - start < 30


@given(st.recursive(st.one_of(_ID, st.integers(0, 9), st.just("2026-01-01T00:00:00Z")),
                    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("abcd"), inner, max_size=3)),
                    max_leaves=8))
@settings(max_examples=100, deadline=None)
def test_no_field_is_ever_dropped(value: Any) -> None:
    def shape(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: shape(item) for key, item in part.items()}
        return [shape(item) for item in part] if isinstance(part, list) else type(part).__name__
    wrapped = {"a": value, "id": A}
    found = json.loads(dumps(wrapped, noise={"**.id": "id", "**.at?": "ts"}))
    assert shape(found) == shape(wrapped)
    assert found["a"] == value and found["id"] == "<id:1>"
