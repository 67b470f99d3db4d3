"""What the draw of a seed hangs on: nothing of the host and nothing of the candidate.

The canaries pin the traps that the design avoids: when one of them changes with a version, this says so before a corpus
does. What is used beyond Hypothesis's documented names is pinned in `test_conformance.py`.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from oracle_rules.protocol import canonical

from ..cli.kit import REPOSITORY, Repo, environment, make, oracle

BUILD = """load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_domain_lock", "oracle_property_test")
oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))
oracle_domain_lock(name = "domains", lock = "domain_lock.json")
oracle_property_test(name = "size", property = "properties/size.py", candidate = ":src", seeds = "seeds/size.json",
                     domain_lock = ":domains")
"""
DOMAIN = {"domain": {"kind": "lists", "elements": {"kind": "integers", "min": None, "max": None}, "min_size": 0,
                     "max_size": 6, "unique": False}, "max_examples": 60, "deadline_ms": 400, "seed": 3}
SOURCE = "def size(values):\n    return len(values)\n"
FILES = {
    "BUILD.bazel": BUILD, "src/a.py": SOURCE, "domain_lock.json": json.dumps({"size": DOMAIN}), "seeds/size.json": "[[]]",
    "properties/size.py": "from src.a import size\n\n\ndef hold(case):\n    return size(case) == sum(1 for _ in case)\n",
}  # fmt: skip
PATCHES = {
    "constant": {"src/a.py": SOURCE + "\n\nLIMIT = 918273645\n"},
    "import": {"src/a.py": "import fractions\n\n" + SOURCE},
    "comment": {"src/a.py": "# 918273645\n" + SOURCE},
    "module": {"src/b.py": "LIMIT = 918273645\n"},
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    made = make(tmp_path_factory.mktemp("streams") / "repo", FILES)
    for name, patch in PATCHES.items():
        made.commit(patch, name)
        made.git("checkout", "-q", "main")
    return made


def drawn(repo: Repo, cache: Path, head: str = "good", **variables: str) -> dict[str, bytes]:
    """The corpora below `judge/request/` of a score, from the inputs that its Action names."""
    ran = oracle("score", "--base", "main", "--head", head, "--cache-dir", str(cache), "--format", "json", cwd=repo.top,
                 env=environment(**variables))
    assert ran.status == 0, ran
    [history] = (cache / "history").iterdir()
    inputs = json.loads(history.read_bytes())[0]["inputs"]
    return {path: (cache / "cas" / digest[:2] / digest.partition("/")[0]).read_bytes()
            for path, digest in inputs.items() if path.startswith("judge/request/corpora/")}


def test_nothing_that_is_added_to_the_candidate_changes_a_byte_that_is_drawn(repo: Repo, tmp_path: Path) -> None:
    known = drawn(repo, tmp_path / "a")
    assert list(known) == ["judge/request/corpora/seed-3.json"]
    assert len(canonical.loads(known["judge/request/corpora/seed-3.json"])["cases"]) == 60
    for name in PATCHES:
        assert drawn(repo, tmp_path / "a", name) == known, name


def test_a_patch_draws_nothing_anew(repo: Repo, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    drawn(repo, cache)
    stored = {path.name for path in (cache / "ac").rglob("*") if path.is_file()}
    drawn(repo, cache, "constant")
    new = {path.name for path in (cache / "ac").rglob("*") if path.is_file()} - stored
    assert len(new) == 1, "one Judge Action, and no Generate Action"


@pytest.mark.parametrize("variables", [
    {"PYTHONHASHSEED": "0", "CI": "true"}, {"PYTHONHASHSEED": "4711", "CI": "false", "TZ": "Asia/Tokyo"},
    {"HYPOTHESIS_STORAGE_DIRECTORY": "/nonexistent", "HYPOTHESIS_PROFILE": "ci", "PYTHONMALLOC": "debug",
     "GITHUB_ACTIONS": "true", "LC_ALL": "C"},
    {"COVERAGE_RUN": "true", "PYTHONTRACEMALLOC": "5", "PYTHONDEVMODE": "1"},
])  # fmt: skip
def test_nothing_of_the_host_changes_a_byte_that_is_drawn(repo: Repo, tmp_path: Path, variables: dict[str, str]) -> None:
    (repo.top / ".hypothesis" / "constants").mkdir(parents=True, exist_ok=True)
    assert drawn(repo, tmp_path / "there", **variables) == drawn(repo, tmp_path / "here")


def test_a_tracer_in_the_host_changes_no_byte_that_is_drawn(repo: Repo, tmp_path: Path) -> None:
    known = drawn(repo, tmp_path / "here")
    script = ("import sys, threading\nnote = lambda *rest: note\nsys.settrace(note)\nthreading.settrace(note)\n"
              "from oracle_rules.cli import main\nsys.exit(main())\n")
    done = subprocess.run([sys.executable, "-c", script, "score", "--base", "main", "--head", "good", "--cache-dir",
                           str(tmp_path / "traced"), "--format", "json"], cwd=repo.top, env=environment(),
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert drawn(repo, tmp_path / "traced") == known


CLASSIC = """
from hypothesis import given, settings, strategies as st
from src.a import size

SEEN = []

@settings(max_examples=60, database=None, deadline=None)
@given(st.lists(st.integers(), max_size=6))
def test_size(values):
    SEEN.append(values)
    assert size(values) == sum(1 for _ in values)

def test_print():
    import hashlib
    print("STREAM", hashlib.sha256(repr(SEEN).encode()).hexdigest())
"""


def classic(folder: Path, source: str, *more: str) -> str:
    """The stream of a Hypothesis test that imports its candidate, as pytest runs it with a seed."""
    for path, text in (("src/__init__.py", ""), ("src/a.py", source), ("test_size.py", CLASSIC)):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    words = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly",
             "--rootdir", str(folder), "-c", os.devnull, *more, str(folder / "test_size.py")]
    clean = {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder), "PYTHONHASHSEED": "0", "HOME": str(folder)}
    done = subprocess.run(words, cwd=folder, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [line] = [line for line in done.stdout.splitlines() if "STREAM" in line]
    return line.rpartition(" ")[2]


def test_the_classic_way_draws_something_else_once_a_constant_is_added(tmp_path: Path) -> None:
    seeded = ("--hypothesis-seed", "3")
    known = classic(tmp_path / "one", SOURCE, *seeded)
    assert classic(tmp_path / "again", SOURCE, *seeded) == known, "control: the seed alone gives the same stream"
    assert classic(tmp_path / "two", str(PATCHES["constant"]["src/a.py"]), *seeded) != known


def test_a_seed_on_the_command_line_is_inert_once_a_test_has_one_of_its_own(tmp_path: Path) -> None:
    own = CLASSIC.replace("@settings", "@__import__('hypothesis').seed(9)\n@settings")
    assert own != CLASSIC
    streams = set()
    for number in ("1", "2"):
        folder = tmp_path / number
        folder.mkdir()
        (folder / "conftest.py").write_text("")
        streams.add(_with(folder, own, number))
    assert len(streams) == 1


def _with(folder: Path, test: str, number: str) -> str:
    global CLASSIC
    kept = CLASSIC
    try:
        CLASSIC = test
        return classic(folder, SOURCE, "--hypothesis-seed", number)
    finally:
        CLASSIC = kept


def draw_here(tmp_path: Path, *, drop: str = "") -> Any:
    """What the generator's own code draws outside of the sandbox, without one of the variables that it sets."""
    script = (
        "import json, os, sys, types\n"
        f"sys.path[:0] = [{str(tmp_path / 'site-packages')!r}]\n"
        "from oracle.runner import generate\n"
        "os.environ['HYPOTHESIS_NO_PLUGINS'] = '1'\n"
        f"os.environ['HYPOTHESIS_STORAGE_DIRECTORY'] = {str(tmp_path / 'storage')!r}\n"
        f"os.environ.pop({drop!r}, None)\n"
        f"print(json.dumps(generate.draw({ {**DOMAIN, 'filters': [], 'domain': DOMAIN['domain']}!r}, {{}})['cases']))\n")
    place = tmp_path / "site-packages" / "oracle"
    if not place.exists():
        for room in ("runner", "protocol"):
            (place / room).mkdir(parents=True)
            for path in (REPOSITORY / "oracle_rules" / room).glob("*.py"):
                (place / room / path.name).write_bytes(path.read_bytes())
        (place / "__init__.py").write_text("")
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False,
                          env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0"})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_drawing_is_the_same_without_the_variables_that_are_not_documented(
    repo: Repo, tmp_path: Path
) -> None:
    inside = canonical.loads(drawn(repo, tmp_path / "cache")["judge/request/corpora/seed-3.json"])["cases"]
    assert draw_here(tmp_path) == inside and not (tmp_path / ".hypothesis").exists()
    assert draw_here(tmp_path, drop="HYPOTHESIS_STORAGE_DIRECTORY") == inside


def test_the_versions_that_a_draw_hangs_on_are_those_of_what_is_staged(tmp_path: Path) -> None:
    import unicodedata

    from oracle_rules.worker import Worker
    with Worker(tmp_path / "cache") as worker:
        found = worker.versions
        staged = worker.host.generator["hypothesis/version.py"].decode()
    assert found == {"hypothesis": importlib.metadata.version("hypothesis"), "unicode": unicodedata.unidata_version,
                     "python": ".".join(map(str, sys.version_info[:3]))}
    assert staged
