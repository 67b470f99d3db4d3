"""Weakened assertions: each kind of loosening beside a change of the same place that says as much or more."""

from __future__ import annotations

import pytest
from hypothesis import given
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


@given(CLAIMS, st.randoms(use_true_random=False))
def test_order_and_addition_weaken_nothing_and_every_removal_is_found(lines: list[str], random) -> None:  # type: ignore[no-untyped-def]
    mixed = list(lines)
    random.shuffle(mixed)
    assert diff(body("pass", *lines), body("pass", *mixed)) == []
    for line in lines:
        rest = [each for each in mixed if each != line]
        assert [before for _, before in diff(body("pass", *lines), body("pass", *rest))] == [line.removeprefix("assert ")]
        assert diff(body("pass", *rest), body("pass", *mixed)) == []


def test_every_rule_is_shown() -> None:
    assert {row[3] for row in PAIRS} | {"assertion-fewer-cases"} == {rule.id for rule in RULES}
