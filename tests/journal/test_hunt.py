"""Hunts on real parents: hits, misses, noise; what they write and leave alone; the same bytes in any order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .kit import OWNER, Bench, begin, bug, by_chance

BUG = bug("merged_spans")
SPANS = "src/spans.py"
LOOPS = "def merge(spans):\n    while spans:\n        pass\n    return []\n"
JOURNAL, CASE = "oracles/merged_spans.json", "oracles/merged_spans/3.json"


@pytest.fixture
def bench(tmp_path: Path, cache: Path) -> Bench:
    made = begin(tmp_path / "repo", cache, BUG)
    made.repo.commit({})
    return made


def hunt(bench: Bench, *words: str, seeds: str = "3", status: int = 0) -> str:
    ran = bench.cached("journal", "hunt", bench.name, "--seeds", seeds, "--today", "2026-01-10", *words)
    assert ran.status == status, ran
    return ran.out


def test_a_hunt_reads_the_parent_from_git_and_writes_nothing_but_the_journal(bench: Bench) -> None:
    bench.branch("agent", {SPANS: str(BUG.fix[SPANS]), "notes.txt": "words\n"})
    bench.repo.git("checkout", "-q", "agent")
    head, index = bench.repo.git("rev-parse", "HEAD"), bench.repo.git("ls-files", "-s")
    out = hunt(bench)
    assert f"1 of 1 seeds hit on {bench.repo.git('rev-parse', 'main')[:12]}" in out
    assert (bench.repo.git("rev-parse", "HEAD"), bench.repo.git("ls-files", "-s")) == (head, index)
    assert bench.repo.git("status", "--porcelain").splitlines() == [f" M {JOURNAL}".strip(), f"?? {Path(CASE).parent}/"]
    journal = json.loads((bench.repo.top / JOURNAL).read_bytes())
    assert (journal["state"], journal["replay"]["seeds"], journal["seen"]) == ("hit", [3], [3])
    assert journal["parent_sha"] == bench.repo.git("rev-parse", "main")


def test_a_realised_case_is_the_smallest_that_shows_the_bug(bench: Bench) -> None:
    hunt(bench)
    case = json.loads((bench.repo.top / CASE).read_bytes())
    # By hand: two spans, the second inside the first and shorter at its end; starts 0, lengths 2 and 1 are the least:
    # (0, 2) covers 0 and 1, and (0, 1) would come first when sorted, so that the inner one starts later, at 1: but it
    # then ends at 2 as well. So the outer one has to reach 3.
    found = [tuple(each["$tuple"]) for each in case["case"]]
    spans = sorted((low, low + length) for low, length in found)
    assert len(spans) == 2 and spans[1][1] < spans[0][1] and sum(length for _, length in found) == 4


def test_no_hit_is_told_and_locks_and_freezes_nothing(bench: Bench) -> None:
    bench.branch("mended", {SPANS: str(BUG.fix[SPANS])})
    out = hunt(bench, "--parent", "mended", seeds="3,4", status=1)
    assert "seed 3  miss" in out and "journal_zero_hit merged_spans" in out and "--parent" in out
    journal = json.loads((bench.repo.top / JOURNAL).read_bytes())
    assert (journal["state"], journal["replay"]["seeds"], journal["seen"]) == ("proposed", [], [3, 4])
    locked = bench.cached("journal", "lock", "merged_spans", "--owner", OWNER)
    assert (locked.status, locked.out.split()[0]) == (4, "journal_zero_hit") and "nothing was written" in locked.err
    frozen = bench.run("journal", "freeze", "merged_spans", "--seeds", "3", "--until", "2999-01-01T00:00:00Z",
                       "--owner", OWNER)
    assert (frozen.status, frozen.out.split()[0]) == (4, "journal_move_unknown")


def test_a_parent_that_never_answers_is_noise_and_no_hit(bench: Bench) -> None:
    build = (bench.repo.top / "BUILD.bazel").read_text().replace("timeout_seconds = 5", "timeout_seconds = 1")
    bench.branch("loops", {SPANS: LOOPS})
    bench.repo.write({"BUILD.bazel": build})
    out = hunt(bench, "--parent", "loops", status=1)
    assert "seed 3  noise limit" in out and "timeout" in out
    assert json.loads((bench.repo.top / JOURNAL).read_bytes())["noise"] == [3]
    assert not (bench.repo.top / CASE).exists()


def test_a_parent_that_answers_by_chance_is_noise_and_no_hit(bench: Bench) -> None:
    bench.branch("chance", {SPANS: by_chance(str(BUG.fix[SPANS]), "merge")})
    ran = bench.cached("journal", "hunt", bench.name, "--seeds", "11..16", "--parent", "chance", "--budget", "20")
    became = {int(line.split()[1]): line.split()[3] for line in ran.out.splitlines() if line.startswith("seed ")}
    # A seed whose two runs agree by luck, or whose first one holds, is nothing that can be told from a single hunt.
    mixed = {seed for seed, row in became.items() if row == "mixed"}
    assert sorted(became) == list(range(11, 17)) and mixed and {*became.values()} <= {"mixed", "held", "falsified"}, ran
    journal = json.loads((bench.repo.top / JOURNAL).read_bytes())
    assert (set(journal["noise"]), journal["flake"]["replay_flakes"]) == (mixed, len(mixed))
    assert journal["seen"] == sorted(became) and not mixed & set(journal["replay"]["seeds"])
    assert not any((bench.repo.top / f"oracles/merged_spans/{seed}.json").exists() for seed in mixed)
    assert (ran.status == 0) == ("falsified" in became.values())


def test_a_property_that_is_broken_stops_the_hunt(bench: Bench) -> None:
    before = (bench.repo.top / JOURNAL).read_bytes()
    text = (bench.repo.top / "properties/merged_spans.py").read_text().replace("merged = merge", "merged = case.x + merge")
    bench.repo.write({"properties/merged_spans.py": text})
    ran = bench.cached("journal", "hunt", "merged_spans", "--seeds", "3")
    assert ran.status == 3 and "oracle_error" in ran.err and (bench.repo.top / JOURNAL).read_bytes() == before


def test_the_same_hunt_gives_the_same_bytes_in_any_order_and_is_resumed_from_the_cache(
    bench: Bench, tmp_path: Path
) -> None:
    words = ("journal", "hunt", "merged_spans", "--seeds", "3,4", "--today", "2026-01-10")
    first = bench.run(*words, "--jobs", "1", "--cache-dir", str(tmp_path / "a"))
    files = {path: (bench.repo.top / path).read_bytes() for path in (JOURNAL, CASE)}
    bench.repo.git("checkout", "-q", "--", "oracles")
    (bench.repo.top / CASE).unlink()
    part = bench.run(*words[:4], "4", "--dry-run", "--cache-dir", str(tmp_path / "b"))
    second = bench.run(*words, "--jobs", "2", "--cache-dir", str(tmp_path / "b"))
    assert (first.status, part.status, second.status) == (0, 0, 0) and first.out == second.out
    assert {path: (bench.repo.top / path).read_bytes() for path in files} == files
    assert first.err == second.err == "", "quiet in a pipe"


def test_a_dry_run_writes_nothing(bench: Bench) -> None:
    assert "nothing is written" in hunt(bench, "--dry-run")
    assert bench.repo.git("status", "--porcelain") == ""


def test_show_draws_the_states_and_says_what_may_come_next(bench: Bench) -> None:
    before = bench.cached("journal", "show", "merged_spans").out
    assert "oracles/merged_spans.json): proposed" in before and before.count("\n  > proposed ") == 4
    hunt(bench)
    assert bench.cached("journal", "lock", "merged_spans", "--owner", OWNER).status == 0
    shown = bench.cached("journal", "show", "--format", "json")
    [told] = json.loads(shown.out)["journals"]
    assert (told["state"], told["owner"], told["hits"], told["stale"], told["broken"]) == ("locked", OWNER, 1, None, [])
    assert any(command.startswith("oracle-rules journal freeze merged_spans") for command in told["next"])
    place = bench.repo.top / "oracles" / "merged_spans.json"
    place.write_text(json.dumps({**json.loads(place.read_bytes()), "owner": "Ada \x1b[2J\u202eL"}))
    hostile = bench.cached("journal", "show", "merged_spans").out
    assert "locked by Ada \u27e8U+001B\u27e9[2J\u27e8U+202E\u27e9L" in hostile and "\x1b" not in hostile
    assert "journal_unlawful" in hostile
