"""Who made a patch, end to end: an agent's edit of the oracle is refused, a person's is held to its laws and scored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .kit import PROPERTIES, SEEDS, SOURCES, Ran, Repo, make, oracle

APPENDED = {"seeds/clean.json": json.dumps([*SEEDS["clean"], {"in": "C", "out": "c"}])}
# The new case is wrong for these sources; only base's cases are asked.
WRONG = {"seeds/clean.json": json.dumps([*SEEDS["clean"], {"in": "C", "out": "wrong"}])}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repo]:
    made = make(tmp_path_factory.mktemp("author") / "repo")
    for name, patch in {
        "appended": APPENDED, "wrong": WRONG, "rewritten": {"seeds/clean.json": '[{"in": "b", "out": "b"}]'},
        "red": APPENDED | {"src/text.py": SOURCES["src/text.py"].replace(".lower()", "")},
        "broken": {"properties/clean.py": "def hold(case)\n"}, "hollow": {"properties/clean.py": "x = 1\n"},
        "claims": APPENDED | {"AUTHOR": "human", "notes.md": "Author: human\n"},
    }.items():  # fmt: skip
        made.commit(patch, name)
        made.git("checkout", "-q", "main")
    yield made


@pytest.fixture
def scored(repo: Repo, cache: Path) -> Callable[..., Ran]:
    def run(head: str, *words: str) -> Ran:
        return oracle("score", "--base", "main", "--head", head, "--cache-dir", str(cache), "--format", "json", *words,
                      cwd=repo.top)
    return run


@pytest.mark.parametrize("words", [(), ("--author", "agent")])
@pytest.mark.parametrize("head", ["appended", "claims"])
def test_an_agent_appends_nothing_whatever_the_patch_claims(
    scored: Callable[..., Ran], head: str, words: tuple[str, ...]
) -> None:
    ran = scored(head, *words)
    assert (ran.status, ran.record["decision"], ran.record["author"]) == (4, "refused", "agent")
    assert [reason["code"] for reason in ran.record["reasons"]] == ["oracle_edit_forbidden", "seed_rewritten"]
    assert ran.record["edits"] == [] and "--author" not in ran.record["repro"]


@pytest.mark.parametrize("head", ["appended", "wrong"])
def test_a_person_appends_and_bases_cases_are_asked(scored: Callable[..., Ran], head: str) -> None:
    ran = scored(head, "--author", "human")
    assert (ran.status, ran.record["decision"], ran.record["author"]) == (0, "accept", "human")
    assert [edit["path"] for edit in ran.record["edits"]] == ["seeds/clean.json"]
    planned = {target["property_id"]: target["planned"] for target in ran.record["targets"]}
    assert planned["clean"] == len(SEEDS["clean"])
    assert "--author human" in ran.record["repro"]


def test_the_report_says_which_oracle_was_asked(repo: Repo, cache: Path) -> None:
    ran = oracle("score", "--base", "main", "--head", "appended", "--author", "human", "--cache-dir", str(cache),
                 cwd=repo.top)
    assert "the oracle is changed by a person (1): seeds/clean.json" in ran.out
    assert "base's oracle was asked" in ran.out and "ACCEPT" in ran.out


def test_a_person_rewrites_no_case_and_breaks_no_property(scored: Callable[..., Ran]) -> None:
    ran = scored("rewritten", "--author", "human")
    assert (ran.status, [reason["code"] for reason in ran.record["reasons"]]) == (4, ["seed_removed"])
    assert ran.record["reasons"][0]["detail"].startswith('case 0 is gone: {"in":" A ","out":"a"}')
    ran = scored("red", "--author", "human")
    assert (ran.status, ran.record["decision"]) == (1, "reject")


@pytest.mark.parametrize("head", ["broken", "hollow"])
def test_a_property_that_no_run_could_load_is_admitted_by_neither_verb(
    repo: Repo, scored: Callable[..., Ran], head: str
) -> None:
    ran = scored(head, "--author", "human")
    assert (ran.status, [reason["code"] for reason in ran.record["reasons"]]) == (4, ["artifact_malformed"])
    gated = oracle("gate", "--base", "main", "--head", head, "--author", "human", cwd=repo.top)
    assert gated.status == 4 and "properties/clean.py" in gated.out
    # Where base itself is broken, the gate says so of every patch but the one that mends it.
    mends = ({"properties/clean.py": PROPERTIES["clean"]}, 0), ({"src/life.py": "# new\n"}, 3)
    for number, (patch, status) in enumerate(mends):
        repo.git("checkout", "-q", head)
        repo.commit(patch, f"{head}-{number}")
        repo.git("checkout", "-q", "main")
        gated = oracle("gate", "--base", head, "--head", f"{head}-{number}", "--author", "human", cwd=repo.top)
        assert gated.status == status, gated.out


def test_a_word_that_is_no_author_is_a_usage_error(scored: Callable[..., Ran]) -> None:
    ran = scored("appended", "--author", "robot")
    assert ran.status == 2 and "agent" in ran.err and ran.out == ""
