"""Canonical JSON: vectors written out by hand, and round trips against the standard reader."""

from __future__ import annotations

import json
import math
import re
from collections import OrderedDict
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.protocol.canonical import MAX_DEPTH, dumps, is_canonical, loads

VECTORS: list[tuple[Any, bytes]] = [
    (None, b"null\n"),
    (True, b"true\n"),
    (False, b"false\n"),
    (0, b"0\n"),
    (-7, b"-7\n"),
    (2**64 + 1, b"18446744073709551617\n"),
    (1.0, b"1.0\n"),
    (-0.0, b"-0.0\n"),
    (0.1, b"0.1\n"),
    (1e300, b"1e+300\n"),
    (5e-324, b"5e-324\n"),
    ("", b'""\n'),
    ('"\\/', b'"\\"\\\\/"\n'),
    ("\x00\x1f\x7f", b'"\\u0000\\u001f\\u007f"\n'),
    ("\b\t\n\f\r", b'"\\b\\t\\n\\f\\r"\n'),
    ("é€", b'"\\u00e9\\u20ac"\n'),
    ("\U0001f600", b'"\\ud83d\\ude00"\n'),
    ("\ud800", b'"\\ud800"\n'),
    ("\ude00\ud83d", b'"\\ude00\\ud83d"\n'),
    ([], b"[]\n"),
    ({}, b"{}\n"),
    ([1, [2, {"a": None}]], b'[1,[2,{"a":null}]]\n'),
    ({"b": 1, "a": 2, "": 3}, b'{"":3,"a":2,"b":1}\n'),
    # By UTF-8 bytes: U+FFFF before U+10000, where UTF-16 would order them the other way.
    ({"\U00010000": 1, "\uffff": 2, "z": 3}, b'{"z":3,"\\uffff":2,"\\ud800\\udc00":1}\n'),
    ({"a": 1, "A": 2, "aa": 3, "á": 4}, b'{"A":2,"a":1,"aa":3,"\\u00e1":4}\n'),
]


@pytest.mark.parametrize(("value", "data"), VECTORS)
def test_vectors(value: Any, data: bytes) -> None:
    assert dumps(value) == data
    back = loads(data)
    assert back == value
    assert type(back) is type(value)
    assert is_canonical(data)


class Number(IntEnum):
    ONE = 1


class Text(str):
    __slots__ = ()


@pytest.mark.parametrize(
    "value",
    [
        *(
            math.nan,
            math.inf,
            -math.inf,
            (1,),
            {1},
            b"x",
            1j,
            object(),
            Number.ONE,
            Text("x"),
            OrderedDict(),
            {1: 2},
            {None: 1},
        ),
        *([(1,)], {"a": {2}}, {Text("a"): 1}, [math.nan], "\ud83d\ude00", {"\ud83d\ude00": 1}, ["x\udbff\udfffy"]),
    ],
)
def test_what_is_not_json(value: Any) -> None:
    with pytest.raises(ValueError, match="JSON"):
        dumps(value)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "line 1 column 1"),
        (b"{\n 'a': 1}", "line 2 column 2"),
        (b'{"a":1,"a":1}', "duplicate key 'a'"),
        (b'{"a":1,"\\u0061":1}', "duplicate key 'a'"),
        (b'[{"x":{"b":1,"b":2}}]', "duplicate key 'b'"),
        (b"NaN", "NaN"),
        (b"[-Infinity]", "Infinity"),
        (b"1e400", "inf"),
        (b'"\xff"', "UTF-8 at byte 1"),
        (b'"\xed\xa0\x80"', "UTF-8 at byte 1"),
        (b"\xef\xbb\xbf{}", "BOM"),
        (b"[1] 2", "Extra data"),
        (b'"\n"', "control character"),
        (b"01", "Extra data"),
        (b"9" * 5000, "digits"),
        (b"[" * 100_000, "nested|column"),
        (b"[" * (MAX_DEPTH + 2) + b"]" * (MAX_DEPTH + 2), "nested"),
    ],
)
def test_what_is_not_read(data: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        loads(data)
    assert not is_canonical(data)


def test_depth_and_size_have_limits_on_both_sides() -> None:
    def nested(depth: int) -> Any:
        value: Any = 0
        for _ in range(depth):
            value = [value]
        return value

    assert loads(dumps(nested(MAX_DEPTH))) == nested(MAX_DEPTH)
    with pytest.raises(ValueError, match="nested"):
        dumps(nested(MAX_DEPTH + 1))
    assert loads(b"[1, 2]", max_bytes=6) == [1, 2]
    with pytest.raises(ValueError, match="at most 5"):
        loads(b"[1, 2]", max_bytes=5)


@pytest.mark.parametrize(
    "data",
    [
        b"1",
        b"1 \n",
        b' "a"\n',
        b'{"b":1,"a":2}\n',
        b'"\xc3\xa9"\n',
        b"[1, 2]\n",
        b'"\\/"\n',
        b"1e0\n",
        b'"\\u00E9"\n',
        b"1.00\n",
        b"-0\n",
    ],
)
def test_what_is_json_but_not_canonical(data: bytes) -> None:
    loads(data)
    assert not is_canonical(data)


_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
TEXT = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=6).filter(
    lambda text: not _PAIR.search(text)
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXT)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4), max_leaves=12
)


def same(one: Any, other: Any) -> bool:
    """Equal, of equal types all the way down, signs of zero included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return bool(one.keys() == other.keys()) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, float):
        return bool(one.hex() == other.hex())
    return bool(one == other)


@given(VALUES)
def test_what_is_written_reads_back_to_the_same_value(value: Any) -> None:
    data = dumps(value)
    assert same(loads(data), value)
    assert same(json.loads(data), value)
    assert data.isascii()
    assert is_canonical(data)


@given(VALUES, VALUES)
def test_different_values_have_different_bytes(one: Any, other: Any) -> None:
    assert (dumps(one) == dumps(other)) is same(one, other)


@given(st.dictionaries(TEXT, st.integers(), min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter_and_is_that_of_code_points(table: dict[str, int], random: Any) -> None:
    items = list(table.items())
    random.shuffle(items)
    assert dumps(dict(items)) == dumps(table)
    assert list(loads(dumps(table))) == sorted(table)


@given(VALUES, st.sampled_from([None, 1, 2, "\t"]))
def test_layout_does_not_matter_to_the_reader(value: Any, indent: Any) -> None:
    loose = json.dumps(value, indent=indent, ensure_ascii=True).encode()
    assert dumps(loads(loose)) == dumps(value)


@given(st.binary(max_size=40))
def test_any_bytes_are_read_or_refused_with_a_value_error(data: bytes) -> None:
    try:
        value = loads(data)
    except ValueError:
        return
    assert same(loads(dumps(value)), value)
