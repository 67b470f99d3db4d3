"""The table that decides about a transcript: one transcript for each row, and no row that could go without a loss."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from oracle_rules.gate.codes import CATALOGUE
from oracle_rules.protocol import suite
from oracle_rules.protocol.suite import ROWS, Seen

IDS = ["t.py::a", "t.py::b"]
REQUEST = {"suite": {"selector": "t.py", "nodeids": IDS, "seeds": [1], "max_examples": 5}}
SETTINGS = {"database": False, "deadline": False, "derandomize": False, "max_examples": 5,
            "phases": ["explicit", "generate", "shrink", "target"]}
Line = list[Any]


def node(name: str, *, of_hypothesis: bool = True) -> list[Line]:
    """A test that passed."""
    cases = [["settings", name, SETTINGS], ["asked", name, '{"n":1}'], ["answered", name, "returned"]]
    return [["begin", name], phase(name, "setup"), *(cases if of_hypothesis else []),
            ["called", name, "returned", of_hypothesis], phase(name, "call"), phase(name, "teardown"), ["done", name]]


def phase(name: str, when: str, outcome: str = "passed", xfail: bool = False, harness: bool = False) -> Line:
    """A line about one phase."""
    return ["phase", name, when, outcome, xfail, harness, "" if outcome == "passed" else "Oops: no"]


def whole() -> list[Line]:
    """A suite that passed: a property and a plain test."""
    return [["start"], ["collected", IDS], *node(IDS[0]), *node(IDS[1], of_hypothesis=False), ["finish", 0], ["end", 0]]


def swap(old: Line, *new: Line) -> list[Line]:
    """The whole transcript with one line replaced."""
    lines = whole()
    place = lines.index(old)
    return [*lines[:place], *new, *lines[place + 1 :]]


def before(kind: str, *new: Line) -> list[Line]:
    """The whole transcript with lines before the first of that kind."""
    lines = whole()
    place = next(number for number, line in enumerate(lines) if line[0] == kind)
    return [*lines[:place], *new, *lines[place:]]


A, B = IDS
WITHOUT_B = [line for line in whole() if B not in line]
# Row to a transcript that it, and no row below, is for.
WRONG: dict[str, list[Line]] = {
    "forged": [*whole(), ["end", 0]],
    "broke-off": whole()[:-1],
    "collect-error": before("collected", ["error", "t.py", "ImportError: no"]),
    "collect-skip": before("collected", ["skip", "t.py", "Skipped: no"]),
    "broke": before("finish", ["broke", "INTERNALERROR"]),
    "deselected": before("collected", ["deselected", "t.py::c"]),
    "empty": [["start"], ["collected", []], ["finish", 5], ["end", 5]],
    "missing": [["start"], ["collected", [A]], *node(A), ["finish", 0], ["end", 0]],
    "extra": swap(["collected", IDS], ["collected", [*IDS, "t.py::c"]]),
    "unfit": before("begin", ["unfit", 0, "t.py::c"]),
    "setup": swap(phase(B, "setup"), phase(B, "setup", "failed")),
    "xfailed": swap(phase(B, "call"), phase(B, "call", "skipped", xfail=True)),
    "xpassed": swap(phase(B, "call"), phase(B, "call", "passed", xfail=True)),
    "skipped": swap(phase(B, "call"), phase(B, "call", "skipped")),
    "refused": swap(["settings", A, SETTINGS], ["settings", A, SETTINGS], ["asked", A, '{"n":2}'],
                    ["answered", A, "refused"]),
    "harness": swap(phase(B, "call"), phase(B, "call", "failed", harness=True)),
    "failed": swap(phase(B, "call"), phase(B, "call", "failed")),
    "teardown": swap(phase(B, "teardown"), phase(B, "teardown", "failed")),
    "unfinished": [line for line in whole() if B not in line],
    "uncalled": swap(["called", B, "returned", False], ["called", B, "raised", False]),
    "no-cases": swap(["answered", A, "returned"], ["answered", A, "raised"]),
    "unpinned": swap(["settings", A, SETTINGS], ["settings", A, {**SETTINGS, "max_examples": 1}]),
    "exit": swap(["finish", 0], ["finish", 1]),
}


def seen(lines: list[Line], ending: tuple[str, int] = ("exited", 0)) -> Seen:
    """What a transcript adds up to."""
    return Seen.of(REQUEST, "".join(json.dumps(line) + "\n" for line in lines).encode(), ending)


def test_a_whole_transcript_is_held() -> None:
    found = seen(whole())
    assert found.held and found.observation == {
        "planned": 2, "held": 2, "code": None, "detail": "", "counterexample": None, "notes": []}


def test_every_row_has_its_transcript_and_its_code() -> None:
    assert [row.row for row in ROWS] == list(WRONG)
    assert all(row.code in CATALOGUE for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.row)
def test_each_row_decides(row: suite.Row) -> None:
    found = seen(WRONG[row.row])
    assert found.observation["code"] == row.code and found.observation["detail"].startswith(row.means)
    assert found.observation["held"] < found.observation["planned"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.row)
def test_no_row_could_go(row: suite.Row, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "ROWS", tuple(each for each in ROWS if each is not row))
    assert not seen(WRONG[row.row]).observation["detail"].startswith(row.means)


@pytest.mark.parametrize("ending", [("exited", 1), ("signalled", 9), ("stopped", 9)])
def test_the_end_of_the_process_counts(ending: tuple[str, int]) -> None:
    assert seen(whole(), ending).observation["code"] == "suite_exit_differs"


FORGERIES: dict[str, Callable[[], bytes]] = {
    "no JSON": lambda: b'["start"]\nnonsense\n',
    "no last line": lambda: b'["start"]',
    "deep": lambda: b'["start"]\n' + b"[" * 100_000 + b"\n",
    "many digits": lambda: b'["start"]\n["end",' + b"9" * 5000 + b"]\n",
    "no start": lambda: b'["collected",[]]\n',
    "two starts": lambda: b'["start"]\n["start"]\n',
    "unknown": lambda: b'["start"]\n["passed","t.py::a"]\n',
    "another type": lambda: b'["start"]\n["end","0"]\n',
    "a truth for a number": lambda: b'["start"]\n["finish",true]\n',
    "an end without a finish": lambda: b'["start"]\n["end",0]\n',
    "a test that was not collected": lambda: b'["start"]\n["collected",[]]\n["begin","t.py::a"]\n',
    "a phase of another test": lambda: b'["start"]\n["collected",["x"]]\n["begin","x"]\n["done","y"]\n',
    "a test twice": lambda: b'["start"]\n["collected",["x"]]\n["begin","x"]\n["done","x"]\n["begin","x"]\n',
    "nothing": lambda: b"",
}


@pytest.mark.parametrize("name", FORGERIES)
def test_what_breaks_the_grammar_is_no_pass(name: str) -> None:
    found = Seen.of(REQUEST, FORGERIES[name](), ("exited", 0))
    assert found.observation["code"] in ("protocol_violation", "candidate_exited")
    assert name == "nothing" or found.observation["code"] == "protocol_violation"


def test_every_line_less_is_no_pass() -> None:
    """Law: each line of a whole transcript is needed, but one that only tells what was asked."""
    lines = whole()
    for number, line in enumerate(lines):
        if line[0] != "asked":
            assert not seen([*lines[:number], *lines[number + 1 :]]).held, line
