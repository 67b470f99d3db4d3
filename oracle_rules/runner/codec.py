"""Values as wire data: exact builtin types by value, everything else by whatever the owner of the codec decides.

None, bool, str, finite float and small int are themselves; all other data is an array that starts with a tag. Only
*exact* types go by value: a subclass may lie, so it is left to the owner's `encode_other`. The originals of all types
and accessors are bound here, before any candidate code can run. Never pickle, never eval. Depth and size are capped.
"""

from __future__ import annotations

import base64
import binascii
import collections
import datetime as _dt
import decimal as _decimal
import fractions as _fractions
import uuid as _uuid
from collections.abc import Callable
from typing import Any

MAX_DEPTH = 100
MAX_NODES = 1_000_000
_SMALL = 1 << 62

_date, _datetime, _time, _timedelta, _timezone = _dt.date, _dt.datetime, _dt.time, _dt.timedelta, _dt.timezone
_TIMEDELTA_FIELDS: tuple[Any, ...] = (_timedelta.days, _timedelta.seconds, _timedelta.microseconds)
_Decimal, _Fraction, _UUID = _decimal.Decimal, _fractions.Fraction, _uuid.UUID


class NotData(Exception):
    """A value that cannot cross by value; `code` is a reason code."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class Encoder:
    """Turns values into wire data; one instance per message, so that the caps count per message."""

    def __init__(self, other: Callable[[Any], Any]) -> None:
        self._other = other
        self._nodes = 0

    def encode(self, value: Any, depth: int = 0) -> Any:
        """Wire data of one value; raises NotData over the caps."""
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is str:
            return value if value.isascii() else _text(value)
        if kind is int:
            return value if -_SMALL < value < _SMALL else ["i", hex(value)]
        if kind is float:
            return value if value - value == 0.0 else ["f", repr(value)]
        self._nodes += 1
        if depth >= MAX_DEPTH:
            raise NotData("output_limit", f"a value nested deeper than {MAX_DEPTH}")
        if self._nodes > MAX_NODES:
            raise NotData("output_limit", f"a value of more than {MAX_NODES} parts")
        encode = _EXACT.get(kind)
        if encode is None:
            return self._other(value)
        return encode(self, value, depth + 1)

    def encode_base(self, base: type, value: Any, depth: int = 0) -> Any:
        """Wire data of the part of `value` that belongs to its builtin base, read past any override."""
        if base is str:
            return _text(str.__str__(value))
        if base is int:
            return self.encode(int.__pos__(value))
        if base is float:
            return self.encode(float.__pos__(value))
        return _EXACT[base](self, value, depth + 1)

    def items(self, values: Any, depth: int) -> list[Any]:
        """Wire data of each value."""
        return [self.encode(value, depth) for value in values]


def _encode_set(tag: str, base: type) -> Callable[[Encoder, Any, int], Any]:
    def encode(self: Encoder, value: Any, depth: int) -> Any:
        # The order of a set is no part of its value; repr of wire data is a total, stable order.
        return [tag, sorted(self.items(base.__iter__(value), depth), key=repr)]  # type: ignore[attr-defined]
    return encode


def _encode_dict(tag: str) -> Callable[[Encoder, Any, int], Any]:
    def encode(self: Encoder, value: Any, depth: int) -> Any:
        return [tag, [[self.encode(k, depth), self.encode(v, depth)] for k, v in dict.items(value)]]
    return encode


def _encode_zone(zone: Any) -> Any:
    if zone is None:
        return None
    if type(zone) is not _timezone:
        raise NotData("protocol_violation", f"a time zone of type {type(zone).__name__}; use datetime.timezone")
    offset = _timezone.utcoffset(zone, None)
    return [offset.days, offset.seconds, offset.microseconds]


def _field(descriptor: Any, value: Any) -> Any:
    """A field of a C type, read past any property of a subclass."""
    return descriptor.__get__(value)


def _encode_datetime(self: Encoder, value: Any, depth: int) -> Any:
    zone = _field(_datetime.tzinfo, value)
    text = _datetime.isoformat(_datetime.replace(value, tzinfo=None)) if type(value) is _datetime else _bare(value)
    return ["dt", text, _field(_datetime.fold, value), _encode_zone(zone)]


def _bare(value: Any) -> str:
    fields = (_datetime.year, _datetime.month, _datetime.day, _datetime.hour, _datetime.minute, _datetime.second,
              _datetime.microsecond)
    return _datetime.isoformat(_datetime(*(_field(field, value) for field in fields)))


def _encode_time(self: Encoder, value: Any, depth: int) -> Any:
    return ["ti", _time.isoformat(_time.replace(value, tzinfo=None)), value.fold, _encode_zone(value.tzinfo)]


def _text(value: str) -> Any:
    """Text; JSON would join two lone surrogates into one character, so text with any goes as bytes."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return ["su", _bytes_text(value.encode("utf-8", "surrogatepass"))]
    return value


def _bytes_text(value: Any) -> str:
    return base64.b64encode(memoryview(value)).decode("ascii")


_EXACT: dict[type, Callable[[Encoder, Any, int], Any]] = {
    list: lambda self, value, depth: ["l", self.items(list.__iter__(value), depth)],
    tuple: lambda self, value, depth: ["t", self.items(tuple.__iter__(value), depth)],
    dict: _encode_dict("d"),
    collections.OrderedDict: _encode_dict("od"),
    collections.Counter: _encode_dict("ct"),
    collections.defaultdict: _encode_dict("d"),
    collections.deque: lambda self, value, depth: ["dq", self.items(value, depth), value.maxlen],
    set: _encode_set("s", set),
    frozenset: _encode_set("S", frozenset),
    bytes: lambda self, value, depth: ["b", _bytes_text(value)],
    bytearray: lambda self, value, depth: ["B", _bytes_text(value)],
    complex: lambda self, value, depth: ["c", self.encode(value.real), self.encode(value.imag)],
    range: lambda self, value, depth: ["r", *(self.encode(part) for part in (value.start, value.stop, value.step))],
    slice: lambda self, value, depth: ["sl", *(self.encode(p, depth) for p in (value.start, value.stop, value.step))],
    type(Ellipsis): lambda self, value, depth: ["E"],
    type(NotImplemented): lambda self, value, depth: ["N"],
    _Decimal: lambda self, value, depth: ["D", _Decimal.__str__(value)],
    _Fraction: lambda self, value, depth: ["F", self.encode(value.numerator), self.encode(value.denominator)],
    _date: lambda self, value, depth: ["da", _date.isoformat(value)],
    _time: _encode_time,
    _datetime: _encode_datetime,
    _timedelta: lambda self, value, depth: ["td", *(_field(field, value) for field in _TIMEDELTA_FIELDS)],
    _timezone: lambda self, value, depth: ["tz", _encode_zone(value)],
    _UUID: lambda self, value, depth: ["u", value.hex],
}

# The builtin types of which a subclass still carries data that can be read past its overrides; order matters.
DATA_BASES: tuple[type, ...] = (str, int, float, bytes, bytearray, tuple, list, collections.OrderedDict,
                                collections.Counter, dict, set, frozenset, _Decimal, _datetime, _date, _timedelta)


class Decoder:
    """Turns wire data back into values; `tags` adds what the owner of the codec understands."""

    def __init__(self, tags: dict[str, Callable[..., Any]]) -> None:
        self._tags = tags

    def decode(self, data: Any, depth: int = 0) -> Any:
        """The value of wire data; raises NotData("protocol_violation") for anything the schema does not allow."""
        kind = type(data)
        if data is None or kind is bool or kind is str or kind is int or kind is float:
            return data
        if depth >= MAX_DEPTH + 2:
            raise NotData("protocol_violation", "wire data nested too deep")
        if kind is not list or not data or type(data[0]) is not str:
            raise NotData("protocol_violation", "wire data without a tag")
        tag, rest = data[0], data[1:]
        try:
            own = self._tags.get(tag)
            if own is not None:
                return own(*rest)
            return _DECODE[tag](self, depth + 1, *rest)
        except NotData:
            raise
        except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError, binascii.Error) as error:
            raise NotData("protocol_violation", f"malformed wire data {tag!r}: {type(error).__name__}") from None

    def items(self, values: Any, depth: int) -> list[Any]:
        """The value of each item of a wire array."""
        if type(values) is not list:
            raise NotData("protocol_violation", "wire data that should be an array")
        return [self.decode(value, depth) for value in values]

    def pairs(self, values: Any, depth: int) -> list[tuple[Any, Any]]:
        """The key and value of each pair of a wire array."""
        return [(self.decode(key, depth), self.decode(value, depth)) for key, value in values]


def _decode_zone(data: Any) -> _dt.timezone | None:
    return None if data is None else _timezone(_timedelta(*data))


def _decode_special_float(self: Decoder, depth: int, text: str) -> float:
    return {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}[text]


def _decode_bytes(text: str) -> bytes:
    return base64.b64decode(text.encode("ascii"), validate=True)


_DECODE: dict[str, Callable[..., Any]] = {
    "i": lambda self, depth, text: int(_only(text, str), 16),
    "f": _decode_special_float,
    "su": lambda self, depth, text: _decode_bytes(text).decode("utf-8", "surrogatepass"),
    "l": lambda self, depth, items: self.items(items, depth),
    "t": lambda self, depth, items: tuple(self.items(items, depth)),
    "d": lambda self, depth, pairs: dict(self.pairs(pairs, depth)),
    "od": lambda self, depth, pairs: collections.OrderedDict(self.pairs(pairs, depth)),
    "ct": lambda self, depth, pairs: collections.Counter(dict(self.pairs(pairs, depth))),
    "dq": lambda self, depth, items, size: collections.deque(self.items(items, depth), size),
    "s": lambda self, depth, items: set(self.items(items, depth)),
    "S": lambda self, depth, items: frozenset(self.items(items, depth)),
    "b": lambda self, depth, text: _decode_bytes(text),
    "B": lambda self, depth, text: bytearray(_decode_bytes(text)),
    "c": lambda self, depth, real, imag: complex(self.decode(real), self.decode(imag)),
    "r": lambda self, depth, *parts: range(*(_only(self.decode(part), int) for part in parts)),
    "sl": lambda self, depth, *parts: slice(*(self.decode(part, depth) for part in parts)),
    "E": lambda self, depth: ...,
    "N": lambda self, depth: NotImplemented,
    "D": lambda self, depth, text: _Decimal(_only(text, str)),
    "F": lambda self, depth, top, bottom: _Fraction(_only(self.decode(top), int), _only(self.decode(bottom), int)),
    "da": lambda self, depth, text: _date.fromisoformat(_only(text, str)),
    "ti": lambda self, depth, text, fold, zone: _time.fromisoformat(text).replace(fold=fold, tzinfo=_decode_zone(zone)),
    "dt": lambda self, depth, text, fold, zone: _datetime.fromisoformat(text).replace(
        fold=fold, tzinfo=_decode_zone(zone)),
    "td": lambda self, depth, *parts: _timedelta(*(_only(part, int) for part in parts)),
    "tz": lambda self, depth, zone: _decode_zone(zone),
    "u": lambda self, depth, text: _UUID(hex=_only(text, str)),
}


def _only(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError(kind.__name__)
    return value
