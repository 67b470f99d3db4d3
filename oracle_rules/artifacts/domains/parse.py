"""Reads a domain as a lock spells it into its canonical form; every field of its kind has to be there.

Longer than 300 lines because it holds one reader for each type of field of the kinds' table. Raises IncompleteError
with file, line, column and field path. Knows nothing of the row around a domain.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from ...protocol import typed
from .. import document
from ..document import Field
from . import alphabet, floats, normal
from .kinds import KINDS, Kind
from .shape import Shape, make

# Nested deeper a domain is drawn from so rarely that nobody would notice what it locks.
MAX_DEPTH = 20
SIZE_LIMIT = 1_000_000_000
# Digits of a bound: more than anyone locks, and few enough that exact arithmetic stays quick.
_DIGITS = 1000
Reader = Callable[[Field, int], Any]


def read_shape(field: Field, depth: int = 0) -> Shape:
    """The canonical form of a domain and all domains within."""
    if depth > MAX_DEPTH:
        field.fail(f"is nested deeper than {MAX_DEPTH} domains")
    found = dict(field.members())
    if "kind" not in found:
        field.fail(f"has no 'kind'; there are {', '.join(KINDS)}")
    name = found["kind"].words()
    if name not in KINDS:
        found["kind"].fail(f"{name!r} is no kind of domain; {document.near(name, KINDS)}there are {', '.join(KINDS)}")
    kind = KINDS[name]
    members = field.closed(("kind", *kind.names))
    values = {column.name: _READERS[column.type](members[column.name], depth + 1) for column in kind.columns}
    finish = _FINISH.get(name)
    return make(name, **values) if finish is None else finish(kind, members, values)


def _integer(field: Field, _depth: int) -> int | None:
    if field.value is None:
        return None
    if type(field.value) is not int:
        field.fail(f"has to be a whole number, or null for an open end, this is {document.kind(field.value)}")
    if abs(field.value) >= 10**_DIGITS:
        field.fail(f"has more than {_DIGITS} digits")
    return field.value


def _float(field: Field, _depth: int) -> float | None:
    value = field.value
    if value is None:
        return None
    if type(value) is dict:
        value = _literal(field)
    if type(value) not in (int, float):
        field.fail(f"has to be a number, or null for an open end, this is {document.kind(value)}")
    try:
        found = float(value)
    except OverflowError:
        field.fail("is beyond every float")
    if found - found != 0.0:
        field.fail("has to be finite; null is an open end, and allow_infinity says whether infinity is a value")
    if found != value:
        field.fail(f"{value} is no float; the nearest one is {found!r}")
    return found


def _decimal(field: Field, _depth: int) -> Decimal | None:
    if field.value is None:
        return None
    try:
        found = Decimal(field.words())
    except InvalidOperation:
        field.fail(f"{field.value!r} is no decimal number; write it as text such as \"0.01\"")
    if not found.is_finite():
        field.fail("has to be finite; null is an open end, and allow_infinity says whether infinity is a value")
    exponent = found.as_tuple().exponent
    if abs(found.adjusted()) > _DIGITS or int(exponent) < -_DIGITS:
        field.fail(f"has more than {_DIGITS} digits")
    return _plain(found)


def _plain(value: Decimal) -> Decimal:
    """The same number in one form, exactly; `normalize` would round to the context's precision."""
    sign, digits, exponent = value.as_tuple()
    number, power = int("".join(map(str, digits))), int(exponent)
    if not number:
        return Decimal(0)
    while power > 0:
        number, power = number * 10, power - 1
    while power < 0 and number % 10 == 0:
        number, power = number // 10, power + 1
    return Decimal((sign, tuple(map(int, str(number))), power))


def _places(field: Field, _depth: int) -> int | None:
    return None if field.value is None else field.integer(0, _DIGITS)


def _size(field: Field, _depth: int) -> int:
    return field.integer(0, SIZE_LIMIT)


def _size_or_null(field: Field, _depth: int) -> int | None:
    return None if field.value is None else field.integer(0, SIZE_LIMIT)


def _flag(field: Field, _depth: int) -> bool:
    return field.flag()


def _width(field: Field, _depth: int) -> int:
    width = field.integer(16, 64)
    if width not in (16, 32, 64):
        field.fail(f"has to be 16, 32 or 64, this is {width}")
    return width


def _datetime(field: Field, _depth: int) -> datetime.datetime:
    text = field.words()
    try:
        found = datetime.datetime.fromisoformat(text)
    except ValueError:
        field.fail(f"{text!r} is no time; write it as 2026-01-31T08:00:00")
    if found.tzinfo is not None:
        field.fail("has an offset; the bounds are naive, and the field offset says where they are")
    if found.isoformat() != text:
        field.fail(f"has to be written as {found.isoformat()}")
    return found


def _date(field: Field, _depth: int) -> datetime.date:
    text = field.words()
    try:
        found = datetime.date.fromisoformat(text)
    except ValueError:
        field.fail(f"{text!r} is no day; write it as 2026-01-31")
    if found.isoformat() != text:
        field.fail(f"has to be written as {found.isoformat()}")
    return found


def _offset(field: Field, _depth: int) -> datetime.timedelta | None:
    if field.value is None:
        return None
    text = field.words()
    try:
        found = datetime.datetime.strptime(text, "%z").utcoffset()
    except ValueError:
        found = None
    if found is None or len(text) != 6 or text[3] != ":" or text == "-00:00":
        field.fail(f"{text!r} is no fixed offset; write it as +02:00, or null for naive times")
    return found


def _literal(field: Field, _depth: int = 0) -> Any:
    try:
        return typed.decode(field.value)
    except ValueError as error:
        field.fail(str(error))


def _value(field: Field, depth: int) -> str:
    """A listed value as its typed JSON text."""
    value = _literal(field, depth)
    try:
        return typed.text(value)
    except ValueError as error:
        field.fail(str(error))


def _values(field: Field, depth: int) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for item in field.items():
        text = _value(item, depth)
        if text in found:
            item.fail(f"{text} is listed twice")
        found[text] = None
    if not found:
        field.fail("must not be empty")
    return tuple(found)


def _domains(field: Field, depth: int) -> tuple[Shape, ...]:
    return tuple(read_shape(item, depth) for item in field.items())


def _members(field: Field, depth: int) -> tuple[tuple[str, Shape], ...]:
    return tuple((key, read_shape(member, depth)) for key, member in field.members())


_READERS: Mapping[str, Reader] = {
    "integer or null": _integer, "float or null": _float, "decimal or null": _decimal, "places": _places,
    "size": _size, "size or null": _size_or_null, "flag": _flag, "width": _width, "datetime": _datetime, "date": _date,
    "offset": _offset, "value": _value, "values": _values, "domain": read_shape, "domains": _domains,
    "members": _members, "alphabet": lambda field, _depth: alphabet.explicit(field),
}  # fmt: skip

Finish = Callable[[Kind, Mapping[str, Field], dict[str, Any]], Shape]


def _bounded(kind: Kind, members: Mapping[str, Field], values: dict[str, Any]) -> Shape:
    low, high = values["min"], values["max"]
    if low is not None and high is not None and high < low:
        members["max"].fail("is below min: no case could be drawn")
    return make(kind.name, **values)


def _sized(kind: Kind, members: Mapping[str, Field], values: dict[str, Any]) -> Shape:
    least, most = values["min_size"], values["max_size"]
    if most is not None and most < least:
        members["max_size"].fail(f"is {most}, below min_size {least}: no case could be drawn")
    return make(kind.name, **values)


def _unbounded_infinity(members: Mapping[str, Field], values: dict[str, Any]) -> None:
    if values["allow_infinity"] and values["min"] is not None and values["max"] is not None:
        members["allow_infinity"].fail("has to be false: both ends are closed, so that no infinity is between them")


def _finish_floats(kind: Kind, members: Mapping[str, Field], values: dict[str, Any]) -> Shape:
    """Ends that are left out become the next float, so that one set of floats has one form."""
    width = values["width"]
    for name, up in (("min", True), ("max", False)):
        end, left_out = values[name], values.pop(f"exclude_{name}")
        if end is None:
            if left_out:
                members[f"exclude_{name}"].fail(f"has to be false: {name} is an open end")
            continue
        if not floats.fits(end, width):
            members[name].fail(f"{end!r} is no float of {width} bits")
        values[name] = floats.beyond(end, width, up=up) if left_out else end
    low, high = values["min"], values["max"]
    if low is not None and high is not None and floats.key(high) < floats.key(low):
        members["max"].fail("leaves no float between min and max")
    if abs(low or 0.0) == float("inf") or abs(high or 0.0) == float("inf"):
        members["width"].fail("leaves no float beyond the excluded end")
    _unbounded_infinity(members, values)
    return make(kind.name, **values)


def _finish_decimals(kind: Kind, members: Mapping[str, Field], values: dict[str, Any]) -> Shape:
    low, high, places = values["min"], values["max"], values["places"]
    _unbounded_infinity(members, values)
    if places is not None and low is not None and high is not None:
        unit = Decimal((0, (1,), -places))
        if _floor(high, unit) < -_floor(-low, unit):
            members["max"].fail(f"leaves no number of {places} places between min and max")
    return _bounded(kind, members, values)


def _floor(value: Decimal, unit: Decimal) -> int:
    sign, digits, exponent = value.as_tuple()
    power = int(exponent) - int(unit.as_tuple().exponent)
    number = int("".join(map(str, digits))) * (-1 if sign else 1)
    return int(number * 10**power if power >= 0 else number // 10**-power)


def _finish_sets(kind: Kind, members: Mapping[str, Field], values: dict[str, Any]) -> Shape:
    if not _hashable(values["elements"]):
        members["elements"].fail("holds lists, records or sets, which can't be items of a set")
    return _sized(kind, members, values)


def _hashable(shape: Shape) -> bool:
    """Whether every value of a domain can be an item of a set."""
    if shape.kind in ("lists", "records", "sets"):
        return False
    if shape.kind == "sampled":
        return not any(_unhashable(typed.read(text)) for text in shape["values"])
    inside = {"tuples": "elements", "one_of": "alternatives"}.get(shape.kind)
    return inside is None or all(map(_hashable, shape[inside]))


def _unhashable(value: Any) -> bool:
    return isinstance(value, (list, dict, set)) or (isinstance(value, tuple) and any(map(_unhashable, value)))


def _finish_records(kind: Kind, members: Mapping[str, Field], values: dict[str, Any]) -> Shape:
    twice = sorted(dict(values["required"]).keys() & dict(values["optional"]).keys())
    if twice:
        members["optional"].child(twice[0]).fail("is a required key as well")
    return make(kind.name, **values)


def _finish_one_of(kind: Kind, members: Mapping[str, Field], values: dict[str, Any]) -> Shape:
    if not values["alternatives"]:
        members["alternatives"].fail("must not be empty")
    return normal.one_of(values["alternatives"])


_NULL = normal.sampled(["null"])
_FINISH: Mapping[str, Finish] = {
    "integers": _bounded, "datetimes": _bounded, "dates": _bounded, "decimals": _finish_decimals,
    "floats": _finish_floats, "text": _sized, "binary": _sized, "lists": _sized, "sets": _finish_sets,
    "records": _finish_records,
    "one_of": _finish_one_of,
    "sampled": lambda kind, members, values: normal.sampled(values["values"]),
    "constant": lambda kind, members, values: normal.sampled([values["value"]]),
    "none": lambda kind, members, values: _NULL,
    "booleans": lambda kind, members, values: normal.sampled(["false", "true"]),
    "optional": lambda kind, members, values: normal.one_of([_NULL, values["of"]]),
}  # fmt: skip
