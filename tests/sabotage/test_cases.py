"""Every cheat gets its exit code and reason, every honest twin is accepted, and the nastiest get the same bits twice."""

from __future__ import annotations

from typing import Any

import pytest

from .cases import CASES
from .kit import Bench, Case

_CLASSES = ([f"A{n}" for n in range(1, 11)] + [f"B{n}" for n in range(1, 15)] + [f"C{n}" for n in range(1, 13)]
            + [f"D{n}" for n in range(1, 24)] + [f"E{n}" for n in range(1, 9)] + ["E10"] + [f"F{n}" for n in range(1, 6)])


def _codes(found: dict[str, Any]) -> set[str]:
    return {reason["code"] for reason in found["reasons"]}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_cheat_is_refused(case: Case, bench: Bench) -> None:
    found = bench.score(f"cheat/{case.name}", case.target)
    assert found["decision"] != "accept" and found["bit"] == 0, found
    assert found["exit"] in case.exits, found["reasons"]
    assert _codes(found) & set(case.codes), found["reasons"]
    assert "Traceback" not in str(found)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_twin_is_accepted(case: Case, bench: Bench) -> None:
    target = case.twin_target or case.target
    found = bench.score(f"twin/{case.name}", target)
    assert (found["decision"], found["bit"], found["exit"]) == ("accept", 1, 0), found["reasons"]
    assert found["properties"] == [target] and found["summary"]["held"] == 1


@pytest.mark.parametrize("case", [case for case in CASES if case.twice], ids=lambda case: case.name)
def test_verdict_is_the_same_elsewhere(case: Case, bench: Bench, other_bench: Bench) -> None:
    here = bench.score(f"cheat/{case.name}", case.target)
    there = other_bench.score(f"cheat/{case.name}", case.target)
    assert here == there
    assert here["targets"] and all(row["served_from"] == "executed" for row in here["targets"])


def test_every_class_of_the_catalogue_has_a_case() -> None:
    assert set(_CLASSES) <= {case.kind for case in CASES}
    assert len({case.name for case in CASES}) == len(CASES)
