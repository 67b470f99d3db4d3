"""Diffs for people: the same as the standard library's where that can be asked, bounded, and nothing hidden."""

from __future__ import annotations

import difflib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.gate.diffs import LARGE, WIDTH, diff
from oracle_rules.gate.visible import visible

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "  x"]), max_size=25)


def applied(before: list[str], lines: tuple[str, ...]) -> list[str]:
    """What a patch tool makes of the hunks: written here, from the format's description."""
    found, at = [], 0
    for line in lines:
        if line.startswith("@@"):
            place, _, length = line.split()[1][1:].partition(",")
            start = int(place) - (0 if length == "0" else 1)
            assert start >= at
            found += before[at:start]
            at = start
        elif line.startswith((" ", "-")):
            assert before[at] == line[1:]
            found += [line[1:]] if line[0] == " " else []
            at += 1
        else:
            assert line.startswith("+")
            found.append(line[1:])
    return found + before[at:]


@given(LINES, LINES)
@settings(max_examples=500, deadline=None)
def test_the_hunks_lead_from_one_side_to_the_other(before: list[str], after: list[str]) -> None:
    found = diff("".join(f"{line}\n" for line in before).encode(), "".join(f"{line}\n" for line in after).encode(),
                 most=1000)
    assert applied(before, found.lines) == after
    assert (found.form == "same") == (before == after)


@given(st.lists(st.integers(0, 60), min_size=1, max_size=3), st.integers(20, 60))
@settings(max_examples=200, deadline=None)
def test_single_changed_lines_give_the_hunks_of_the_standard_library(places: list[int], length: int) -> None:
    before = [f"line {number}" for number in range(length)]
    after = [f"{line}!" if number in places else line for number, line in enumerate(before)]
    expected = list(difflib.unified_diff(before, after, lineterm=""))[2:]
    assert list(diff("".join(f"{line}\n" for line in before).encode(), "".join(f"{line}\n" for line in after).encode(),
                     most=1000).lines) == expected


def test_added_removed_and_the_missing_line_feed() -> None:
    assert diff(None, b"a\nb\n", most=9).lines == ("@@ -0,0 +1,2 @@", "+a", "+b")
    assert diff(b"a\nb\n", None, most=9).lines == ("@@ -1,2 +0,0 @@", "-a", "-b")
    assert diff(b"a\n", b"a", most=9).lines == ("@@ -1 +1 @@", "-a", "+a", "\\ no line feed at the end")
    assert diff(b"a\r\n", b"a\n", most=9).lines == ("@@ -1 +1 @@", "-a\u27e8U+000D\u27e9", "+a")


@pytest.mark.parametrize(("written", "shown"), [
    ("if x:\t# ok", "if x:\t# ok"), ("a\x1b[2Jb", "a\u27e8U+001B\u27e9[2Jb"), ("a\u202eb", "a\u27e8U+202E\u27e9b"),
    ("a\u200bb", "a\u27e8U+200B\u27e9b"), ("a\u2028b", "a\u27e8U+2028\u27e9b"), ("gr\u00f6\u00dfe", "gr\u00f6\u00dfe"),
    ("\u27e8U+202E\u27e9", "\u27e8U+27E8\u27e9U+202E\u27e9"), ("\ufeffa", "\u27e8U+FEFF\u27e9a"),
    ("a\u00a0b", "a\u27e8U+00A0\u27e9b"),
])  # fmt: skip
def test_what_hides_is_spelled(written: str, shown: str) -> None:
    assert visible(written) == shown
    assert diff(None, f"{written}\n".encode(), most=9).lines[-1] == f"+{shown}"


@given(st.text(max_size=40), st.text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_two_texts_never_look_alike_and_nothing_unprintable_is_left(one: str, other: str) -> None:
    assert (visible(one) == visible(other)) == (one == other)
    assert all(char.isprintable() or char == "\t" for char in visible(one))


def test_a_diff_is_cut_and_says_by_how_much() -> None:
    found = diff(None, b"x\n" * 500, most=100)
    assert (len(found.lines), found.cut) == (100, 401)
    (line,) = diff(None, b"y" * (WIDTH + 70) + b"\n", most=9).lines[1:]
    assert line == "+" + "y" * (WIDTH - 1) + "\u27e8and 71 characters\u27e9"


def test_what_is_no_text_or_too_large_is_left_to_its_digest() -> None:
    assert diff(b"a\0b", b"a", most=9).form == "binary"
    assert diff(b"\xff", None, most=9).form == "binary"
    assert diff(b"a" * (LARGE + 1), None, most=9).form == "large"
    assert diff(b"a" * LARGE, None, most=9).form == "text"


def test_a_document_on_one_line_is_laid_out_so_that_a_change_is_seen() -> None:
    rows = {f"file{number}.json": {"purpose": "as it was", "sha256": "0" * 64} for number in range(50)}
    before = json.dumps(rows).encode()
    rows["file37.json"]["purpose"] = "as it is"
    found = diff(before, json.dumps(rows).encode(), most=99)
    assert found.form == "laid-out"
    assert [line for line in found.lines if line[0] in "+-"] == [
        '-  "purpose": "as it was",', '+  "purpose": "as it is",']


def test_a_document_that_says_a_key_twice_is_not_laid_out() -> None:
    twice = ('{"a": 1, "b": "' + "x" * 300 + '", "a": 2}').encode()
    assert diff(None, twice, most=9).form == "text"


def test_the_same_values_in_another_layout_are_shown_as_they_stand() -> None:
    found = diff(b'{"a":"' + b"x" * 200 + b'"}', b'{"a": "' + b"x" * 200 + b'"}', most=9)
    assert found.form == "text" and len(found.lines) == 5


def test_large_sides_take_no_long_time() -> None:
    old = b"".join(b"old %d\n" % number for number in range(60_000))
    new = b"".join(b"new %d\n" % number for number in range(60_000))
    assert diff(old, new, most=10).cut == 120_001 - 10
