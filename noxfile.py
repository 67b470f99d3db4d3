"""Our own sessions: the ones that oracle_rules offers to everybody, for this repository."""

from __future__ import annotations

import sys
from pathlib import Path

import nox

# Nox alone is enough to start: the sessions come from this tree, everything else from the lock.
sys.path.insert(0, str(Path(__file__).resolve().parent))

from oracle_rules.nox_sessions import register

nox.needs_version = ">=2024.4.15"

register(
    "score", "explore", "tests", "lint", "types", "lock", "bench",
    lock="requirements.lock",
    project=True,
    # A file stays in one process: its tests share what is dear to build.
    arguments={"tests": ("-n", "auto", "--dist", "loadfile")},
)
