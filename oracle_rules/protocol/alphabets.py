"""Alphabets by name, and sets of characters as ranges of code points. The generator and the parser of locks share it.

Names are few and made of ASCII or Latin-1, so that none of them moves with the Unicode tables of an interpreter.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping

Ranges = tuple[tuple[int, int], ...]

NAMED: Mapping[str, str] = {
    "printable": string.printable, "ascii": "".join(map(chr, range(128))), "letters": string.ascii_letters,
    "digits": string.digits, "latin-1": "".join(map(chr, range(256)))}


def merged(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """The same code points as few ranges, ascending, both ends included."""
    found: list[list[int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1][1] = max(found[-1][1], high)
        else:
            found.append([low, high])
    return tuple((low, high) for low, high in found)


def ranges_of(characters: Iterable[str]) -> Ranges:
    """The code points of these characters."""
    return merged((ord(sign), ord(sign)) for sign in characters)


def within(inner: Ranges, outer: Ranges) -> bool:
    """Whether every code point of one is in the other; both merged."""
    return all(any(low <= first and last <= high for low, high in outer) for first, last in inner)


def characters(ranges: Ranges) -> str:
    """All the characters, ascending."""
    return "".join(chr(number) for low, high in ranges for number in range(low, high + 1))
