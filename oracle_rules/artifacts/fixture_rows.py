"""A person's change of one manifest row, as bytes to bytes: the laws of it, and the layout that the manifest has.

Knows nothing of files and of who asks; that it is a person is said by the origin.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from .. import relpath
from ..digest import Digest
from ..protocol import canonical
from .fixture_forms import not_canonical
from .fixtures import BYTES, ManifestRow, parse_manifest
from .violation import Violation


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a person wants a row to say; None keeps what it says, or leaves the field out."""

    origin: str
    purpose: str
    rewritable_by_agent: bool | None = None
    form: str | None = None


class Change(NamedTuple):
    """The row as it is, as it would be, and the file's bytes."""

    before: ManifestRow | None
    after: ManifestRow
    contents: bytes

    @property
    def other_bytes(self) -> bool:
        """Whether the row there is speaks of other bytes."""
        return self.before is not None and self.before.sha256 != self.after.sha256


class Law(NamedTuple):
    """A law of changing a row: when it is broken, by which code that is refused, and what to say."""

    code: str
    broken: Callable[[Change], bool]
    detail: str
    remedy: str


LAWS: tuple[Law, ...] = (
    Law("fixture_not_canonical",
        lambda change: change.after.is_canonical and not_canonical(change.contents) is not None,
        "is a JSON fixture and not in canonical form",
        "run `oracle-rules canon --write FILE` first, or give --form bytes for a file that stays as it was recorded"),
    Law("fixture_agent_rewritable",
        lambda change: change.after.rewritable_by_agent and not change.after.of_human_origin,
        "would be rewritable by agents without a human origin", "name the person: --origin 'human: …'"),
    Law("fixture_unexplained", lambda change: change.other_bytes and not change.after.of_human_origin,
        "has other bytes than its row says, and no person stands for them", "name the person: --origin 'human: …'"),
    Law("fixture_unexplained", lambda change: change.other_bytes and change.before is not None
        and change.before.said == change.after.said,
        "has other bytes than its row says, and the purpose is still the old one",
        "say with --purpose what the new bytes show"),
)


def renew(data: bytes, *, manifest: str, path: str, contents: bytes, wish: Wish) -> bytes | Violation:
    """The manifest with a row for these contents, or the first law that stands against it; IncompleteError."""
    before = next((row for row in parse_manifest(data, path=manifest).rows if row.path == path), None)
    rewritable = wish.rewritable_by_agent
    if rewritable is None:
        rewritable = before.rewritable_by_agent if before is not None else False
    form = wish.form if wish.form is not None else before.form if before is not None else ""
    after = ManifestRow(path=path, sha256=Digest.of(contents).hash, origin=wish.origin, purpose=wish.purpose,
                        rewritable_by_agent=rewritable, form=form)
    change = Change(before, after, contents)
    for law in LAWS:
        if law.broken(change):
            return Violation(code=law.code, subject=path, detail=law.detail, remedy=law.remedy.replace("FILE", path))
    written = _written(data, path[len(relpath.parent(manifest)):].lstrip("/"), after)
    assert after in parse_manifest(written, path=manifest).rows  # what is written is what is read
    return written


def _written(data: bytes, name: str, row: ManifestRow) -> bytes:
    """The document with this row, rows at the top or under `files` as before, laid out as before."""
    document = json.loads(data)
    inner = document.get("files")
    nested = type(inner) is dict and type(inner.get("sha256")) is not str
    rows: dict[str, Any] = inner if nested else document
    was_sorted = list(rows) == sorted(rows)
    fields = {"sha256": row.sha256, "origin": row.origin, "purpose": row.purpose,
              "rewritable_by_agent": row.rewritable_by_agent} | ({"form": BYTES} if row.form == BYTES else {})
    old = rows.get(name, {})
    keys = [key for key in old if key in fields] + [key for key in fields if key not in old]
    rows[name] = {key: fields[key] for key in keys}
    if was_sorted:
        ordered = {key: rows[key] for key in sorted(rows)}
        document = {"files": ordered} if nested else ordered
    if canonical.is_canonical(data) or canonical.is_canonical(data + b"\n"):
        return canonical.dumps(document)
    lines = data.decode("utf-8").split("\n")
    indent = next((len(line) - len(line.lstrip(" ")) for line in lines[1:] if line.startswith(" ")), None)
    return (json.dumps(document, indent=indent, ensure_ascii=data.isascii()) + "\n").encode("utf-8", "surrogatepass")
