"""Python values as nodes of a canonical document: plain JSON data as itself, everything else under its type's name.

A tag is an object with one key that starts with `$`. A dict of the caller's that looks like one is written as pairs
under `$map`, as is a dict with keys that are no text; so no two values share a document. The table of types is closed:
what is not in it raises TypeError with path and type, and is never written as `str` or `repr` would have it. Types of
the caller's own (dataclass, namedtuple, enum) are told apart by module and qualified name. What Python itself does not
tell apart is not told apart here: NaNs with different bits, zones with one offset and two names.
Longer than 300 lines because the table of types and what writes each of them are one thing.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import fractions
import math
import re
import sys
import types
import uuid
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from .patterns import Declaration, Declared, States, Step, id_kind, ts_token
from .tree import Bag, Id, Node, Object, Tag, Tagged

MAX_DEPTH = 200  # levels of JSON, as in `oracle_rules` canonical form
_LARGE = 2048  # bits; more digits than this are not printed under every setting of the interpreter
# Escaped one after the other they would read back as one character.
_SPLIT_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
# What a stand-in for an instance of the candidate's holds of its own.
_STAND_IN = frozenset({"_oracle_reference"})
_CONTEXT = decimal.Context(capitals=1)  # the caller's context must not decide how a number is spelled


class Place(NamedTuple):
    """Where a value stands: its path for people, what the patterns say, and how deep in JSON it is."""

    path: str
    states: States
    depth: int


class Reader:
    """Turns one value into a node. `declared` remembers which patterns were of use."""

    def __init__(self, declared: Declared) -> None:
        self._declared = declared
        self._open: list[object] = []

    def read(self, value: Any) -> Node:
        """The node of the whole document; TypeError, ValueError."""
        return self.node(value, Place("$", self._declared.start, 0))

    def below(self, place: Place, step: Step, levels: int) -> Place:
        """The place of a part; `levels` of JSON lie between."""
        path = place.path + (f"[{step}]" if isinstance(step, int) else "[*]" if step is None else _named(step))
        return Place(path, self._declared.follow(place.states, step), place.depth + levels)

    def node(self, value: Any, place: Place) -> Node:
        """The node of a value at its place."""
        if place.depth > MAX_DEPTH:
            raise ValueError(f"{place.path[:200]}: is nested deeper than {MAX_DEPTH}")
        noise = self._declared.at(place.states, place.path, keys=False, ordered=False)
        if noise is not None and not (value is None and noise.optional):
            return _token(value, noise, place.path)
        kind = type(value)
        if value is None or kind is bool:
            return value
        scalar = _SCALARS.get(kind)
        if scalar is not None:
            return scalar(value, place.path)
        container = _CONTAINERS.get(kind) or _shape(value, place.path)
        if any(value is other for other in self._open):
            raise ValueError(f"{place.path[:200]}: holds itself")
        self._open.append(value)
        try:
            return container(self, value, place)
        finally:
            self._open.pop()

    def items(self, values: Iterable[Any], place: Place, levels: int) -> list[Node]:
        """The nodes of items in order."""
        return [self.node(value, self.below(place, number, levels)) for number, value in enumerate(values)]

    def mapping(self, value: Mapping[Any, Any], place: Place) -> Node:
        """A dict: an object where JSON can say it, else pairs; in its own order where that is the contract."""
        ordered = self._declared.at(place.states, place.path, keys=False, ordered=True) is not None
        plain = not ordered and all(type(key) is str and not _SPLIT_PAIR.search(key) for key in value)
        if plain and not (len(value) == 1 and next(iter(value)).startswith("$")):
            members = [(self.key(key, self.below(place, key, 1)), self.node(item, self.below(place, key, 1)))
                       for key, item in value.items()]
            return Object(self._distinct(members, place))
        pairs = self.pairs(value.items(), place)
        return Tag("$pairs", pairs) if ordered else Tag("$map", Bag(pairs))

    def pairs(self, items: Iterable[tuple[Any, Any]], place: Place) -> list[Node]:
        """Keys of any type with their values."""
        found: list[Node] = []
        for key, value in items:
            inner = self.below(place, key if type(key) is str else None, 3)
            found.append([self.key(key, inner), self.node(value, inner)])
        return found

    def key(self, key: Any, place: Place) -> Node:
        """A key, which may be noise itself; its parts have no patterns."""
        noise = self._declared.at(place.states, place.path, keys=True, ordered=False)
        if noise is not None:
            return _token(key, noise, f"{place.path}~")
        return key if type(key) is str and not _SPLIT_PAIR.search(key) else self.node(key, Place(
            f"{place.path}~", frozenset(), place.depth))

    def _distinct(self, members: list[tuple[Any, Node]], place: Place) -> list[tuple[Any, Node]]:
        shown = [key for key, _ in members if type(key) is str]
        if len(set(shown)) != len(shown):
            raise ValueError(f"{place.path}: two of its keys would become one; a key that is a timestamp is no noise")
        return members


def _named(name: str) -> str:
    return f".{name}" if _PLAIN_NAME.match(name) else f".{name!a}"


def _token(value: Any, noise: Declaration, path: str) -> Node:
    """What stands in the document for a value of noise; ValueError for one that is not of the declared form."""
    kind = type(value)
    found = noise.form.fullmatch(value) if kind is str and noise.form is not None else None
    if found is not None:
        return Id(value, id_kind(found)) if noise.kind == "id" else ts_token(found)
    if kind is uuid.UUID and noise.kind == "id" and 0 < value.int < (1 << 128) - 1:
        return Tag("$uuid", Id(str(value), "id"))
    if kind is datetime.datetime and noise.kind == "ts":
        return Tag("$datetime", f"<ts:YYYY-MM-DDThh:mm:ss{_zone_form(value, path)}>")
    shown = f"{value!a:.60}" if kind is str else f"a value of type {_type_name(kind)}"
    raise ValueError(f"{path}: is declared as noise of the kind {noise.kind}, and {shown} is none")


def _text(value: str, path: str) -> Node:
    return Tag("$str", value.encode("utf-8", "surrogatepass").hex()) if _SPLIT_PAIR.search(value) else value


def _integer(value: int, path: str) -> Node:
    return Tag("$int", hex(value)) if value.bit_length() > _LARGE else value


def _float(value: float, path: str) -> Node:
    return value if math.isfinite(value) else Tag("$float", str(value).removeprefix("-" if value != value else ""))


def _complex(value: complex, path: str) -> Node:
    return Tag("$complex", [_float(value.real, path), _float(value.imag, path)])


def _zone(value: datetime.datetime | datetime.time, path: str) -> str:
    """What of the zone is not in the offset; TypeError for a zone that is code of somebody's."""
    name = _zone_name(value, path)
    return (f"[{name}]" if name else "") + ("(fold)" if value.fold else "")


def _zone_form(value: datetime.datetime, path: str) -> str:
    """What of the zone is not in the instant: nothing, a name, whose offset the instant decides, or an offset."""
    name = _zone_name(value, path)
    return f"[{name}]" if name else value.isoformat()[len(value.replace(tzinfo=None).isoformat()):]


def _zone_name(value: datetime.datetime | datetime.time, path: str) -> str:
    zone = value.tzinfo
    name = ""
    if zone is not None and type(zone) is not datetime.timezone:
        named = sys.modules.get("zoneinfo")  # importing it reads the environment, and who has such a zone has it
        name = str(getattr(zone, "key", None) or "") if named and type(zone) is named.ZoneInfo else ""
        if not name:
            raise TypeError(f"{path}: has a time zone of type {_type_name(type(zone))}; give it a datetime.timezone")
    return name


def _moment(value: Any, path: str) -> Node:
    return Tag(f"${type(value).__name__}", value.isoformat() + _zone(value, path))


_SCALARS: Mapping[type, Callable[[Any, str], Node]] = {
    str: _text,
    int: _integer,
    float: _float,
    complex: _complex,
    bytes: lambda value, path: Tag("$bytes", value.hex()),
    bytearray: lambda value, path: Tag("$bytearray", value.hex()),
    decimal.Decimal: lambda value, path: Tag("$decimal", _CONTEXT.to_sci_string(value)),
    fractions.Fraction: lambda value, path: Tag(
        "$fraction", [_integer(value.numerator, path), _integer(value.denominator, path)]),
    uuid.UUID: lambda value, path: Tag("$uuid", str(value)),
    datetime.datetime: _moment,
    datetime.time: _moment,
    datetime.date: lambda value, path: Tag("$date", value.isoformat()),
    datetime.timedelta: lambda value, path: Tag("$timedelta", [value.days, value.seconds, value.microseconds]),
    range: lambda value, path: Tag(
        "$range", [_integer(part, path) for part in (value.start, value.stop, value.step)]),
}


def _own(reader: Reader, value: Any, place: Place) -> Node:
    """A part of an answer of `canon`: it stands as it is."""
    [(name, body)] = value.items()
    return Tag(name, _as_it_is(body))


def _as_it_is(value: Any) -> Node:
    if type(value) is list:
        return [_as_it_is(item) for item in value]
    if type(value) is Tagged:
        return _own_tag(value)
    return Object([(key, _as_it_is(item)) for key, item in value.items()]) if type(value) is dict else value


def _own_tag(value: Tagged) -> Tag:
    [(name, body)] = value.items()
    return Tag(name, _as_it_is(body))


def _dataclass(reader: Reader, value: Any, place: Place) -> Node:
    names = [field.name for field in dataclasses.fields(value)]
    lost = _besides(value, names)
    if lost:
        raise TypeError(f"{place.path}: holds {', '.join(lost)} besides its fields, which would be lost")
    members: list[tuple[str | Id, Node]] = []
    for name in names:
        held = getattr(value, name, _MISSING)
        if held is _MISSING:
            raise TypeError(f"{place.path}: has no value for its field {name}")
        members.append((name, reader.node(held, reader.below(place, name, 3))))
    return Tag("$dataclass", [_type_name(type(value)), Object(members)])


def _besides(value: Any, names: Iterable[str]) -> list[str]:
    """What an instance holds that is no field of its class.

    While a property is judged, an instance of the candidate's is a stand-in: it has names of its own, and says of its
    class whether there are fields that it does not show.
    """
    kind = type(value)
    if getattr(kind, "_oracle_partial", False):
        return ["fields that are left out of its comparisons"]
    own = _STAND_IN if getattr(kind, "_oracle_class", None) is not None else frozenset()
    held = set(getattr(value, "__dict__", ())) - own
    for base in kind.__mro__:
        slots = base.__dict__.get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            private = slot.startswith("__") and not slot.endswith("__")
            name = f"_{base.__name__.lstrip('_')}{slot}" if private else slot
            if name not in ("__dict__", "__weakref__") and name not in own and hasattr(value, name):
                held.add(name)
    return sorted(held - set(names))


def _namedtuple(reader: Reader, value: Any, place: Place) -> Node:
    pairs: list[Node] = [[name, reader.node(item, reader.below(place, name, 4))]
                         for name, item in zip(type(value)._fields, tuple.__iter__(value))]
    return Tag("$namedtuple", [_type_name(type(value)), pairs])


def _enum(reader: Reader, value: Any, place: Place) -> Node:
    inner = reader.node(value.value, Place(f"{place.path}.value", frozenset(), place.depth + 2))
    return Tag("$enum", [_type_name(type(value)), value.name, inner])


_MISSING = object()
_Container = Callable[[Reader, Any, Place], Node]
_CONTAINERS: Mapping[type, _Container] = {
    list: lambda reader, value, place: reader.items(value, place, 1),
    dict: Reader.mapping,
    tuple: lambda reader, value, place: Tag("$tuple", reader.items(value, place, 2)),
    set: lambda reader, value, place: Tag("$set", _bag(reader, value, place)),
    frozenset: lambda reader, value, place: Tag("$frozenset", _bag(reader, value, place)),
    deque: lambda reader, value, place: Tag("$deque", [value.maxlen, reader.items(value, place, 3)]),
    OrderedDict: lambda reader, value, place: Tag("$ordereddict", reader.pairs(value.items(), place)),
    Counter: lambda reader, value, place: Tag("$counter", Bag(reader.pairs(value.items(), place))),
    Tagged: _own,
}


def _bag(reader: Reader, value: Iterable[Any], place: Place) -> Bag:
    return Bag([reader.node(item, reader.below(place, None, 2)) for item in value])


def _shape(value: Any, path: str) -> _Container:
    """What writes an instance of the caller's own type; TypeError for a type that is not known here."""
    kind = type(value)
    if isinstance(value, enum.Enum) or getattr(kind, "_oracle_shape", "") == "enum":  # or its stand-in
        return _enum
    fields = getattr(kind, "_fields", None)
    if isinstance(value, tuple) and type(fields) is tuple and len(fields) == len(value):
        if not getattr(value, "__dict__", None):
            return _namedtuple
    elif dataclasses.is_dataclass(value) and not any(map(_has_data, kind.__mro__)):
        return _dataclass
    raise TypeError(f"{path}: {_type_name(kind)} has no canonical form; give its data as a type that has one")


def _has_data(base: type) -> bool:
    """Whether the class is written in C and makes its instances itself: what they hold is in no field and no slot."""
    new = vars(base).get("__new__")
    return base is not object and isinstance(new, types.BuiltinFunctionType)


def _type_name(kind: type) -> str:
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}:{kind.__qualname__}"
