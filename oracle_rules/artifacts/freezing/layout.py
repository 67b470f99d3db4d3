"""The ledger as people and diffs want it: two spaces, the order that is there, what is new at the end.

A change keeps whatever the ledger says already, aliases and all. Knows no laws; the new bytes are held to them before
anybody writes.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from ...errors import IncompleteError
from ...protocol import canonical
from .ledger import parse_freeze
from .shapes import ORDER


def render(document: Mapping[str, Any]) -> bytes:
    """The bytes of a ledger."""
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # half a character, which JSON can only spell
        return (json.dumps(document, indent=2, allow_nan=False) + "\n").encode("ascii")


def with_row(data: bytes | None, row: Mapping[str, Any], *, path: str) -> bytes:
    """The ledger with one row more. Raises IncompleteError when the ledger can't be read."""
    document = _native(data, path)
    document["rows"].append({name: row[name] for name in ORDER if row.get(name) is not None})
    return render(document)


def without_rows(data: bytes | None, ids: Collection[str], *, path: str) -> bytes:
    """The ledger without the rows of these ids. Raises IncompleteError when the ledger can't be read."""
    document = _native(data, path)
    document["rows"] = [row for row in document["rows"] if row["id"] not in ids]
    return render(document)


def _native(data: bytes | None, path: str) -> dict[str, Any]:
    """The document of a ledger that holds rows; the list of excluded ids holds none, and is imported first."""
    ledger = parse_freeze(data, path=path)
    document: dict[str, Any] = canonical.loads(data or b"")
    if not ledger.accounted:
        raise IncompleteError("lists excluded ids, which has no place for rows", where=path,
                              remedy=f"oracle-rules freeze import {path} --out {path}")
    return document
