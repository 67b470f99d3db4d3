"""Spelled domains, values of them, and membership, worked out a second time from the spelling alone."""

from __future__ import annotations

import copy
import datetime
import json
import math
import struct
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from oracle_rules.artifacts.domains.lock import LockedDomain, parse_domain_lock

ROW = {"max_examples": 10, "deadline_ms": 100, "seed": 3}
Spelled = dict[str, Any]


def locked(domain: Any, **row: Any) -> LockedDomain:
    """The row of one property with this domain."""
    data = json.dumps({"p": {"domain": domain, **ROW, **row}}, indent=1).encode()
    sources = {"properties/_f.py": b"one", "properties/_g.py": b"two"}
    return parse_domain_lock(data, path="domain_lock.json", source=sources.get).domains[0]


_SIZES = st.sampled_from([(0, 0), (0, 2), (1, 2), (1, 1), (0, 3), (2, None), (0, None)])
_FLAGS = st.booleans()
LITERALS: dict[str, Any] = {
    "null": None, "true": True, "1": 1, "1.0": 1.0, "text": "a", "nan": {"$float": "nan"}, "zero": {"$float": "-0.0"},
    "decimal": {"$decimal": "1.50"}, "bytes": {"$bytes": "00ff"}, "tuple": {"$tuple": [1, "a"]}, "list": [1, 2],
    "lone": {"$text": [0xD800]}, "record": {"k": 1}, "big": 1 << 80, "empty": "", "0": 0, "day": {"$date": "2026-01-02"},
    "time": {"$datetime": "2026-01-02T00:00:00"}}  # fmt: skip


def _sized(kind: str, sizes: tuple[int, int | None], **more: Any) -> Spelled:
    return {"kind": kind, "min_size": sizes[0], "max_size": sizes[1], **more}


def _ends(values: list[Any]) -> st.SearchStrategy[tuple[Any, Any]]:
    return st.tuples(st.sampled_from([None, *values]), st.sampled_from([None, *values])).filter(
        lambda ends: None in ends or values.index(ends[0]) <= values.index(ends[1]))


@st.composite
def _floats(draw: Any) -> Spelled:
    low, high = draw(_ends([-1.5, -0.0, 0.0, 0.5, 2.0]))
    out = draw(st.tuples(_FLAGS, _FLAGS)) if low != high else (False, False)
    return {"kind": "floats", "min": low, "max": high, "exclude_min": out[0] and low is not None,
            "exclude_max": out[1] and high is not None, "allow_nan": draw(_FLAGS),
            "allow_infinity": draw(_FLAGS) and None in (low, high), "width": draw(st.sampled_from([16, 32, 64]))}


@st.composite
def _decimals(draw: Any) -> Spelled:
    low, high = draw(_ends(["-1", "0", "0.5", "2"]))
    return {"kind": "decimals", "min": low, "max": high, "places": draw(st.sampled_from([None, 1, 2])),
            "allow_nan": draw(_FLAGS), "allow_infinity": draw(_FLAGS) and None in (low, high)}


_LEAVES = st.one_of(
    st.builds(lambda ends: {"kind": "integers", "min": ends[0], "max": ends[1]}, _ends([-1, 0, 1, 3, 1 << 70])),
    _floats().filter(lambda spelled: not (spelled["min"] == spelled["max"] == 0)),
    _decimals(),
    st.builds(lambda sizes, letters: _sized("text", sizes, alphabet={"characters": letters}), _SIZES,
              st.sampled_from(["a", "ab", "ba", "abc", "b"])),
    st.builds(lambda sizes: _sized("binary", sizes), _SIZES),
    st.sampled_from([{"kind": "none"}, {"kind": "booleans"}]),
    st.builds(lambda names: {"kind": "sampled", "values": [LITERALS[name] for name in names]},
              st.lists(st.sampled_from(sorted(LITERALS)), min_size=1, max_size=4, unique=True)),
    st.builds(lambda name: {"kind": "constant", "value": LITERALS[name]}, st.sampled_from(sorted(LITERALS))),
    st.builds(lambda ends, offset: {"kind": "datetimes", "min": ends[0], "max": ends[1], "offset": offset},
              st.sampled_from([("2026-01-01T00:00:00", "2026-01-03T00:00:00"),
                               ("2026-01-02T00:00:00", "2026-01-02T12:00:00")]),
              st.sampled_from([None, "+02:00", "-05:30"])),
    st.builds(lambda ends: {"kind": "dates", "min": ends[0], "max": ends[1]},
              st.sampled_from([("2026-01-01", "2026-01-03"), ("2026-01-02", "2026-01-02")])),
)  # fmt: skip


def _room(spelled: Spelled) -> bool:
    """Whether there are values enough for any of the sizes of a set."""
    if spelled["kind"] in ("integers", "dates"):
        return spelled["min"] is None or spelled["max"] is None or spelled["min"] != spelled["max"]
    return bool(spelled["max_size"] != 0)


# Domains of what can be an item of a set, with values enough for any of the sizes.
_ITEMS = _LEAVES.filter(lambda spelled: spelled["kind"] in ("integers", "text", "binary", "dates") and _room(spelled))


def _around(inner: st.SearchStrategy[Spelled]) -> st.SearchStrategy[Spelled]:
    members = st.dictionaries(st.sampled_from(["k", "l"]), inner, max_size=2)
    return st.one_of(
        st.builds(lambda sizes, of, unique: _sized("lists", sizes, elements=of, unique=unique and sizes[0] < 2), _SIZES,
                  inner, _FLAGS),
        st.builds(lambda sizes, of: _sized("sets", sizes, elements=of), _SIZES, _ITEMS),
        st.builds(lambda of: {"kind": "tuples", "elements": of}, st.lists(inner, max_size=2)),
        st.builds(lambda must, may: {"kind": "records", "required": must,
                                     "optional": {key: of for key, of in may.items() if key not in must}},
                  members, members),
        st.builds(lambda of: {"kind": "one_of", "alternatives": of}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda of: {"kind": "optional", "of": of}, inner))


DOMAINS = st.recursive(_LEAVES, _around, max_leaves=3)


@st.composite
def changed(draw: Any, spelled: Spelled) -> Spelled:
    """The same domain, another one at the same place, or one around it."""
    way = draw(st.sampled_from(["same", "field", "field", "inner", "optional", "more"]))
    if way == "optional":
        return {"kind": "optional", "of": spelled}
    if way == "more":
        return {"kind": "one_of", "alternatives": [spelled, draw(_LEAVES)]}
    made = copy.deepcopy(spelled)
    if way == "field":
        other = draw(_LEAVES.filter(lambda leaf: leaf["kind"] == made["kind"])) if made["kind"] in _LEAF_KINDS else {}
        names = sorted(set(other) - {"kind"})
        if names and draw(_FLAGS):
            return {**other, "kind": made["kind"]}
    for name in ("of", "elements"):
        if made["kind"] == "sets" and name == "elements":  # not every domain may stand there
            made[name] = draw(st.sampled_from([made[name], {"kind": "optional", "of": made[name]}]) | _ITEMS)
        elif isinstance(made.get(name), dict):
            made[name] = draw(changed(made[name]))
    for name in ("alternatives", "elements"):
        if isinstance(made.get(name), list) and made[name]:
            index = draw(st.integers(0, len(made[name]) - 1))
            made[name][index] = draw(changed(made[name][index]))
    if made["kind"] == "records":
        moved = sorted(made["required"])
        if moved and draw(_FLAGS):
            made["optional"][moved[0]] = made["required"].pop(moved[0])
        for group in ("required", "optional"):
            made[group] = {key: draw(changed(of)) for key, of in made[group].items()}
    if "unique" in made:
        made["unique"] = made["unique"] and draw(_FLAGS)
    return made


_LEAF_KINDS = ("integers", "decimals", "text", "binary", "sampled", "datetimes", "dates", "floats")


def literal(data: Any) -> Any:
    """The value of a typed literal, read a second time."""
    if isinstance(data, list):
        return [literal(item) for item in data]
    if not isinstance(data, dict):
        return data
    [tag] = list(data)
    item = data[tag]
    readers = {"$float": float, "$decimal": Decimal, "$bytes": bytes.fromhex, "$date": datetime.date.fromisoformat,
               "$datetime": datetime.datetime.fromisoformat, "$tuple": lambda of: tuple(map(literal, of)),
               "$text": lambda of: "".join(map(chr, of))}  # fmt: skip
    return readers[tag](item) if tag in readers else {tag: literal(item)}


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same, types, signs of zero and digits included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return repr(one) == repr(other)


def values(spelled: Spelled) -> st.SearchStrategy[Any]:
    """Values of a spelled domain, its corners among them, drawn without any of our code."""
    kind = spelled["kind"]
    size = {name: spelled[name] for name in ("min_size", "max_size") if name in spelled}
    if kind == "integers":
        return st.integers(spelled["min"], spelled["max"])
    if kind == "floats":
        return _float_values(spelled)
    if kind == "decimals":
        return _decimal_values(spelled)
    if kind == "text":
        return st.text(spelled["alphabet"]["characters"], **size)
    if kind == "binary":
        return st.binary(**size)
    if kind in ("none", "booleans", "constant", "sampled"):
        listed = {"none": [None], "booleans": [False, True], "constant": [spelled.get("value")]}
        return st.sampled_from([literal(item) for item in listed.get(kind, spelled.get("values", []))])
    if kind == "datetimes":
        return st.datetimes(*(datetime.datetime.fromisoformat(spelled[name]) for name in ("min", "max"))).map(
            lambda moment: moment.replace(fold=0, tzinfo=_zone(spelled["offset"])))
    if kind == "dates":
        return st.dates(*(datetime.date.fromisoformat(spelled[name]) for name in ("min", "max")))
    if kind == "lists":
        unique = {"unique_by": repr} if spelled["unique"] else {}
        return st.lists(values(spelled["elements"]), **size, **unique)
    if kind == "sets":
        return st.sets(values(spelled["elements"]), **size)
    if kind == "tuples":
        return st.tuples(*map(values, spelled["elements"]))
    if kind == "records":
        optional = {key: values(of) for key, of in spelled["optional"].items()}
        return st.fixed_dictionaries({key: values(of) for key, of in spelled["required"].items()}, optional=optional)
    if kind == "optional":
        return st.none() | values(spelled["of"])
    return st.one_of(*map(values, spelled["alternatives"]))


def _zone(offset: str | None) -> datetime.timezone | None:
    return None if offset is None else datetime.datetime.strptime(offset, "%z").tzinfo  # type: ignore[return-value]


def _float_values(spelled: Spelled) -> st.SearchStrategy[float]:
    low, high = spelled["min"], spelled["max"]
    made = st.floats(low, high, exclude_min=spelled["exclude_min"], exclude_max=spelled["exclude_max"], allow_nan=False,
                     allow_infinity=spelled["allow_infinity"], width=spelled["width"])
    return made | st.just(math.nan) if spelled["allow_nan"] else made


def _decimal_values(spelled: Spelled) -> st.SearchStrategy[Decimal]:
    low, high = spelled["min"], spelled["max"]
    made: st.SearchStrategy[Decimal] = st.decimals(
        low, high, places=spelled["places"], allow_nan=False, allow_infinity=False)
    if spelled["allow_nan"]:
        made |= st.just(Decimal("NaN"))
    if spelled["allow_infinity"]:
        made |= st.sampled_from([Decimal("Infinity")] * (high is None) + [Decimal("-Infinity")] * (low is None))
    return made


def member(spelled: Spelled, value: Any) -> bool:
    """Whether the value is of the spelled domain, worked out from the spelling."""
    kind = spelled["kind"]
    if kind == "optional":
        return value is None or member(spelled["of"], value)
    if kind == "one_of":
        return any(member(each, value) for each in spelled["alternatives"])
    if kind in ("none", "booleans", "constant", "sampled"):
        listed = {"none": [None], "booleans": [False, True], "constant": [spelled.get("value")]}
        return any(same(literal(item), value) for item in listed.get(kind, spelled.get("values", [])))
    types = {"integers": int, "floats": float, "decimals": Decimal, "text": str, "binary": bytes,
             "datetimes": datetime.datetime, "dates": datetime.date, "lists": list, "tuples": tuple, "records": dict,
             "sets": set}
    return type(value) is types[kind] and _MEMBERS[kind](spelled, value)


def _sizes(spelled: Spelled, value: Any) -> bool:
    return bool(spelled["min_size"] <= len(value) <= (math.inf if spelled["max_size"] is None else spelled["max_size"]))


def _bounded(spelled: Spelled, value: Any, read: Any) -> bool:
    low, high = spelled["min"], spelled["max"]
    return (low is None or value >= read(low)) and (high is None or value <= read(high))


def _a_float(spelled: Spelled, value: float) -> bool:
    low, high = spelled["min"], spelled["max"]
    if math.isnan(value):
        return bool(spelled["allow_nan"])
    if math.isinf(value):
        return bool(spelled["allow_infinity"] and (high if value > 0 else low) is None)
    if not _bounded(spelled, value, float):
        return False
    if spelled["exclude_min"] and value == low or spelled["exclude_max"] and value == high:
        return False
    minus = math.copysign(1, value) < 0
    # Zero has two signs: as an end, the positive one leaves the negative one below it.
    if value == 0 and (low == 0 and math.copysign(1, low) > 0 and minus or
                       high == 0 and math.copysign(1, high) < 0 and not minus):
        return False
    form = {16: "e", 32: "f", 64: "d"}[spelled["width"]]
    try:
        return bool(struct.unpack(form, struct.pack(form, value))[0] == value)
    except OverflowError:
        return False


def _a_decimal(spelled: Spelled, value: Decimal) -> bool:
    if not value.is_finite():
        if value.is_nan():
            return bool(spelled["allow_nan"])
        return bool(spelled["allow_infinity"] and spelled["max" if value > 0 else "min"] is None)
    digits = -int(value.as_tuple().exponent)
    return _bounded(spelled, value, Decimal) and spelled["places"] in (None, digits)


def _a_datetime(spelled: Spelled, value: datetime.datetime) -> bool:
    naive = value.replace(tzinfo=None)
    zone = _zone(spelled["offset"])
    return _bounded(spelled, naive, datetime.datetime.fromisoformat) and value.utcoffset() == (
        None if zone is None else zone.utcoffset(None))


_MEMBERS: dict[str, Any] = {
    "integers": lambda spelled, value: _bounded(spelled, value, int),
    "floats": _a_float,
    "decimals": _a_decimal,
    "text": lambda spelled, value: _sizes(spelled, value) and set(value) <= set(spelled["alphabet"]["characters"]),
    "binary": _sizes,
    "datetimes": _a_datetime,
    "dates": lambda spelled, value: _bounded(spelled, value, datetime.date.fromisoformat),
    "lists": lambda spelled, value: _sizes(spelled, value) and all(
        member(spelled["elements"], item) for item in value) and not (
        spelled["unique"] and any(same(one, two) for at, one in enumerate(value) for two in value[:at])),
    "sets": lambda spelled, value: _sizes(spelled, value) and all(
        member(spelled["elements"], item) for item in value),
    "tuples": lambda spelled, value: len(value) == len(spelled["elements"]) and all(
        map(member, spelled["elements"], value)),
    "records": lambda spelled, value: set(spelled["required"]) <= set(value) and all(
        any(key in spelled[group] and member(spelled[group][key], item) for group in ("required", "optional"))
        for key, item in value.items()),
}  # fmt: skip
