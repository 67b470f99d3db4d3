"""For a value, the values that are simpler than it and of the same shape: types of all parts stay.

*Simpler* is one order for everything: the shorter canonical typed text, and of two texts of one length the one whose
bytes sort first (shortlex). There are finitely many texts below any text, so that going down always ends. Knows
nothing of why a case fails.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from ..protocol import typed

# How many candidates of one kind a long text or list gives: halves, quarters, … down to single items at so many places.
MOST_PLACES = 64
_EPOCH = datetime.datetime(2000, 1, 1)


def key(value: Any) -> tuple[int, str]:
    """What values are ordered by, the simplest first. Raises ValueError for a value without a spelling."""
    text = typed.text(value)
    return len(text), text


def simpler(value: Any, *, keys: bool) -> list[Any]:
    """Simpler values of the same shape, the simplest first, each once; `keys`: also with fewer keys in a dictionary."""
    here = key(value)
    found: dict[tuple[int, str], Any] = {}
    for each in _candidates(value, keys):
        try:
            place = key(each)
        except ValueError:
            continue
        if place < here:
            found.setdefault(place, each)
    return [found[place] for place in sorted(found)]


def _candidates(value: Any, keys: bool) -> Iterator[Any]:
    kind = type(value)
    if kind in _LEAVES:
        yield from _LEAVES[kind](value)
    elif kind in (list, tuple):
        if kind is list:  # how many parts a tuple has is its shape
            yield from _shorter(value)
        yield from map(kind, _alike(value, keys))
        for place, item in enumerate(value):
            yield from (kind([*value[:place], each, *value[place + 1:]]) for each in _inside(item, keys))
    elif kind in (set, frozenset):
        items = sorted(value, key=key)
        yield from map(kind, _shorter(items))
        for place, item in enumerate(items):
            rest = [*items[:place], *items[place + 1:]]
            yield from (kind([*rest, each]) for each in _inside(item, keys) if each not in rest)
    elif kind is dict:
        names = sorted(value, key=key)
        if keys:
            yield from ({name: value[name] for name in kept} for kept in _shorter(names))
        for name in names:
            yield from ({**value, name: each} for each in _inside(value[name], keys))


def _alike(items: Sequence[Any], keys: bool) -> Iterator[list[Any]]:
    """With all items that are the same made simpler together, for what fails because they are the same."""
    places: dict[tuple[int, str], list[int]] = {}
    for place, item in enumerate(items):
        places.setdefault(key(item), []).append(place)
    for same in (each for each in places.values() if len(each) > 1):
        for simple in _inside(items[same[0]], keys):
            yield [simple if place in same else item for place, item in enumerate(items)]


def _inside(value: Any, keys: bool) -> Sequence[Any]:
    return simpler(value, keys=keys)[:MOST_PLACES]


def _shorter(items: Sequence[Any]) -> Iterator[list[Any]]:
    """Without a run of items: all, halves, quarters, … single ones; at no more than MOST_PLACES places each."""
    size = len(items)
    while size:
        starts = range(0, len(items), size)
        step = max(1, len(starts) // MOST_PLACES)
        for start in starts[::step]:
            yield [*items[:start], *items[start + size:]]
        size //= 2


def _integers(value: int) -> Iterator[int]:
    sign = 1 if value > 0 else -1
    yield from (0, 1, 2, sign, 2 * sign, abs(value))
    size = abs(value)
    while size := size // 2:
        yield (abs(value) - size) * sign
    yield from (value - sign * step for step in (1, 2, 5, 10, 100, 1_000, 10_000, 100_000) if abs(value) > step)


def _floats(value: float) -> Iterator[float]:
    yield from (0.0, 1.0, -1.0)
    if math.isfinite(value):
        yield abs(value)
        yield from (round(value, places) for places in range(6))
        yield from (float(each) for each in _integers(int(value))) if abs(value) < 2**53 else (value / 2, 2.0**53)


def _texts(value: str) -> Iterator[str]:
    yield from map("".join, _shorter(value))
    for sign in ("0", "a"):
        yield sign * len(value)
        step = max(1, len(value) // MOST_PLACES)
        yield from (value[:place] + sign + value[place + 1:] for place in range(0, len(value), step))


def _bytes(value: bytes) -> Iterator[bytes]:
    yield from map(bytes, _shorter(value))
    yield bytes(len(value))
    step = max(1, len(value) // MOST_PLACES)
    yield from (value[:place] + b"\0" + value[place + 1:] for place in range(0, len(value), step))


def _decimals(value: Decimal) -> Iterator[Decimal]:
    if not value.is_finite():
        return
    sign, digits, power = value.as_tuple()
    exponent = int(power)
    yield from (Decimal(0), Decimal((0, (0,), exponent)), Decimal((0, digits, exponent)))
    whole = int("".join(map(str, digits)))
    for number in _integers(whole):
        yield Decimal((sign, tuple(map(int, str(abs(number)))), exponent))
    yield from (Decimal((sign, digits[:count], exponent)) for count in range(1, len(digits)))
    for places in range(max(0, -exponent)):
        yield Decimal((sign, digits[: len(digits) + exponent + places] or (0,), -places))


def _datetimes(value: datetime.datetime) -> Iterator[datetime.datetime]:
    yield _EPOCH.replace(tzinfo=value.tzinfo)
    parts: Mapping[str, int] = {"microsecond": 0, "second": 0, "minute": 0, "hour": 0, "day": 1, "month": 1}
    reset: dict[str, Any] = {}
    for name, least in parts.items():
        reset[name] = least
        yield value.replace(**reset)
        only: dict[str, Any] = {name: least}
        yield value.replace(**only)


def _dates(value: datetime.date) -> Iterator[datetime.date]:
    yield from (_EPOCH.date(), value.replace(day=1), value.replace(day=1, month=1), datetime.date(value.year, 1, 1))


_LEAVES: Mapping[type, Callable[[Any], Iterator[Any]]] = {
    bool: lambda value: iter((not value,)), int: _integers, float: _floats, str: _texts, bytes: _bytes,
    Decimal: _decimals, datetime.datetime: _datetimes, datetime.date: _dates,
}
