"""Hypothesis strategies of canonical domains. The stream hangs on the canonical form, never on how a lock spells it.

Built from values alone: nothing is introspected, no candidate's class is constructed. Knows no seed and no count.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from ..protocol import alphabets, typed

Strategy = st.SearchStrategy[Any]


def build(domain: Mapping[str, Any]) -> Strategy:
    """The strategy of a domain in its canonical JSON."""
    return _BUILD[domain["kind"]](domain)


def _sizes(domain: Mapping[str, Any]) -> dict[str, Any]:
    return {"min_size": domain["min_size"], "max_size": domain["max_size"]}


def _floats(domain: Mapping[str, Any]) -> Strategy:
    drawn: Strategy = st.floats(domain["min"], domain["max"], allow_nan=False, width=domain["width"],
                                allow_infinity=domain["allow_infinity"])
    # Apart, because Hypothesis allows NaN only where no end is closed.
    return st.one_of(drawn, st.just(math.nan)) if domain["allow_nan"] else drawn


def _decimals(domain: Mapping[str, Any]) -> Strategy:
    low, high = (None if domain[end] is None else Decimal(domain[end]) for end in ("min", "max"))
    drawn = (st.decimals(low, high, allow_nan=False, allow_infinity=False) if domain["places"] is None
             else _with_places(low, high, domain["places"]))
    special = [Decimal("NaN")] if domain["allow_nan"] else []
    if domain["allow_infinity"]:
        special += [Decimal(text) for text, end in (("Infinity", high), ("-Infinity", low)) if end is None]
    return st.one_of(drawn, st.sampled_from(special)) if special else drawn


def _with_places(low: Decimal | None, high: Decimal | None, places: int) -> Strategy:
    """Whole numbers, scaled: exact for any number of digits, where a decimal context would round."""
    ends = (None if low is None else -_scaled_down(-low, places), None if high is None else _scaled_down(high, places))
    return st.integers(*ends).map(
        lambda number: Decimal((int(number < 0), tuple(map(int, str(abs(number)))), -places)))


def _scaled_down(value: Decimal, places: int) -> int:
    """The greatest whole number of units of these places that is not above the value."""
    sign, digits, exponent = value.as_tuple()
    number = int("".join(map(str, digits))) * (-1 if sign else 1)
    power = int(exponent) + places
    return int(number * 10**power if power >= 0 else number // 10**-power)


def _datetimes(domain: Mapping[str, Any]) -> Strategy:
    low, high = (datetime.datetime.fromisoformat(domain[end]) for end in ("min", "max"))
    offset = domain["offset"]
    zone = None if offset is None else datetime.datetime.strptime(offset, "%z").tzinfo
    # Hypothesis draws the repeated hour of a clock change as well, which no fixed offset has.
    return st.datetimes(low, high).map(lambda moment: moment.replace(fold=0, tzinfo=zone))


def _dates(domain: Mapping[str, Any]) -> Strategy:
    return st.dates(*(datetime.date.fromisoformat(domain[end]) for end in ("min", "max")))


def _lists(domain: Mapping[str, Any]) -> Strategy:
    unique = typed.text if domain["unique"] else None
    return st.lists(build(domain["elements"]), **_sizes(domain), unique_by=unique)


def _records(domain: Mapping[str, Any]) -> Strategy:
    required, optional = ({key: build(each) for key, each in domain[part]} for part in ("required", "optional"))
    return st.fixed_dictionaries(required, optional=optional)


_BUILD: Mapping[str, Callable[[Mapping[str, Any]], Strategy]] = {
    "integers": lambda domain: st.integers(domain["min"], domain["max"]),
    "floats": _floats,
    "decimals": _decimals,
    "text": lambda domain: st.text(alphabets.characters(domain["alphabet"]), **_sizes(domain)),
    "binary": lambda domain: st.binary(**_sizes(domain)),
    "datetimes": _datetimes,
    "dates": _dates,
    "sampled": lambda domain: st.sampled_from([typed.decode(value) for value in domain["values"]]),
    "lists": _lists,
    "sets": lambda domain: st.sets(build(domain["elements"]), **_sizes(domain)),
    "tuples": lambda domain: st.tuples(*map(build, domain["elements"])),
    "records": _records,
    "one_of": lambda domain: st.one_of(*map(build, domain["alternatives"])),
}
