"""Hunting again, on another parent or with other versions: what was found stays, and what hits anew can be locked."""

from __future__ import annotations

import json
from pathlib import Path

from .kit import OWNER, begin, bug

BUG = bug("merged_spans")
PATH, CASE = "oracles/merged_spans.json", "oracles/merged_spans/3.json"


def test_what_was_found_stays_and_what_hits_anew_is_locked(tmp_path: Path, cache: Path) -> None:
    bench = begin(tmp_path / "repo", cache, BUG)
    bench.repo.commit({})
    hunt = ("journal", "hunt", bench.name, "--today", "2026-01-10", "--budget", "0", "--seeds")
    assert bench.cached(*hunt, "3").status == 0
    first = (bench.repo.top / CASE).read_bytes()
    # As another version of Hypothesis would have left it: seed 3 drew something else, and found another case.
    old = json.loads((bench.repo.top / PATH).read_bytes())
    old["tools"]["hypothesis"] = "6.0.0"
    case = json.loads(first)
    case["case"].append({"$tuple": [0, 1]})
    bench.repo.commit({PATH: json.dumps(old), CASE: json.dumps(case)})
    kept = (bench.repo.top / CASE).read_bytes()

    # Seed 3 is history until it is hunted again; the lock of what seed 4 found does not wait for that.
    assert bench.cached(*hunt, "4").status == 0
    journal = json.loads((bench.repo.top / PATH).read_bytes())
    assert (journal["replay"]["seeds"], journal["replay"]["hits"], journal["seen"]) == ([4], 2, [3, 4])
    locked = bench.cached("journal", "lock", bench.name, "--owner", OWNER)
    assert locked.status == 0 and "2 hits" in locked.out, locked

    ran = bench.cached(*hunt, "3")
    assert ran.status == 0 and "seed 3 has a case already, which stays" in ran.out and "promote //:merged_spans" in ran.out
    assert (bench.repo.top / CASE).read_bytes() == kept != first
    waiting = bench.cached("promote", "--list").out
    assert json.dumps(json.loads(first)["case"], separators=(",", ":")) in waiting
    assert bench.cached("journal", "lock", bench.name, "--owner", OWNER).status == 0

