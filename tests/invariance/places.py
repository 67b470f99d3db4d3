"""Two places that have as little in common as one machine allows, each with its own copy of us and of the workspace."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..cli.kit import ENTRY, REPOSITORY

SYSTEM = Path("/usr/bin/python3")
NOBODY = 65534


def interpreter() -> Path:
    """The distribution's own, since an ordinary user can run it; it has to load what is installed for ours."""
    asked = "import sys; print(*sys.version_info[:2])"
    found = subprocess.run([SYSTEM, "-I", "-c", asked], capture_output=True, text=True, check=True).stdout.split()
    assert found == [str(part) for part in sys.version_info[:2]], (
        f"{SYSTEM} is Python {'.'.join(found)}, the tests run under {sys.version_info[:2]}: both have to be the same"
    )
    return SYSTEM


def install(to: Path) -> None:
    """Our packages and what they import, as plain files."""
    for name in ("oracle_rules", "oracle_seams"):
        shutil.copytree(REPOSITORY / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("starlark-pyo3", "hypothesis", "sortedcontainers"):
        for item in importlib.metadata.distribution(name).files or []:
            if ".." not in item.parts and "__pycache__" not in item.parts:
                place = to / str(item)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(item.locate()), place)


def give(top: Path, user: int, moment: int) -> None:
    """Hands a tree to a user and dates all of it."""
    for folder, names, files in os.walk(top):
        for name in (*names, *files):
            os.chown(os.path.join(folder, name), user, user, follow_symlinks=False)
            os.utime(os.path.join(folder, name), (moment, moment), follow_symlinks=False)
    os.chown(top, user, user)


@dataclass(frozen=True)
class Place:
    """Where and as whom a score runs."""

    home: Path
    clone: Path
    cwd: Path
    user: int
    umask: int
    cpus: frozenset[int]
    environment: Mapping[str, str]

    @property
    def library(self) -> Path:
        return self.home / "library"

    @property
    def cache(self) -> Path:
        return self.home / "cache"

    def score(self, head: str) -> dict[str, Any]:
        """The record of a score here."""
        words = ["--repository", str(self.clone), "--base", "origin/main", "--head", head, "--format", "json"]
        own = {"PATH": os.environ["PATH"], "HOME": str(self.home), "PYTHONPATH": str(self.library)}
        usual = os.sched_getaffinity(0)
        os.sched_setaffinity(0, self.cpus)
        try:
            done = subprocess.run(
                [interpreter(), "-B", "-c", ENTRY, "score", *words, "--cache-dir", str(self.cache)],
                cwd=self.cwd,
                env={**own, **self.environment},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=120,
                check=False,
                user=self.user,
                group=self.user,
                extra_groups=[],
                umask=self.umask,
            )
        finally:
            os.sched_setaffinity(0, usual)
        assert done.returncode in (0, 1, 4), (done.returncode, done.stderr.decode())
        found = json.loads(done.stdout)
        assert isinstance(found, dict)
        return found

    def blob(self, digest: Mapping[str, Any]) -> bytes:
        """A blob of this place's cache."""
        name = str(digest["hash"])
        return (self.cache / "cas" / name[:2] / name).read_bytes()
