"""The seed lane's law against a one-line model, and each kind of step by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.artifacts.seeds import Corpus, parse_corpus
from oracle_rules.gate.lanes import MOST, refused
from oracle_rules.gate.seed_lane import compare

PATH = "seeds/p.json"
CASES = st.lists(st.integers(0, 5) | st.sampled_from([{"a": 1, "b": 2}, "x", [1], None, True]), min_size=1, max_size=8)


def corpus(cases: Sequence[Any], indent: int | None = None) -> Corpus:
    return parse_corpus(json.dumps(list(cases), indent=indent).encode(), path=PATH)


def steps(before: Sequence[Any] | None, after: Sequence[Any] | None) -> list[tuple[str, str]]:
    sides = [None if cases is None else corpus(cases) for cases in (before, after)]
    return [(step.sign, step.detail) for step in compare(PATH, *sides)]


def codes(before: Sequence[Any] | None, after: Sequence[Any] | None) -> list[str]:
    sides = [None if cases is None else corpus(cases) for cases in (before, after)]
    return [finding.code for finding in refused(compare(PATH, *sides))]


def text(case: Any) -> str:
    """A spelling of our own: types apart, keys in order."""
    return repr((type(case).__name__, sorted(case.items()) if isinstance(case, dict) else case))


def is_additive(before: Sequence[Any], after: Sequence[Any]) -> bool:
    """The law, said in one line: the old cases first and as they were, the new ones new."""
    old, new = [text(case) for case in before], [text(case) for case in after]
    fresh = new[len(old):]
    return new[: len(old)] == old and not set(fresh) & set(old) and len(set(fresh)) == len(fresh)


@given(CASES, CASES)
@settings(max_examples=400, deadline=None)
def test_nothing_is_refused_exactly_when_the_change_is_additive(before: list[Any], after: list[Any]) -> None:
    assert (codes(before, after) == []) == is_additive(before, after)


@given(CASES, CASES)
@settings(max_examples=200, deadline=None)
def test_what_is_appended_is_never_refused_unless_it_stands_there_already(before: list[Any], more: list[Any]) -> None:
    found = codes(before, before + more)
    assert set(found) <= {"seed_duplicate"}
    assert len(found) == sum(text(case) in {text(seen) for seen in (before + more)[: len(before) + index]}
                             for index, case in enumerate(more))


@given(st.lists(st.integers(), min_size=2, max_size=9, unique=True), st.data())
@settings(max_examples=200, deadline=None)
def test_one_deletion_one_change_and_one_swap_are_each_named_at_their_index(before: list[int], data: Any) -> None:
    index = data.draw(st.integers(0, len(before) - 1))
    gone = before[:index] + before[index + 1 :]
    assert codes(before, gone) == ["seed_removed"]
    assert steps(before, gone)[0][1].startswith(f"case {index} is gone: ")
    changed = [*before[:index], "changed", *before[index + 1 :]]
    assert steps(before, changed) == [
        ("seed-rewritten", f'case {index} was {before[index]}, case {index} is "changed"')]
    other = data.draw(st.integers(0, len(before) - 1).filter(lambda found: found != index))
    swapped = list(before)
    swapped[index], swapped[other] = before[other], before[index]
    assert set(codes(before, swapped)) == {"seed_reordered"}


@given(st.permutations(range(6)))
@settings(max_examples=200, deadline=None)
def test_a_permutation_moves_as_few_cases_as_can_be(order: list[int]) -> None:
    """Against the longest rising subsequence by trying all subsets."""
    best = max(bin(chosen).count("1") for chosen in range(64)
               if [v for i, v in enumerate(order) if chosen >> i & 1]
               == sorted(v for i, v in enumerate(order) if chosen >> i & 1))
    assert codes(list(range(6)), order) == ["seed_reordered"] * (6 - best)


@given(CASES, CASES, CASES)
@settings(max_examples=300, deadline=None)
def test_two_additive_changes_are_one(first: list[Any], second: list[Any], third: list[Any]) -> None:
    """Where both steps are additive, so is the whole way; grown on purpose, so that it happens."""
    fresh = [case for case in dict.fromkeys(map(json.dumps, second + third))]
    known = {text(case) for case in first}
    more = [json.loads(case) for case in fresh if text(json.loads(case)) not in known]
    half = first + more[: len(more) // 2]
    assert codes(first, half) == codes(half, first + more) == codes(first, first + more) == []


@pytest.mark.parametrize(("before", "after", "expected"), [
    ([1, 2, 3], [1, 3], [("seed-removed", "case 1 is gone: 2")]),
    ([1, 2, 3], [1, 9, 3], [("seed-rewritten", "case 1 was 2, case 1 is 9")]),
    ([1, 2], [9, 1, 2], [("seed-inserted", "case 0 stands before cases of base: 9")]),
    ([1, 2], [2, 1], [("seed-moved", "case 0 is now case 1: 1")]),
    ([1, 2, 3], [1, 2, 3, 4], [("seed-appended", "case 3 is new: 4")]),
    ([1, 2], [1, 2, 1], [("seed-duplicate", "case 2 is case 0 again: 1")]),
    ([1, 1], [1, 1, 2], [("seed-appended", "case 2 is new: 2")]),
    ([1, 1], [1], [("seed-removed", "case 1 is gone: 1")]),
    ([1, 2, 3], [8, 9], [("seed-rewritten", "case 0 was 1, case 0 is 8"), ("seed-rewritten", "case 1 was 2, case 1 is 9"),
                         ("seed-removed", "case 2 is gone: 3")]),
    ([{"a": 1}], [{"a": 1.0}], [("seed-rewritten", 'case 0 was {"a":1}, case 0 is {"a":1.0}')]),
    ([1], [True], [("seed-rewritten", "case 0 was 1, case 0 is true")]),
    ([1, 2], None, [("corpus-removed", "its 2 cases are gone")]),
        ([1], None, [("corpus-removed", "its 1 case is gone")]),
    (None, [1, 1], [("seed-appended", "case 0 is new: 1"),
                    ("seed-duplicate", "case 1 is case 0 again: 1"), ("corpus-new", "a new corpus of 2 cases")]),
    (None, None, []),
    ([1], [1], []),
])  # fmt: skip
def test_the_steps_by_hand(before: Any, after: Any, expected: list[tuple[str, str]]) -> None:
    assert steps(before, after) == expected


def test_another_layout_is_no_change_of_cases_and_is_named() -> None:
    found = compare(PATH, corpus([{"b": 1, "a": 2}]), corpus([{"a": 2, "b": 1}], indent=2))
    assert [step.sign for step in found] == ["corpus-laid-out"]
    assert refused(found) == ()


def test_a_long_case_is_cut_and_says_how_long_it_is() -> None:
    ((_, detail),) = steps([1], [1, "x" * 500])
    assert detail == f'case 1 is new: "{"x" * 159}... (502 characters)'


def test_many_equal_cases_take_no_long_time() -> None:
    """A comparison by pairs would take minutes."""
    many = [0] * 40_000
    assert codes(many, [*many, 1]) == []
    assert codes(many, many[:-1]) == ["seed_removed"]
    turned = refused(compare(PATH, corpus(range(40_000)), corpus(range(39_999, -1, -1))))
    assert [finding.code for finding in turned] == ["seed_reordered"] * (MOST + 1)
    assert turned[-1].detail.startswith(f"and {39_999 - MOST} more like these")
