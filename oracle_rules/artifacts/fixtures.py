"""The fixture manifest, and whether the fixture files are the ones it speaks of.

Laws: every file has a row with its SHA-256 and every row has its file; a fixture that agents may rewrite needs a human
origin. What the bytes may look like stands in `fixture_forms.py`. Two spellings are read: rows at the top
(`{"a.bin": {...}}`) and rows under `files`. Paths in rows start at the manifest's folder. Reads no file: the caller
says what digests there are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .. import relpath
from ..digest import Digest
from . import document
from .document import Field
from .freezing.persons import machine
from .violation import Violation
from .words import told

_HEX = re.compile(r"[0-9a-f]{64}\Z")
_REMEDY = ("a row is {sha256, origin, purpose, rewritable_by_agent, form}; "
           "`oracle-rules fixtures add FILE --origin TEXT --purpose TEXT` writes one")
BYTES = "bytes"  # the form of a file that stays as it was recorded
_HUMAN = re.compile(r"human(?=:|\s|\Z)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestRow:
    """One fixture: its workspace path and what people said about it. `form` is BYTES, or empty: as its name says."""

    path: str
    sha256: str
    origin: str
    purpose: str
    rewritable_by_agent: bool
    form: str = ""

    @property
    def is_canonical(self) -> bool:
        """Whether the file has to be JSON in canonical form."""
        return self.path.endswith(".json") and self.form != BYTES

    @property
    def of_human_origin(self) -> bool:
        """Whether the origin is a person: the word `human` first, and after it none that names a machine."""
        return _HUMAN.match(told(self.origin)) is not None and machine(self.origin) is None

    @property
    def said(self) -> str:
        """The purpose as a person reads it: two rows that differ only in what nobody sees say the same."""
        return told(self.purpose)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The rows of one manifest, ordered by path."""

    path: str
    rows: tuple[ManifestRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FixtureSet:
    """The files that stand by their rows, by workspace path, and every broken law beside them.

    Only a set without violations may be shown to a property.
    """

    files: Mapping[str, Digest]
    violations: tuple[Violation, ...]


def parse_manifest(data: bytes | None, *, path: str) -> Manifest:
    """Reads a manifest; None stands for one that is declared and missing. Raises IncompleteError."""
    top = document.read(data, path=path, remedy=_REMEDY)
    rows = _rows_field(top)
    found: list[ManifestRow] = []
    folded: dict[str, str] = {}
    for name, row in rows.members():
        if reason := relpath.problem(name):
            row.fail(f"is no path of a fixture: it {reason}")
        if relpath.join(relpath.parent(path), name) == path:
            row.fail("is the manifest itself, which cannot hold its own hash")
        if (other := folded.setdefault(relpath.fold(name), name)) != name:
            row.fail(f"is the same path as {other!r} on a file system that folds case")
        found.append(_row(row, relpath.join(relpath.parent(path), name)))
    return Manifest(path=path, rows=tuple(sorted(found, key=lambda row: row.path)))


def check_fixtures(
    manifest: Manifest, files: Mapping[str, Digest], *, why: Mapping[str, str] | None = None
) -> FixtureSet:
    """Holds the files (workspace path to digest, the manifest itself left out) against the rows.

    `why` says of a file, by path, what may have given it another hash.
    """
    rows = {row.path: row for row in manifest.rows}
    broken = [_unmanifested(path, manifest.path) for path in files if path not in rows]
    for row in manifest.rows:
        digest = files.get(row.path)
        if digest is None:
            broken.append(_missing(row, manifest.path))
        elif digest.hash != row.sha256:
            broken.append(_mismatch(row, digest, manifest.path, (why or {}).get(row.path)))
        if row.rewritable_by_agent and not row.of_human_origin:
            broken.append(_rewritable(row))
    bad = {violation.subject for violation in broken}
    good = {path: files[path] for path in sorted(files) if path not in bad}
    return FixtureSet(files=MappingProxyType(good), violations=tuple(sorted(broken)))


def _rows_field(top: Field) -> Field:
    """The object that holds the rows. A fixture may itself be called `files`; then its value has a `sha256`."""
    members = dict(top.members())
    inner = members.get("files")
    if inner is None or (type(inner.value) is dict and type(inner.value.get("sha256")) is str):
        return top
    return top.closed(("files",))["files"]


def _row(row: Field, path: str) -> ManifestRow:
    fields = row.closed(("sha256", "origin", "purpose"), ("rewritable_by_agent", "form"))
    sha256 = fields["sha256"].words()
    if not _HEX.match(sha256):
        fields["sha256"].fail("has to be 64 lower-case hexadecimal digits")
    rewritable = fields["rewritable_by_agent"].flag() if "rewritable_by_agent" in fields else False
    origin, purpose = fields["origin"].words(), fields["purpose"].words()
    form = fields["form"].words() if "form" in fields else ""
    if form not in ("", BYTES):
        fields["form"].fail(f"has to be {BYTES!r}, for a file that stays as it was recorded, or left out")
    return ManifestRow(path=path, sha256=sha256, origin=origin, purpose=purpose, rewritable_by_agent=rewritable,
                       form=form)


def _unmanifested(path: str, manifest: str) -> Violation:
    detail = f"has no row in {manifest}"
    return Violation(code="fixture_unmanifested", subject=path, detail=detail, remedy="add its row, or remove the file")


def _missing(row: ManifestRow, manifest: str) -> Violation:
    detail = f"has a row in {manifest} and no file"
    return Violation(code="fixture_missing", subject=row.path, detail=detail, remedy="restore it, or remove its row")


def _mismatch(row: ManifestRow, digest: Digest, manifest: str, why: str | None) -> Violation:
    detail = f"is {digest.hash[:12]}, its row in {manifest} says {row.sha256[:12]}" + (f"; {why}" if why else "")
    remedy = "restore the bytes, or let a person change the row with a purpose that explains them"
    return Violation(code="fixture_hash_mismatch", subject=row.path, detail=detail, remedy=remedy)


def _rewritable(row: ManifestRow) -> Violation:
    detail = f"may be rewritten by agents, and its origin {row.origin!r} is not human"
    remedy = "set rewritable_by_agent to false, or name the person as `human: …` in its origin"
    return Violation(code="fixture_agent_rewritable", subject=row.path, detail=detail, remedy=remedy)
