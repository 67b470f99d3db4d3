"""Paths inside a tree."""

from __future__ import annotations

import posixpath
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules import relpath

PROBLEMS = [
    ("", "empty"),
    ("/a", "absolute"),
    ("a/\udcff", "UTF-8"),
    ("a\nb", "control"),
    ("a\x7f", "control"),
    ("a\x00", "control"),
    ("a\\b", "backslash"),
    ("a//b", "normalised"),
    ("a/", "normalised"),
    ("./a", "normalised"),
    ("a/../b", "normalised"),
    ("..", "normalised"),
    (".", "normalised"),
    ("x" * 256, "255"),
    ("é" * 128, "255"),
    ("/".join(["x" * 200] * 20), "4000"),
]


@pytest.mark.parametrize(("path", "word"), PROBLEMS)
def test_what_cannot_be_the_path_of_an_input(path: str, word: str) -> None:
    assert word in (relpath.problem(path) or "")


@pytest.mark.parametrize(
    "path", ["a", "a/b.py", "...", "..a", ".a/b", "é", " a", "a:b", "x" * 255, "é" * 127, "/".join(["x" * 99] * 40)]
)
def test_what_can_be_one(path: str) -> None:
    assert relpath.problem(path) is None


PART = st.text(alphabet="ab.é", min_size=1, max_size=4).filter(lambda part: part not in (".", ".."))
PATHS = st.lists(PART, min_size=1, max_size=5).map("/".join)


@given(PATHS)
def test_taking_apart_and_putting_together(path: str) -> None:
    assert relpath.problem(path) is None
    assert relpath.parent(path) == posixpath.dirname(path)
    assert relpath.name(path) == posixpath.basename(path)
    assert relpath.join(relpath.parent(path), relpath.name(path)) == path
    assert relpath.join("", path) == relpath.join(path, "") == path


@given(PATHS)
def test_ancestors_are_every_prefix(path: str) -> None:
    parts = path.split("/")
    assert relpath.ancestors(path) == ["/".join(parts[:size]) for size in range(len(parts) - 1, -1, -1)]
    assert all(relpath.is_within(path, folder) for folder in relpath.ancestors(path))
    assert relpath.ancestors("") == []


@given(PATHS, PATHS)
def test_within_is_a_prefix_of_components(path: str, folder: str) -> None:
    wanted = folder.split("/")
    assert relpath.is_within(path, folder) is (path.split("/")[: len(wanted)] == wanted)
    assert relpath.is_within(relpath.join(folder, path), folder)
    assert not relpath.is_within(folder + "x", folder)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("README", "readme"),
        ("straße", "STRASSE"),
        ("é", "e\u0301"),
        ("ﬁle", "FILE"),
        ("Ａ", "a"),
        ("K", "\N{KELVIN SIGN}"),
        ("ſeeds", "SEEDS"),
        ("Å", "\N{ANGSTROM SIGN}"),
    ],
)
def test_names_that_a_file_system_may_confuse(one: str, other: str) -> None:
    assert one != other
    assert relpath.fold(one) == relpath.fold(other)


@pytest.mark.parametrize(("one", "other"), [("a", "b"), ("a", "á"), ("a/b", "a-b"), ("seeds", "seed"), ("0", "O")])
def test_names_that_none_confuses(one: str, other: str) -> None:
    assert relpath.fold(one) != relpath.fold(other)


def test_folding_is_stable_for_every_character_and_its_decompositions() -> None:
    for number in range(sys.maxunicode + 1):
        if 0xD800 <= number <= 0xDFFF:
            continue
        char = chr(number)
        folded = relpath.fold(char)
        assert relpath.fold(folded) == folded, hex(number)
        assert relpath.fold(unicodedata.normalize("NFD", char)) == folded, hex(number)
        assert relpath.fold(char.casefold()) == folded, hex(number)


@given(st.text(max_size=20))
def test_folding_is_stable(text: str) -> None:
    folded = relpath.fold(text)
    assert relpath.fold(folded) == folded
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert relpath.fold(unicodedata.normalize(form, text)) == folded
