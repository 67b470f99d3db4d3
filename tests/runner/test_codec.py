"""Values over the wire: what goes comes back as the same type and value; what lies, or is no data, does not."""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import json
import math
import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.runner import codec


def refuse(value: Any) -> Any:
    raise codec.NotData("protocol_violation", type(value).__name__)


def over(value: Any) -> Any:
    """Across the wire as it is really written: through JSON."""
    data = json.loads(json.dumps(codec.Encoder(refuse).encode(value), ensure_ascii=True, allow_nan=False))
    return codec.Decoder({}).decode(data)


def same(left: Any, right: Any) -> bool:
    """Equal in type, value, sign, order and NaN-ness, all the way down; written without the codec."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return math.isnan(left) and math.isnan(right) or left == right and math.copysign(1, left) == math.copysign(1, right)
    if isinstance(left, decimal.Decimal):
        return left.as_tuple() == right.as_tuple()
    if isinstance(left, (list, tuple, collections.deque)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return all(map(same, list(left), list(right))) and all(map(same, left.values(), right.values())) \
            and len(left) == len(right)
    if isinstance(left, datetime.datetime):
        return left == right and left.fold == right.fold and left.tzinfo == right.tzinfo
    return bool(left == right)


ZONES = st.none() | st.integers(-1439, 1439).map(lambda minutes: datetime.timezone(datetime.timedelta(minutes=minutes)))
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.integers(-(2**200), 2**200) | st.floats() | st.binary()
    | st.text(st.characters(codec=None)) | st.decimals() | st.fractions() | st.uuids() | st.dates() | st.timedeltas()
    | st.complex_numbers(allow_nan=False) | st.datetimes(timezones=ZONES) | st.times()
    | st.builds(bytearray, st.binary()) | st.just(...) | st.just(NotImplemented)
    | st.builds(range, st.integers(), st.integers(), st.integers(1, 9)))
HASHABLE = st.none() | st.booleans() | st.integers() | st.text() | st.binary()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(HASHABLE, inner) | st.sets(HASHABLE)
    | st.frozensets(HASHABLE) | st.lists(inner).map(collections.deque)
    | st.dictionaries(HASHABLE, inner).map(collections.OrderedDict),
    max_leaves=20)


@given(VALUES)
def test_round_trip(value: Any) -> None:
    assert same(over(value), value)


@pytest.mark.parametrize("text", ["\ud83d\ude00", "\U0001f600", "\udc80", "a\ud800b", "\ufeff", ""])
def test_text_keeps_its_code_points(text: str) -> None:
    assert [ord(char) for char in over(text)] == [ord(char) for char in text]


class Liar(str):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


class Day(datetime.datetime):
    @property
    def year(self) -> int:  # type: ignore[override]
        return 1

    def isoformat(self, *args: Any) -> str:  # type: ignore[override]
        return "2000-01-01T00:00:00"


@pytest.mark.parametrize("value", [Liar("x"), Day(2026, 1, 1), object(), len, type("T", (list,), {})(), True.__class__])
def test_only_exact_types_are_data(value: Any) -> None:
    with pytest.raises(codec.NotData):
        codec.Encoder(refuse).encode(value)
    with pytest.raises(codec.NotData):
        codec.Encoder(refuse).encode([value])


def test_the_data_of_a_subclass_is_read_past_its_overrides() -> None:
    encoder, decoder = codec.Encoder(refuse), codec.Decoder({})
    moment = decoder.decode(encoder.encode_base(datetime.datetime, Day(2026, 1, 2, 3, fold=1)))
    assert (moment.year, moment.month, moment.day, moment.hour, moment.fold) == (2026, 1, 2, 3, 1)
    assert decoder.decode(encoder.encode_base(str, Liar("text"))) == "text"
    assert type(decoder.decode(encoder.encode_base(str, Liar("text")))) is str


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def test_depth_is_capped_on_both_sides() -> None:
    assert over(nested(codec.MAX_DEPTH - 2)) == nested(codec.MAX_DEPTH - 2)
    with pytest.raises(codec.NotData) as caught:
        codec.Encoder(refuse).encode(nested(100_000))
    assert caught.value.code == "output_limit"
    data: Any = None
    for _ in range(codec.MAX_DEPTH + 5):
        data = ["l", [data]]
    with pytest.raises(codec.NotData):
        codec.Decoder({}).decode(data)


def test_a_cycle_ends() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(codec.NotData):
        codec.Encoder(refuse).encode(loop)


@pytest.mark.parametrize("data", [
    [], [1], ["nope"], ["i"], ["i", 5], ["i", "0xg"], ["l", "ab"], ["l"], ["d", [[1]]], ["d", [[["l", []], 1]]],
    ["s", [["l", []]]], ["b", "é"], ["b", "a"], ["b", 7], ["D", 5], ["D", "x"], ["dt", "2026-13-01", 0, None],
    ["dt", "2026-01-01", 5, None], ["dt", 1, 0, None], ["dt", "2026-01-01", 0, [1, 0, 0]], ["td", "1", 0, 0],
    ["u", "zz"], ["u", 5], ["f", "x"], ["F", 1, 0], ["r", 1, 2, 0], ["r", 1.5, 2, 1], ["c", "a", 1], {}, {"a": 1},
    ["su", "gA=="], ["tz", [2, 0, 0]], ["dq", [], "x"]])
def test_malformed_wire_data_is_a_violation(data: Any) -> None:
    with pytest.raises(codec.NotData) as caught:
        codec.Decoder({}).decode(data)
    assert caught.value.code == "protocol_violation"


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
                    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3))
TAGS = st.sampled_from(["i", "f", "l", "t", "d", "od", "ct", "dq", "s", "S", "b", "B", "c", "r", "sl", "E", "N", "D",
                        "F", "da", "ti", "dt", "td", "tz", "u", "su", "zz"])


@given(st.recursive(JSON, lambda inner: st.tuples(TAGS, inner).map(list) | st.tuples(TAGS, st.lists(inner)).map(list)))
def test_no_wire_data_raises_anything_else(data: Any) -> None:
    try:
        codec.Decoder({}).decode(data)
    except codec.NotData:
        pass


def test_sets_cross_in_one_order() -> None:
    words = [f"w{number}" for number in range(50)]
    encoded = [codec.Encoder(refuse).encode(set(order)) for order in (words, reversed(words))]
    assert encoded[0] == encoded[1] == ["s", sorted(words, key=repr)]


def test_the_golden_form() -> None:
    value = {"k": (1, 2**70, decimal.Decimal("1.50"), b"\x00", fractions.Fraction(1, 2), uuid.UUID(int=1))}
    assert codec.Encoder(refuse).encode(value) == ["d", [["k", ["t", [
        1, ["i", "0x400000000000000000"], ["D", "1.50"], ["b", "AA=="], ["F", 1, 2], ["u", "0" * 31 + "1"]]]]]]
