"""Workspaces with a bug on `main`, a hunted and locked journal, and patches that mend it rightly or wrongly.

A workspace is a folder of `bugs/`: its files at the parent, `fix/` the files of the true fix, `wrong/` those of a fix
that looks right, `case.json` where the bug comes from (all words and code are our own), which seeds are hunted, and how
many are held out. Commits have fixed dates and authors, so that the same seeds are held out in every run.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from ..cli.kit import Ran, Repo, make, oracle

BUGS = Path(__file__).parent / "bugs"
NAMES = sorted(place.name for place in BUGS.iterdir() if place.is_dir() and not place.name.startswith("_"))
OWNER = "Ada Lindqvist"


def files(place: Path) -> dict[str, str]:
    """Every file below a folder, by its path there."""
    return {path.relative_to(place).as_posix(): path.read_text("utf-8")
            for path in sorted(place.rglob("*")) if path.is_file()}


@dataclass(frozen=True)
class Bug:
    """The files at the parent, those that the true fix changes, those that the wrong one does, and the hunt."""

    name: str
    parent: dict[str, str]
    fix: dict[str, str | None]
    wrong: dict[str, str | None]
    seeds: str
    hold_out: int
    origin: str


def bug(name: str) -> Bug:
    """One of the folder."""
    whole = files(BUGS / name)
    case = json.loads(whole.pop("case.json"))
    fix, wrong = ({path.partition("/")[2]: text for path, text in whole.items() if path.startswith(f"{part}/")}
                  for part in ("fix", "wrong"))
    parent = {path: text for path, text in whole.items() if not path.startswith(("fix/", "wrong/"))}
    return Bug(name=name, parent=parent, fix=dict(fix), wrong=dict(wrong), seeds=case["seeds"],
               hold_out=case["hold_out"], origin=case["origin"])


def by_chance(source: str, name: str) -> str:
    """The module, with a function of one argument that works in a thread and answers nothing, [], in about one of eight calls.

    Which call it is hangs on when the interpreter changes threads, and on nothing that is pinned or observed.
    """
    return (source.replace(f"def {name}(", "def _right(") + "\n\nimport sys\nimport threading\n\n"
            "sys.setswitchinterval(1e-4)\n\n\n"
            f"def {name}(given):\n    done, turns = [], 0\n"
            "    worker = threading.Thread(target=lambda: done.append(sum(range(60_000))))\n    worker.start()\n"
            "    while not done:\n        turns += 1\n    worker.join()\n"
            "    return [] if turns % 8 == 0 else _right(given)\n")


@dataclass(frozen=True)
class Bench:
    """A repository, the cache that its commands share, and the property of its journal."""

    repo: Repo
    cache: Path
    name: str

    def run(self, *words: str) -> Ran:
        """One command line in the work tree; `journal` verbs that run something get the cache."""
        return oracle(*words, cwd=self.repo.top)

    def cached(self, *words: str) -> Ran:
        """The same with the cache."""
        return self.run(*words, "--cache-dir", str(self.cache))

    def score(self, head: str, *words: str) -> Ran:
        """Scores a branch against `main`."""
        return self.cached("score", "--base", "main", "--head", head, "--format", "json", *words)

    def branch(self, name: str, changes: dict[str, str | None], on: str = "main") -> str:
        """A branch with these changes; leaves `main` checked out."""
        self.repo.git("checkout", "-q", on)
        commit = self.repo.commit(changes, name)
        self.repo.git("checkout", "-q", "main")
        return commit


def begin(top: Path, cache: Path, found: Bug) -> Bench:
    """A repository whose `main` is the parent, and a work tree with a proposed journal."""
    build = found.parent["BUILD.bazel"].replace(f'    journal = "oracles/{found.name}.json",\n', "")
    assert build != found.parent["BUILD.bazel"]
    bench = Bench(repo=make(top, {**found.parent, "BUILD.bazel": build}), cache=cache, name=found.name)
    bench.repo.git("branch", "-q", "-D", "good")
    proposed = bench.run("journal", "propose", found.name, "--hold-out", str(found.hold_out))
    assert proposed.status == 0, proposed
    bench.repo.write({"BUILD.bazel": found.parent["BUILD.bazel"]})
    return bench


def lock(bench: Bench, seeds: str, *words: str) -> Ran:
    """Hunts, locks and commits; what the hunt said."""
    hunted = bench.cached("journal", "hunt", bench.name, "--seeds", seeds, "--today", "2026-01-10", "--budget",
                           "100", *words)
    assert hunted.status == 0, hunted
    locked = bench.cached("journal", "lock", bench.name, "--owner", OWNER)
    assert locked.status == 0, locked
    bench.repo.commit({})
    return hunted


def lanes(ran: Ran) -> dict[str, int]:
    """The bit of each lane."""
    return {target["lane"]: target["bit"] for target in ran.record["targets"]}
