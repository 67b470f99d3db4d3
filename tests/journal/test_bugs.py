"""Real bugs of public projects, rebuilt small: the property hits on the parent, holds on the fix, and tells a wrong fix.

The wrong fix answers everything that was found, and all that the seeds of replay draw; what nobody has seen tells it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .kit import NAMES, begin, bug, lanes, lock


def test_there_are_enough_of_them() -> None:
    assert len({bug(name).origin for name in NAMES}) == len(NAMES) >= 5


@pytest.mark.parametrize("name", NAMES)
def test_a_bug_is_found_locked_mended_and_a_wrong_fix_is_told_by_what_is_held_out(
    name: str, tmp_path: Path, cache: Path
) -> None:
    found = bug(name)
    bench = begin(tmp_path / "repo", cache, found)
    hunted = lock(bench, found.seeds)
    hits = [line.split()[1] for line in hunted.out.splitlines() if line.startswith("seed ") and " hit " in line]
    assert hits == found.seeds.split(","), hunted
    bench.branch("fix", found.fix)
    bench.branch("wrong", found.wrong)
    bench.branch("same", {"src/more.py": "MORE = 1\n"})
    right, wrong, same = (bench.score(head) for head in ("fix", "wrong", "same"))
    assert (right.status, lanes(right)) == (0, {"replay": 1, "holdout": 1}), right
    assert (wrong.status, lanes(wrong)) == (1, {"replay": 1, "holdout": 0}), wrong
    assert (same.status, lanes(same)) == (1, {"replay": 0, "holdout": 0}), same
    [told] = [target for target in wrong.record["targets"] if target["lane"] == "holdout"]
    assert (told["reason"], told["counterexample"], told["held"]) == ("property_failed", None, None)
    case = json.loads((bench.repo.top / f"oracles/{name}/{hits[0]}.json").read_bytes())
    assert case["reason"] == "property_failed" and case["seed"] == int(hits[0])
