"""One repository with a branch for each patch, and scores of them: the machinery of the sabotage suite.

Branches are written by `git fast-import`, so no filter or setting of this machine has a say. Knows no attack.
"""

from __future__ import annotations

import datetime
import os
import subprocess
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oracle_rules.evaluate import Evaluation
from oracle_rules.record import record
from oracle_rules.worker import Worker
from oracle_rules.workspace import discover, open_subject

from . import workspace

TODAY = datetime.date(2026, 1, 1)
_WHO = "Somebody <somebody@example.invalid> 1767225600 +0000"


@dataclass(frozen=True, kw_only=True)
class Patch:
    """What a patch does to base's tree."""

    files: Mapping[str, str | bytes] = field(default_factory=dict)
    delete: tuple[str, ...] = ()
    modes: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    gitlinks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Case:
    """A cheat, what it must come to, and its honest twin: the nearest harmless patch, which must be accepted.

    `kind` is its class in the catalogue of ways to pass without being right; `codes` are reason codes of which one
    must appear. `exits` are the exit codes of which one must come; `twice` asks for the same verdict from two caches.
    """

    name: str
    kind: str
    cheat: Patch
    twin: Patch
    codes: tuple[str, ...]
    exits: tuple[int, ...]
    target: str = "parse"
    twin_target: str | None = None
    twice: bool = False


def source(module: str, text: str) -> Patch:
    """A patch of one module of the candidate's."""
    return Patch(files={f"src/{module}.py": text})


def git(repository: Path, *arguments: str, stdin: bytes | None = None) -> bytes:
    """Runs git with an environment that holds no setting of this machine."""
    environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": "/nonexistent", "LC_ALL": "C.UTF-8",
                   "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(["git", "-C", str(repository), *arguments], input=stdin, env=environment, check=True,
                          capture_output=True)
    return done.stdout


def write_repository(place: Path, patches: Mapping[str, Patch]) -> None:
    """A repository with base on `main` and each patch on the branch of its name."""
    place.mkdir(parents=True)
    git(place, "init", "-q", "-b", "main", ".")
    base = workspace.base()
    stream = [_commit("main", None, Patch(files=dict(base)), base)]
    stream += [_commit(branch, "main", patch, base) for branch, patch in patches.items()]
    git(place, "fast-import", "--quiet", stdin=b"".join(stream))


def _commit(branch: str, parent: str | None, patch: Patch, base: Mapping[str, bytes]) -> bytes:
    out = [f"commit refs/heads/{branch}\ncommitter {_WHO}\ndata 1\n.\n".encode()]
    if parent:
        out.append(f"from refs/heads/{parent}\n".encode())
    out += [b"D " + _quoted(path) + b"\n" for path in patch.delete]
    contents = {path: base[path] for path in patch.modes} | {
        path: text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
        for path, text in patch.files.items()}
    entries = [(patch.modes.get(path, "100644"), path, data) for path, data in contents.items()]
    entries += [("120000", path, to.encode()) for path, to in patch.links.items()]
    for mode, path, data in entries:
        out.append(f"M {mode} inline ".encode() + _quoted(path) + f"\ndata {len(data)}\n".encode() + data + b"\n")
    out += [b"M 160000 " + b"1" * 40 + b" " + _quoted(path) + b"\n" for path in patch.gitlinks]
    return b"".join(out)


def _quoted(path: str) -> bytes:
    plain = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return b'"' + plain.encode("utf-8", "surrogateescape") + b'"'


class Bench:
    """Scores branches of one repository, two at a time, each thread with a worker of its own on one cache."""

    def __init__(self, repository: Path, cache: Path) -> None:
        self._repository = repository
        self._cache = cache
        self._pool = ThreadPoolExecutor(2)
        self._local = threading.local()
        self._workers: list[Worker] = []
        self._scores: dict[tuple[str, str], Future[dict[str, Any]]] = {}

    def close(self) -> None:
        """Ends the workers."""
        self._pool.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.__exit__(None, None, None)

    def ask(self, wanted: Iterable[tuple[str, str]]) -> None:
        """Begins to score these branches and targets."""
        for branch, target in wanted:
            if (branch, target) not in self._scores:
                self._scores[branch, target] = self._pool.submit(self._score, branch, target)

    def score(self, branch: str, target: str) -> dict[str, Any]:
        """The record of one branch and target; raises what scoring raised."""
        self.ask([(branch, target)])
        return self._scores[branch, target].result()

    def _score(self, branch: str, target: str) -> dict[str, Any]:
        if not hasattr(self._local, "worker"):
            self._local.worker = Worker(self._cache, jobs=1).__enter__()
            self._workers.append(self._local.worker)
        with discover(self._repository) as found:
            subject = open_subject(found, base="main", head=branch, worktree=False)
            evaluation = Evaluation(subject, self._local.worker, today=TODAY, progress=lambda what, number, total: None)
            return record(evaluation.score([f"//:{target}"]))
