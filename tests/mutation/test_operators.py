"""Each operator on sources small enough to count by hand; and real sources, where an edit has to be what it says."""

from __future__ import annotations

import ast
import sysconfig
from pathlib import Path

import pytest

from oracle_rules.mutation.operators import OPERATORS, edits
from oracle_rules.mutation.source import NotPython, Source

STANDARD = Path(sysconfig.get_path("stdlib"))


def told(text: str, reached: set[int] | None = None) -> list[str]:
    """Every edit as `LINE OPERATOR BEFORE -> AFTER`."""
    source = Source(text.encode())
    return [f"{source.line(edit.span[0])} {edit.operator} {source.text[slice(*edit.span)]} -> {edit.text}"
            for edit in edits(source, reached)]


# What stands in the text, and every edit of it; each list was written down by hand.
CASES = {
    "a comparison": ("x = a < b\n", ["1 statement x = a < b -> pass", "1 boundary < -> <=", "1 comparison < -> >="]),
    "a chain": ("x(a <= b == c)\n", [
        "1 statement x(a <= b == c) -> pass", "1 boundary <= -> <", "1 comparison <= -> >", "1 comparison == -> !="]),
    "words": ("x(a is not b, c not  in d, e in f, g is h)\n", [
        "1 statement x(a is not b, c not  in d, e in f, g is h) -> pass", "1 comparison is not -> is",
        "1 comparison not  in -> in", "1 comparison in -> not in", "1 comparison is -> is not"]),
    "parentheses": ("assert (a) >= ((b))\n", [
        "1 statement assert (a) >= ((b)) -> pass", "1 boundary >= -> >", "1 comparison >= -> <"]),
    "a boolean chain": ("x(a and (b) and c or d)\n", [
        "1 statement x(a and (b) and c or d) -> pass", "1 boolean a and (b) and c -> a or (b) or c",
        "1 boolean a and (b) and c or d -> a and (b) and c and d"]),
    "not": ("if not  a:\n    b()\n", ["1 boolean not   -> ", "2 statement b() -> pass"]),
    "a truth": ("if a:\n    b()\n", ["1 boolean a -> (not (a))", "2 statement b() -> pass"]),
    "a walrus": ("while a := b():\n    c()\n", [
        "1 boolean a := b() -> (not (a := b()))", "2 statement c() -> pass"]),
    "a compared condition": ("if a != b:\n    c()\n", ["1 comparison != -> ==", "2 statement c() -> pass"]),
    "a conditional": ("x = 1 if a else 'b'\n", [
        "1 statement x = 1 if a else 'b' -> pass", "1 constant 1 -> 2", "1 boolean a -> (not (a))",
        "1 constant 'b' -> \"\""]),
    "a comprehension": ("x([a for a in b if c(a)])\n", [
        "1 statement x([a for a in b if c(a)]) -> pass", "1 boolean c(a) -> (not (c(a)))"]),
    "numbers": ("x = (0, 0x_ff, 2.5, 1e999, 3j, ...)\n", [
        "1 statement x = (0, 0x_ff, 2.5, 1e999, 3j, ...) -> pass", "1 constant 0 -> 1", "1 constant 0x_ff -> 256",
        "1 constant 2.5 -> 3.5"]),
    "texts": ("x = ('', b'', b'a', 'b' 'c')\n", [
        "1 statement x = ('', b'', b'a', 'b' 'c') -> pass", "1 constant '' -> \"x\"", "1 constant b'' -> b\"x\"",
        "1 constant b'a' -> b\"\"", "1 constant 'b' 'c' -> \"\""]),
    "truths and nothing": ("x = (True, False, None)\n", [
        "1 statement x = (True, False, None) -> pass", "1 boolean True -> False", "1 boolean False -> True"]),
    "a format string": ("x = f'{a < 1}' 'b'\n", ["1 statement x = f'{a < 1}' 'b' -> pass"]),
    "a return": ("def f():\n    return (a +\n            b)\n", ["2 return a +\n            b -> None"]),
    "returns of nothing": ("def f():\n    return None\ndef g():\n    return\n", []),
    "a lambda": ("x = lambda y=1: y\n", [
        "1 statement x = lambda y=1: y -> pass", "1 constant 1 -> 2", "1 return y -> None"]),
    "docstrings": ('"""M"""\nclass C:\n    """C"""\n    a = 1\ndef f():\n    """F"""\n    ...\n    "g"\n', [
        "4 statement a = 1 -> pass", "4 constant 1 -> 2"]),
    "annotations": ("x: 'int'\ny: Literal[1] = 2\ndef f(a: 'b' = 3) -> 'c':\n    del a\n", [
        "2 statement y: Literal[1] = 2 -> pass", "2 constant 2 -> 3", "3 constant 3 -> 4", "4 statement del a -> pass"]),
    "what is removed": ("for a in b:\n    c += d\n    continue\nelse:\n    raise\nimport e\npass\n", [
        "2 statement c += d -> pass", "3 statement continue -> pass", "5 statement raise -> pass"]),
    "blocks": ("try:\n    a()\nexcept B:\n    c()\nfinally:\n    d()\nwith e(1) as f:\n    g()\n", [
        "2 statement a() -> pass", "4 statement c() -> pass", "6 statement d() -> pass", "7 constant 1 -> 2",
        "8 statement g() -> pass"]),
    "a match": ("match a:\n    case 1 if b:\n        c()\n    case _:\n        d()\n", [
        "2 constant 1 -> 2", "2 boolean b -> (not (b))", "3 statement c() -> pass", "5 statement d() -> pass"]),
    "letters beside": ("é = 'ü' if 'ö' < b else c\n", [
        "1 statement é = 'ü' if 'ö' < b else c -> pass", "1 constant 'ü' -> \"\"", "1 constant 'ö' -> \"\"",
        "1 boundary < -> <=", "1 comparison < -> >="]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_edits_are_those_that_were_counted_by_hand(name: str) -> None:
    text, expected = CASES[name]
    assert sorted(told(text)) == sorted(expected)


def test_every_operator_is_counted_by_hand_somewhere() -> None:
    assert {line.split()[1] for _, lines in CASES.values() for line in lines} == set(OPERATORS)


TWO = '''\
LIMIT = 3


def used(a, b=1):
    if a < b:
        return 1
    else:
        a = 2
    return (a
            or b)


def unused(a, b=2):
    return a > b
'''


def test_only_what_was_run_is_edited() -> None:
    """Lines 1, 4 and 13 are run when the module is imported; `used` was called with a smaller `b`."""
    assert told(TWO, {1, 4, 13, 5, 8, 10}) == [
        "1 statement LIMIT = 3 -> pass", "1 constant 3 -> 4", "4 constant 1 -> 2", "5 boundary < -> <=",
        "5 comparison < -> >=", "8 statement a = 2 -> pass", "8 constant 2 -> 3",
        "9 boolean a\n            or b -> a\n            and b", "9 return a\n            or b -> None"]
    assert told(TWO, set()) == []
    assert len(told(TWO)) == 15


@pytest.mark.parametrize("data", [b"def f(:\n", b"\xff\xfe", b"# -*- coding: no-such -*-\n", b"# coding: hex\n61\n", b"a = 1\0\n", b"(" * 5000,
                                  b"# -*- coding: ascii -*-\na = '\xc3\xa4'\n"])
def test_what_is_no_source_is_told(data: bytes) -> None:
    with pytest.raises(NotPython):
        Source(data)
    assert Source(b"a = 1\n").text == "a = 1\n"


@pytest.mark.parametrize(("head", "tail", "encoding"), [
    (b"\xef\xbb\xbf", b"", "utf-8-sig"), (b"# -*- coding: latin-1 -*-\r\n", b"\r\n", "latin-1"),
    (b"#\x0c\n", b"\n# \xe2\x80\xa8", "utf-8")])
def test_what_stands_around_an_edit_stays_byte_for_byte(head: bytes, tail: bytes, encoding: str) -> None:
    middle = "x = 'äé' < y".encode(encoding.removesuffix("-sig"))
    source = Source(head + middle + tail)
    [edit] = [edit for edit in edits(source, None) if edit.operator == "boundary"]
    assert source.replaced(edit.span, edit.text) == head + middle.replace(b"<", b"<=") + tail


@pytest.mark.parametrize("name", [
    "argparse.py", "ast.py", "bisect.py", "calendar.py", "csv.py", "difflib.py", "fractions.py", "heapq.py",
    "json/decoder.py", "statistics.py", "string.py", "textwrap.py"])
def test_in_real_sources_every_edit_makes_another_program(name: str) -> None:
    """What is made of a source parses, and differs from it as a tree; every 67th edit, since each is parsed whole."""
    source = Source((STANDARD / name).read_bytes())
    found = edits(source, None)
    whole = ast.dump(source.tree)
    assert len(found) > 20
    for edit in found[::67]:
        assert ast.dump(ast.parse(source.replaced(edit.span, edit.text))) != whole, edit
