"""Whether a value is in a domain, types included: `True` is no whole number and `1.0` is none either.

Knows nothing of how values are drawn, nor of filters, which only a run can ask.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from ...protocol import typed
from . import floats
from .shape import Shape

Test = Callable[[Shape, Any], bool]


def contains(shape: Shape, value: Any) -> bool:
    """Whether the value is one that this domain allows."""
    return _TESTS[shape.kind](shape, value)


def _integers(shape: Shape, value: Any) -> bool:
    return type(value) is int and _between(shape, value)


def _between(shape: Shape, value: Any) -> bool:
    low, high = shape["min"], shape["max"]
    return (low is None or low <= value) and (high is None or value <= high)


def _floats(shape: Shape, value: Any) -> bool:
    if type(value) is not float:
        return False
    if math.isnan(value):
        return bool(shape["allow_nan"])
    low, high = shape["min"], shape["max"]
    if math.isinf(value):
        return shape["allow_infinity"] and (high if value > 0 else low) is None
    return (floats.fits(value, shape["width"]) and (low is None or floats.key(low) <= floats.key(value))
            and (high is None or floats.key(value) <= floats.key(high)))


def _decimals(shape: Shape, value: Any) -> bool:
    if type(value) is not Decimal:
        return False
    if value.is_nan():
        return shape["allow_nan"] and str(value) == "NaN"
    if value.is_infinite():
        return shape["allow_infinity"] and shape["max" if value > 0 else "min"] is None
    places = shape["places"]
    return (places is None or value.as_tuple().exponent == -places) and _between(shape, value)


def _text(shape: Shape, value: Any) -> bool:
    if type(value) is not str or not _sized(shape, value):
        return False
    return all(any(low <= ord(sign) <= high for low, high in shape["alphabet"]) for sign in set(value))


def _sized(shape: Shape, value: Any) -> bool:
    return shape["min_size"] <= len(value) and (shape["max_size"] is None or len(value) <= shape["max_size"])


def _binary(shape: Shape, value: Any) -> bool:
    return type(value) is bytes and _sized(shape, value)


def _datetimes(shape: Shape, value: Any) -> bool:
    if type(value) is not datetime.datetime or value.fold:
        return False
    zone, offset = value.tzinfo, shape["offset"]
    if zone is None or offset is None:
        return zone is None and offset is None and _between(shape, value)
    if type(zone) is not datetime.timezone or zone.utcoffset(None) != offset:
        return False
    return _between(shape, value.replace(tzinfo=None))


def _dates(shape: Shape, value: Any) -> bool:
    return type(value) is datetime.date and _between(shape, value)


def _sampled(shape: Shape, value: Any) -> bool:
    return _text_of(value) in shape["values"]


def _text_of(value: Any) -> str | None:
    """The typed JSON of a value; None for one that has none, which no domain allows."""
    try:
        return typed.text(value)
    except ValueError:
        return None


def _lists(shape: Shape, value: Any) -> bool:
    if type(value) is not list or not _sized(shape, value):
        return False
    if not all(contains(shape["elements"], item) for item in value):
        return False
    return not shape["unique"] or len({_text_of(item) for item in value}) == len(value)


def _sets(shape: Shape, value: Any) -> bool:
    return type(value) is set and _sized(shape, value) and all(contains(shape["elements"], item) for item in value)


def _tuples(shape: Shape, value: Any) -> bool:
    elements = shape["elements"]
    return (type(value) is tuple and len(value) == len(elements)
            and all(contains(element, item) for element, item in zip(elements, value, strict=True)))


def _records(shape: Shape, value: Any) -> bool:
    required, optional = dict(shape["required"]), dict(shape["optional"])
    if type(value) is not dict or not required.keys() <= value.keys():
        return False
    known = required | optional
    return all(type(key) is str and key in known and contains(known[key], item) for key, item in value.items())


def _one_of(shape: Shape, value: Any) -> bool:
    return any(contains(each, value) for each in shape["alternatives"])


_TESTS: Mapping[str, Test] = {
    "integers": _integers, "floats": _floats, "decimals": _decimals, "text": _text, "binary": _binary,
    "datetimes": _datetimes, "dates": _dates, "sampled": _sampled, "lists": _lists, "sets": _sets,
    "tuples": _tuples, "records": _records, "one_of": _one_of,
}
