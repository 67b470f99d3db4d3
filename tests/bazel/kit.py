"""Real Bazel on a workspace, with a disk cache of its own: what it ran, and what it stored."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from buildgrid.common.protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as pb

from ..cli.kit import GIT

REPOSITORY = Path(__file__).resolve().parents[2]
_RAN = re.compile(r"^INFO: \d+ process(?:es)?: (.*)\.$", re.MULTILINE)


@dataclass(frozen=True)
class Done:
    """How one command of Bazel ended."""

    status: int
    text: str

    @property
    def results(self) -> dict[str, str]:
        """Label to PASSED, FAILED and the like."""
        return dict(re.findall(r"^(//\S*:\S+)\s+(?:\(cached\) )?([A-Z]+(?: TO BUILD| STATUS)?)", self.text, re.MULTILINE))

    @property
    def ran(self) -> dict[str, int]:
        """How many Actions ran in which way; what comes from the disk cache is a `remote cache hit` in this Bazel."""
        found = _RAN.search(self.text)
        assert found is not None, self.text
        parts = (part.partition(" ") for part in found.group(1).split(", "))
        return {way: int(count) for count, _, way in parts}


@dataclass(frozen=True)
class Bazel:
    """Bazel on one workspace."""

    top: Path
    home: Path
    words: tuple[str, ...] = field(default=("--color=no", "--noshow_progress"))

    @property
    def disk(self) -> Path:
        """The disk cache."""
        return self.home / "disk"

    def run(self, verb: str, *words: str) -> Done:
        """One command. A server would outlive the test, so there is none."""
        program = shutil.which("bazel")
        assert program is not None, "bazel is not installed: apt-get install bazel-bootstrap"
        done = subprocess.run(
            [program, f"--output_user_root={self.home}/out", "--batch", verb, f"--disk_cache={self.disk}", *self.words,
             *words], cwd=self.top, capture_output=True, text=True, check=False,
            env={"PATH": os.environ["PATH"], "HOME": str(self.home), "ORACLE_RULES_PYTHON": sys.executable})
        return Done(done.returncode, done.stdout + done.stderr)

    def stored(self) -> dict[str, dict[str, bytes]]:
        """Action to its outputs by path, of everything in the disk cache whose outputs are there too."""
        return {action: outputs for action, outputs in self._results()}

    def _results(self) -> Iterator[tuple[str, dict[str, bytes]]]:
        for place in sorted((self.disk / "ac").rglob("*")):
            if place.is_file():
                found = pb.ActionResult.FromString(place.read_bytes())
                yield place.name, {item.path: self._blob(item.digest.hash) for item in found.output_files}

    def _blob(self, name: str) -> bytes:
        return (self.disk / "cas" / name[:2] / name).read_bytes()


def monorepo(top: Path) -> Path:
    """The example as a repository of its own, committed."""
    shutil.copytree(REPOSITORY / "examples" / "monorepo", top, ignore=shutil.ignore_patterns("bazel-*"))
    place = top / "WORKSPACE"
    place.write_text(place.read_text("utf-8").replace("../..", str(REPOSITORY)), "utf-8")
    for words in (["init", "-q", "-b", "main"], ["add", "--all"], ["commit", "-q", "-m", "the trusted side"]):
        subprocess.run(["git", *words], cwd=top, env=GIT, check=True)
    return top
