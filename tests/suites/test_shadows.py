"""Modules of a patch that are called like the oracle's, or like what pytest and Hypothesis look for: none counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..cli.kit import Repo, make, oracle

BUILD = """load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_property_test")
oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]), imports = ["src"])
oracle_property_test(name = "it", selector = "tests/test_it.py::test_it", candidate = ":src",
                     deps = ["checks/helpers.py"])
"""
TEST = """from hypothesis import given, strategies as st

from checks.helpers import check
from it import clean


@given(st.text("ab ", max_size=4))
def test_it(text):
    check(clean(text) == text.strip())
"""
FILES = {"BUILD.bazel": BUILD, "tests/test_it.py": TEST, "checks/helpers.py": "def check(holds):\n    assert holds\n",
         "src/it.py": "def clean(text):\n    return text.strip()\n"}  # fmt: skip
WRONG = {"src/it.py": "def clean(text):\n    return text.lstrip()\n"}
# Beside the candidate's module: a package that stands in for the helper, and what Hypothesis imports where it is there.
SHADOWS = {
    "helper": {"src/checks/__init__.py": "", "src/checks/helpers.py": "def check(holds):\n    pass\n"},
    "ends": {"src/typing_extensions.py": "import os\nos._exit(0)\n"},
    "plugin": {"src/numpy.py": "import os\nos._exit(0)\n"},
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """`NAME` breaks the candidate and adds a shadow, `NAME_right` only adds it."""
    found = make(tmp_path_factory.mktemp("shadows") / "repo", FILES)
    for name, more in {"none": {}, **SHADOWS}.items():
        for branch, changed in ((name, {**WRONG, **more}), (f"{name}_right", {"src/more.py": "", **more})):
            found.git("checkout", "-q", "main")
            found.commit(changed, branch)
    found.git("checkout", "-q", "main")
    return found


@pytest.mark.parametrize("name", ["none", *SHADOWS])
def test_a_module_of_the_patch_stands_in_for_none_of_ours(name: str, repo: Repo, cache: Path) -> None:
    for branch, bit, reason in ((name, 0, "property_failed"), (f"{name}_right", 1, None)):
        ran = oracle("score", "--base", "main", "--head", branch, "--cache-dir", str(cache), "--format", "json", cwd=repo.top)
        [found] = ran.record["targets"]
        assert (ran.status, found["bit"], found["reason"]) == (1 - bit, bit, reason), found["detail"]
