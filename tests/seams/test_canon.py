"""The laws of `canon` and `dumps`, and each hazard that others have run into, without noise."""

from __future__ import annotations

import abc
import array
import collections
import dataclasses
import datetime as dt
import decimal
import fractions
import json
import math
import pathlib
import random
import re
import types
import uuid
import zoneinfo
from typing import Any, Generic, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.protocol import canonical
from oracle_seams import canon, dumps

from .values import ATOMS, Colour, Pair, Pixel, Point, plain, same, values


@given(values(), values())
@settings(max_examples=200, deadline=None)
def test_one_text_is_one_value(one: Any, other: Any) -> None:
    assert (dumps(one) == dumps(other)) == same(one, other)


@pytest.mark.parametrize("one", ATOMS, ids=lambda value: ascii(value)[:30])
def test_atoms_are_told_apart_as_values_keys_and_items(one: Any) -> None:
    for other in ATOMS:
        alike = same(one, other)
        assert (dumps(one) == dumps(other)) is alike
        assert (dumps({one: 0}) == dumps({other: 0})) is alike
        assert (dumps({one}) == dumps({other})) is alike
        assert (dumps({"$tuple": one}) == dumps({"$tuple": other})) is alike


@given(values())
@settings(max_examples=80, deadline=None)
def test_a_document_is_its_own_document(value: Any) -> None:
    document = canon(value)
    assert same(_bare(canon(document)), _bare(document))
    assert dumps(document) == dumps(value)


@given(values())
@settings(max_examples=80, deadline=None)
def test_the_text_is_canonical_json_for_every_parser(value: Any) -> None:
    text = dumps(value)
    assert text.isascii() and "\n" not in text
    assert canonical.dumps(canonical.loads(text.encode())) == text.encode() + b"\n"
    assert same(json.loads(text), _bare(canon(value)))


@given(plain())
@settings(max_examples=80, deadline=None)
def test_plain_data_is_itself(value: Any) -> None:
    assert same(canon(value), value)
    assert dumps(value).encode() + b"\n" == canonical.dumps(value)


@given(values(), st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_the_order_of_filling_does_not_matter(value: Any, chance: random.Random) -> None:
    assert dumps(_refilled(value, chance)) == dumps(value)


def _bare(value: Any) -> Any:
    """Tags as ordinary dicts."""
    if isinstance(value, dict):
        return {key: _bare(item) for key, item in value.items()}
    return [_bare(item) for item in value] if isinstance(value, list) else value


def _refilled(value: Any, chance: random.Random) -> Any:
    """The same value, its dicts and sets filled in another order."""
    if type(value) is dict:
        items = [(key, _refilled(item, chance)) for key, item in value.items()]
        chance.shuffle(items)
        return dict(items)
    if type(value) is set:
        items = list(value)
        chance.shuffle(items)
        return set(items)
    return [_refilled(item, chance) for item in value] if type(value) is list else value


# What the form is, written by hand: (value, text).
VECTORS: list[tuple[Any, str]] = [
    ({"b": 1, "a": [None, True, 1.5]}, '{"a":[null,true,1.5],"b":1}'),
    ((1, "x"), '{"$tuple":[1,"x"]}'),
    ({3, 1, 20}, '{"$set":[1,20,3]}'),
    (frozenset({frozenset({2}), frozenset({1})}), '{"$frozenset":[{"$frozenset":[1]},{"$frozenset":[2]}]}'),
    ({1: "a", "1": "b", None: "c"}, '{"$map":[["1","b"],[1,"a"],[null,"c"]]}'),
    ({"$set": [1]}, '{"$map":[["$set",[1]]]}'),
    ({"$set": [1], "x": 1}, '{"$set":[1],"x":1}'),
    (collections.OrderedDict([("b", 1), ("a", 2)]), '{"$ordereddict":[["b",1],["a",2]]}'),
    (collections.Counter("aba"), '{"$counter":[["a",2],["b",1]]}'),
    (collections.deque([1], 3), '{"$deque":[3,[1]]}'),
    (b"\x00\xff", '{"$bytes":"00ff"}'),
    (decimal.Decimal("1.00"), '{"$decimal":"1.00"}'),
    (decimal.Decimal("1E+2"), '{"$decimal":"1E+2"}'),
    (-0.0, "-0.0"),
    (math.nan, '{"$float":"nan"}'),
    (-math.nan, '{"$float":"nan"}'),
    (-math.inf, '{"$float":"-inf"}'),
    (2**2048, '{"$int":"0x1' + "0" * 512 + '"}'),
    (dt.datetime(2026, 9, 16, 10, tzinfo=dt.UTC), '{"$datetime":"2026-09-16T10:00:00+00:00"}'),
    (dt.date(2026, 9, 16), '{"$date":"2026-09-16"}'),
    (dt.timedelta(microseconds=-1), '{"$timedelta":[-1,86399,999999]}'),
    ("\ud83d", '"\\ud83d"'),
    ("\ud83d\ude00", '{"$str":"eda0bdedb880"}'),
    ("\U0001f600", '"\\ud83d\\ude00"'),
    ({"\ud83d\ude00": 1}, '{"$map":[[{"$str":"eda0bdedb880"},1]]}'),
    (Colour.RED, '{"$enum":["tests.seams.values:Colour","RED",1]}'),
    (Point(1, {2}), '{"$dataclass":["tests.seams.values:Point",{"x":1,"y":{"$set":[2]}}]}'),
    (Pair(1, 2), '{"$namedtuple":["tests.seams.values:Pair",[["x",1],["y",2]]]}'),
]


@pytest.mark.parametrize(("value", "text"), VECTORS, ids=[text[:40] for _, text in VECTORS])
def test_vectors(value: Any, text: str) -> None:
    assert dumps(value) == text


def test_a_set_of_what_cannot_be_compared() -> None:
    mixed = {1, "1", None, (1,), b"1", 1.5, frozenset({"a", 2}), Colour.RED, Point(1)}
    found = canon(mixed)["$set"]
    assert len(found) == len(mixed) and found == sorted(found, key=lambda item: json.dumps(item, separators=(",", ":")))


def test_unicode_is_not_normalised() -> None:
    assert dumps("\u00e9") != dumps("e\u0301")
    assert dumps({"\u00e9": 1, "e\u0301": 2}) == '{"e\\u0301":2,"\\u00e9":1}'


def test_a_number_too_large_for_a_float_stays_what_the_parser_made_of_it() -> None:
    assert dumps(json.loads("1e400")) == '{"$float":"inf"}'


def test_the_callers_decimal_context_has_no_say() -> None:
    with decimal.localcontext() as context:
        context.capitals, context.prec = 0, 1
        assert dumps(decimal.Decimal("123E+5")) == '{"$decimal":"1.23E+7"}'


def test_a_zone_keeps_its_name_and_its_offset() -> None:
    winter = dt.datetime(2026, 1, 1, 12, tzinfo=zoneinfo.ZoneInfo("UTC"))
    assert dumps(winter) == '{"$datetime":"2026-01-01T12:00:00+00:00[UTC]"}'
    assert dumps(winter) != dumps(winter.replace(tzinfo=dt.UTC))


def test_ordered_by_contract_stays_in_order() -> None:
    one, other = {"b": 1, "a": {"d": 1, "c": 2}}, {"a": {"d": 1, "c": 2}, "b": 1}
    assert dumps(one) == dumps(other)
    assert dumps(one, ordered=["a"]) == dumps(other, ordered=["a"]) == '{"a":{"$pairs":[["d",1],["c",2]]},"b":1}'
    headers = {"headers": {"b": "1", "a": "2"}}
    turned = {"headers": {"a": "2", "b": "1"}}
    assert dumps(headers, ordered=["headers"]) != dumps(turned, ordered=["headers"])
    assert dumps(headers) == dumps(turned)


@given(st.lists(st.tuples(st.text(max_size=2), st.integers(0, 2)), max_size=4, unique_by=lambda row: row[0]), st.randoms())
@settings(max_examples=100, deadline=None)
def test_order_by_contract_is_part_of_the_value(rows: list[tuple[str, int]], chance: random.Random) -> None:
    turned = list(rows)
    chance.shuffle(turned)
    assert (dumps({"m": dict(rows)}, ordered=["m"]) == dumps({"m": dict(turned)}, ordered=["m"])) == (rows == turned)


class Name(str):
    """A subclass of data."""


@dataclasses.dataclass
class Loose:
    x: int

    def remember(self) -> Loose:
        self.extra = 1
        return self


class Slotted(Pixel):
    __slots__ = ("__hidden",)


def _slotted() -> Slotted:
    made = Slotted(1)
    object.__setattr__(made, "_Slotted__hidden", 1)
    return made


class Zone(dt.tzinfo):
    def utcoffset(self, when: dt.datetime | None) -> dt.timedelta:
        return dt.timedelta(0)


UNKNOWN: list[tuple[str, Any, str]] = [
    ("object", object(), "$: object has no canonical form"),
    ("function", {"a": [len]}, "$.a[0]: builtin_function_or_method has no"),
    ("class", Point, "$: type has no"),
    ("subclass of str", [Name("x")], "$[0]: tests.seams.test_canon:Name has no"),
    ("path", {"p q": pathlib.PurePosixPath("x")}, "$.'p q': pathlib:PurePosixPath has no"),
    ("defaultdict", collections.defaultdict(list), "$: collections:defaultdict has no"),
    ("view", types.MappingProxyType({}), "$: mappingproxy has no"),
    ("generator", (n for n in ()), "$: generator has no"),
    ("match", re.match("a", "a"), "$: re:Match has no"),
    ("in a set", {(1, len)}, "$[*][1]: builtin_function_or_method has no"),
    ("as a key", {(len,): 1}, "$[*]~[0]: builtin_function_or_method has no"),
    ("more than its fields", Loose(1).remember(), "$: holds extra besides its fields"),
    ("more in a slot", _slotted(), "$: holds _Slotted__hidden besides its fields"),
    ("zone of one's own", dt.datetime(2026, 1, 1, tzinfo=Zone()), "$: has a time zone of type tests.seams.test_canon:Zone"),
]


@pytest.mark.parametrize(("value", "message"), [row[1:] for row in UNKNOWN], ids=[row[0] for row in UNKNOWN])
def test_what_is_not_known_is_refused_by_path_and_type(value: Any, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        dumps(value)
    assert str(caught.value).startswith(message)


BASES: list[tuple[type, tuple[Any, ...]]] = [
    (collections.deque, ([1],)), (bytearray, (b"a",)), (bytes, (b"a",)), (decimal.Decimal, ("1",)), (dt.date, (2026, 1, 1)),
    (dt.datetime, (2026, 1, 1)), (dt.time, (1,)), (dt.timedelta, (1,)), (fractions.Fraction, (1, 3)), (uuid.UUID, ("a" * 32,)),
    (array.array, ("i", [1])), (collections.UserList, ([1],)), (collections.UserDict, ({1: 2},)), (collections.Counter, ("a",)),
    (str, ("a",)), (int, (1,)), (float, (1.0,)), (complex, (1j,)), (list, ([1],)), (dict, ({1: 2},)), (set, ({1},)),
    (frozenset, ({1},)), (tuple, ((1,),)), (ValueError, ("a",)), (random.Random, (1,)), (collections.defaultdict, (list,)),
]  # fmt: skip


@pytest.mark.parametrize(("base", "args"), BASES, ids=[base.__name__ for base, _ in BASES])
def test_a_dataclass_that_is_data_as_well_is_refused(base: Any, args: tuple[Any, ...]) -> None:
    """What its base holds is in no field; what its class is besides, and is no data, does not matter."""
    def made(bases: tuple[type, ...]) -> Any:
        return dataclasses.dataclass(init=False, eq=False, repr=False)(
            type("Made", bases, {"__annotations__": {"x": int}, "x": 1}))
    held = made((base,))(*args)
    with pytest.raises(TypeError, match=r"^\$\.a: .*(Made has no canonical form|besides its fields)"):
        dumps({"a": held})
    for bases in ((), (abc.ABC,), (Generic[TypeVar("T")],), (collections.abc.Sized,)):
        kind = types.new_class("Made", bases, exec_body=lambda names: names.update(
            {"__annotations__": {"x": int}, "x": 1, "__len__": lambda self: 0}))
        assert dumps(dataclasses.dataclass(kind)()).endswith('Made",{"x":1}]}')


@pytest.mark.parametrize("name", ["_oracle_x", "_oracle_reference", "_oracle_class", "__x", "x"])
def test_no_name_is_the_machinery_s(name: str) -> None:
    loose = Loose(1)
    loose.__dict__["y" + name if name == "x" else name] = 2
    with pytest.raises(TypeError, match="besides its fields"):
        dumps(loose)
    made = dataclasses.make_dataclass("Made", [(name, int)])
    assert dumps(made(1)) != dumps(made(2)) and f'"{name}":1' in dumps(made(1))


def test_what_is_known_beside_it() -> None:
    assert dumps([Loose(1), Slotted(1)]).count("$dataclass") == 2


def test_a_field_that_was_never_set() -> None:
    made = Loose(1)
    del made.x
    with pytest.raises(TypeError, match="has no value for its field x"):
        dumps(made)


def test_a_value_that_holds_itself() -> None:
    ring: list[Any] = []
    ring.append({"again": ring})
    with pytest.raises(ValueError, match=r"^\$\[0\]\.again: holds itself$"):
        dumps(ring)
    twice = [1]
    assert dumps([twice, twice]) == "[[1],[1]]"


@pytest.mark.parametrize("wrap", [lambda v: [v], lambda v: (v,), lambda v: {1: v}, lambda v: Point(v), lambda v: Pair(v, 1)])
def test_depth_has_a_bound_and_what_keeps_it_is_json_that_is_read(wrap: Any) -> None:
    value, text = 0, ""
    with pytest.raises(ValueError, match="is nested deeper than 200"):
        for _ in range(202):
            text = dumps(value)
            value = wrap(value)
    assert canonical.is_canonical(text.encode() + b"\n")
