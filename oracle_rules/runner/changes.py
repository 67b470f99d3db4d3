"""Changes in place across the wall: which arguments can be changed, and how a change is taken over.

Both sides keep the mutable arguments of a case under the judge's numbers. After anything the cell does, it tells what
has become of them, be it by the call that took them, a generator that runs later, or a call that raised.
"""

from __future__ import annotations

from typing import Any

_TAGS = frozenset({"l", "d", "s", "B", "od", "ct", "dq"})
_MUTABLE = (list, dict, set, bytearray)
MOST = 256


def mutable_inside(data: Any) -> bool:
    """Whether wire data holds something that can be changed in place; tuples may hold lists."""
    return type(data) is list and (data[0] in _TAGS or data[0] == "t" and any(map(mutable_inside, data[1])))


class Originals:
    """The judge's side: the mutable arguments of this case, by number; the same object keeps its number."""

    def __init__(self) -> None:
        self._values: list[Any] = []
        self._numbers: dict[int, int] = {}

    def clear(self) -> None:
        """Forgets everything: a new case begins."""
        self._values.clear()
        self._numbers.clear()

    def number(self, value: Any, data: Any) -> int | None:
        """The number of an argument with this wire data; None when it can't be changed in place."""
        if not mutable_inside(data):
            return None
        known = self._numbers.get(id(value))
        if known is None:
            known = self._numbers[id(value)] = len(self._values)
            self._values.append(value)
        return known

    def take(self, number: Any, value: Any) -> None:
        """Takes a change over; IndexError for a number that was never given."""
        if type(number) is not int or number < 0:
            raise IndexError(number)
        merge(self._values[number], value)


def merge(old: Any, new: Any) -> None:
    """Makes a mutable value of the judge equal to what the candidate made of its copy, keeping identities inside."""
    if type(old) is list and type(new) is list:
        old[:] = [_merged(old[i], item) if i < len(old) else item for i, item in enumerate(new)]
    elif isinstance(old, dict) and type(old) is type(new):
        kept = dict(old)
        old.clear()
        old.update({key: _merged(kept[key], item) if key in kept else item for key, item in new.items()})
    elif type(old) is set and type(new) is set:
        old.clear()
        old.update(new)
    elif type(old) is bytearray and type(new) is bytearray:
        old[:] = new
    elif type(old) is tuple and type(new) is tuple and len(old) == len(new):
        for before, after in zip(old, new, strict=True):
            merge(before, after)
    elif type(old) is type(new) and hasattr(old, "maxlen"):
        old.clear()
        old.extend(new)


def _merged(old: Any, new: Any) -> Any:
    if type(old) in _MUTABLE and type(old) is type(new):
        merge(old, new)
        return old
    return new
