"""Loading: BUILD.bazel files to targets. Decides; does no I/O, reads no clock.

`load_workspace` is the door; `SourceFiles` is what it reads from.
"""

from __future__ import annotations

from oracle_rules.loading.files import MemoryFiles, SourceFiles
from oracle_rules.loading.targets import Candidate, Fixtures, Freeze, PropertyTest
from oracle_rules.loading.workspace import Workspace, load_workspace

__all__ = [
    "Candidate",
    "Fixtures",
    "Freeze",
    "MemoryFiles",
    "PropertyTest",
    "SourceFiles",
    "Workspace",
    "load_workspace",
]
