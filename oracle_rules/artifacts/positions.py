"""Where in a JSON text a value stands: line and column of a field path, and of the first repeated key.

Only for error messages: the values themselves come from `protocol.canonical`. A text that is broken further down gives
the places up to there, and never an error or an endless walk. Knows nothing of schemas.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator

from ..protocol.canonical import MAX_DEPTH, MAX_DIGITS

FieldPath = tuple[str | int, ...]

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SCALAR = re.compile(r"[^\s,\]}]+")
_NUMBER = re.compile(r"-?[0-9][^\s,\]}]*")
_INTEGER = re.compile(r"-?\d+\Z", re.ASCII)
_DECIMAL = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?\Z", re.ASCII)
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def line_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column of an offset, both counted from 1, columns in characters."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def offset_of(text: str, path: FieldPath) -> int:
    """Where the value at this path starts, or the nearest enclosing value when the path is not in the text."""
    found = _SPACE.match(text).end()  # type: ignore[union-attr]  # the pattern also matches nothing
    for place, start in _walk(text):
        if path[: len(place)] == place:
            found = start
            if len(place) == len(path):
                break
    return found


def first_repeated_key(text: str) -> tuple[FieldPath, int] | None:
    """The path of the first key that its object already holds, and where the second value starts."""
    seen: set[FieldPath] = set()
    for place, start in _walk(text):
        if place in seen and place and isinstance(place[-1], str):
            return place, start
        seen.add(place)
    return None


def numbers(text: str) -> Iterator[tuple[int, str]]:
    """Every number of a JSON text, in order: where it starts, and as it is written."""
    for _, start in _walk(text):
        match = _NUMBER.match(text, start)
        if match:
            yield start, match.group()


def first_unreadable(text: str) -> tuple[FieldPath, int, str] | None:
    """The path of the first value that no reader here takes, where it starts, and why; None when there is none."""
    for place, start in _walk(text):
        if len(place) > MAX_DEPTH:
            return (), start, f"is nested deeper than {MAX_DEPTH}"
        match = _SCALAR.match(text, start)
        word = match.group() if match else ""
        if word in ("NaN", "Infinity", "-Infinity"):
            return place, start, f"{word} is not JSON"
        if _INTEGER.match(word):
            if len(word.lstrip("-")) > MAX_DIGITS:
                return place, start, f"has {len(word.lstrip('-'))} digits, at most {MAX_DIGITS} are read"
        elif _DECIMAL.match(word) and not math.isfinite(float(word)):
            return place, start, f"{word[:40]} is larger than any number that is read"
    return None


def dotted(path: FieldPath) -> str:
    """The path as people read it: `files."a.json".sha256`, `rows[0].owner`; the whole document is `(top)`."""
    out = ""
    for step in path:
        if isinstance(step, int):
            out += f"[{step}]"
        else:
            out += ("." if out else "") + (step if _PLAIN_KEY.match(step) else json.dumps(step, ensure_ascii=False))
    return out or "(top)"


def _walk(text: str) -> Iterator[tuple[FieldPath, int]]:
    """Every value of a text, in order, with its path and the offset of its first character.

    An explicit stack of open containers instead of recursion, so that no depth can exhaust the interpreter.
    """
    at, path = 0, []  # type: int, list[str | int]
    while True:
        at = _skip(text, at)
        if at >= len(text):
            return
        sign = text[at]
        if sign in "]}":
            at += 1
            if path:
                path.pop()
            continue
        if sign == ",":
            at += 1
            if path and isinstance(path[-1], int):
                path[-1] += 1
            continue
        if path and isinstance(path[-1], str):
            at = _key(text, at, path)
            sign = text[at : at + 1]
        yield tuple(path), at
        at = _enter(text, at, sign, path)


def _enter(text: str, at: int, sign: str, path: list[str | int]) -> int:
    """Steps over a scalar or into a container."""
    if sign == "[":
        path.append(0)
        return at + 1
    if sign == "{":
        path.append("")
        return at + 1
    match = (_STRING if sign == '"' else _SCALAR).match(text, at)
    return match.end() if match else len(text)


def _key(text: str, at: int, path: list[str | int]) -> int:
    """Reads `"key" :` into the path; the offset of the value after it."""
    match = _STRING.match(text, at)
    if not match:
        return at
    try:
        path[-1] = json.loads(match.group(), strict=False)
    except ValueError:
        path[-1] = match.group()
    return _skip(text, _skip(text, match.end()) + 1)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
