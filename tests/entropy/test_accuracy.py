"""The labelled sample: large enough, as accurate as the documentation says, and never worse."""

from __future__ import annotations

import json
from pathlib import Path

from bench import scan_accuracy
from oracle_rules.entropy.rules import RULES

KEPT = json.loads((Path(__file__).resolve().parents[2] / "docs" / "scan.json").read_text("utf-8"))["accuracy"]


def test_the_sample_has_enough_sites_of_every_kind() -> None:
    hits, none = scan_accuracy.sites()
    assert hits >= 150 and none >= 100
    assert set(KEPT["kinds"]) == {rule.kind for rule in RULES} - {"unreadable"}


def test_the_numbers_of_the_documentation_are_those_of_the_scanner() -> None:
    assert scan_accuracy.measure() == KEPT


def test_the_numbers_are_good_enough_to_refuse_by() -> None:
    assert KEPT["all"]["precision"] >= 0.95 and KEPT["all"]["recall"] >= 0.95


def test_what_is_missed_is_named_and_not_left_out_of_the_sample() -> None:
    """A sample on which nothing is missed was made to fit."""
    assert [line for line in KEPT["disagreements"] if line.startswith("missed")]


def test_a_wrong_hit_and_a_missed_one_are_counted(monkeypatch, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    text = "import time\ntime.time()  # none\nx = 1  # hit: clock, random\ntime.sleep(1)  # hit: sleep\ntime.time()\n"
    (tmp_path / "a.py").write_text(text, "utf-8")
    monkeypatch.setattr(scan_accuracy, "SAMPLE", tmp_path)
    found = scan_accuracy.measure()
    assert found["all"] == {"found": 1, "missed": 2, "wrong": 2, "precision": 0.333, "recall": 0.333}
    assert (found["hits"], found["none"]) == (3, 1)
