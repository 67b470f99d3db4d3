"""One canonical JSON form for everything that is hashed or compared.

Sorted keys by UTF-8 bytes, no insignificant space, ASCII escapes, exact integers, no floats that are not finite, one
line feed at the end. A strict subset of RFC 8259 that every JSON parser reads back to the same value; unlike RFC 8785
integers keep every digit. Knows nothing of schemas.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

MAX_DEPTH = 200
MAX_DIGITS = 4300  # of an integer; what an interpreter reads that nobody has told otherwise

# Escaped one after the other they read back as one character: two values would share their bytes.
_SPLIT_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def dumps(value: Any) -> bytes:
    """The canonical bytes of a JSON value (None, bool, int, finite float, str, list, dict with str keys).

    Raises ValueError for anything else, tuples and subclasses included, and for nesting over MAX_DEPTH.
    """
    _check(value, 0)
    text = json.dumps(_ordered(value), ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.encode("ascii") + b"\n"


def loads(data: bytes, *, max_bytes: int = 64 << 20) -> Any:
    """Parses JSON strictly: UTF-8, no duplicate keys, no NaN or Infinity, bounded size and depth.

    Accepts any layout; `is_canonical` tells whether the bytes were canonical. Raises ValueError.
    """
    if len(data) > max_bytes:
        raise ValueError(f"{len(data)} bytes of JSON, at most {max_bytes} are read")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start}") from None
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
        _check(value, 0)
    except RecursionError:
        raise ValueError(f"nested deeper than {MAX_DEPTH}") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno} column {error.colno}: {error.msg}") from None
    except _Refused:
        raise
    except ValueError:  # int() has nothing else against digits
        raise ValueError(f"an integer has more than {MAX_DIGITS} digits") from None
    return value


class _Refused(ValueError):
    """What our own hooks and checks have against a value, as against what Python's parser has."""


def is_canonical(data: bytes) -> bool:
    """Whether these bytes are the canonical form of the value they spell."""
    try:
        return dumps(loads(data)) == data
    except ValueError:
        return False


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _Refused(f"duplicate key {key!r}")
        found[key] = value
    return found


def _no_constant(name: str) -> None:
    raise _Refused(f"{name} is not JSON")


def _ordered(value: Any) -> Any:
    if type(value) is dict:
        # surrogatepass: a lone surrogate is legal in a JSON string and sorts by its own code point.
        return {key: _ordered(value[key]) for key in sorted(value, key=_sort_key)}
    if type(value) is list:
        return [_ordered(item) for item in value]
    return value


def _sort_key(key: str) -> bytes:
    return key.encode("utf-8", "surrogatepass")


def _check(value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise _Refused(f"nested deeper than {MAX_DEPTH}")
    kind = type(value)
    if value is None or kind in (bool, int):
        return
    if kind is str:
        _check_text(value)
        return
    if kind is float:
        if not math.isfinite(value):
            raise _Refused(f"{value!r} is not JSON")
    elif kind is list:
        for item in value:
            _check(item, depth + 1)
    elif kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise _Refused(f"a JSON key is text, this one is {type(key).__name__}")
            _check_text(key)
            _check(item, depth + 1)
    else:
        raise _Refused(f"{kind.__name__} is not JSON")


def _check_text(text: str) -> None:
    if not text.isascii() and _SPLIT_PAIR.search(text):
        raise _Refused("a character written as two surrogates is not JSON text")
