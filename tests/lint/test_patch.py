"""Silences and weakened assertions of a patch: which paths are tests, what was moved, what the verb refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oracle_rules.errors import Exit
from oracle_rules.lint.patch import is_test, weakened_in

from ..entropy.kit import commit, scan, write
from ..scm.kit import Repo

TEST = b"from src.a import f\ndef test_f():\n    assert f(1) == 2\n"
LESS = b"from src.a import f\ndef test_f():\n    assert f(1)\n"


@pytest.mark.parametrize(("path", "expect"), [
    ("tests/a.py", True), ("pkg/test/a.py", True), ("test_a.py", True), ("pkg/a_test.py", True), ("conftest.py", True),
    ("src/a.py", False), ("src/contest.py", False), ("src/testament.py", False), ("properties/a.py", False),
])  # fmt: skip
def test_what_is_kept_or_named_as_a_test_is_one(path: str, expect: bool) -> None:
    assert is_test(path) is expect


def rules(*files: tuple[str, bytes | None, bytes | None]) -> dict[str, list[str]]:
    return {path: [hit.rule.id for hit in hits] for path, hits in weakened_in(files).items() if hits}


def test_an_assertion_that_moves_to_another_file_is_not_gone() -> None:
    assert rules(("tests/a.py", TEST, None), ("tests/b.py", None, TEST)) == {}
    assert rules(("tests/a.py", TEST, None), ("tests/b.py", None, LESS)) == {"tests/a.py": ["assertion-removed"]}
    assert rules(("tests/a.py", TEST, None)) == {"tests/a.py": ["assertion-removed"]}
    twice = TEST + TEST.replace(b"test_f", b"test_g")
    assert rules(("tests/a.py", twice, None), ("tests/b.py", None, TEST)) == {"tests/a.py": ["assertion-removed"]}


def test_what_is_no_python_has_no_claims() -> None:
    assert rules(("tests/a.py", b"def (", TEST), ("tests/b.py", TEST, b"def (")) == {}


BUILD = """
load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_freeze", "oracle_property_test")
oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))
oracle_freeze(name = "freeze", ledger = "freeze.json")
oracle_property_test(name = "p", candidate = ":src", property = "properties/p.py", seeds = "seeds/p.json",
                     freeze = ":freeze")
"""
ROW = {"id": "FZ-7", "nodeid": "tests/test_a.py::test_f", "class": "time-dependent", "seam": "src/a.py::f",
       "evidence": "red in 1 of 900 runs when the clock stepped", "skew": "-1 h", "owner": "Ada Lindqvist",
       "last_green": "2026-01-01", "expires": "2999-01-01", "agent_may_extend": False}
BASE = {"BUILD.bazel": BUILD, "WORKSPACE": "", "src/a.py": "def f(x):\n    return x + 1\n", "seeds/p.json": "[1]\n",
        "properties/p.py": "from src.a import f\n\n\ndef hold(case):\n    return f(case) == case + 1\n",
        "freeze.json": json.dumps({"budget": 1, "rows": [ROW]}), "tests/test_a.py": TEST.decode()}
SKIPPED = "import pytest\nfrom src.a import f\n@pytest.mark.skip(reason='{}')\ndef test_f():\n    assert f(1) == 2\n"


def found(top: Path, *arguments: str) -> tuple[Exit, list[dict[str, Any]]]:
    status, text = scan(top, *arguments, "--format", "json")
    return status, json.loads(text)["findings"]


def test_a_patch_may_neither_silence_a_test_nor_let_it_say_less(tmp_path: Path) -> None:
    for name, text, expect in (
        ("less", LESS.decode(), ["assertion-loosened"]), ("skip", SKIPPED.format("flaky"), ["silence-skip"]),
        ("named", SKIPPED.format("FZ-7, see the ledger"), []), ("more", TEST.decode() + "    assert f(2) == 3\n", []),
    ):
        repo = Repo(tmp_path / name)
        base = commit(repo, BASE)
        head = commit(repo, {"tests/test_a.py": text})
        status, findings = found(repo.top, "--diff", f"{base}..{head}")
        assert [(each["rule"], each["role"], each["refuses"]) for each in findings] == [
            (rule, "test", True) for rule in expect], name
        assert status is (Exit.REFUSED if expect else Exit.ACCEPT)


def test_silences_are_told_of_paths_too(tmp_path: Path) -> None:
    write(tmp_path, {"tests/test_a.py": SKIPPED.format("flaky"), "b.py": TEST.decode()})
    status, findings = found(tmp_path)
    assert status is Exit.REFUSED and [each["rule"] for each in findings] == ["silence-skip"]
