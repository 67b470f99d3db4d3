"""Floats of 16, 32 and 64 bits: whether one fits, the next one, and an order in which -0.0 is less than 0.0."""

from __future__ import annotations

import math
import struct

_FORMS = {16: ("<e", "<h"), 32: ("<f", "<i"), 64: ("<d", "<q")}


def fits(value: float, width: int) -> bool:
    """Whether a finite float has this value in that width as well."""
    form = _FORMS[width][0]
    try:
        packed: float = struct.unpack(form, struct.pack(form, value))[0]
    except OverflowError:
        return False
    return packed == value


def key(value: float) -> tuple[float, float]:
    """What floats are ordered by."""
    return value, math.copysign(1.0, value)


def beyond(value: float, width: int, *, up: bool) -> float:
    """The next float in a direction; of either zero, the least one that is no zero. May be infinite."""
    if not up:
        return -beyond(-value, width, up=True)
    form, bits = _FORMS[width]
    if value == 0:
        return float(struct.unpack(form, struct.pack(bits, 1))[0])
    number = struct.unpack(bits, struct.pack(form, value))[0]
    # Negative floats have the sign bit set: a step towards zero takes one off what follows it.
    return float(struct.unpack(form, struct.pack(bits, number + 1 if number >= 0 else number - 1))[0])
