"""Drafts from what a real pytest printed: the right class by a named rule, the lines as they stand, nothing made up."""

from __future__ import annotations

import json
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from oracle_rules.artifacts.freezing import draft
from oracle_rules.artifacts.freezing.draft import Proposal, document, propose
from oracle_rules.artifacts.freezing.failures import Log
from oracle_rules.artifacts.freezing.junit import read_junit
from oracle_rules.artifacts.freezing.laws import check_freeze
from oracle_rules.artifacts.freezing.ledger import parse_freeze
from oracle_rules.artifacts.freezing.pytest_text import read_text
from oracle_rules.artifacts.freezing.rules import RULES
from oracle_rules.artifacts.freezing.tables import KINDS
from oracle_rules.errors import UsageError

from .logs import BROKEN, SHARED, SUITE, WANTED, make, run

DAY = date(2026, 10, 1)
FIXED = ("-p", "no:randomly")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("suite"), SUITE)


def drafted(log: Log) -> dict[str, Proposal]:
    found = propose(log, today=DAY)
    assert len({each.nodeid for each in found}) == len(found)
    return {each.nodeid: each for each in found}


@pytest.mark.parametrize("words", [("-rA",), ("-v",), (), ("-q",), ("-v", "-n", "1"), ("--tb=short",),
                                   ("-rA", "--color=yes", "--tb=short"), ("-rN", "-v")])  # fmt: skip
def test_the_text_of_a_run(suite: Path, words: tuple[str, ...]) -> None:
    found = drafted(read_text(run(suite, *FIXED, *words)))
    assert {name: each.kind for name, each in found.items()} == WANTED
    year = found["tests/test_kinds.py::TestClock::test_year"]
    assert any("datetime.datetime.now().year == 1999" in line for line in year.evidence)
    assert year.row is not None and year.row["expires"] == "2026-10-08"
    late = found["tests/test_kinds.py::TestClock::test_late"]
    assert late.row is not None and late.row["seam"] == "clock at src/retry.py:6"


@pytest.mark.parametrize("family", ["xunit1", "xunit2"])
def test_junit(suite: Path, family: str, tmp_path: Path) -> None:
    run(suite, *FIXED, f"--junit-xml={tmp_path}/j.xml", "-o", f"junit_family={family}")
    log = read_junit((tmp_path / "j.xml").read_bytes(), path="j.xml")
    found = drafted(log)
    assert {name: each.kind for name, each in found.items()} == WANTED
    assert all(each.exact for each in log.failures)
    assert log.tests == len(WANTED) + 1
    assert found["tests/test_kinds.py::TestClock::test_late"].row["seam"] == "clock at src/retry.py:6"  # type: ignore[index]


def test_a_test_that_passes_and_errs_has_failed(suite: Path) -> None:
    text = run(suite, *FIXED, "-rA", "-k", "teardown or fine")
    assert "PASSED tests/test_kinds.py::test_teardown" in text
    log = read_text(text)
    [failure] = log.failures
    assert failure.nodeid.endswith("test_teardown") and {*failure.outcomes} == {"PASSED", "ERROR"}
    [proposal] = propose(log, today=DAY)
    assert "passed its call and failed around it; the failure counts" in proposal.notes


def test_a_shuffled_run_gives_the_order(tmp_path: Path) -> None:
    top = make(tmp_path, SHARED)
    texts = {seed: run(top, "-rA", f"--randomly-seed={seed}") for seed in range(4)}
    red = [seed for seed, text in texts.items() if "FAILED tests/test_order.py::test_second" in text]
    assert 0 < len(red) < 4
    [alone] = propose(read_text(texts[red[0]]), today=DAY)  # a shuffle alone shows no order
    assert (alone.kind, alone.rule) == ("", "") and alone.row is not None and {"class", "seam"} <= set(alone.lacks)
    assert any(f"shuffled (Using --randomly-seed={red[0]})" in note for note in alone.notes)
    [same] = propose(read_text(texts[red[0]] + "\n" + texts[red[0]]), today=DAY)
    assert same.kind == ""
    [many] = propose(read_text("\n".join(texts.values())), today=DAY)
    assert (many.kind, many.rule) == ("order-dependent", "shuffled-varies")
    assert many.row is not None and many.row["order"] == f"Using --randomly-seed={red[0]}"
    assert many.row is not None and many.row["evidence"].endswith(f"{len(red)} of 4 runs")
    assert not any("broken rather than flaky" in note for note in many.notes)


def test_red_in_every_run_is_said(suite: Path) -> None:
    text = run(suite, *FIXED, "-v", "-k", "year or fine")
    [found] = propose(read_text(text + text), today=DAY)
    assert "red in all 2 runs of this log, which is broken rather than flaky" in found.notes
    assert found.row is not None and found.row["evidence"].endswith("2 of 2 runs")
    row = {**found.row, "skew": "+1 year", "owner": "Ada Lindqvist", "last_green": "2026-09-30"}
    ledger = parse_freeze(json.dumps({"budget": 1, "rows": [row]}).encode(), path="f.json")
    assert [law.row for law in check_freeze(ledger, today=DAY)] == ["evidence-varies"]


def test_a_file_that_can_not_be_collected_is_no_flake(tmp_path: Path) -> None:
    [found] = propose(read_text(run(make(tmp_path, BROKEN), *FIXED)), today=DAY)
    assert found.nodeid == "tests/test_broken.py" and found.row is None
    assert found.instead == "mend the file; what can't be collected is broken, not flaky"


def test_a_file_that_can_not_be_collected_is_none_in_junit_either(tmp_path: Path) -> None:
    run(make(tmp_path, BROKEN), *FIXED, f"--junit-xml={tmp_path}/j.xml")
    [found] = propose(read_junit((tmp_path / "j.xml").read_bytes(), path="j.xml"), today=DAY)
    assert (found.nodeid, found.row) == ("tests.test_broken", None) and found.instead.startswith("mend the file")


def test_a_proposal_leaves_open_what_a_log_does_not_say(suite: Path) -> None:
    log = read_text(run(suite, *FIXED, "-rA"))
    for each in propose(log, today=DAY):
        kind = next((kind for kind in KINDS if kind.name == each.kind), None)
        assert 1 <= len(each.evidence) <= 3 and all(len(line) <= 200 for line in each.evidence)
        if kind is not None and not kind.freezable:
            assert each.row is None and each.instead == kind.instead
            continue
        assert each.row is not None and not each.instead
        assert {"owner", "last_green"} <= set(each.lacks) and each.row["nodeid"] == each.nodeid
        assert set(each.lacks) == {"owner", "last_green"} | ({kind.needs} if kind else {"class", "seam"})
        assert (each.row["seam"] is None) is (kind is None)
    shown = document(propose(log, today=DAY))
    assert shown["schema"] == "oracle_rules/freeze-draft/v1" and len(shown["proposals"]) == len(WANTED)
    assert json.loads(json.dumps(shown)) == shown


LINES = {
    "network-error": ["E   socket.gaierror: [Errno -2] Name or service not known", "E   requests.ConnectTimeout: x"],
    "resource-spent": ["E   OSError: [Errno 24] Too many open files", "E   Failed: Timeout (>2.0s) from pytest-timeout"],
    "unseeded-draw": ["E   assert UUID('6b07') == 1", ">   assert secrets.token_hex(4) == 'a'"],
    "clock-read": [">   assert time.monotonic() < 1", "E   assert datetime.date(2026, 1, 1) == 1"],
    "unordered": [">   assert list(set(names)) == names", ">   for name in os.listdir('.'):"],
    "shuffled-shared": ["Using --randomly-seed=12", "Using --random-order-seed=3"],
    "shuffled-varies": ["Using --randomly-seed=12", "Using --random-order-seed=3"],
}
HEADED = {"shuffled-shared": "E   ValueError: 'a' is already registered", "shuffled-varies": "E   assert 1 == 2"}
NEAR = [">   assert randomise == 1", "E   assert timed == 2", ">   reset(names)", "E   assert 'network' == 'x'"]


def by_line(line: str, head: str = "") -> str:
    section = f"{head}\n=== FAILURES ===\n___ test_a ___\n{line}\n=== short test summary info ===\nFAILED a.py::test_a - x\n"
    if "assert 1 == 2" in line and head:  # the same test, green under another seed
        section += "=== 1 failed in 0.1s ===\n=== test session starts ===\nUsing --randomly-seed=99\na.py::test_a PASSED\n"
    [found] = propose(read_text(section), today=DAY)
    return found.rule


@pytest.mark.parametrize(("rule", "line"), [(rule, line) for rule, lines in LINES.items() for line in lines])
def test_each_rule_fires_and_is_needed(rule: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    args = (HEADED[rule], line) if rule in HEADED else (line,)
    assert by_line(*args) == rule
    monkeypatch.setattr(draft, "RULES", tuple(each for each in RULES if each.name != rule))
    assert by_line(*args) != rule


@pytest.mark.parametrize("line", NEAR)
def test_words_that_are_near_fire_nothing(line: str) -> None:
    assert by_line(line) == ""


def test_a_shuffled_run_alone_makes_nothing_order_dependent() -> None:
    assert by_line("E   assert 1 == 3", "Using --randomly-seed=12") == ""
    assert by_line("E   ValueError: 'a' is already registered") == ""
    assert by_line("E   ValueError: 'a' is already registered", "Using --randomly-seed=12") == "shuffled-shared"


def test_ids_are_short_and_each_another(suite: Path) -> None:
    rows = [each.row["id"] for each in propose(read_text(run(suite, *FIXED, "-rA")), today=DAY) if each.row is not None]
    assert len(set(rows)) == len(rows) and {"FZ-year", "FZ-late", "FZ-unordered", "FZ-unordered-2"} <= set(rows)


def test_what_freezing_does_not_answer_comes_first() -> None:
    freezable = {kind.name: kind.freezable for kind in KINDS}
    order = [freezable[rule.kind] for rule in RULES]
    assert order == sorted(order)
    assert set(LINES) == {rule.name for rule in RULES} and {rule.kind for rule in RULES} == set(freezable)
    assert by_line(">   assert time.time() == 1\nE   ConnectionRefusedError: no") == "network-error"


JUNIT: dict[str, tuple[bytes, str]] = {
    "entities": (b'<!DOCTYPE a [<!ENTITY x "y">]><testsuite>&x;</testsuite>', "declares a document type"),
    "a type alone": (b"<!DOCTYPE testsuite><testsuite/>", "declares a document type"),
    "broken": (b"<testsuite><testcase", "is not XML"),
    "no XML": (b"<<<", "is not XML"),
    "empty": (b"", "is not XML"),
}


@pytest.mark.parametrize("name", JUNIT)
def test_xml_that_is_refused(name: str) -> None:
    data, message = JUNIT[name]
    with pytest.raises(UsageError) as caught:
        read_junit(data, path="j.xml")
    assert message in caught.value.detail and caught.value.where.startswith("j.xml")


CASES: list[tuple[str, str, bool]] = [
    ('classname="tests.test_a.TestB" name="test_c[1.2]" file="tests/test_a.py"', "tests/test_a.py::TestB::test_c[1.2]", True),
    ('classname="tests.test_a.TestB" name="test_c"', "tests/test_a.py::TestB::test_c", False),
    ('classname="test_a" name="test_c"', "test_a.py::test_c", False),
    ('classname="tests.Odd.case" name="test_c"', "tests/Odd/case.py::test_c", False),
]  # fmt: skip


@pytest.mark.parametrize(("attributes", "nodeid", "exact"), CASES)
def test_node_ids_of_junit(attributes: str, nodeid: str, exact: bool) -> None:
    text = f'<testsuite><testcase {attributes}><failure message="m">boom</failure></testcase></testsuite>'
    [failure] = read_junit(text.encode(), path="j.xml").failures
    assert (failure.nodeid, failure.exact) == (nodeid, exact)
    [found] = propose(read_junit(text.encode(), path="j.xml"), today=DAY)
    assert found.row is not None and found.row["nodeid"] == (nodeid if exact else None)
    assert any("put together" in note for note in found.notes) is not exact


@pytest.mark.parametrize("text", ["", "nothing of the kind\n", "=== FAILURES ===\n___ x ___\n", "{}"])
def test_what_is_no_log_names_no_test(text: str) -> None:
    assert read_text(text).tests == 0 and read_text(text).failures == ()


@pytest.mark.parametrize("line", ["a::" * 40_000, "=" * 90_000 + "x", "_ " * 90_000, "FAILED " + "a::b - " * 40_000,
                                  "[gw0] [ 1%] PASSED" + " " * 90_000 + "x", "a::b" + " PASSED" * 30_000 + "."])  # fmt: skip
def test_a_long_line_takes_no_time(line: str) -> None:
    head = "=== short test summary info ===\n"
    started = time.process_time()
    for text in (line, head + line, "=== FAILURES ===\n" + line):
        propose(read_text("\n".join([text] * 3)), today=DAY)
    assert time.process_time() - started < 2


def test_many_failures_take_no_time() -> None:
    names = [f"a.py::test_{number}" for number in range(3000)]
    sections = "".join(f"___ {name[6:]} ___\nE   assert 1\n" for name in names)
    text = f"=== FAILURES ===\n{sections}=== short test summary info ===\n" + "".join(f"FAILED {n} - x\n" for n in names)
    started = time.process_time()
    assert len(propose(read_text(text), today=DAY)) == 3000
    assert time.process_time() - started < 5


def test_ids_with_addresses_are_said() -> None:
    [found] = propose(read_text("a.py::test_a[<A at 0x7f00deadbeef>] FAILED\n"), today=DAY)
    row: Any = found.row
    assert row["nodeid"] is None and "address" in found.notes[0]
