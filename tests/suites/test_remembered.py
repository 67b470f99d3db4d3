"""A suite beside the rest of the oracle: with locked packages of the candidate's, and with a journal of its seeds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..cli.kit import Ran, Repo, make, oracle
from ..runner.test_dependencies import section

LOAD = ('load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_domain_lock",\n'
        '     "oracle_property_test")\n')


def run(repo: Repo, cache: Path, *words: str) -> Ran:
    return oracle(*words, "--cache-dir", str(cache), cwd=repo.top)


def score(repo: Repo, cache: Path, head: str) -> dict[str, Any]:
    """The targets of a score by lane."""
    ran = run(repo, cache, "score", "--base", "main", "--head", head, "--format", "json")
    return {target["lane"]: target for target in ran.record["targets"]}


USES = "import typing_extensions\n\n\ndef arguments(kind):\n    return typing_extensions.get_args(kind)\n"
ASKS = """import typing_extensions
from src.it import arguments


def test_it():
    assert arguments(list[int]) == (int,)
    assert typing_extensions.__file__ == "/deps/site-packages/typing_extensions.py"
"""


def packaged() -> dict[str, str]:
    """Two suites that use a package, as their candidates do; one of these has it locked."""
    rules = [LOAD]
    for name, locked in (("it", ', requirements = "requirements.lock"'), ("bare", "")):
        rules.append(f'oracle_candidate(name = "{name}_src", srcs = glob(["src/**/*.py"]){locked})\n'
                     f'oracle_property_test(name = "{name}", selector = "tests/test_it.py::test_it", '
                     f'candidate = ":{name}_src")\n')
    return {"BUILD.bazel": "".join(rules), "src/__init__.py": "", "src/it.py": USES, "tests/test_it.py": ASKS,
            "requirements.lock": section("typing-extensions")}


def test_a_suite_has_the_locked_packages_of_its_candidate_and_no_others(tmp_path: Path, cache: Path) -> None:
    ran = run(make(tmp_path / "repo", packaged()), cache, "score", "--base", "main", "--head", "good", "--format", "json")
    found = {target["property_id"]: target for target in ran.record["targets"]}
    assert (found["it"]["bit"], found["it"]["assurance"]) == (1, "shared"), found["it"]["detail"]
    assert (found["bare"]["bit"], found["bare"]["reason"]) == (0, "suite_collect_error")
    assert "typing_extensions" in found["bare"]["detail"]


WRONG = "def clamp(number):\n    return number if number < 50 else 50 if number < 90 else number\n"
RIGHT = "def clamp(number):\n    return min(number, 50)\n"
CLAMPED = """from hypothesis import given, strategies as st
from src.it import clamp


@given(st.integers(0, 99))
def test_it(number):
    assert clamp(number) <= 50
"""
# A suite draws by itself; the lock says with which seed, and how many cases. The same seed is hunted: it runs once.
ROW = {"domain": {"kind": "integers", "min": 0, "max": 99}, "max_examples": 30, "deadline_ms": 400, "seed": 1}


def remembering(journal: str) -> dict[str, str]:
    """A suite with a bug on the parent, and a lock for its journal."""
    return {"BUILD.bazel": f'{LOAD}oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))\n'
                           'oracle_domain_lock(name = "domains", lock = "domain_lock.json")\n'
                           'oracle_property_test(name = "it", selector = "tests/test_it.py::test_it", candidate = ":src", '
                           f'domain_lock = ":domains"{journal})\n',
            "src/__init__.py": "", "src/it.py": WRONG, "tests/test_it.py": CLAMPED,
            "domain_lock.json": json.dumps({"it": ROW})}


def test_a_journal_over_a_suite_is_red_on_the_parent_and_green_on_a_fix(tmp_path: Path, cache: Path) -> None:
    repo = make(tmp_path / "repo", remembering(""))
    drawing = oracle("domain", "draw", "it", cwd=repo.top)
    assert drawing.status == 2 and "is a suite" in drawing.err
    assert oracle("journal", "propose", "it", "--hold-out", "1", cwd=repo.top).status == 0
    repo.write({"BUILD.bazel": remembering(', journal = "oracles/it.json"')["BUILD.bazel"]})
    hunted = run(repo, cache, "journal", "hunt", "it", "--seeds", "1", "--today", "2026-01-10")
    assert hunted.status == 0 and "1 of 1 seeds hit" in hunted.out, hunted
    locked = run(repo, cache, "journal", "lock", "it", "--owner", "Ada Lindqvist")
    assert locked.status == 0, locked
    case = json.loads((repo.top / "oracles/it/1.json").read_bytes())["case"]
    assert case == {"arguments": {"number": 90}, "nodeid": "tests/test_it.py::test_it"}, "the least that shows the bug"
    repo.commit({})
    for name, source in (("same", WRONG + "\n\nMORE = 1\n"), ("fix", RIGHT)):
        repo.commit({"src/it.py": source}, name)
        repo.git("checkout", "-q", "main")
    red, green = score(repo, cache, "same"), score(repo, cache, "fix")
    assert {lane: each["reason"] for lane, each in red.items()} == {
        "replay": "property_failed", "holdout": "property_failed"}
    assert red["replay"]["counterexample"]["case"] == case
    assert {lane: each["bit"] for lane, each in green.items()} == {"replay": 1, "holdout": 1}
