"""Tests of two workspaces are paired by what makes each the one it was: its name, its file, then what else it shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.loading import Workspace
from oracle_rules.loading.succession import successors

from .trees import LOADS, NEEDED, load

# A test as name, property file, property id, corpus; and the bytes of property files.
Row = tuple[str, str, str, str]


def declared(rows: Sequence[Row]) -> Workspace:
    text = LOADS + NEEDED + "".join(
        f'oracle_property_test(name = "{name}", property = "{file}", property_id = "{known}", candidate = ":src", '
        f'seeds = "{seeds}")\n' for name, file, known, seeds in rows)
    files = {path: "" for row in rows for path in (row[1], row[3])}
    return load({"BUILD.bazel": text, "src/a.py": "", **files})


def paired(old: Sequence[Row], new: Sequence[Row], data: Mapping[str, str] | None = None) -> dict[str, list[str]]:
    """Names to names; files have the bytes of `data`, or bytes of their own."""
    held = data or {}
    found = successors(declared(old), declared(new), same=lambda a, b: held.get(a, a) == held.get(b, b))
    return {test.label.name: [each.label.name for each in later] for test, later in found}


A, B = ("a", "a.py", "ia", "a.json"), ("b", "b.py", "ib", "b.json")
SIDES: dict[str, tuple[list[Row], list[Row], dict[str, list[str]]]] = {
    "the same": ([A, B], [B, A], {"a": ["a"], "b": ["b"]}),
    "another id": ([A], [("a", "a.py", "x", "a.json")], {"a": ["a"]}),
    "another name": ([A], [("x", "a.py", "ia", "a.json")], {"a": ["x"]}),
    "another file": ([A], [("a", "x.py", "ia", "a.json")], {"a": ["a"]}),
    "files swapped": ([A, B], [("a", "b.py", "ia", "a.json"), ("b", "a.py", "ib", "b.json")], {"a": ["b"], "b": ["a"]}),
    "ids swapped": ([A, B], [("a", "a.py", "ib", "a.json"), ("b", "b.py", "ia", "b.json")], {"a": ["a"], "b": ["b"]}),
    "name and file, each in another test": (
        [A], [("a", "x.py", "ix", "a.json"), ("y", "a.py", "iy", "y.json")], {"a": ["y", "a"]}),
    "two that ask its file, one with its id": (
        [A], [("x", "a.py", "ix", "a.json"), ("y", "a.py", "ia", "y.json")], {"a": ["y"]}),
    "a second one beside it": ([A], [A, ("x", "a.py", "ix", "x.json")], {"a": ["a"]}),
    "gone": ([A, B], [B], {"a": [], "b": ["b"]}),
    "gone, and its file asked by one that was there": (
        [A, ("q", "a.py", "iq", "q.json")], [("q", "a.py", "iq", "a.json")], {"a": [], "q": ["q"]}),
    "all new but the id": ([A], [("x", "x.py", "ia", "x.json"), ("y", "y.py", "iy", "a.json")], {"a": ["x"]}),
    "all new but the corpus": ([A], [("x", "x.py", "ix", "x.json"), ("y", "y.py", "iy", "a.json")], {"a": ["y"]}),
    "all new": ([A], [("x", "x.py", "ix", "x.json")], {"a": []}),
}


@pytest.mark.parametrize("name", SIDES)
def test_a_test_goes_on_as(name: str) -> None:
    old, new, expected = SIDES[name]
    assert paired(old, new) == expected


def test_a_property_is_known_by_its_bytes_before_its_corpus() -> None:
    new = [("x", "x.py", "ix", "x.json"), ("y", "y.py", "iy", "a.json")]
    assert paired([A], new, {"a.py": "hold", "x.py": "hold"}) == {"a": ["x"]}


ROWS = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("pqrs"), st.sampled_from("ijkl"), st.sampled_from("uv")),
                min_size=1, max_size=4, unique_by=(lambda row: row[0], lambda row: row[2])).map(
    lambda rows: [(name, f"{file}.py", known, f"{seeds}.json") for name, file, known, seeds in rows])


@given(ROWS, ROWS)
def test_whoever_goes_on_as_a_test_shares_something_with_it_and_name_with_file_settle_it(
    old: list[Row], new: list[Row]
) -> None:
    byname = {row[0]: row for row in new}
    for row in old:
        later = [byname[name] for name in paired(old, new)[row[0]]]
        assert all(set(row) & set(each) for each in later)
        if row[:2] in [each[:2] for each in new]:
            assert [each[:2] for each in later] == [row[:2]]
        assert later or row[1] not in [each[1] for each in new if each[:2] not in [was[:2] for was in old]]
