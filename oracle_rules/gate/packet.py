"""The merge packet: everything that a reviewer has to see of a patch, in a fixed order, as one JSON document.

First the three files that say what is evidence (domain lock, fixture manifest, freeze ledger), then the rest of the
oracle, then its fingerprints, then what the gate found and allowed, then whose review is needed, and the production
diff last. Every list is bounded and says what it leaves out. Pure; the same inputs give the same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .author import Author, Edit
from .decide import Reason
from .diffs import Diff
from .lanes import LaneRow, Step
from .owners import Owned

SCHEMA = "oracle_rules/packet/v1"
# How many of each are in a packet; lines are those of one file's diff, in the three files, elsewhere, and in all.
MOST_FILES, MOST_FINDINGS, MOST_PATHS = 200, 500, 2000
CORE_LINES, ORACLE_LINES, SOURCE_LINES, ALL_SOURCE_LINES = 2000, 200, 200, 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One changed file; `hashes` are SHA-256 of its bytes in base and in the candidate, None where there are none or
    where they were not read."""

    edit: Edit
    diff: Diff
    hashes: tuple[str | None, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Files of one part of the packet; `cut` counts those that are not among them."""

    files: tuple[Shown, ...]
    cut: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """A digest in base and what it would be: `kind` is oracle, domain, or the group of a file."""

    kind: str
    subject: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """What CODEOWNERS of base says of the oracle; `path` None when there is none. `required`: it decides, too."""

    path: str | None
    others: tuple[str, ...]
    required: bool
    skipped: tuple[tuple[int, str], ...]
    owned: tuple[Owned, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """The whole of it. `decision` is `clear` when nothing stands against the patch, which is no acceptance.

    `findings` are the reasons that a score would give for them, in its order: an edit of the oracle as a whole first.
    """

    base: str
    candidate: str
    parent: str
    oracle: dict[str, Any]
    author: Author
    decision: str
    exit: int
    repro: str
    core: tuple[tuple[str, str, Shown | None], ...]
    rest: Part
    fingerprints: tuple[Fingerprint, ...]
    findings: tuple[Reason, ...]
    allowed: tuple[tuple[Step, LaneRow], ...]
    protection: Protection
    production: Part


def document(packet: Packet) -> dict[str, Any]:
    """The packet as a JSON value; the shape is that of `oracle_rules/packet/v1`."""
    return {
        "schema": SCHEMA, "base": packet.base, "candidate": packet.candidate, "parent": packet.parent,
        "oracle": packet.oracle, "author": packet.author.value, "decision": packet.decision, "exit": packet.exit,
        "repro": packet.repro,
        "core": [{"kind": kind, "path": path, "change": None if shown is None else _file(shown, packet.author)}
                 for kind, path, shown in packet.core],
        "rest": _part(packet.rest, packet.author),
        "fingerprints": _bounded([_fingerprint(each) for each in packet.fingerprints], MOST_PATHS),
        "findings": _bounded([_finding(each) for each in packet.findings], MOST_FINDINGS),
        "allowed": _bounded([{"path": step.subject, "lane": row.lane, "row": row.sign, "detail": step.detail,
                              "why": row.why} for step, row in packet.allowed], MOST_FINDINGS),
        "protection": _protection(packet.protection),
        "production": _part(packet.production, packet.author),
    }


def _bounded(rows: Sequence[dict[str, Any]], most: int) -> dict[str, Any]:
    return {"rows": list(rows[:most]), "cut": max(0, len(rows) - most)}


def _part(part: Part, author: Author) -> dict[str, Any]:
    return {"files": [_file(shown, author) for shown in part.files], "cut": part.cut}


def _file(shown: Shown, author: Author) -> dict[str, Any]:
    edit, sides = shown.edit, []
    for entry, found in zip((edit.change.before, edit.change.after), shown.hashes, strict=True):
        sides.append(None if entry is None else {"mode": str(entry.mode), "oid": entry.oid, "sha256": found})
    return {
        "path": edit.change.path, "lane": edit.lane, "row": edit.row.name, "person": edit.row.person,
        "detail": edit.told(author), "before": sides[0], "after": sides[1], "form": shown.diff.form,
        "lines": list(shown.diff.lines), "cut_lines": shown.diff.cut}


def _fingerprint(each: Fingerprint) -> dict[str, Any]:
    return {"kind": each.kind, "subject": each.subject, "before": each.before, "after": each.after}


def _finding(each: Reason) -> dict[str, Any]:
    return {"code": each.code, "lane": each.lane, "subject": each.subject, "detail": each.detail, "row": each.row,
            "remedy": each.remedy}


def _protection(found: Protection) -> dict[str, Any]:
    rows = [{"path": each.path, "lane": each.lane, "owners": list(each.owners), "people": list(each.people)}
            for each in found.owned]
    return {
        "codeowners": found.path, "others": list(found.others), "required": found.required,
        "skipped": [{"line": line, "why": why} for line, why in found.skipped[:MOST_FINDINGS]],
        "unowned": sum(1 for each in found.owned if not each.people), "paths": _bounded(rows, MOST_PATHS)}
