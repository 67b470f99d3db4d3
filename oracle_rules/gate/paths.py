"""What base declares, as the gate needs it: which path is which kind of oracle artifact, and what the candidate may be.

The caller collects this from base's targets. Knows nothing of BUILD files and nothing of the candidate beyond the paths
that base's own globs select in its tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from .. import relpath

# Field of OraclePaths -> the lane that its changes are reviewed in. A path in two groups belongs to the first.
LANES = MappingProxyType(
    {
        "seeds": "seed",
        "journals": "seed",
        "fixtures": "fixture",
        "manifests": "fixture",
        "ledgers": "freeze",
        "domain_locks": "generator",
        "properties": "declaration",
        "supports": "declaration",
        "declarations": "declaration",
        "profiles": "harness",
        "harness": "harness",
        "locks": "harness",
    }
)

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class OraclePaths:
    """Workspace paths by what they are. A group that is left out is empty; the table's patterns hold regardless.

    `base_sources` and `candidate_sources` are what base's `oracle_candidate` globs select in each of the two trees;
    `source_roots` the folders that those globs search, the empty string being the workspace itself.
    """

    base_sources: frozenset[str]
    candidate_sources: frozenset[str]
    source_roots: frozenset[str]
    properties: frozenset[str] = _NONE
    supports: frozenset[str] = _NONE
    seeds: frozenset[str] = _NONE
    fixtures: frozenset[str] = _NONE
    manifests: frozenset[str] = _NONE
    ledgers: frozenset[str] = _NONE
    domain_locks: frozenset[str] = _NONE
    journals: frozenset[str] = _NONE
    profiles: frozenset[str] = _NONE
    declarations: frozenset[str] = _NONE
    harness: frozenset[str] = _NONE
    locks: frozenset[str] = _NONE

    def group(self, name: str) -> frozenset[str]:
        """The paths of one of the groups in LANES."""
        if name not in LANES:
            raise KeyError(name)
        found: frozenset[str] = getattr(self, name)
        return found

    @property
    def declared(self) -> dict[str, str]:
        """Every declared oracle path with its group."""
        found: dict[str, str] = {}
        for name in LANES:
            for path in sorted(self.group(name)):
                found.setdefault(path, name)
        return found

    def is_candidate(self, path: str) -> bool:
        """Whether the path is a candidate source, or stands where one would be looked for.

        The workspace itself as a root says nothing: there only the selected files count.
        """
        if path in self.candidate_sources or path in self.base_sources:
            return True
        return any(root and relpath.is_within(path, root) for root in self.source_roots)
