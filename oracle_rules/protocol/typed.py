"""Values that JSON has no word for, as JSON: one spelling for locked literals, drawn cases and shown counterexamples.

null, booleans, whole numbers of any size, finite floats, text, lists and objects are themselves. All else is an object
with one key that starts with `$`. Only *exact* types are written, so that what is read back is what was written. Knows
nothing of domains.
"""

from __future__ import annotations

import datetime as _dt
import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from . import canonical


class Misspelt(ValueError):
    """A JSON value that spells no value, and why."""


_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf, "-0.0": -0.0}


def encode(value: Any) -> Any:
    """The JSON value that spells this value. Raises ValueError for a type without a spelling."""
    kind = type(value)
    if value is None or kind in (bool, int):
        return value
    writer = _WRITE.get(kind)
    if writer is None:
        raise ValueError(f"a value of type {kind.__name__} has no spelling as JSON")
    return writer(value)


def decode(data: Any) -> Any:
    """The value that a JSON value spells. Raises Misspelt, which says which spelling is wrong."""
    if type(data) is list:
        return [decode(item) for item in data]
    if type(data) is not dict:
        return data
    if not any(key.startswith("$") for key in data):
        return {key: decode(item) for key, item in data.items()}
    if len(data) != 1:
        raise Misspelt("an object with a key that starts with $ has that key alone; write others with $dict")
    [(tag, item)] = data.items()
    reader = _READ.get(tag)
    if reader is None:
        import difflib  # here, because the judge starts often and never gets here
        near = difflib.get_close_matches(tag, _READ, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(TAGS)}"
        raise Misspelt(f"{tag} is no spelling that is known; {hint}")
    try:
        return reader(item)
    except Misspelt:
        raise
    except (TypeError, ValueError, KeyError, AttributeError, ArithmeticError):
        raise Misspelt(f"{tag} holds {TAGS[tag]}") from None


def text(value: Any) -> str:
    """The canonical JSON text of a value on one line; equal exactly for values that are the same, types included."""
    return canonical.dumps(encode(value)).decode("ascii").rstrip("\n")


def read(line: str) -> Any:
    """The value of such a text."""
    return decode(canonical.loads(line.encode("utf-8")))


def _write_text(value: str) -> Any:
    # A lone surrogate is legal in JSON and read differently by every parser, so it goes by number.
    surrogates = any("\ud800" <= sign <= "\udfff" for sign in value)
    return {"$text": [ord(sign) for sign in value]} if surrogates else value


def _write_float(value: float) -> Any:
    if math.isnan(value):
        return {"$float": "nan"}
    special = math.isinf(value) or (value == 0 and math.copysign(1, value) < 0)
    return {"$float": repr(value)} if special else value


def _write_datetime(value: _dt.datetime) -> Any:
    if value.fold or type(value.tzinfo) not in (type(None), _dt.timezone):
        raise ValueError("a datetime is written when it is naive or has a fixed offset, and fold is 0")
    return {"$datetime": value.isoformat()}


def _write_set(tag: str) -> Callable[[Any], Any]:
    """The order of a set is no part of its value, so that items stand by their bytes."""
    return lambda value: {tag: sorted(map(encode, value), key=canonical.dumps)}


def _write_dict(value: dict[Any, Any]) -> Any:
    plain = all(type(key) is str and not key.startswith("$") and type(_write_text(key)) is str for key in value)
    if plain:
        return {key: encode(item) for key, item in value.items()}
    pairs = [[encode(key), encode(item)] for key, item in value.items()]
    return {"$dict": sorted(pairs, key=lambda pair: canonical.dumps(pair[0]))}


_WRITE: Mapping[type, Callable[[Any], Any]] = {
    float: _write_float,
    str: _write_text,
    bytes: lambda value: {"$bytes": value.hex()},
    Decimal: lambda value: {"$decimal": str(value)},
    _dt.datetime: _write_datetime,
    _dt.date: lambda value: {"$date": value.isoformat()},
    tuple: lambda value: {"$tuple": [encode(item) for item in value]},
    list: lambda value: [encode(item) for item in value],
    set: _write_set("$set"),
    frozenset: _write_set("$frozenset"),
    dict: _write_dict,
}


def _read_text(item: Any) -> str:
    if type(item) is not list or any(type(number) is not int for number in item):
        raise TypeError
    return "".join(map(chr, item))


def _read_bytes(item: Any) -> bytes:
    found = bytes.fromhex(item)
    if found.hex() != item:
        raise TypeError
    return found


def _read_decimal(item: Any) -> Decimal:
    if type(item) is not str or not item.isascii() or "_" in item or item.strip() != item:
        raise TypeError
    return Decimal(item)


def _read_datetime(item: Any) -> _dt.datetime:
    found = _dt.datetime.fromisoformat(item)
    if found.isoformat() != item:
        raise Misspelt(f"$datetime holds {TAGS['$datetime']}; this one is {found.isoformat()}")
    return found


def _read_date(item: Any) -> _dt.date:
    found = _dt.date.fromisoformat(item)
    if found.isoformat() != item:
        raise TypeError
    return found


def _read_tuple(item: Any) -> tuple[Any, ...]:
    if type(item) is not list:
        raise TypeError
    return tuple(decode(each) for each in item)


def _read_set(item: Any) -> set[Any]:
    if type(item) is not list or item != sorted(item, key=canonical.dumps):
        raise TypeError
    found = {decode(each) for each in item}
    if len(found) != len(item):
        raise TypeError
    return found


def _read_dict(item: Any) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    if type(item) is not list:
        raise TypeError
    for pair in item:
        if type(pair) is not list or len(pair) != 2:
            raise TypeError
        key = decode(pair[0])
        if key in found:
            raise Misspelt("$dict holds one key twice")
        found[key] = decode(pair[1])
    return found


# Tag to what it holds, in words; the documentation draws its table from this.
TAGS: Mapping[str, str] = {
    "$bytes": "the bytes as lowercase hexadecimal digits",
    "$date": "the day as 2026-01-31",
    "$datetime": "the time as 2026-01-31T08:00:00 or 2026-01-31T08:00:00+02:00",
    "$decimal": "the digits as text, such as \"1.50\"",
    "$dict": "a list of [key, value], for keys that are no text or start with $",
    "$float": "one of nan, inf, -inf and -0.0 as text",
    "$frozenset": "a list of the items, each once, sorted by their bytes",
    "$set": "a list of the items, each once, sorted by their bytes",
    "$text": "a list of code points, for text with lone surrogates",
    "$tuple": "a list of the items",
}
_READ: Mapping[str, Callable[[Any], Any]] = {
    "$bytes": _read_bytes, "$date": _read_date, "$datetime": _read_datetime, "$decimal": _read_decimal,
    "$dict": _read_dict, "$float": lambda item: _FLOATS[item], "$frozenset": lambda item: frozenset(_read_set(item)),
    "$set": _read_set, "$text": _read_text, "$tuple": _read_tuple,
}
