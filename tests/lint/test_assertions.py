"""Weakened assertions: each kind of loosening beside a change of the same place that says as much or more."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.entropy.source import parse
from oracle_rules.lint.assertions import RULES, weakened

HEAD = "import math\nimport pytest\nfrom unittest import TestCase\nfrom contextlib import suppress\n"


def diff(before: str, after: str) -> list[tuple[str, str]]:
    """(rule, what stood there before) of what is weaker."""
    found = weakened(parse(HEAD + before, "tests/test_a.py"), parse(HEAD + after, "tests/test_a.py"))
    return [(hit.rule.id, hit.before or "") for hit in found]


def test_function(*body: str) -> str:
    return "def test_a():\n    found = parse(1)\n" + "".join(f"    {line}\n" for line in body)


test_function.__test__ = False  # type: ignore[attr-defined]
body = test_function

# (what, before, weaker, the rule, at least as strict)
PAIRS = [
    ("equal becomes not None", ["assert found == 3"], ["assert found is not None"], "assertion-loosened",
     ["assert found == 4"]),
    ("equal becomes truth", ["assert found == 3"], ["assert found"], "assertion-loosened", ["assert found is True"]),
    ("equal becomes isinstance", ["assert found == 3"], ["assert isinstance(found, int)"], "assertion-loosened",
     ["assert isinstance(found, int)", "assert found == 3"]),
    ("equal becomes a bound", ["assert found == 3"], ["assert found >= 0"], "assertion-loosened",
     ["assert found >= 0 and found == 3"]),
    ("equal becomes approx", ["assert found == 3.5"], ["assert found == pytest.approx(3.5)"], "assertion-loosened",
     ["assert 3.5 == found"]),
    ("equal becomes membership", ["assert found == 3"], ["assert found in (3, 4)"], "assertion-loosened",
     ["assert found == 3", "assert found in (3, 4)"]),
    ("or something", ["assert found == 3"], ["assert found == 3 or found is None"], "assertion-loosened",
     ["assert found == 3 or False", "assert found == 3"]),
    ("or True", ["assert found == 3"], ["assert found == 3 or True"], "assertion-loosened", ["assert found == 3"]),
    ("unequal in place of equal", ["assert found == 3"], ["assert found != 3"], "assertion-loosened",
     ["assert not found != 3"]),
    ("wider tolerance", ["assert found == pytest.approx(3, rel=1e-6)"], ["assert found == pytest.approx(3, rel=0.1)"],
     "assertion-loosened", ["assert found == pytest.approx(3, rel=1e-9)"]),
    ("more members", ["assert found in (1, 2)"], ["assert found in (1, 2, 3)"], "assertion-loosened",
     ["assert found in (1,)"]),
    ("a higher bound", ["assert found <= 10"], ["assert found <= 100"], "assertion-loosened", ["assert found <= 9"]),
    ("a lower bound", ["assert found > 10"], ["assert found > -10"], "assertion-loosened", ["assert found > 11"]),
    ("a broader exception", ["with pytest.raises(ValueError):", "    found()"],
     ["with pytest.raises(Exception):", "    found()"], "assertion-loosened",
     ["with pytest.raises(ValueError, match='x'):", "    found()"]),
    ("no assertion", ["assert found == 3"], ["pass"], "assertion-removed", ["assert found == 3", "pass"]),
    ("one of two", ["assert found.a == 3", "assert found.b == 4"], ["assert found.a == 3"], "assertion-removed",
     ["assert found.b == 4", "assert found.a == 3"]),
    ("one side of an and", ["assert found.a == 3 and found.b == 4"], ["assert found.a == 3"], "assertion-removed",
     ["assert found.b == 4", "assert found.a == 3"]),
    ("one link of a chain", ["assert 0 <= found.a < found.b"], ["assert 0 <= found.a"], "assertion-removed",
     ["assert 0 <= found.a", "assert found.a < found.b"]),
    ("no more raises", ["with pytest.raises(ValueError):", "    found()"], ["found()"], "assertion-removed",
     ["with pytest.raises(ValueError):", "    found()", "found.close()"]),
    ("behind a return", ["assert found == 3"], ["return", "assert found == 3"], "assertion-muted",
     ["assert found == 3", "return"]),
    ("under if False", ["assert found == 3"], ["if False:", "    assert found == 3"], "assertion-muted",
     ["if True:", "    assert found == 3"]),
    ("in a try that forgives", ["assert found == 3"],
     ["try:", "    assert found == 3", "except AssertionError:", "    pass"], "assertion-muted",
     ["try:", "    assert found == 3", "except AssertionError:", "    raise"]),
    ("under suppress", ["assert found == 3"], ["with suppress(Exception):", "    assert found == 3"],
     "assertion-muted", ["with suppress(KeyError):", "    assert found == 3"]),
]  # fmt: skip


@pytest.mark.parametrize(("before", "weak", "rule", "strict"), [row[1:] for row in PAIRS], ids=[row[0] for row in PAIRS])
def test_what_says_less_is_found_and_what_says_as_much_is_not(before, weak, rule, strict) -> None:  # type: ignore[no-untyped-def]
    assert [found for found, _ in diff(body(*before), body(*weak))] == [rule]
    assert diff(body(*before), body(*strict)) == []


def test_what_stood_there_before_is_told() -> None:
    assert diff(body("assert found == 3"), body("assert found")) == [("assertion-loosened", "found == 3")]


def test_a_test_that_is_gone_took_its_assertions_along() -> None:
    two = body("assert found == 3") + "def test_b():\n    assert parse(2) == 5\n"
    assert diff(two, body("assert found == 3")) == [("assertion-removed", "parse(2) == 5")]
    renamed = two.replace("test_b", "test_second")
    assert diff(two, renamed) == []


def test_methods_of_unittest_count_alike() -> None:
    case = "class T(TestCase):\n    def test_a(self):\n        found = parse(1)\n        {}\n"
    before = case.format("self.assertEqual(found, 3)")
    assert diff(before, case.format("self.assertIsNotNone(found)")) == [
        ("assertion-loosened", "self.assertEqual(found, 3)")]
    assert diff(before, case.format("self.assertTrue(found)")) == [
        ("assertion-loosened", "self.assertEqual(found, 3)")]
    assert diff(before, case.format("self.assertTrue(found == 3)")) == []


def test_rows_of_a_parametrised_test_may_be_added_and_not_taken() -> None:
    case = "@pytest.mark.parametrize('x', [{}])\ndef test_a(x):\n    assert parse(x) == x\n"
    assert diff(case.format("1, 2, 3"), case.format("1, 3")) == [("assertion-fewer-cases", "2")]
    assert diff(case.format("1, 2"), case.format("3, 2, 1")) == []


def test_what_was_weak_may_become_stronger_or_stay() -> None:
    for weak in ("assert found is not None", "assert found", "assert found == 3 or True"):
        assert diff(body(weak), body("assert found == 3")) == []


CLAIMS = st.lists(st.sampled_from(["assert found.a == 1", "assert found.b in (1, 2)", "assert found.c is not None",
                                   "assert found.d < 4", "assert isinstance(found.e, int)"]), unique=True)


@settings(deadline=None)
@given(CLAIMS, st.randoms(use_true_random=False))
def test_order_and_addition_weaken_nothing_and_every_removal_is_found(lines: list[str], random) -> None:  # type: ignore[no-untyped-def]
    mixed = list(lines)
    random.shuffle(mixed)
    assert diff(body("pass", *lines), body("pass", *mixed)) == []
    for line in lines:
        rest = [each for each in mixed if each != line]
        assert [before for _, before in diff(body("pass", *lines), body("pass", *rest))] == [line.removeprefix("assert ")]
        assert diff(body("pass", *rest), body("pass", *mixed)) == []


REFACTORED = {
    "a local is renamed": ("got = parse(1)\n    assert got.a == 3", "result = parse(1)\n    assert result.a == 3"),
    "a variable is inlined": ("got = parse(1)\n    assert got == 3", "assert parse(1) == 3"),
    "a variable is extracted": ("assert parse(1) == 3", "got = parse(1)\n    assert got == 3"),
    "an argument is added": ("assert parse(1) == 3", "assert parse(1, mode='x') == 3"),
    "a loop": ("assert parse(1) == 3\n    assert parse(2) == 4", "for x, y in [(1, 3), (2, 4)]:\n        assert parse(x) == y"),
    "the function is renamed": ("assert parse(1) == 3", "assert read(1) == 3"),
    "fields become the whole": ("got = parse(1)\n    assert got.a == 3\n    assert got.b == 4",
                                "assert parse(1) == Point(3, 4)"),
}


@pytest.mark.parametrize(("before", "after"), REFACTORED.values(), ids=REFACTORED.keys())
def test_an_honest_refactoring_weakens_nothing(before: str, after: str) -> None:
    assert diff(f"def test_a():\n    {before}\n", f"def test_a():\n    {after}\n") == []


def test_parametrised_rows_stand_for_the_assertions_that_they_were() -> None:
    before = "def test_a():\n    assert parse(1) == 3\ndef test_b():\n    assert parse(2) == 4\n"
    after = "@pytest.mark.parametrize(('x', 'y'), [(1, 3), (2, 4)])\ndef test_a(x, y):\n    assert parse(x) == y\n"
    assert diff(before, after) == []


SLY = {
    "its own condition": "if parse(1) == 3:\n        assert parse(1) == 3",
    "in a loop over nothing": "for _ in []:\n        assert parse(1) == 3",
    "under not __debug__": "if not __debug__:\n        assert parse(1) == 3",
    "in a function that nobody calls": "def inner():\n        assert parse(1) == 3",
    "in an exception group": "try:\n        assert parse(1) == 3\n    except* AssertionError:\n        pass",
    "where a failure is expected": "with pytest.raises(Exception):\n        assert parse(1) == 3",
    "against itself": "assert parse(1) == parse(1)",
    "gone by a failure": "pass",
}


@pytest.mark.parametrize("after", SLY.values(), ids=SLY.keys())
def test_a_sly_weakening_is_found(after: str) -> None:
    assert len(diff("def test_a():\n    assert parse(1) == 3\n", f"def test_a():\n    {after}\n")) == 1


def test_a_test_that_is_defined_again_or_not_collected_any_more_claims_nothing() -> None:
    before = "def test_a():\n    assert parse(1) == 3\n"
    assert len(diff(before, before + "def test_a():\n    pass\n")) == 1
    assert len(diff(before, before.replace("test_a", "_test_a"))) == 1
    assert len(diff(before, before.replace("test_a", "check_a"))) == 1
    assert diff(before, before.replace("test_a", "test_b")) == []
    assert diff(before, before.replace("test_a", "check_a") + "def test_b():\n    check_a()\n") == []


def test_numbers_are_reckoned_and_patterns_that_match_all_are_none() -> None:
    assert len(diff(body("assert found < 10"), body("assert found < 10 * 10"))) == 1
    assert len(diff(body("with pytest.raises(ValueError, match='bad x'):", "    found()"),
                    body("with pytest.raises(ValueError, match='.*'):", "    found()"))) == 1
    assert len(diff(body("if found != 3:", "    pytest.fail('no')"), body("pass"))) == 1


def test_every_rule_is_shown() -> None:
    assert {row[3] for row in PAIRS} | {"assertion-fewer-cases"} == {rule.id for rule in RULES}
