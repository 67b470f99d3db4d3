"""What of a trusted tree is oracle: its paths by kind, from the declarations, and the digest of each from the tree.

Reads blobs, decides nothing. Knows no candidate: what a patch may be is added by `workspace.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import relpath
from .digest import Digest
from .gate.paths import OraclePaths
from .loading import Workspace
from .loading.targets import Candidate, DomainLock, Fixtures, Freeze, Profile, PropertyTest
from .scm import Entry, Mode, Tree
from .trust.oracle import ABSENT, EXECUTABLE, FILE, OracleFile

# Files read at once, so that a large oracle is never in memory as a whole.
_AT_ONCE = 64
_NONE: frozenset[str] = frozenset()


def declared_paths(tree: Tree, declared: Workspace) -> OraclePaths:
    """What is oracle, by kind; no candidate's sources."""
    targets = list(declared.targets.values())
    tests = [target for target in targets if isinstance(target, PropertyTest)]
    fixtures = [target for target in targets if isinstance(target, Fixtures)]
    return OraclePaths(
        base_sources=_NONE, candidate_sources=_NONE, source_roots=_NONE,
        properties=frozenset(test.property for test in tests),
        supports=frozenset(path for test in tests for path in test.deps),
        seeds=frozenset(test.seeds for test in tests if test.seeds is not None),
        fixtures=frozenset(path for target in fixtures for path in target.srcs),
        manifests=frozenset(target.manifest for target in fixtures),
        ledgers=frozenset(target.ledger for target in targets if isinstance(target, Freeze)),
        domain_locks=frozenset(target.lock for target in targets if isinstance(target, DomainLock)),
        journals=_journals(tree, tests),
        profiles=frozenset(target.profile for target in targets if isinstance(target, Profile) and target.profile),
        declarations=declared.declared_files(),
        locks=frozenset(target.requirements for target in targets
                        if isinstance(target, Candidate) and target.requirements))


def _journals(tree: Tree, tests: Sequence[PropertyTest]) -> frozenset[str]:
    """The declared journals with their realised cases, and whatever stands where journals do."""
    declared = [test.journal for test in tests if test.journal is not None]
    folders = ["oracles", *(path.removesuffix(".json") for path in declared)]
    return frozenset(declared) | {path for path in tree.paths()
                                  if any(relpath.is_within(path, folder) for folder in folders)}


def oracle_files(tree: Tree, declared: Workspace) -> tuple[OracleFile, ...]:
    """Every oracle path with what the tree holds there, sorted. Raises TooLargeError for files that are not read."""
    groups = declared_paths(tree, declared).declared
    entries = {path: entry for path in sorted(groups) if (entry := _plain(tree.entries, path)) is not None}
    found = [OracleFile(path=path, group=groups[path], kind=ABSENT, digest=None) for path in groups.keys() - entries]
    paths = list(entries)
    for start in range(0, len(paths), _AT_ONCE):
        for path, data in tree.read_many(paths[start : start + _AT_ONCE]).items():
            kind = EXECUTABLE if entries[path].mode is Mode.EXECUTABLE else FILE
            found.append(OracleFile(path=path, group=groups[path], kind=kind, digest=Digest.of(data)))
    return tuple(sorted(found, key=lambda file: file.path))


def _plain(entries: Mapping[str, Entry], path: str) -> Entry | None:
    entry = entries.get(path)
    return entry if entry is not None and entry.mode.is_plain else None
