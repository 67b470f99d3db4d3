"""What has to stay apart: names that a candidate would take from another repository's oracle, and its process.

In another repository the two trees were never laid over each other by anybody, and whoever may change base need not be
who owns the
oracle. Knows nothing of repositories.
"""

from __future__ import annotations

from collections.abc import Iterable

from .codes import lookup
from .finding import Finding
from .paths import LANES

_OURS = ("oracle_rules", "oracle_seams")


def hides(names: Iterable[str], supports: Iterable[str]) -> tuple[Finding, ...]:
    """One finding for each top-level name of the candidate's that a property would get in place of the oracle's own.

    `supports` are the paths of the oracle's files that properties import.
    """
    code = lookup("candidate_overlaps_oracle")
    own = {path.partition("/")[0].removesuffix(".py"): path for path in sorted(supports, reverse=True)}
    found = []
    for name in sorted(set(names)):
        if name in own or name in _OURS:
            detail = f"base's sources have a top-level module {name}, which would hide {own.get(name, 'the tool')}"
            found.append(Finding(code=code.code, lane=LANES["supports"], subject=own.get(name, name), detail=detail,
                                 row="candidate-hides-oracle", remedy=code.remedy, edits_oracle=False))
    return tuple(found)


def shares(labels: Iterable[str]) -> tuple[Finding, ...]:
    """One finding for each target that runs in one process with the candidate, where apart is asked for."""
    code = lookup("assurance_shared")
    return tuple(Finding(code=code.code, lane=code.lane, subject=label, row="assurance-shared", remedy=code.remedy,
                         detail="is a suite that shares its process with the candidate", edits_oracle=False)
                 for label in labels)
