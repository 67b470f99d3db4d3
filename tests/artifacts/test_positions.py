"""Positions in JSON texts, against places counted by hand and against a writer that notes where it puts things."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.artifacts.positions import dotted, first_repeated_key, line_column, offset_of

TEXT = '{\n  "a": [1, {"b\\"c": true}],\n  "é": null\n}\n'


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), (1, 1)),
        (("a",), (2, 8)),
        (("a", 0), (2, 9)),
        (("a", 1), (2, 12)),
        (("a", 1, 'b"c'), (2, 21)),
        (("é",), (3, 8)),
        (("a", 7), (2, 8)),
        (("absent",), (1, 1)),
    ],
)
def test_a_path_stands_where_a_person_counts_it(path: tuple[str | int, ...], expected: tuple[int, int]) -> None:
    assert line_column(TEXT, offset_of(TEXT, path)) == expected


def test_dotted_quotes_only_what_needs_it() -> None:
    assert dotted(("files", "a.json", "sha256")) == 'files."a.json".sha256'
    assert dotted(("rows", 0, "owner")) == "rows[0].owner"
    assert dotted((3, "x")) == "[3].x"
    assert dotted(()) == "(top)"


@pytest.mark.parametrize(
    ("text", "path", "offset"),
    [
        ('{"a": 1, "a": 2}', ("a",), 14),
        ('[{"x": {}}, {"y": {"z": [], "z": []}}]', (1, "y", "z"), 33),
        ('{"a": 1, "\\u0061": 2} trailing ]', ("a",), 19),
    ],
)
def test_the_first_repeated_key_is_found(text: str, path: tuple[str | int, ...], offset: int) -> None:
    assert first_repeated_key(text) == (path, offset)


def test_equal_keys_of_different_objects_are_not_repeated() -> None:
    assert first_repeated_key('[{"a": 1}, {"a": {"a": 1}}]') is None


class Writer:
    """Writes JSON with random space and notes the offset of each value: a second answer to the same question."""

    def __init__(self, spaces: list[str]) -> None:
        self.out = ""
        self.spaces = spaces
        self.places: dict[tuple[str | int, ...], int] = {}

    def put(self, value: Any, path: tuple[str | int, ...]) -> None:
        self.gap()
        self.places[path] = len(self.out)
        if isinstance(value, dict):
            self.rows("{}", [(key, item) for key, item in value.items()], path)
        elif isinstance(value, list):
            self.rows("[]", list(enumerate(value)), path)
        else:
            self.out += json.dumps(value)
        self.gap()

    def rows(self, marks: str, rows: list[tuple[Any, Any]], path: tuple[str | int, ...]) -> None:
        self.out += marks[0]
        for number, (key, item) in enumerate(rows):
            self.out += "," if number else ""
            if isinstance(key, str):
                self.gap()
                self.out += json.dumps(key)
                self.gap()
                self.out += ":"
            self.put(item, (*path, key))
        self.gap()
        self.out += marks[1]

    def gap(self) -> None:
        self.out += self.spaces[len(self.out) % len(self.spaces)]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@given(VALUES, st.lists(st.sampled_from(["", " ", "\n", "\t ", "\r\n"]), min_size=1, max_size=3))
@settings(max_examples=150, deadline=None)
def test_every_value_is_found_where_it_was_written(value: Any, spaces: list[str]) -> None:
    writer = Writer(spaces)
    writer.put(value, ())
    assert json.loads(writer.out) == value
    assert {path: offset_of(writer.out, path) for path in writer.places} == writer.places
    assert first_repeated_key(writer.out) is None


@given(st.text(alphabet='{}[]",:\\ 1a\n', max_size=30))
@settings(max_examples=300, deadline=None)
def test_broken_texts_end(text: str) -> None:
    first_repeated_key(text)
    assert 0 <= offset_of(text, ("a", 0)) <= len(text)
