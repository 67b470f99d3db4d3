"""Promotion: shrunk, shown, written by a person alone, asked by the next score; and exploring, which no score hangs on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..cli.kit import Repo, make
from .kit import OWNER, Bench, bug

BUILD = """load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_domain_lock", "oracle_property_test")
oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))
oracle_domain_lock(name = "domains", lock = "domain_lock.json")
oracle_property_test(name = "size", property = "properties/size.py", candidate = ":src", seeds = "seeds/size.json",
                     domain_lock = ":domains")
oracle_property_test(name = "name", property = "properties/name.py", candidate = ":src", seeds = "seeds/name.json")
"""
DOMAIN = {"domain": {"kind": "lists", "elements": {"kind": "integers", "min": 0, "max": 99}, "min_size": 0, "max_size": 6,
                     "unique": False}, "max_examples": 30, "deadline_ms": 400, "seed": 3}
GOOD = "def size(values):\n    return len(values)\n\n\ndef name(line):\n    return line.partition(':')[0]\n"
FILES = {
    "BUILD.bazel": BUILD, "src/a.py": GOOD, "domain_lock.json": json.dumps({"size": DOMAIN}),
    "properties/size.py": "from src.a import size\n\n\ndef hold(case):\n    return size(case) == sum(1 for _ in case)\n",
    "properties/name.py": "from src.a import name\n\n\ndef hold(case):\n    return name(case['line']) == case['name']\n",
    "seeds/size.json": "[[1], []]\n",
    "seeds/name.json": '[\n  {"line": "Host: a", "name": "Host"}\n]\n',
}  # fmt: skip
# Three or more values are one too few: the smallest is three zeros.
SHORT = GOOD.replace("len(values)", "len(values) - (len(values) > 2)")
# Wrong for every line with a colon. By hand: base holds a smaller case only if its name is what stands
# before the colon, so that only what follows it can go; without any colon base and patch answer alike.
BLANK = GOOD.replace("partition(':')", "partition(': ' if ': ' not in line else '::')")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[Bench]:
    top = tmp_path_factory.mktemp("promote")
    repo = make(top / "repo", FILES)
    made = Bench(repo=repo, cache=top / "cache", name="size")
    made.branch("short", {"src/a.py": SHORT})
    made.branch("blank", {"src/a.py": BLANK})
    made.branch("honest", {"src/a.py": "# the same\n" + GOOD})
    yield made


def promote(bench: Bench, *words: str) -> Any:
    return bench.cached("promote", *words, "--base", "main")


def restored(repo: Repo) -> None:
    repo.git("checkout", "-q", "--", ".")


def test_the_smallest_case_is_shown_with_its_diff_and_nothing_is_written(bench: Bench) -> None:
    ran = promote(bench, "//:size", "--head", "short")
    assert ran.status == 0 and "  smallest  [0,0,0] (" in ran.out and "(seed-3)" in ran.out, ran
    assert "-[[1], []]\n+[[1], [], [0, 0, 0]]\n" in ran.out and "to see it: oracle-rules replay " in ran.out
    assert bench.repo.git("status", "--porcelain") == ""
    again = promote(bench, "//:size", "--head", "short")
    assert again.out == ran.out


def test_a_later_run_that_passes_discards_nothing(bench: Bench) -> None:
    promote(bench, "//:size", "--head", "short")
    listed = bench.cached("promote", "--list")
    assert listed.status == 0 and "//:size  property_failed  [0,0,0]" in listed.out
    ran = promote(bench, "//:size", "--head", "honest")
    assert ran.status == 0 and "[0, 0, 0]" in ran.out and "smallest" not in ran.out


def test_only_a_person_writes_and_the_next_score_asks_it(bench: Bench) -> None:
    for words, text in ((("--yes",), "--owner is missing"), (("--yes", "--owner", "ci-bot"), "is no person"),
                        (("--owner", OWNER), "without --yes")):
        ran = promote(bench, "//:size", "--head", "short", *words)
        assert ran.status == 2 and text in ran.err
    assert bench.repo.git("status", "--porcelain") == ""
    ran = promote(bench, "//:size", "--head", "short", "--yes", "--owner", OWNER)
    assert ran.status == 0 and (bench.repo.top / "seeds/size.json").read_text() == "[[1], [], [0, 0, 0]]\n"
    twice = promote(bench, "//:size", "--head", "short")
    assert (twice.status, "seed_duplicate" in twice.out) == (4, True), twice
    bench.repo.git("checkout", "-q", "-b", "promoted")
    bench.repo.commit({})
    bench.branch("short-again", {"src/a.py": SHORT}, on="promoted")
    ran = bench.cached("score", "--base", "promoted", "--head", "short-again", "//:size", "--format", "json")
    assert ran.status == 1 and ran.record["targets"][0]["counterexample"]["index"] == 2
    bench.repo.git("branch", "-q", "-D", "promoted", "short-again")


def test_a_committed_case_gets_smaller_only_as_far_as_base_holds_it(bench: Bench) -> None:
    ran = promote(bench, "//:name", "--head", "blank", "--budget", "30")
    assert ran.status == 0, ran
    [line] = [line for line in ran.out.splitlines() if "smallest" in line]
    case = json.loads(line.split("smallest  ")[1].rpartition(" (")[0])
    assert case == {"line": "Host:", "name": "Host"}


def test_a_target_that_holds_has_nothing_to_promote(bench: Bench) -> None:
    fresh = bench.run("promote", "//:size", "--base", "main", "--head", "honest", "--cache-dir",
                      str(bench.cache.parent / "other"))
    assert (fresh.status, "nothing found earlier waits" in fresh.out) == (6, True)
    assert bench.run("promote", "--list", "--cache-dir", str(bench.cache.parent / "other")).status == 6
    assert promote(bench, "--head", "honest").status == 2


def test_what_is_red_without_a_case_is_told_and_never_taken_for_a_pass(bench: Bench) -> None:
    """A candidate that can't be imported; `promote` and `explore` keep nothing of it."""
    bench.branch("unloadable", {"src/a.py": "import nothing_of_the_kind\n"})
    for words in (["promote", "//:size"], ["explore", "//:size", "--seed", "5"]):
        ran = bench.cached(*words, "--base", "main", "--head", "unloadable")
        assert ran.status == 2 and "import_failed" in ran.err and "oracle-rules replay " in ran.err, ran
        assert bench.cached(*words, "--base", "main", "--head", "honest").status in (0, 6)


def test_nothing_is_written_through_a_folder_that_is_a_link(bench: Bench, tmp_path: Path) -> None:
    top = tmp_path / "copy"
    shutil.copytree(bench.repo.top, top)
    (top / "seeds").rename(tmp_path / "elsewhere")
    (top / "seeds").symlink_to(tmp_path / "elsewhere")
    before = (tmp_path / "elsewhere" / "size.json").read_bytes()
    other = Bench(repo=Repo(top), cache=bench.cache, name="size")
    ran = promote(other, "//:size", "--head", "short", "--yes", "--owner", OWNER)
    assert ran.status == 2 and "is a link" in ran.err, ran
    assert (tmp_path / "elsewhere" / "size.json").read_bytes() == before


def test_exploring_finds_with_fresh_streams_shows_the_seed_and_leaves_scores_alone(bench: Bench) -> None:
    before = bench.cached("score", "--base", "main", "--head", "short", "--format", "json").record
    ran = bench.cached("explore", "//:size", "--base", "main", "--head", "short", "--seconds", "0.1")
    assert ran.status == 1 and "[0,0,0]" in ran.out and "oracle-rules promote //:size" in ran.out, ran
    seed = ran.out.split(" seed ")[1].split(":")[0]
    assert int(seed) > 2**32
    again = bench.cached("explore", "//:size", "--base", "main", "--head", "short", "--seed", seed)
    assert again.status == 1 and again.out.startswith(f"//:size seed {seed}: property_failed")
    after = bench.cached("score", "--base", "main", "--head", "short", "--format", "json").record
    assert [each["action"] for each in after["targets"]] == [each["action"] for each in before["targets"]]
    assert bench.repo.git("status", "--porcelain") == ""
    honest = bench.cached("explore", "//:size", "--base", "main", "--head", "honest", "--seconds", "0.1")
    assert honest.status == 0 and "0 of them falsify" in honest.out
    assert bench.cached("explore", "//:name", "--base", "main", "--head", "honest").status == 6


def test_the_bugs_of_this_room_are_promoted_or_say_why_not(tmp_path: Path, cache: Path) -> None:
    found = bug("merged_spans")
    repo = make(tmp_path / "repo", {path: text for path, text in found.parent.items()} | {
        "BUILD.bazel": found.parent["BUILD.bazel"].replace('    journal = "oracles/merged_spans.json",\n', "")})
    made = Bench(repo=repo, cache=cache, name="merged_spans")
    ran = made.cached("promote", "//:merged_spans", "--base", "main", "--head", "good")
    assert ran.status == 4 and "more than JSON" in ran.out and "smallest" in ran.out, ran
