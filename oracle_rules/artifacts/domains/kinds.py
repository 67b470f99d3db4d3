"""The kinds of domain as a table: which fields each is spelled with, how a field is read, how a change of it is judged.

`parse.py` reads by the column `type`, `order.py` judges by the column `order`, and the documentation is drawn from the
same rows. Knows no value and reads nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One required field of a kind. `order` is empty for a field that the canonical form folds into another."""

    name: str
    type: str
    order: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind; `becomes` says how the canonical form writes a kind that is only a spelling of another."""

    name: str
    meaning: str
    columns: tuple[Column, ...] = ()
    becomes: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that a domain of this kind is spelled with, all of them required."""
        return tuple(column.name for column in self.columns)


def _column(name: str, kind: str, order: str, meaning: str) -> Column:
    return Column(name=name, type=kind, order=order, meaning=meaning)


def _ends(kind: str, what: str) -> tuple[Column, Column]:
    return (_column("min", kind, "low", f"the least {what}"), _column("max", kind, "high", f"the greatest {what}"))


def _sizes(what: str) -> tuple[Column, Column]:
    return (_column("min_size", "size", "low", f"the least number of {what}"),
            _column("max_size", "size or null", "high", f"the greatest number of {what}; null is no limit"))


_NAN = _column("allow_nan", "flag", "allows", "whether NaN is one of the values")
_INFINITY = _column("allow_infinity", "flag", "allows", "whether infinity is one, at an end that is null")

_KINDS = (
    Kind(name="integers", meaning="whole numbers", columns=_ends("integer or null", "number; null is an open end")),
    Kind(name="floats", meaning="floating-point numbers that fit the width; -0.0 is less than 0.0", columns=(
        *_ends("float or null", "number; null is an open end"),
        _column("exclude_min", "flag", "", "whether `min` itself is left out; zero goes with either sign"),
        _column("exclude_max", "flag", "", "whether `max` itself is left out; zero goes with either sign"),
        _NAN, _INFINITY, _column("width", "width", "at least", "16, 32 or 64 bits"))),
    Kind(name="decimals", meaning="Decimals", columns=(
        *_ends("decimal or null", "number as text, such as \"0.01\"; null is an open end"),
        _column("places", "places", "open or same", "the number of digits after the point; null is any"),
        _NAN, _INFINITY)),
    Kind(name="text", meaning="texts", columns=(
        _column("alphabet", "alphabet", "superset", "the characters"), *_sizes("characters"))),
    Kind(name="binary", meaning="bytes", columns=_sizes("bytes")),
    Kind(name="datetimes", meaning="times of a calendar, all naive or all at one offset", columns=(
        *_ends("datetime", "time as text without offset, such as \"2026-01-31T08:00:00\""),
        _column("offset", "offset", "same", "null for naive ones, or text such as \"+02:00\""))),
    Kind(name="dates", meaning="days", columns=_ends("date", "day as text, such as \"2026-01-31\"")),
    Kind(name="lists", meaning="lists", columns=(
        _column("elements", "domain", "domain", "the domain of each item"), *_sizes("items"),
        _column("unique", "flag", "demands", "whether no item, type included, comes twice"))),
    Kind(name="sets", meaning="sets of values that can be hashed: no list, record or set within", columns=(
        _column("elements", "domain", "domain", "the domain of each item"), *_sizes("items"))),
    Kind(name="tuples", meaning="tuples of a fixed length", columns=(
        _column("elements", "domains", "each", "the domain of each item, in order"),)),
    Kind(name="records", meaning="objects with text keys", columns=(
        _column("required", "members", "members", "key to domain, for keys that are always there"),
        _column("optional", "members", "members", "key to domain, for keys that may be there"))),
    Kind(name="one_of", meaning="values of any of several domains", columns=(
        _column("alternatives", "domains", "alternatives", "the domains; one that another holds is dropped"),)),
    Kind(name="sampled", meaning="one of the listed values", columns=(
        _column("values", "values", "values", "the values, typed; their order doesn't matter"),)),
    Kind(name="constant", meaning="one value", columns=(_column("value", "value", "", "the value, typed"),),
         becomes="sampled"),
    Kind(name="none", meaning="null", becomes="sampled"),
    Kind(name="booleans", meaning="false and true", becomes="sampled"),
    Kind(name="optional", meaning="null, or a value of a domain", becomes="one_of",
         columns=(_column("of", "domain", "", "the domain"),)),
)  # fmt: skip

KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in _KINDS})

# The fields of a row of the lock that stand beside its domain: the first four are required.
ROW = Kind(name="row", meaning="one property", columns=(
    _column("domain", "domain", "domain", "what may be drawn"),
    _column("max_examples", "count", "at least", "how many distinct cases are drawn"),
    _column("deadline_ms", "count", "at least", "how long one case may take"),
    _column("seed", "seed", "same", "where the drawing starts"),
    _column("acceptance_floor", "share or null", "floor", "the least share of drawn cases that the filters accept"),
    _column("distinct_floor", "count or null", "floor", "the least number of distinct cases"),
    _column("corpus", "digest or null", "pin", "the digest of the drawn corpus"),
    _column("filters", "filters", "fewer", "predicates of oracle files that a case has to pass"),
))  # fmt: skip
REQUIRED = ("domain", "max_examples", "deadline_ms", "seed")
SHORT = ("min_size", "max_size", "alphabet", "max_examples", "deadline_ms", "seed")
