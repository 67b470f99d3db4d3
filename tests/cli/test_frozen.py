"""The frozen lane: what is frozen runs after everything else, is listed as debt, and counts for nothing."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from oracle_rules.evaluate import Evaluation
from oracle_rules.record import record
from oracle_rules.scoring.frozen import FrozenLane
from oracle_rules.worker import Worker
from oracle_rules.workspace import discover, open_subject

from .kit import Ran, Repo, build_file, make, oracle, workspace

TODAY = "2999-12-30"
FROZEN = {
    "asleep": "from src.life import asleep\n\n\ndef hold(case):\n    return asleep() == case\n",
    "crashes": "from src.life import dies\n\n\ndef hold(case):\n    return dies()\n",
    "hangs": "from src.life import hangs\n\n\ndef hold(case):\n    return hangs()\n",
    "broken": "raise RuntimeError('cannot be loaded')\n",
    "holds": "from src.life import one\n\n\ndef hold(case):\n    return one() == case\n",
    "seedless": "from src.life import one\n\n\ndef hold(case):\n    return one() == case\n",
}
LIFE = "import os\n\n\ndef alive():\n    return True\n\n\ndef dies():\n    os.kill(os.getpid(), 9)\n\n\n" \
       "def hangs():\n    while True:\n        pass\n\n\ndef one():\n    return 1\n\n\ndef asleep():\n    return 2\n"
TEST = "def test_legacy():\n    assert True\n"


def row(number: int, **more: str) -> dict[str, Any]:
    """A row of the ledger that keeps every law."""
    return {"id": f"FRZ-{number}", "class": "order", "seam": "src/life.py::alive", "owner": "Ada Lindqvist",
            "evidence": "red after clean, 1 of 900 runs", "last_green": "2026-01-01", "expires": "2999-12-31",
            "agent_may_extend": False, **more}


def files(frozen: bool) -> dict[str, str]:
    """A workspace in which these properties are frozen, or are not."""
    found = {**workspace(), "src/life.py": LIFE, "tests/test_legacy.py": TEST}
    rows = [row(number, property=name) for number, name in enumerate(FROZEN)] if frozen else []
    rows += [row(9, nodeid="tests/test_legacy.py::test_legacy", expires="2999-12-30")]
    found |= {"freeze.json": json.dumps({"budget": 9, "rows": rows}),
              "BUILD.bazel": build_file(["clean", *FROZEN]).replace(
                  'seeds = "seeds/hangs.json"', 'seeds = "seeds/hangs.json", timeout_seconds = 1')}
    for name, text in FROZEN.items():
        found |= {f"properties/{name}.py": text, f"seeds/{name}.json": "[1]"}
    # It is there, or loading would stop; it holds no case.
    return {**found, "seeds/seedless.json": "[]"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return make(tmp_path_factory.mktemp("frozen") / "repo", files(frozen=True))


def score(repo: Repo, cache: Path, *words: str) -> Ran:
    sides = ("--base", "main", "--head", "good", "--today", TODAY, "--cache-dir", str(cache))
    return oracle("score", *sides, *words, cwd=repo.top)


def test_what_is_frozen_is_debt_with_what_it_does_now(place: Repo, cache: Path) -> None:
    ran = score(place, cache, "--format", "json")
    assert (ran.status, ran.err) == (0, "")
    record = ran.record
    debt = {line["id"]: line for line in record["debt"]}
    assert {name: (line["property_id"], line["label"], line["bit"], line["reason"]) for name, line in debt.items()} == {
        "FRZ-0": ("asleep", "//:asleep", 0, "property_failed"),
        "FRZ-1": ("crashes", "//:crashes", 0, "candidate_crashed"),
        "FRZ-2": ("hangs", "//:hangs", 0, "timeout"),
        "FRZ-3": ("broken", "//:broken", 0, "property_broken"),
        "FRZ-4": ("holds", "//:holds", 1, None),
        "FRZ-5": ("seedless", "//:seedless", None, "oracle_incomplete"),
        "FRZ-9": (None, None, None, None),
    }
    first = record["debt"][0]
    assert (first["id"], first["nodeid"], first["days_left"]) == ("FRZ-9", "tests/test_legacy.py::test_legacy", 0)
    assert (first["action"], first["verdict"], first["served_from"], first["repro"]) == (None, None, None, None)
    asleep = debt["FRZ-0"]
    assert (asleep["class"], asleep["owner"], asleep["expires"], asleep["days_left"], asleep["today"]) == (
        "order-dependent", "Ada Lindqvist", "2999-12-31", 1, TODAY)
    # Nothing else knows of it.
    assert (record["decision"], record["bit"], record["exit"], record["reasons"]) == ("accept", 1, 0, [])
    assert record["properties"] == ["clean"] and [each["label"] for each in record["targets"]] == ["//:clean"]
    cached = record["summary"].pop("cached")
    assert cached <= 1 and record["summary"] == {"targets": 1, "held": 1, "falsified": 0, "frozen": 7}


def test_the_same_properties_count_when_they_are_not_frozen(tmp_path: Path, cache: Path) -> None:
    """The control, and: no verdict of the frozen lane is ever served to a run that counts."""
    repo = make(tmp_path / "repo", files(frozen=False))
    ran = score(repo, cache, "--format", "json", "//:asleep", "//:holds")
    assert ran.status == 1 and [each["bit"] for each in ran.record["targets"]] == [0, 1]
    assert {each["served_from"] for each in ran.record["targets"]} == {"executed"}


def test_a_line_of_debt_shows_how_to_see_it_again(place: Repo, cache: Path) -> None:
    record = score(place, cache, "--format", "json").record
    asleep = next(line for line in record["debt"] if line["id"] == "FRZ-0")
    verdict = oracle(*asleep["repro"].split()[1:], "--cache-dir", str(cache), cwd=place.top)
    assert verdict.status == 1 and verdict.record["lane"] == "frozen" and verdict.record["property_id"] == "asleep"


def test_the_report_lists_debt_with_its_days(place: Repo, cache: Path) -> None:
    lines = score(place, cache).out.splitlines()
    assert "frozen (debt, no evidence): 7" in lines
    assert "  FRZ-9 tests/test_legacy.py::test_legacy: order-dependent, Ada Lindqvist, until 2999-12-30, 0 days left; " \
           "not run" in lines
    assert "  FRZ-4 //:holds: order-dependent, Ada Lindqvist, until 2999-12-31, 1 day left; holds now" in lines
    [unread] = [line for line in lines if "FRZ-5" in line]
    assert "could not be run (oracle_incomplete: " in unread
    assert lines[-2].startswith("ACCEPT  1 held, 0 not")


def test_only_what_is_frozen_is_nothing_to_score(place: Repo, cache: Path) -> None:
    ran = score(place, cache, "--format", "json", "//:asleep", "//:holds")
    assert ran.status == 6 and ran.record["decision"] == "nothing" and ran.record["properties"] == []
    assert {line["id"]: line["bit"] for line in ran.record["debt"] if line["bit"] is not None} == {
        "FRZ-0": 0, "FRZ-4": 1}


def test_nothing_frozen_runs_when_the_gate_refuses(place: Repo, cache: Path) -> None:
    place.commit({"seeds/clean.json": '[{"in": "b", "out": "b"}]'}, "edits")
    place.git("checkout", "-q", "main")
    ran = oracle("score", "--base", "main", "--head", "edits", "--today", TODAY, "--cache-dir", str(cache),
                 "--format", "json", cwd=place.top)
    assert ran.status == 4 and len(ran.record["debt"]) == 7
    assert {line["bit"] for line in ran.record["debt"]} == {None} and {line["reason"] for line in ran.record["debt"]} == {
        None}


def test_a_fault_of_ours_in_this_lane_is_a_line_of_debt(place: Repo, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    score(place, cache)
    lookup = Worker.lookup
    monkeypatch.setattr(FrozenLane, "run", _without_a_disk(FrozenLane.run, monkeypatch))
    with discover(place.top) as found, Worker(cache, jobs=1) as worker:
        subject = open_subject(found, base="main", head="good", worktree=False)
        seen = Evaluation(subject, worker, today=date.fromisoformat(TODAY), progress=lambda *told: None).score([])
    made = record(seen)
    assert (made["exit"], made["reasons"], made["summary"]["held"]) == (0, [], 1)
    assert {line["reason"] for line in made["debt"] if line["id"] != "FRZ-9"} == {"malfunction", "oracle_incomplete"}
    assert Worker.lookup is not lookup


def _without_a_disk(run: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The lane on a machine whose disk fails it as soon as it starts."""
    def fail(*given: Any) -> Any:
        raise OSError(28, "No space left on device")

    def spoiled(self: FrozenLane, rows: Any) -> Any:
        for name in ("lookup", "store_inputs", "attempt"):
            monkeypatch.setattr(Worker, name, fail)
        return run(self, rows)

    return spoiled
