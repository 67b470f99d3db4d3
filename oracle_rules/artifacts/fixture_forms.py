"""How the bytes of a fixture may look: JSON in canonical form, and nothing that git would convert on the way.

Canonical is what `protocol/canonical.py` writes, with or without its line feed. A row with `"form": "bytes"` keeps its
file as it was recorded: HTTP exchanges, or JSON that is broken on purpose. Whether the bytes are the manifest's is
decided by their hash alone, over raw blobs; what stands here says why a hash may differ, and keeps work trees from
holding other bytes than git does. Reads no file.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .. import relpath
from ..protocol import canonical
from .attributes import Attributes, conversion
from .document import fault
from .fixtures import Manifest
from .positions import line_column, numbers
from .violation import Violation

_MOST_SHOWN = 60
ATTRIBUTES = ".gitattributes"
_ROW = 'or let a person give its row "form": "bytes" if it has to stay as it was recorded'


class Difference(NamedTuple):
    """Where bytes leave the canonical form, from 1; line 0 for what is no JSON at all."""

    line: int
    column: int
    detail: str


def check_forms(manifest: Manifest, contents: Mapping[str, bytes]) -> tuple[Violation, ...]:
    """The JSON fixtures (path to bytes, each with its row's hash) that are not stored in canonical form."""
    found = []
    for row in manifest.rows:
        data = contents.get(row.path)
        if data is None or not row.is_canonical:
            continue
        problem = not_canonical(data)
        if problem is not None:
            found.append(Violation(code="fixture_not_canonical", subject=row.path, detail=problem.detail,
                                   remedy=f"run `oracle-rules canon --write {shlex.quote(row.path)}` and renew its "
                                          f"row, {_ROW}"))
    return tuple(sorted(found))


def not_canonical(data: bytes) -> Difference | None:
    """Why these bytes are not JSON in canonical form, and the first place where they differ; None when they are.

    A number that the canonical form can't keep is told before any other difference: rewriting would change it.
    """
    try:
        wanted = canonical.dumps(canonical.loads(data))
    except ValueError as error:
        line, column, why = fault(data.decode("utf-8", "replace"), str(error))
        return Difference(line, column, why if "not JSON" in why else f"is not JSON: {why}")
    if data in (wanted, wanted[:-1]):
        return None
    lost = lost_number(data)
    if lost is not None:
        return lost
    line, column = first_difference(data, wanted)
    return Difference(line, column, f"is not in canonical form, from line {line} column {column} on")


def lost_number(data: bytes) -> Difference | None:
    """The first number of a JSON text that its canonical form spells as another number: with digits that no float
    holds, too near to zero, or `-0`, which is no integer. A reader that is exact would see the change."""
    text = data.decode("utf-8", "replace")
    for offset, token in numbers(text):
        kept = canonical.dumps(json.loads(token)).decode("ascii").rstrip()
        if _exact(token) != _exact(kept):
            line, column = line_column(text, offset)
            says = (f"holds the number {token[:_MOST_SHOWN]}, of which the canonical form would make "
                    f"{kept[:_MOST_SHOWN]}; write it as text, or as the number that is meant")
            return Difference(line, column, says)
    return None


def _exact(token: str) -> tuple[bool, str, int]:
    """Sign, digits and exponent of ten of a JSON number, equal for two spellings of one number; -0 is not 0."""
    mantissa, _, power = token.lower().partition("e")
    scale = int(power or "0") if len(power) < _MOST_SHOWN else 10**_MOST_SHOWN  # no float has such a one
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).strip("0")
    trailing = len(whole + fraction) - len((whole + fraction).rstrip("0"))
    negative = token.startswith("-")
    return (negative, digits, scale - len(fraction) + trailing) if digits else (negative, "", 0)


def first_difference(data: bytes, wanted: bytes) -> tuple[int, int]:
    """Line and column, from 1 and in characters of `data`, of the first byte that is not the wanted one."""
    shorter = min(len(data), len(wanted))
    at = next((place for place, (one, other) in enumerate(zip(data, wanted)) if one != other), shorter)
    text = data[:at].decode("utf-8", "ignore")  # what differs may be inside a character
    return line_column(text, len(text))


def check_conversion(paths: Iterable[str], attributes: Mapping[str, bytes]) -> tuple[Violation, ...]:
    """Fixtures that a `.gitattributes` (path to bytes) would have git convert between its blobs and a work tree."""
    files = [Attributes.parse(data, path=path) for path, data in sorted(attributes.items())]
    found = []
    for path in sorted(set(paths)) if files else ():
        why = conversion(path, files)
        if why is not None:
            folder = relpath.parent(why.file)
            line = f"{_quoted(path[len(folder):].lstrip('/'))} {why.undo}"
            found.append(Violation(
                code="fixture_converted", subject=path,
                detail=f"is converted by git on its way to a work tree: {why.reason} at {why.file}:{why.line}",
                remedy=f"let a person add the line `{line}` to {why.file}, below that one"))
    return tuple(found)


def line_endings(data: bytes, sha256: str) -> str | None:
    """Whether these bytes would have the hash if git had left their line endings alone; None when they would not."""
    as_lf = data.replace(b"\r\n", b"\n")
    as_crlf = as_lf.replace(b"\n", b"\r\n")
    for other, sentence in ((as_lf, "with its CRLF line endings as LF it has that hash"),
                            (as_crlf, "with its LF line endings as CRLF it has that hash")):
        if other != data and hashlib.sha256(other).hexdigest() == sha256:
            return f"{sentence}: git, or an editor, converted it (core.autocrlf, or a text or eol attribute)"
    return None


def _quoted(pattern: str) -> str:
    special = any(char in pattern for char in ' \t"\\*?[#!') or not pattern.isascii()
    return '"' + pattern.replace("\\", "\\\\").replace('"', '\\"') + '"' if special else f"/{pattern}"
