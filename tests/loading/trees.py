"""Small workspaces in memory for the tests of loading."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from oracle_rules.errors import OracleError
from oracle_rules.loading import MemoryFiles, Workspace, load_workspace

LOADS = (
    'load("//oracle_rules:defs.bzl", "oracle_candidate", "oracle_domain_lock", "oracle_fixtures", "oracle_freeze", '
    '"oracle_profile", "oracle_property_test", "oracle_suite", "oracle_toolchain")\n'
)
# Two targets that a property test needs; with LOADS in front the next line is line 4.
NEEDED = 'oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))\n# line 3\n'
SOURCES = {"src/a.py": "", "p.py": "", "s.json": "[]"}


def tree(files: dict[str, str]) -> MemoryFiles:
    """A tree with these texts."""
    return MemoryFiles({path: text.encode("utf-8", "surrogateescape") for path, text in files.items()})


def load(files: dict[str, str], universe: Collection[str] | None = None) -> Workspace:
    """Loads a workspace with these texts."""
    return load_workspace(tree(files), universe=universe)


def refused(files: dict[str, str]) -> OracleError:
    """The error that loading ends in."""
    with pytest.raises(OracleError) as caught:
        load(files)
    return caught.value
