"""How strong a property is, on workspaces whose mutants were listed by hand; what is measured is never a score's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ..cli.kit import Ran, Repo, make
from .kit import Bench, begin, bug, lanes, lock

BUILD = """load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_property_test")
oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))
""" + "".join(
    f"""oracle_property_test(name = "{name}", property = "properties/{name}.py", candidate = ":src",
                     seeds = "seeds/{seeds}.json"{more})
"""
    for name, seeds, more in (
        ("strong", "strong", ""), ("weak", "weak", ""), ("apart", "strong", ", fresh_cell = True"), ("up", "up", ""),
        ("nothing", "up", ""))) + """oracle_property_test(name = "together", selector = "tests/test_few.py::test_few",
                     candidate = ":suited")
oracle_candidate(name = "suited", srcs = ["src/few.py"])
"""  # fmt: skip
FEW = """\
MOST = 3


def few(n):
    if n < MOST:
        return True
    return False


def never(n):
    return n > MOST
"""
FILES = {
    "BUILD.bazel": BUILD, "src/few.py": FEW, "src/top.py": "TOP = 9\n",
    "src/steps.py": "from src.top import TOP\n\n\ndef up(n):\n    at = 0\n    while at < n:\n        at += 1\n"
                    "    return min(at, TOP)\n",
    "src/bare.py": "def bare():\n    pass\n",
    **{f"properties/{name}.py": "from src.few import few\n\n\ndef hold(case):\n"
                                "    return few(case['n']) is case['few']\n" for name in ("strong", "weak", "apart")},
    "properties/up.py": "from src.steps import up\n\n\ndef hold(case):\n    return up(case) == case\n",
    "properties/nothing.py": "from src.bare import bare\n\n\ndef hold(case):\n    return bare() is None\n",
    "seeds/strong.json": '[{"n": 1, "few": true}, {"n": 3, "few": false}]\n',
    "seeds/weak.json": '[{"n": 1, "few": true}, {"n": 5, "few": false}]\n',
    "seeds/up.json": "[2]\n",
    "tests/test_few.py": "from src.few import few\n\n\ndef test_few():\n    assert few(1) and not few(3)\n",
}  # fmt: skip
# The mutants of what `few` runs. The boundary case tells them all; without it the two that move the boundary survive.
OF_FEW = {(1, "constant", "4"), (1, "statement", "pass"), (5, "boundary", "<="), (5, "comparison", ">="),
          (6, "boolean", "False"), (6, "return", "None"), (7, "boolean", "True"), (7, "return", "None")}
MOVED = {(1, "constant", "4"), (5, "boundary", "<=")}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """All of them hold on `main`."""
    return make(tmp_path_factory.mktemp("strength") / "repo", FILES)


def measured(repo: Repo, cache: Path, name: str, *words: str) -> dict[str, Any]:
    ran = Bench(repo=repo, cache=cache, name=name).cached("journal", "strength", name, "--format", "json", *words)
    assert ran.status == 0, ran
    found: dict[str, Any] = json.loads(ran.out)
    return found


def mutants(found: dict[str, Any], outcome: str) -> set[tuple[int, str, str]]:
    return {(each["line"], each["operator"], each["after"]) for each in found["mutants"] if each["outcome"] == outcome}


def counts(found: dict[str, Any]) -> tuple[int, int, int, int]:
    return found["killed"], found["survived"], found["undecided"], found["total"]


@pytest.mark.parametrize("name", ["strong", "apart"])
def test_a_property_that_asks_at_the_boundary_kills_every_mutant(name: str, repo: Repo, cache: Path) -> None:
    """With a cell for each case, what was run in any of them counts."""
    found = measured(repo, cache, name)
    assert counts(found) == (8, 0, 0, 8)
    assert mutants(found, "killed") == OF_FEW
    assert (found["lines"], found["places"], found["cases"]) == ({"src/few.py": 6}, 8, 2)


def test_one_that_asks_beside_it_lets_the_moved_boundary_through(repo: Repo, cache: Path) -> None:
    found = measured(repo, cache, "weak")
    assert counts(found) == (6, 2, 0, 8)
    assert mutants(found, "survived") == MOVED
    [diff] = [each["diff"] for each in found["mutants"] if each["operator"] == "boundary"]
    assert diff == ("--- a/src/few.py\n+++ b/src/few.py\n@@ -3,5 +3,5 @@\n \n def few(n):\n-    if n < MOST:\n"
                    "+    if n <= MOST:\n         return True\n     return False\n")


def test_a_limit_and_a_module_that_is_not_there_say_nothing_about_the_property(repo: Repo, cache: Path) -> None:
    found = measured(repo, cache, "up", "--seconds", "1")
    assert counts(found) == (4, 3, 2, 9)
    assert mutants(found, "undecided") == {(1, "statement", "pass"), (7, "statement", "pass")}
    assert {each["reason"] for each in found["mutants"] if each["outcome"] == "undecided"} == {
        "import_failed", "timeout"}
    # From 1 on, in steps of 2, or up to 10: for the case 2 the answer is the same.
    assert mutants(found, "survived") == {(5, "constant", "1"), (7, "constant", "2"), (1, "constant", "10")}


def test_of_a_suite_every_line_counts(repo: Repo, cache: Path) -> None:
    """`never`, which no test calls, has three more. The first four of the eleven are the first, ninth, fifth and third:
    the assignment, what `never` returns, `True` and the boundary."""
    found = measured(repo, cache, "together", "--most", "4")
    assert (found["lines"], found["places"], found["cases"]) == (None, 11, 1)
    assert mutants(found, "survived") == {(11, "return", "None")}
    assert mutants(found, "killed") == {(1, "statement", "pass"), (6, "boolean", "False"), (5, "boundary", "<=")}


def test_the_bytes_are_the_same_however_many_run_at_once(repo: Repo, cache: Path, tmp_path: Path) -> None:
    words = ("journal", "strength", "weak", "--format", "json", "--most", "4")
    one, two = (Bench(repo=repo, cache=place, name="").cached(*words, "--jobs", jobs)
                for place, jobs in ((cache, "1"), (tmp_path / "cache", "2")))
    assert one.out == two.out != ""
    assert (json.loads(one.out)["total"], json.loads(one.out)["places"]) == (4, 8)


def test_what_was_judged_is_shown_again_and_is_in_no_score(repo: Repo, cache: Path) -> None:
    bench = Bench(repo=repo, cache=cache, name="weak")
    action = next(each["action"] for each in measured(repo, cache, "weak")["mutants"] if each["operator"] == "return")
    again = bench.cached("replay", action)
    assert again.status == 1 and '"lane":"strength"' in again.out and "as stored" in again.out + again.err
    scored = bench.score("good", "//:weak")
    assert action not in json.dumps(scored.record)


def test_text_tells_who_survived_and_shows_hidden_characters(repo: Repo, cache: Path) -> None:
    bench = Bench(repo=repo, cache=cache, name="weak")
    bench.branch("hostile", {"src/few.py": FEW + "\n\nNAME = 'a\x1b[2Jb'\n"})
    ran = bench.cached("journal", "strength", "weak", "--head", "hostile")
    assert ran.status == 0 and "\x1b" not in ran.out
    assert "survived src/few.py:5 boundary: `<` -> `<=`\n" in ran.out
    assert "    -NAME = 'a\u27e8U+001B\u27e9[2Jb'\n" in ran.out
    assert ran.out.splitlines()[-2].endswith(": killed 6/10, 4 survived, 0 undecided")


def test_a_source_that_no_fault_can_be_put_into_is_named(repo: Repo, cache: Path) -> None:
    """One that is run and nested more deeply than it could be read, and one in an encoding that is no text's."""
    bench = Bench(repo=repo, cache=cache, name="weak")
    deep = "def deep(n):\n    if n == 0:\n        return 0\n" + "".join(
        f"    elif n == {number}:\n        return {number}\n" for number in range(1, 900))
    bench.branch("deep", {"src/deep.py": deep, "src/few.py": "import src.deep\n\nsrc.deep.deep(0)\n" + FEW})
    found = measured(repo, cache, "weak", "--head", "deep", "--most", "1")
    assert found["unread"] == ["src/deep.py"] and found["lines"]["src/few.py"] == 8
    said = bench.cached("journal", "strength", "weak", "--head", "deep", "--most", "1").out
    assert "no fault was put into src/deep.py" in said
    assert measured(repo, cache, "weak", "--most", "1")["unread"] == []


def refused(ran: Ran, status: int, *said: str) -> None:
    assert ran.status == status, ran
    assert all(each in ran.out + ran.err for each in said), ran
    assert "Traceback" not in ran.err


def test_what_can_not_be_measured_is_told(repo: Repo, cache: Path) -> None:
    bench = Bench(repo=repo, cache=cache, name="strong")
    bench.branch("red", {"src/few.py": FEW.replace("n < MOST", "n <= MOST")})
    refused(bench.cached("journal", "strength", "strong", "--head", "red"), 1, "does not hold", "property_failed",
            "oracle-rules replay ")
    refused(bench.cached("journal", "strength", "nothing"), 6, "nothing")
    refused(bench.cached("journal", "strength", "strong", "--most", "0"), 2, "--most")
    refused(bench.cached("journal", "strength", "absent"), 2, "absent", "strong")


def test_a_locked_journal_is_asked_too(tmp_path: Path, cache: Path) -> None:
    found = bug("size_words")
    bench = begin(tmp_path / "repo", cache, found)
    lock(bench, found.seeds)
    bench.branch("fix", found.fix)
    scored = bench.score("fix")
    assert lanes(scored)["replay"] == 1
    [planned] = [target["planned"] for target in scored.record["targets"] if target["lane"] == "replay"]
    assert measured(bench.repo, cache, found.name, "--head", "fix", "--most", "1")["cases"] == planned
