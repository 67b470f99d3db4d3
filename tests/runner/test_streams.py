"""What the draw of a seed hangs on: nothing of the host and nothing of the candidate.

The canaries pin the traps that the design avoids: when one of them changes with a version, this says so before a corpus
does. What is used beyond Hypothesis's documented names is pinned in `test_conformance.py`.
"""

from __future__ import annotations

import gzip
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import unicodedata
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


CORPUS = "bazel-out/k8-fastbuild/bin/size.oracle/corpora/000.json"


def drawn(repo: Repo, cache: Path, head: str = "good", **variables: str) -> dict[str, bytes]:
    """The drawn corpora of a score, from the inputs that its Action names."""
    ran = oracle("score", "--base", "main", "--head", head, "--cache-dir", str(cache), "--format", "json", cwd=repo.top,
                 env=environment(**variables))
    assert ran.status == 0, ran
    [history] = (cache / "history").iterdir()
    inputs = json.loads(history.read_bytes())[0]["inputs"]
    return {path: (cache / "cas" / digest[:2] / digest.partition("/")[0]).read_bytes()
            for path, digest in inputs.items() if "/corpora/" in path}


@pytest.fixture(scope="module")
def known(repo: Repo, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What an undisturbed score draws."""
    return drawn(repo, tmp_path_factory.mktemp("known") / "cache")


def test_nothing_that_is_added_to_the_candidate_changes_a_byte_that_is_drawn(
    repo: Repo, tmp_path: Path, known: dict[str, bytes]
) -> None:
    assert list(known) == [CORPUS]
    assert len(canonical.loads(known[CORPUS])["cases"]) == 60
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
def test_nothing_of_the_host_changes_a_byte_that_is_drawn(
    repo: Repo, tmp_path: Path, variables: dict[str, str], known: dict[str, bytes], poisoned: tuple[Path, list[str]]
) -> None:
    """With a folder of Hypothesis that was tampered with in the repository, where the score runs, and at home."""
    for place in (repo.top, tmp_path):
        shutil.copytree(poisoned[0], place / ".hypothesis", dirs_exist_ok=True)
    assert drawn(repo, tmp_path / "there", HOME=str(tmp_path), **variables) == known


def test_a_tracer_in_the_host_changes_no_byte_that_is_drawn(
    repo: Repo, tmp_path: Path, known: dict[str, bytes]
) -> None:
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


def classic(folder: Path, source: str, *more: str, test: str = CLASSIC, **variables: str) -> str:
    """The stream of a Hypothesis test that imports its candidate, as pytest runs it with a seed."""
    for path, text in (("src/__init__.py", ""), ("src/a.py", source), ("test_size.py", test)):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    words = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly",
             "--rootdir", str(folder), "-c", os.devnull, *more, str(folder / "test_size.py")]
    clean = {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder), "PYTHONHASHSEED": "0", "HOME": str(folder), **variables}
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
    streams = {classic(tmp_path / number, SOURCE, "--hypothesis-seed", number, test=own) for number in ("1", "2")}
    assert len(streams) == 1


def test_under_ci_a_seed_on_the_command_line_is_inert_and_ours_is_not(tmp_path: Path) -> None:
    """The profile that Hypothesis loads there derandomizes; a seed of the test's own, as ours is, comes first."""
    def streams(**variables: str) -> set[str]:
        return {classic(tmp_path / number, SOURCE, "--hypothesis-seed", number, **variables) for number in ("1", "2")}

    assert (len(streams(CI="false")), len(streams())) == (1, 2)
    known = draw_here(tmp_path)
    assert draw_here(tmp_path, CI="false") == known
    assert draw_here(tmp_path, CI="false", seed=4) != known


def draw_here(
    tmp_path: Path, domain: Any = None, *, drop: str = "", below: str = "site-packages", more: str = "", seed: int = 3,
    **variables: str
) -> Any:
    """What the generator's own code draws outside of the sandbox, without one of the variables that it sets.

    The code lies in the folder `below`, with a module `more` beside it that is imported first.
    """
    request = {**DOMAIN, "filters": [], "seed": seed, "domain": domain or DOMAIN["domain"]}
    script = (
        "import json, os, sys\n"
        f"sys.path[:0] = [{str(tmp_path / below)!r}]\n"
        "import more\n"
        "from oracle.runner import generate\n"
        "os.environ['HYPOTHESIS_NO_PLUGINS'] = '1'\n"
        f"os.environ['HYPOTHESIS_STORAGE_DIRECTORY'] = {str(tmp_path / 'storage')!r}\n"
        f"os.environ.pop({drop!r}, None)\n"
        f"print(json.dumps(generate.draw({request!r}, {{}})['cases']))\n")
    for room in ("runner", "protocol"):
        shutil.copytree(REPOSITORY / "oracle_rules" / room, tmp_path / below / "oracle" / room, dirs_exist_ok=True)
    (tmp_path / below / "oracle" / "__init__.py").touch()
    (tmp_path / below / "more.py").write_text(more)
    done = subprocess.run([sys.executable, "-B", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False,
                          env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", **variables})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


ODD = f"ODD = {list(range(918273645, 918273945))}\n"


def test_no_constant_of_ours_or_of_a_package_reaches_a_corpus(tmp_path: Path) -> None:
    known = draw_here(tmp_path)
    assert draw_here(tmp_path, more=ODD) == known
    local = [draw_here(tmp_path, below="elsewhere", more=more) for more in ("", ODD)]
    assert local[0] != known, "control: below another folder constants of the generator's own files reach a corpus"
    assert local[0] != local[1], "control: and so do those of a module beside it"


def test_the_drawing_is_the_same_without_the_variables_that_are_not_documented(
    known: dict[str, bytes], tmp_path: Path
) -> None:
    inside = canonical.loads(known[CORPUS])["cases"]
    assert draw_here(tmp_path) == inside and not (tmp_path / ".hypothesis").exists()
    assert draw_here(tmp_path, drop="HYPOTHESIS_STORAGE_DIRECTORY") == inside


TEXTS = CLASSIC.replace("st.integers()", "st.integers() | st.text()")


def poison(folder: Path, part: str) -> None:
    """Puts letters alone, or one number alone, where Hypothesis keeps what it has worked out."""
    if part == "unicode_data":
        place = folder / part / unicodedata.unidata_version / "codec-v2-utf-8.json.gz"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(gzip.compress(json.dumps([[[97, 122]], []]).encode()))
    for place in (folder / part).glob("*"):
        if place.is_file():
            place.write_text(place.read_text().partition("[")[0] + "[777777777]\n")


@pytest.fixture(scope="module")
def poisoned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A folder of Hypothesis with both, and the streams of a test beside it: before, after the first, after both."""
    there = tmp_path_factory.mktemp("poison") / "classic" / ".hypothesis"
    words = (there.parent, str(PATCHES["constant"]["src/a.py"]), "--hypothesis-seed", "3")
    streams = [classic(*words, test=TEXTS)]
    for part in ("constants", "unicode_data"):
        poison(there, part)
        streams.append(classic(*words, test=TEXTS))
    return there, streams


def test_a_poisoned_folder_of_hypothesis_changes_no_byte_that_is_drawn(
    poisoned: tuple[Path, list[str]], tmp_path: Path
) -> None:
    there, streams = poisoned
    assert len(set(streams)) == 3, "control: each of them reaches a stream of Hypothesis alone"
    letters = {"kind": "text", "alphabet": [[0, 999]], "min_size": 0, "max_size": 9}
    known = draw_here(tmp_path, letters)
    shutil.copytree(there, tmp_path / ".hypothesis")
    assert draw_here(tmp_path, letters, drop="HYPOTHESIS_STORAGE_DIRECTORY") == known


def test_the_versions_that_a_draw_hangs_on_are_those_of_what_is_staged(tmp_path: Path) -> None:
    from oracle_rules.worker import Worker
    with Worker(tmp_path / "cache") as worker:
        found = worker.versions
        staged = worker.host.generator["hypothesis/version.py"].decode()
    assert found == {"hypothesis": importlib.metadata.version("hypothesis"), "unicode": unicodedata.unidata_version,
                     "python": ".".join(map(str, sys.version_info[:3]))}
    assert staged
