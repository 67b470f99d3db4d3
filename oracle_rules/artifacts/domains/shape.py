"""A domain as a value: its kind and its fields, in canonical form. Two domains with one canonical form are one domain.

Made by `parse.py` through `normal.py` only. Knows nothing of spellings, nor of how values are drawn.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from ...protocol import canonical


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """`fields` by the names of the kinds' table, ordered by name.

    Bounds are Python values, an alphabet is ranges of code points, listed values are their typed JSON texts, members
    are (key, Shape) ordered by key, domains within are Shapes.
    """

    kind: str = field(compare=False)
    fields: tuple[tuple[str, Any], ...] = field(compare=False)
    # The canonical bytes: what makes two shapes one. The fields alone would not do, since 0.0 equals -0.0.
    key: bytes = field(repr=False)

    def __getitem__(self, name: str) -> Any:
        """The value of a field. Raises KeyError for one that this kind has not."""
        return dict(self.fields)[name]

    @property
    def document(self) -> dict[str, Any]:
        """The canonical form as JSON: what is hashed, shown, and drawn from."""
        return _document(self.kind, self.fields)


def make(kind: str, **fields: Any) -> Shape:
    """A shape of these fields, which have to be canonical already."""
    ordered = tuple(sorted(fields.items()))
    return Shape(kind=kind, fields=ordered, key=canonical.dumps(_document(kind, ordered)))


def _document(kind: str, fields: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    found = {"kind": kind, **{name: to_json(value) for name, value in fields}}
    if kind == "sampled":
        found["values"] = [canonical.loads(text.encode("ascii")) for text in found["values"]]
    return found


def to_json(value: Any) -> Any:
    """The value of a field as the canonical form writes it."""
    if isinstance(value, Shape):
        return value.document
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return offset_text(value)
    if isinstance(value, tuple):
        if value and all(isinstance(item, tuple) and isinstance(item[0], str) for item in value):
            return [[key, to_json(item)] for key, item in value]
        return [to_json(item) for item in value]
    return value


def offset_text(value: datetime.timedelta) -> str:
    """A fixed offset as `+02:00`."""
    minutes = round(value.total_seconds()) // 60
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
