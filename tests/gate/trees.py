"""Two small trees and what base declares: values that the gate's tests share. Object ids are invented and unequal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from oracle_rules.gate.finding import Finding
from oracle_rules.gate.paths import OraclePaths
from oracle_rules.gate.review import review

FILE, EXECUTABLE, LINK, GITLINK = "100644", "100755", "120000", "160000"
MODES = (FILE, EXECUTABLE, LINK, GITLINK)

SOURCES = frozenset({"src/__init__.py", "src/header.py", "src/retry.py", "src/deep/money.py"})
PATHS = OraclePaths(
    base_sources=SOURCES,
    candidate_sources=SOURCES,
    source_roots=frozenset({"src"}),
    properties=frozenset({"properties/retry_date.py", "properties/header_name.py"}),
    supports=frozenset({"tests/support.py"}),
    seeds=frozenset({"seeds/retry_date.json", "seeds/header_name.json"}),
    fixtures=frozenset({"fixtures/exchange.json", "fixtures/deep/raw.bin"}),
    manifests=frozenset({"fixtures/manifest.json"}),
    ledgers=frozenset({"freeze.json"}),
    domain_locks=frozenset({"domain_lock.json"}),
    journals=frozenset({"oracles/header_name/8.json"}),
    profiles=frozenset({"patch-gate.json"}),
    declarations=frozenset({"BUILD.bazel", "tools/rules.bzl"}),
    harness=frozenset({"scripts/score.sh"}),
    locks=frozenset({"deps.lock"}),
)


@dataclass(frozen=True)
class Side:
    mode: str
    oid: str


@dataclass(frozen=True)
class Edit:
    path: str
    before: Side | None
    after: Side | None


A, B = "a" * 40, "b" * 40


def added(path: str, mode: str = FILE) -> Edit:
    return Edit(path, None, Side(mode, B))


def removed(path: str, mode: str = FILE) -> Edit:
    return Edit(path, Side(mode, A), None)


def rewritten(path: str, mode: str = FILE) -> Edit:
    return Edit(path, Side(FILE, A), Side(mode, B))


def chmod(path: str) -> Edit:
    return Edit(path, Side(FILE, A), Side(EXECUTABLE, A))


NOTHING_DECLARED = OraclePaths(base_sources=SOURCES, candidate_sources=SOURCES, source_roots=frozenset({"src"}))


def with_sources(*more: str, gone: Iterable[str] = ()) -> OraclePaths:
    """The declared paths when the candidate's tree holds more sources, or fewer."""
    fields = {name: getattr(PATHS, name) for name in OraclePaths.__dataclass_fields__}
    fields["candidate_sources"] = (SOURCES | set(more)) - set(gone)
    return OraclePaths(**fields)


def one(edit: Edit, paths: OraclePaths = PATHS, target: str | None = None) -> Finding | None:
    """The finding of a single change."""
    found = review([edit], paths, {} if target is None else {edit.path: target})
    assert len(found) <= 1
    return found[0] if found else None


def code(edit: Edit, paths: OraclePaths = PATHS, target: str | None = None) -> str | None:
    finding = one(edit, paths, target)
    return finding.code if finding else None
