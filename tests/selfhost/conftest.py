"""Our own sources and oracle in a repository of their own, with a branch for each mutant, scored by the command line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .mutants import MUTANTS

REPOSITORY = Path(__file__).resolve().parents[2]
OURS = (
    "BUILD.bazel", "WORKSPACE", "domain_lock.json", "freeze.json", "fixtures", "oracle_rules", "oracle_seams",
    "properties", "seeds")  # fmt: skip
EXAMPLES = "examples"
_ENTRY = "import sys; from oracle_rules.cli import main; sys.exit(main())"
_GIT = {
    "PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_COMMITTER_DATE": "1700000000 +0000"}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Scored:
    """What one run of the command line answered."""

    exit: int
    record: Mapping[str, Any]
    errors: str


class Self:
    """The repository; `main` is what this work tree holds now."""

    def __init__(self, top: Path, cache: Path, host: Path) -> None:
        self.top = top
        self._cache = cache
        self._host = host

    def git(self, *arguments: str, stdin: bytes | None = None) -> str:
        """Runs git here."""
        done = subprocess.run(["git", *arguments], cwd=self.top, env=_GIT, input=stdin, capture_output=True, check=False)
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout.decode().strip()

    def branch(self, name: str, path: str, text: bytes) -> None:
        """A branch of `main` on which one file is another; the work tree stays as it is."""
        head = f"commit refs/heads/{name}\ncommitter A <a@example.org> 1700000000 +0000\ndata 0\nfrom main\n"
        stream = f"{head}M 100644 inline {path}\ndata {len(text)}\n".encode() + text + b"\n"
        self.git("fast-import", "--quiet", stdin=stream)

    def score(self, *arguments: str) -> Scored:
        """Scores from the command line, in a process of its own."""
        words = ["score", "--cache-dir", str(self._cache), "--format", "json", *arguments]
        # -P, and a copy: what judges is never imported from the folder that is judged, and stays the same meanwhile.
        done = subprocess.run([sys.executable, "-P", "-c", _ENTRY, *words], cwd=self.top, capture_output=True, text=True,
                              check=False, env={**os.environ, "PYTHONPATH": str(self._host)})
        assert "Traceback" not in done.stderr, done.stderr
        return Scored(exit=done.returncode, record=json.loads(done.stdout or "{}"), errors=done.stderr)


@pytest.fixture(scope="session")
def itself(tmp_path_factory: pytest.TempPathFactory) -> Self:
    """The repository with everything that judges us and everything that is judged."""
    top = tmp_path_factory.mktemp("self") / "repository"
    top.mkdir()
    for name in (*OURS, EXAMPLES):
        source = REPOSITORY / name
        if source.is_dir():
            shutil.copytree(source, top / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        else:
            shutil.copy(source, top / name)
    host = top.parent / "host"
    for name in ("oracle_rules", "oracle_seams"):
        shutil.copytree(top / name, host / name)
    made = Self(top, top.parent / "cache", host)
    made.git("init", "-q", "-b", "main", ".")
    made.git("add", "--all", "--force")
    made.git("commit", "-q", "-m", "ours")
    for mutant in MUTANTS:
        text = (top / mutant.path).read_text(encoding="utf-8").replace(mutant.old, mutant.new)
        made.branch(mutant.name, mutant.path, text.encode("utf-8"))
    return made


@pytest.fixture(scope="session")
def clean(itself: Self) -> Scored:
    """The work tree as it is, all properties; it also fills the cache with what all runs share."""
    return itself.score()


@pytest.fixture(scope="session")
def scores(itself: Self, clean: Scored) -> Mapping[str, Future[Scored]]:
    """The score of each mutant by the property that must notice, two at a time."""
    pool = ThreadPoolExecutor(max_workers=2)
    found = {mutant.name: pool.submit(itself.score, "--base", "main", "--head", mutant.name, f"//:{mutant.property_id}")
             for mutant in MUTANTS}
    pool.shutdown(wait=False)
    return found
