"""Values to canonicalise, and equality as a person would define it: same type, same parts. Written without `canon`."""

from __future__ import annotations

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import math
import struct
import uuid
from typing import Any, NamedTuple

from hypothesis import strategies as st


@dataclasses.dataclass(frozen=True)
class Point:
    x: Any
    y: Any = None


@dataclasses.dataclass(frozen=True)
class Pixel:
    x: Any
    y: Any = None


class Pair(NamedTuple):
    x: Any
    y: Any


class Colour(enum.Enum):
    RED = 1
    BLUE = "1"


class Level(enum.IntEnum):
    RED = 1


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same in type and in every part, whatever `==` says."""
    if type(one) is not type(other):
        return False
    if isinstance(one, enum.Enum):
        return one is other
    if isinstance(one, float):
        return math.isnan(one) and math.isnan(other) or struct.pack("d", one) == struct.pack("d", other)
    if isinstance(one, complex):
        return same(one.real, other.real) and same(one.imag, other.imag)
    if isinstance(one, decimal.Decimal):
        return one.as_tuple() == other.as_tuple()
    if isinstance(one, (dt.datetime, dt.time)):
        naive = one.replace(tzinfo=None) == other.replace(tzinfo=None)
        return naive and one.utcoffset() == other.utcoffset() and one.fold == other.fold
    if isinstance(one, (dict, collections.OrderedDict)):
        left, right = list(one.items()), list(other.items())
        return _aligned(left, right) if isinstance(one, collections.OrderedDict) else _matched(left, right)
    if dataclasses.is_dataclass(one):
        return _aligned([getattr(one, f.name) for f in dataclasses.fields(one)],
                        [getattr(other, f.name) for f in dataclasses.fields(other)])
    if isinstance(one, (set, frozenset)):
        return _matched(list(one), list(other))
    if isinstance(one, (list, tuple, collections.deque)):
        return getattr(one, "maxlen", None) == getattr(other, "maxlen", None) and _aligned(list(one), list(other))
    if isinstance(one, range):
        return (one.start, one.stop, one.step) == (other.start, other.stop, other.step)
    return bool(one == other)


def _aligned(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(map(same, one, other))


def _matched(one: list[Any], other: list[Any]) -> bool:
    """Whether the items can be paired up; being the same is transitive, so that the first that fits will do."""
    left = list(other)
    for item in one:
        found = next((place for place, candidate in enumerate(left) if same(item, candidate)), None)
        if found is None:
            return False
        del left[found]
    return not left


# Few and much alike, so that two draws meet often.
ATOMS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2**70, 2**2048, 2**2048 + 1, 0.0, -0.0, 1.0, 1e300, math.inf, -math.inf, math.nan,
    "", "1", "a", "true", "null", "$set", "$map", "\u00e9", "e\u0301", "\ud83d", "\ud83d\ude00", "\U0001f600", b"", b"1",
    b"a", 1j, complex(0.0, -0.0), decimal.Decimal("1"), decimal.Decimal("1.0"), decimal.Decimal("1.00"), decimal.Decimal("1E+2"),
    decimal.Decimal("100"), decimal.Decimal("-0"), decimal.Decimal("NaN"), decimal.Decimal("-Infinity"),
    fractions.Fraction(1), fractions.Fraction(1, 3), uuid.UUID(int=1), dt.date(2026, 1, 1), dt.time(1), dt.time(1, fold=1),
    dt.datetime(2026, 1, 1), dt.datetime(2026, 1, 1, tzinfo=dt.UTC), dt.timedelta(1), dt.timedelta(seconds=1),
    dt.datetime(2026, 1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1))), dt.datetime(2026, 1, 1, fold=1), range(0), range(1, 1),
    range(1), Colour.RED, Colour.BLUE, Level.RED,
)  # fmt: skip


def hashables() -> st.SearchStrategy[Any]:
    """Values that may be keys and items of sets."""
    return st.recursive(
        st.sampled_from(ATOMS),
        lambda inner: st.one_of(
            st.lists(inner, max_size=2).map(tuple),
            st.frozensets(inner, max_size=3),
            st.builds(Point, inner),
            st.builds(Pixel, inner),
            st.builds(Pair, inner, inner),
        ),
        max_leaves=4,
    )


def values() -> st.SearchStrategy[Any]:
    """Anything that has a canonical form, dicts that look like tags among it."""
    keys = st.one_of(st.sampled_from(["$set", "$tuple", "$map", "a", "1"]), hashables())
    return st.recursive(
        hashables(),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(keys, inner, max_size=3),
            st.dictionaries(keys, inner, max_size=2).map(collections.OrderedDict),
            st.sets(hashables(), max_size=3),
            st.lists(inner, max_size=2).map(collections.deque),
            st.builds(Point, inner, inner),
            st.sampled_from([b"a"]).map(bytearray),
        ),
        max_leaves=6,
    )


def plain() -> st.SearchStrategy[Any]:
    """JSON data that does not look like a tag anywhere."""
    leaves = st.one_of(st.none(), st.booleans(), st.integers(-(2**80), 2**80), st.floats(allow_nan=False, allow_infinity=False),
                       st.text(max_size=3))
    return st.recursive(leaves, lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.text(max_size=3).filter(lambda key: not key.startswith("$")), inner, max_size=3)), max_leaves=6)
