"""Debt lines, rows that match nothing, and properties that were never green; each with its control."""

from __future__ import annotations

import keyword
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.artifacts.freezing.collection import check_matches, check_outcomes, debt, named_files
from oracle_rules.artifacts.freezing.laws import check_freeze
from oracle_rules.artifacts.freezing.ledger import parse_freeze

from .rows import DAY, ledger, row

SOURCE = b'''
import pytest
from elsewhere import TestThere, borrowed

CASES = [1, 2]
if CASES:
    def test_in_a_branch(): ...
try:
    import fast
except ImportError:
    def test_in_a_handler(): ...
else:
    async def test_else(): ...

made = test_made = lambda: None
test_typed: object = made

class Base:
    def test_inherited(self): ...

class TestOwn(Base):
    def test_own(self):
        def test_hidden(): ...
    class TestInner:
        def test_inner(self): ...

class TestFar(TestThere): ...
class TestLoop(TestLoop): ...
class TestCased(unittest.TestCase, Generic[T]):
    def test_cased(self): ...
class TestMixed(unittest.TestCase, TestThere): ...
def test_plain(): ...
'''
FOUND = """test_plain test_plain[1-a] test_in_a_branch test_in_a_handler test_else test_made test_typed borrowed
TestOwn::test_own TestOwn::test_inherited TestOwn::TestInner::test_inner TestFar::test_anything TestThere::test_x
TestCased::test_cased TestMixed::test_x"""
NOT_FOUND = """test_plai test_plain_ test_hidden test_own TestOwn Base TestOwn::test_hidden TestOwn::test_plain
TestOwn::TestInner::test_own TestOwn::test_own::test_hidden TestLoop::test_own test_plain::test_own
TestCased::test_other"""


def matches(nodeid: str, **sources: bytes) -> list[str]:
    return [found.detail for found in check_matches(ledger(row(nodeid=nodeid)), [], sources or {"t.py": SOURCE})]


@pytest.mark.parametrize("name", FOUND.split())
def test_a_test_that_is_there_is_found(name: str) -> None:
    assert matches(f"t.py::{name}") == []


@pytest.mark.parametrize("name", NOT_FOUND.split())
def test_a_test_that_is_not_there_is_named(name: str) -> None:
    [detail] = matches(f"t.py::{name}")
    assert detail == f"rows[0].nodeid (FRZ-0001): t.py defines no {name}"


def test_what_a_star_brings_is_believed() -> None:
    assert matches("t.py::test_x", **{"t.py": b"from common import *\n"}) == []
    assert len(matches("t.py::test_x", **{"t.py": b"from common import test_y\n"})) == 1


@pytest.mark.parametrize("source", [b"def (", b"\0", b"\xff\xfe", b"(" * 20000])
def test_a_file_that_is_no_python_holds_no_test(source: bytes) -> None:
    assert matches("t.py::t", **{"t.py": source})[0].endswith("t.py can't be read as Python")


def test_a_file_that_is_not_there() -> None:
    assert matches("u.py::t", **{"t.py": SOURCE})[0].endswith("there is no file u.py")


def test_one_law_speaks_of_one_fault() -> None:
    assert matches("tests") == []  # that it is no exact id is said by another law
    assert [found.row for found in check_freeze(ledger(row(nodeid="tests")), today=DAY)] == ["nodeid-exact"]


def test_a_property_has_to_be_declared() -> None:
    read = ledger(row(nodeid=None, property="gone"))
    [found] = check_matches(read, ["here"], {})
    assert (found.code, found.row) == ("freeze_matches_nothing", "property-declared")
    assert "'gone'" in found.detail
    assert check_matches(read, ["here", "gone"], {}) == ()
    assert check_matches(ledger(row(nodeid=None, property="gon")), ["gone"], {})


def test_the_files_that_are_wanted() -> None:
    read = ledger(row(nodeid="b.py::t"), row(nodeid="a.py::t[x]"), row(nodeid="b.py::u"), row(nodeid="c"),
                  row(nodeid=None, property="p"))  # fmt: skip
    assert named_files(read) == ("a.py", "b.py")


OUTCOMES: list[tuple[list[int] | None, bool]] = [
    (None, False), ([], False), ([0], False), ([1], False), ([0, 0], True), ([0, 1], False), ([1, 1], False),
    ([0, 0, 0], True), ([0, 0, 1], False),
]  # fmt: skip


@pytest.mark.parametrize(("bits", "refused"), OUTCOMES)
def test_what_is_always_red_is_not_flaky(bits: list[int] | None, refused: bool) -> None:
    read = ledger(row(nodeid=None, property="a"), row(id="F-2", nodeid="t.py::t"))
    found = check_outcomes(read, {} if bits is None else {"a": bits})
    assert [(each.code, each.row) for each in found] == [("freeze_always_red", "sometimes-green")] * refused


@given(st.lists(st.integers(-30, 30), min_size=1, max_size=5))
def test_debt_is_every_row_with_its_days(days: list[int]) -> None:
    rows: list[dict[str, Any]] = [
        row(id=f"F-{number}", nodeid=f"t.py::t{number}", expires=(DAY + timedelta(days=left)).isoformat())
        for number, left in enumerate(days)
    ]
    lines = debt(ledger(*rows, budget=9), DAY)
    assert [line.days_left for line in lines] == sorted(days)
    assert {line.id: line.days_left for line in lines} == {f"F-{number}": left for number, left in enumerate(days)}
    assert [line.long for line in lines] == [left > 7 for left in sorted(days)]
    assert all(line.thing == f"t.py::t{line.id[2:]}" and line.kind == "time-dependent" for line in lines)


def test_debt_of_a_list_of_ids_has_no_day() -> None:
    read = parse_freeze(b'{"excluded_property_ids": ["a"], "reason": {"a": "race"}}', path="freeze.json")
    [line] = debt(read, date(2026, 1, 1))
    assert (line.thing, line.expires, line.days_left, line.owner) == ("a", None, None, "")


NAMES = st.from_regex(r"[a-z_]{1,3}", fullmatch=True).filter(lambda name: not keyword.iskeyword(name))


@given(st.lists(NAMES, min_size=1, max_size=4), NAMES, st.sampled_from(["", "[a]", "[x::y]"]))
def test_only_the_exact_name_is_found(defined: list[str], asked: str, parameters: str) -> None:
    """By a model: a name is found when it is among the names, never when it is a part of one."""
    source = "".join(f"def {name}(): ...\n" for name in defined).encode()
    found = matches(f"t.py::{asked}{parameters}", **{"t.py": source})
    assert (found == []) is (asked in defined)
    inside = "class Test:\n" + "".join(f"    def {name}(self): ...\n" for name in defined)
    found = matches(f"t.py::Test::{asked}{parameters}", **{"t.py": inside.encode()})
    assert (found == []) is (asked in defined)
