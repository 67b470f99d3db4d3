"""Real pytest suites, run by `score` as anybody runs it: honest ones pass, and every way to cheat gets its reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ..cli.kit import Repo, make, oracle
from .kit import BASE, CASES, SEEN, UNSEEN, cheats, files


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    found = make(tmp_path_factory.mktemp("suites") / "repo", files())
    found.commit(cheats(), "cheat")
    return found


def score(repo: Repo, cache: Path, head: str, *words: str) -> dict[str, Any]:
    """The record of one branch."""
    return oracle("score", "--base", "main", "--head", head, "--cache-dir", str(cache), "--format", "json", *words,
                  cwd=repo.top, timeout=300).record


@pytest.fixture(scope="module")
def honest(repo: Repo, cache: Path) -> dict[str, Any]:
    return {each["property_id"]: each for each in score(repo, cache, "good")["targets"]}


@pytest.fixture(scope="module")
def cheated(repo: Repo, cache: Path) -> dict[str, Any]:
    return {each["property_id"]: each for each in score(repo, cache, "cheat")["targets"]}


@pytest.mark.parametrize("name", CASES)
def test_an_honest_candidate_is_held(name: str, honest: dict[str, Any]) -> None:
    found = honest[name]
    assert (found["bit"], found["reason"], found["assurance"]) == (1, None, "shared"), found["detail"]
    assert (found["planned"], found["held"]) == (1, 1)


@pytest.mark.parametrize("name", SEEN)
def test_a_cheat_is_no_pass_and_says_which(name: str, cheated: dict[str, Any]) -> None:
    found = cheated[name]
    assert (found["bit"], found["reason"]) == (0, CASES[name].reason), found["detail"]


@pytest.mark.parametrize("name", UNSEEN)
def test_what_a_shared_process_cannot_see_is_known_and_can_be_refused(
    name: str, cheated: dict[str, Any], repo: Repo, cache: Path
) -> None:
    assert cheated[name]["bit"] == 1
    record = score(repo, cache, "cheat", "--require-assurance", "apart", f"//:{name}")
    assert (record["decision"], [each["code"] for each in record["reasons"]]) == ("refused", ["assurance_shared"])
    assert "--require-assurance apart" in record["repro"]


@pytest.mark.parametrize("name", BASE)
def test_a_suite_of_base_counts_as_it_is(name: str, honest: dict[str, Any]) -> None:
    found, reason = honest[name], BASE[name][2]
    assert (found["bit"], found["reason"]) == (int(reason is None), reason), found["detail"]


def test_a_failing_property_shows_what_it_was_asked(cheated: dict[str, Any]) -> None:
    case = cheated["wrong"]["counterexample"]["case"]
    assert case == {"arguments": {"n": 0}, "nodeid": "tests/test_wrong.py::test_it"}


def test_a_second_score_runs_nothing(repo: Repo, cache: Path, honest: dict[str, Any]) -> None:
    record = score(repo, cache, "good")
    assert record["summary"]["cached"] == record["summary"]["targets"] == len(honest)
    assert {each["property_id"]: each["verdict"] for each in record["targets"]} == {
        name: each["verdict"] for name, each in honest.items()}
