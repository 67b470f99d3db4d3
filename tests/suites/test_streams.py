"""What a suite is asked hangs on base, seed and tools alone: the recorded arguments of candidates that differ are equal.

Beside it the classic way, Hypothesis in a tree of its own with the same change, whose stream does differ.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from oracle_rules.digest import Digest
from oracle_rules.protocol import canonical
from oracle_rules.worker import Worker

from ..cli.kit import Repo, make, oracle

BUILD = """load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_profile", "oracle_property_test")
oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))
oracle_profile(name = "calm", seed = {seed}, max_examples = {most})
oracle_property_test(name = "it", selector = "tests/test_it.py::test_it", candidate = ":src", profile = ":calm"{more})
"""
TEST = """from hypothesis import given, seed, settings, strategies as st
from src.it import answer


@seed(1)
@settings(max_examples=3, derandomize=False)
@given(st.integers(), st.text())
def test_it(number, text):
    assert answer(number) == number
"""
SOURCES = {
    "as it was": "def answer(n):\n    return n\n",
    "a constant": "ODD = 918273645546372819\n\n\ndef answer(n):\n    return n\n",
    "an import": "import decimal\n\n\ndef answer(n):\n    return n\n",
    "a comment": "# nothing\n\n\ndef answer(n):\n    return n\n",
    "a module": "from src.more import ODD\n\n\ndef answer(n):\n    return n\n",
}
MORE = {"src/more.py": "ODD, TEXT = 918273645546372819, 'somebody'\n"}


def files(source: str, *, seed: int = 7, most: int = 60, more: str = "", test: str = TEST) -> dict[str, str]:
    """A workspace with this candidate."""
    return {"BUILD.bazel": BUILD.format(seed=seed, most=most, more=more), "tests/test_it.py": test,
            "src/__init__.py": "", "src/it.py": source, **MORE}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    found = make(tmp_path_factory.mktemp("streams") / "repo", files(SOURCES["as it was"]))
    for name, source in SOURCES.items():
        found.commit({"src/it.py": source}, name.replace(" ", "-"))
        found.git("checkout", "-q", "main")
    return found


def asked(repo: Repo, cache: Path, head: str, **env: str) -> tuple[dict[str, Any], list[Any]]:
    """The record's target, and the arguments that its run recorded."""
    ran = oracle("score", "--base", "main", "--head", head, "--cache-dir", str(cache), "--format", "json",
                 cwd=repo.top, env=env)
    [target] = ran.record["targets"]
    with Worker(cache) as worker:
        result = worker.lookup(Digest(**target["action"]))
        assert result is not None
        document = canonical.loads(worker.output(result, "arguments.json")[1])
    assert document["unwritten"] == 0
    return target, document["cases"]


@pytest.fixture(scope="module")
def usual(repo: Repo, cache: Path) -> list[Any]:
    return asked(repo, cache, "good")[1]


@pytest.mark.parametrize("name", [name for name in SOURCES if name != "as it was"])
def test_no_change_of_the_candidate_moves_what_is_asked(name: str, repo: Repo, cache: Path, usual: list[Any]) -> None:
    assert asked(repo, cache, name.replace(" ", "-"))[1] == usual


def test_settings_and_seed_of_the_test_give_way(usual: list[Any]) -> None:
    """The test asks for three cases; the profile for sixty."""
    assert len(usual) == 60


def test_the_classic_way_does_differ(tmp_path: Path) -> None:
    drawn = []
    for name in ("as it was", "a constant"):
        place = tmp_path / name.replace(" ", "-")
        (place / "src").mkdir(parents=True)
        (place / "src" / "__init__.py").write_text("")
        (place / "src" / "it.py").write_text(SOURCES[name])
        program = (
            "import json, src.it\nfrom hypothesis import given, seed, settings, strategies as st\nfound = []\n"
            "@seed(7)\n@settings(max_examples=60, database=None, deadline=None)\n@given(st.integers(), st.text())\n"
            "def run(number, text):\n    found.append([number, text])\nrun()\nprint(json.dumps(found))\n")
        done = subprocess.run([sys.executable, "-c", program], cwd=place, capture_output=True, check=True, text=True,
                              env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0"})
        drawn.append(json.loads(done.stdout))
    assert drawn[0] != drawn[1]


def test_the_host_has_no_say(repo: Repo, tmp_path: Path, usual: list[Any]) -> None:
    """Another cache, so that it runs anew, with everything set that Hypothesis and pytest look at."""
    storage = repo.top / ".hypothesis" / "constants"
    storage.mkdir(parents=True)
    again = asked(repo, tmp_path / "cache", "good", CI="true", GITHUB_ACTIONS="true", PYTEST_ADDOPTS="--maxfail=1",
                  HYPOTHESIS_STORAGE_DIRECTORY=str(storage), PYTHONHASHSEED="3")[1]
    assert again == usual


def test_another_seed_asks_something_else(tmp_path: Path, cache: Path, usual: list[Any]) -> None:
    repo = make(tmp_path / "repo", files(SOURCES["as it was"], seed=8))
    assert asked(repo, cache, "good")[1] != usual
