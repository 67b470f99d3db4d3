"""From observation and endings to a verdict: the table, row by row, and the strict reader."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from oracle_rules.gate.codes import CATALOGUE
from oracle_rules.protocol import canonical, verdict

REQUEST = {"target": "//:x", "property_id": "x", "lane": "replay", "planned": 3, "allow": ["uuid"]}
CLEAN = ("exited", 0)


def seen(**changes: Any) -> dict[str, Any]:
    whole = {"schema": "oracle_rules/observation/v1", "planned": 3, "held": 3, "code": None, "detail": "",
             "counterexample": None, "notes": []}
    return {**whole, **changes}


def decide(observed: Any, cell: tuple[str, int] = CLEAN, judge: str = "exited") -> tuple[int, str, str | None]:
    document = verdict.decide(REQUEST, observed, cell, judge)
    assert verdict.parse(canonical.loads(canonical.dumps(document))) == document
    return document["bit"], document["row"], document["reason"]


BROKEN = {"held": 1, "code": "property_failed", "detail": "no", "counterexample": {"index": 1, "case": {"a": 1}}}
LEFT = {**BROKEN, "code": "candidate_exited"}


@pytest.mark.parametrize(("observed", "cell", "judge", "expected"), [
    (seen(), CLEAN, "exited", (1, "held", None)),
    (seen(**BROKEN), CLEAN, "exited", (0, "observed", "property_failed")),
    (seen(**LEFT), ("exited", 0), "exited", (0, "observed", "candidate_exited")),
    (seen(**LEFT), ("signalled", 11), "exited", (0, "killed", "candidate_crashed")),
    (seen(**LEFT), ("memory_limit", 9), "exited", (0, "limit", "memory_limit")),
    (seen(**LEFT), ("output_limit", 9), "exited", (0, "limit", "output_limit")),
    (seen(**LEFT), ("process_limit", 9), "exited", (0, "limit", "process_limit")),
    (None, ("timeout", 9), "timeout", (0, "limit", "timeout")),
    (None, ("stopped", 9), "timeout", (0, "limit", "timeout")),
    (None, ("signalled", 6), "signalled", (0, "killed", "candidate_crashed")),
    (None, CLEAN, "memory_limit", (0, "limit", "memory_limit")),
    (None, CLEAN, "exited", (0, "observed", "protocol_violation")),
    (seen(held=2), CLEAN, "exited", (0, "short", "transcript_incomplete")),
    (seen(held=4), CLEAN, "exited", (0, "short", "transcript_incomplete")),
    (seen(planned=2, held=2), CLEAN, "exited", (0, "short", "transcript_incomplete")),
    (seen(), ("exited", 1), "exited", (0, "unclean", "transcript_incomplete")),
    (seen(), ("stopped", 9), "exited", (0, "unclean", "transcript_incomplete")),
    (seen(), ("signalled", 9), "exited", (0, "unclean", "transcript_incomplete")),
    (seen(notes=[["clock", "src/a.py", 3, "time.time"]]), CLEAN, "exited", (0, "ambient", "entropy_clock")),
    (seen(notes=[["uuid", "src/a.py", 3, "os.urandom"]]), CLEAN, "exited", (1, "held", None)),
    (seen(notes=[["comparison", "T", 0, "__eq__"]]), CLEAN, "exited", (0, "ambient", "candidate_comparison")),
    (seen(notes=[["nonsense", "T", 0, "x"]]), CLEAN, "exited", (0, "ambient", "harness_read")),
])
def test_rows(observed: Any, cell: tuple[str, int], judge: str, expected: tuple[int, str, str | None]) -> None:
    assert decide(observed, cell, judge) == expected


def test_every_row_of_the_table_is_reached_and_only_one_passes() -> None:
    hows = ["exited", "signalled", "timeout", "output_limit", "memory_limit", "process_limit", "stopped"]
    observations = [None, seen(), seen(**BROKEN), seen(**LEFT), seen(held=2), seen(notes=[["clock", "a", 1, "t"]])]
    rows, passes = set(), []
    for observed, how, code, judge in itertools.product(observations, hows, (0, 9), hows):
        bit, row, reason = decide(observed, (how, code), judge)
        rows.add(row)
        assert reason is None or reason in CATALOGUE
        if bit == 1:
            passes.append((observed, how, code, judge))
    assert rows == {row for row, _ in verdict.ROWS}
    assert all(observed == seen() and (how, code) == CLEAN and judge == "exited"
               for observed, how, code, judge in passes) and passes


GOOD = verdict.decide(REQUEST, seen(), CLEAN, "exited")


@pytest.mark.parametrize("change", [
    {"schema": "oracle_rules/verdict/v2"}, {"bit": True}, {"bit": 2}, {"bit": 0}, {"row": "accepted"},
    {"reason": "property_failed"}, {"held": 2}, {"planned": 0, "held": 0}, {"planned": 4}, {"extra": 1},
    {"notes": None}, {"detail": None}, {"lane": 5}, {"row": "ambient"}])
def test_the_reader_is_strict(change: dict[str, Any]) -> None:
    assert verdict.parse(dict(GOOD)) == GOOD
    with pytest.raises(verdict.InvalidVerdict):
        verdict.parse({**GOOD, **change})


@pytest.mark.parametrize("name", list(GOOD))
def test_a_short_verdict_is_none(name: str) -> None:
    with pytest.raises(verdict.InvalidVerdict):
        verdict.parse({key: value for key, value in GOOD.items() if key != name})


@pytest.mark.parametrize("document", [None, 1, [], "held", {}, True])
def test_no_object_is_no_verdict(document: Any) -> None:
    with pytest.raises(verdict.InvalidVerdict):
        verdict.parse(document)


def test_only_a_timeout_is_never_stored() -> None:
    assert not verdict.cacheable(verdict.decide(REQUEST, None, ("timeout", 9), "exited"))
    assert verdict.cacheable(verdict.decide(REQUEST, seen(**BROKEN), CLEAN, "exited")) and verdict.cacheable(GOOD)
