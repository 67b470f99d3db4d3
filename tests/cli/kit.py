"""A small workspace in a real repository, and the command line run in a process of its own.

Branches: `main` is the trusted side; `good` is an honest patch; `red` breaks a property, `crash` kills its process,
`entropy` reads the clock, `slow` never answers, `mixed` does the first three at once; `edited` touches a seed.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
# The console script, without the need that it is installed.
ENTRY = "import sys; from oracle_rules.cli import main; sys.exit(main())"
GIT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_COMMITTER_DATE": "1700000000 +0000",
}

LIMITS = b'{"most":9}\n'
SOURCES = {
    "src/__init__.py": "",
    "src/text.py": "def clean(name):\n    return name.strip().lower()\n\n\ndef shout(text):\n    return text.upper()\n",
    "src/sums.py": "def total(values):\n    return sum(values)\n",
    "src/life.py": "def alive():\n    return True\n",
    "src/stamp.py": "def stamp():\n    return 7\n",
}
PROPERTIES = {
    "clean": "from src.text import clean\n\n\ndef hold(case):\n    return clean(case['in']) == case['out']\n",
    "shout": "from src.text import shout\n\n\ndef hold(case):\n    return shout(shout(case)) == shout(case)\n",
    "total": "import json\n\nfrom src.sums import total\n\n\ndef hold(case):\n"
    "    with open('fixtures/limits.json') as stream:\n        most = json.load(stream)['most']\n"
    "    return total(case) <= most\n",
    "alive": "from src.life import alive\n\n\ndef hold(case):\n    return alive()\n",
    "stamp": "from src.stamp import stamp\n\n\ndef hold(case):\n    return stamp() >= 0\n",
    "asleep": "from src.text import clean\n\n\ndef hold(case):\n    return clean('x') == case\n",
}
SEEDS: dict[str, list[Any]] = {
    "clean": [{"in": " A ", "out": "a"}, {"in": "b", "out": "b"}],
    "shout": ["x"],
    "total": [[1, 2], []],
    "alive": [1],
    "stamp": [1],
    "asleep": [1],
}
EXTRA = {"shout": ', domain_lock = ":domains"', "total": ', fixtures = [":fixtures"]', "alive": ", timeout_seconds = 20"}
PATCHES = {
    "good": {"src/sums.py": "def total(values):\n    # the same in other words\n    return sum(values, 0)\n"},
    "red": {"src/text.py": SOURCES["src/text.py"].replace(".lower()", "")},
    "crash": {"src/life.py": "import os\n\n\ndef alive():\n    os.kill(os.getpid(), 9)\n"},
    "entropy": {"src/stamp.py": "import time\n\n\ndef stamp():\n    return time.time()\n"},
    "slow": {"src/life.py": "def alive():\n    while True:\n        pass\n"},
    "edited": {"seeds/clean.json": '[{"in": "b", "out": "b"}]'},
}
PATCHES["mixed"] = PATCHES["red"] | PATCHES["crash"] | PATCHES["entropy"]


def build_file(names: Sequence[str] = tuple(PROPERTIES)) -> str:
    """The BUILD.bazel of the workspace, with these property tests."""
    lines = [
        'load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_domain_lock", "oracle_fixtures",',
        '     "oracle_freeze", "oracle_property_test")',
        'oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))',
        'oracle_fixtures(name = "fixtures", srcs = ["fixtures/limits.json"], manifest = "fixtures/manifest.json")',
        'oracle_freeze(name = "freeze", ledger = "freeze.json")',
        'oracle_domain_lock(name = "domains", lock = "domain_lock.json")',
    ]
    # A ledger may not freeze what is not declared.
    frozen = ', freeze = ":freeze"' if "asleep" in names else ""
    for name in names:
        lines.append(
            f'oracle_property_test(name = "{name}", property = "properties/{name}.py", candidate = ":src", '
            f'seeds = "seeds/{name}.json"{frozen}{EXTRA.get(name, "")})'
        )
    return "\n".join(lines) + "\n"


def workspace() -> dict[str, str]:
    """Every file of the trusted side."""
    row = {
        "id": "FRZ-1",
        "property": "asleep",
        "class": "order",
        "seam": "src/life.py::alive",
        "evidence": "red after clean, 1 of 900 runs",
        "owner": "Ada Lindqvist",
        "last_green": "2026-01-01",
        "expires": "2999-12-31",
        "agent_may_extend": False,
    }
    manifest = {
        "limits.json": {
            "sha256": hashlib.sha256(LIMITS).hexdigest(),
            "origin": "human: by hand",
            "purpose": "the largest total",
            "rewritable_by_agent": False,
        }
    }
    domain = {
        "shout": {
            "min_size": 0,
            "max_size": 8,
            "alphabet": "letters",
            "max_examples": 20,
            "deadline_ms": 100,
            "seed": 7,
        }
    }
    return {
        **SOURCES,
        "BUILD.bazel": build_file(),
        "fixtures/limits.json": LIMITS.decode(),
        "fixtures/manifest.json": json.dumps(manifest),
        "freeze.json": json.dumps({"budget": 1, "rows": [row]}),
        "domain_lock.json": json.dumps(domain),
        **{f"properties/{name}.py": text for name, text in PROPERTIES.items()},
        **{f"seeds/{name}.json": json.dumps(cases) for name, cases in SEEDS.items()},
    }


@dataclass(frozen=True)
class Repo:
    """A repository with a work tree."""

    top: Path

    def git(self, *arguments: str) -> str:
        """Runs git here."""
        done = subprocess.run(["git", *arguments], cwd=self.top, env=GIT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout.strip()

    def write(self, files: Mapping[str, str | None]) -> None:
        """Puts files into the work tree; None takes one away."""
        for path, text in files.items():
            place = self.top / path
            if text is None:
                place.unlink()
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(text.encode("utf-8", "surrogateescape"))

    def commit(self, files: Mapping[str, str | None], branch: str = "") -> str:
        """Commits these changes, on a new branch when one is named; the commit's id."""
        if branch:
            self.git("checkout", "-q", "-b", branch)
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "-q", "--allow-empty", "-m", "a change")
        return self.git("rev-parse", "HEAD")


def make(top: Path, files: Mapping[str, str] | None = None) -> Repo:
    """A repository whose `main` holds these files, and `good` an honest patch on it."""
    top.mkdir(parents=True)
    repo = Repo(top)
    repo.git("init", "-q", "-b", "main")
    repo.commit(files if files is not None else workspace())
    repo.commit(PATCHES["good"], "good")
    repo.git("checkout", "-q", "main")
    return repo


def make_all(top: Path) -> Repo:
    """The same with every branch."""
    repo = make(top)
    for name, patch in PATCHES.items():
        if name != "good":
            repo.commit(patch, name)
            repo.git("checkout", "-q", "main")
    return repo


def environment(**more: str) -> dict[str, str]:
    """What the command line is run with."""
    return {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "PYTHONPATH": str(REPOSITORY), **more}


def command(*words: str) -> list[str]:
    """The command line as a list."""
    return [sys.executable, "-c", ENTRY, *words]


@dataclass(frozen=True)
class Ran:
    """How it ended."""

    status: int
    out: str
    err: str

    @property
    def record(self) -> dict[str, Any]:
        """The one document on stdout."""
        found = json.loads(self.out)
        assert isinstance(found, dict) and self.out.endswith("}\n") and self.out.count("\n") == 1
        return found


def oracle(*words: str, cwd: Path, env: Mapping[str, str] | None = None, timeout: float = 60) -> Ran:
    """Runs `oracle-rules` and waits for it."""
    done = subprocess.run(
        command(*words),
        cwd=cwd,
        env={**environment(), **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in ran.err, ran.err
    return ran
