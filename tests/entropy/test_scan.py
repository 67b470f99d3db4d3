"""Hits as values: places, uses, sources that can't be read, and what a diff takes for new."""

from __future__ import annotations

import ast
import textwrap
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.entropy import names
from oracle_rules.entropy.hit import Category, Hit, Use
from oracle_rules.entropy.scan import new_hits, scan_source


def hits(source: str | bytes) -> tuple[Hit, ...]:
    return scan_source(source, "src/x.py").hits


def only(source: str | bytes) -> Hit:
    [hit] = hits(source)
    return hit


def test_a_hit_tells_all_about_its_place() -> None:
    hit = only("import time as t\n\n\nclass Lease:\n    def left(self):\n        é = 'ü'; return t.monotonic() - 1\n")
    assert (hit.path, hit.span.line, hit.span.column, hit.span.end_line, hit.span.end_column) == (
        "src/x.py", 6, 25, 6, 36)
    assert (hit.expression, hit.name, hit.scope, hit.use) == ("t.monotonic", "time.monotonic", "Lease.left", Use.CALL)
    assert (hit.rule.id, hit.rule.code, hit.rule.kind) == ("clock-timer", "entropy_clock", "clock")
    assert hit.rule.category is Category.FIXTURE and "argument" in hit.rule.seam and hit.before is None


@pytest.mark.parametrize(("source", "use"), [
    ("import time\ntime.time()", Use.IMPORT_CALL),
    ("import time\ndef f():\n    time.time()", Use.CALL),
    ("import time\ndef f():\n    return time.time", Use.REFERENCE),
    ("import time\ndef f(clock=time.time): ...", Use.IMPORT_REFERENCE),
    ("import time\n@time.time\ndef f(): ...", Use.IMPORT_REFERENCE),
    ("import time\nclass A:\n    clock = time.time", Use.IMPORT_REFERENCE),
    ("import time\nx = [time.time() for _ in y]", Use.IMPORT_CALL),
    ("import time\nx = lambda: time.time()", Use.CALL),
    ("import time\nclass A:\n    def f(self, x=lambda: time.time()): ...", Use.CALL),
])  # fmt: skip
def test_a_reference_counts_and_says_when_it_is_bound(source: str, use: Use) -> None:
    assert only(source).use is use


@pytest.mark.parametrize(("data", "line", "column", "says"), [
    (b"x = (", 1, 5, "is no Python"),
    (b"x = 1\ny = = 2\n", 2, 5, "is no Python"),
    (b"x = 1\ny = \0\n", 2, 5, "null byte"),
    (b"x = 'a'\ny = '\xff'\n", 2, 6, "is not utf-8"),
    (b"# coding: no-such\n", 1, 1, "unknown encoding"),
    (b"# coding: rot13\n", 1, 1, "cannot be decoded"),
    (b"\xef\xbb\xbf# coding: latin-1\n", 1, 1, "cannot be decoded"),
    (b"(" * 5000, 1, 1, "is no Python"),
    (b"x = " + b"-" * 50000 + b"1", 1, 1, "nested too deeply"),
    (b"x = " + b"a." * 20000 + b"b", 1, 1, "nested too deeply"),
    (b"x = 1" + b" + 1" * 50000, 1, 1, "nested too deeply"),
    (b"x" * ((8 << 20) + 1), 1, 1, "bytes"),
    (b"print 'x'", 1, 1, "is no Python"),
    (b"def f():\nreturn 1", 2, 1, "is no Python"),
    (b"# coding: unicode_escape\nx = '\\ud800'\n", 1, 1, "is no Python"),
])  # fmt: skip
def test_a_source_that_can_not_be_read_is_one_finding_with_its_place(
    data: bytes, line: int, column: int, says: str
) -> None:
    hit = only(data)
    assert hit.rule.id == "unreadable" and hit.rule.code == "source_unreadable"
    assert hit.span.line == line and says in hit.form
    if "deeply" not in says and data[:1] != b"(":
        assert hit.span.column == column


@pytest.mark.parametrize("data", [
    "# -*- coding: latin-1 -*-\nimport time\nx = 'é'; time.time()\n".encode("latin-1"),
    "\ufeffimport time\nx = 'é'; time.time()\n".encode(),
    b"import time\r\nx = '\xc3\xa9'; time.time()\r\n",
    b"import time\rx = '\xc3\xa9'; time.time()\r",
    b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nimport time;x = '\xe9'; time.time()\n",
])  # fmt: skip
def test_a_source_is_read_as_python_reads_it(data: bytes) -> None:
    hit = only(data)
    assert hit.rule.id == "clock-read" and hit.expression == "time.time"


@given(st.binary(max_size=300))
def test_no_bytes_end_in_a_traceback(data: bytes) -> None:
    assert scan_source(data, "x.py") == scan_source(data, "x.py")


PIECES = st.sampled_from(["import time", "time.time()", "x = {1, 2}", "for y in x:", "    yield y", "def f(a=x):",
                          "    return list(x)", "class A(f):", "    x: set[int] = set()", "x, y = x", "try:", "    x += x",
                          "except time as x:", "global x", "del x", "[x for x in x]", "lambda x=x: x", "with x as x: pass",
                          "match x:", "    case {**x}: x", "x = x", "x.x = x.x", "(x := x)", "from x import *", "async def g(x):",
                          "    await x"])  # fmt: skip


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=12))
def test_no_program_ends_in_a_traceback(lines: list[str]) -> None:
    scan_source("\n".join(lines), "x.py")


# Laws of the diff.

BODY = """
import time, random

def first():
    return time.time()

class Box:
    def second(self):
        a = time.time() + random.random()
        b = time.time()
        return list({a, b})
"""


@given(st.lists(st.tuples(st.integers(0, 11), st.sampled_from(["", "# a remark", "    # deeper"])), max_size=8))
def test_layout_and_remarks_change_no_identity(inserted: list[tuple[int, str]]) -> None:
    lines = BODY.splitlines()
    for at, text in inserted:
        lines.insert(at, text)
    moved = hits("\n".join(lines))
    assert sorted(hit.identity for hit in moved) == sorted(hit.identity for hit in hits(BODY))
    assert new_hits(hits(BODY), moved) == () == new_hits(moved, hits(BODY))


def test_spelling_of_an_expression_over_lines_changes_no_identity() -> None:
    assert new_hits(hits("f(list({a, b}))"), hits("f(list(  {a,\n # x\n b}\n))")) == ()


def test_one_more_of_the_same_is_new() -> None:
    after = BODY.replace("        b = time.time()\n", "        b = time.time()\n        c = time.time()\n")
    [new] = new_hits(hits(BODY), hits(after))
    assert (new.span.line, new.scope, new.rule.id) == (11, "Box.second", "clock-read")


@pytest.mark.parametrize(("old", "new"), [
    ("first()", "renamed()"), ("time.time() + random", "time.time_ns() + random"), ("class Box", "class Chest")])
def test_another_scope_or_form_is_new(old: str, new: str) -> None:
    assert new_hits(hits(BODY), hits(BODY.replace(old, new))) != ()


def test_a_renamed_file_is_new_as_a_whole() -> None:
    moved = scan_source(BODY, "src/y.py").hits
    assert new_hits(hits(BODY), moved) == moved


@given(st.lists(st.integers(0, 4), max_size=6), st.lists(st.integers(0, 4), max_size=6))
def test_what_is_new_is_the_difference_of_multisets(before: list[int], after: list[int]) -> None:
    pool = hits(BODY)
    found = new_hits([pool[i] for i in before], [pool[i] for i in after])
    model = [pool[i].identity for i in after]
    for each in before:
        if pool[each].identity in model:
            model.remove(pool[each].identity)
    assert sorted(hit.identity for hit in found) == sorted(model)


# Laws of sets.

NEUTRAL = st.sampled_from(["sorted({})", "len({})", "set({})", "frozenset({})", "x in {}", "any({})", "all({})", "min({})",
                           "max({})", "sum({})", "bool({})", "sorted(list({}))", "len(tuple({}))", "sorted(y for y in {})",
                           "{{y for y in {}}}", "set(list({}))", "{} == z", "{} | z", "z.update({})", "sorted(map(str, {}))"])
ESCAPES = st.sampled_from(["list({})", "tuple({})", "[y for y in {}]", "','.join({})", "next(iter({}))", "[*{}]", "str({})",
                           "f'{{ {} }}'", "list(map(str, {}))", "tuple(y for y in {})", "enumerate({})", "'%s' % {}", "repr({})"])
SETS = st.sampled_from(["set(a)", "{a, b}", "frozenset(a)", "{y for y in a}", "(set(a) | b)", "set(a).union(b)",
                        "(a.keys() & b)", "set(a)"])


@given(SETS, ESCAPES)
def test_an_order_that_gets_out_is_found(made: str, escape: str) -> None:
    assert {hit.rule.id for hit in hits(f"def f(a, b):\n    return {escape.format(made)}")} == {"set-order"}
    assert {hit.rule.id for hit in hits(f"def f(a, b):\n    s = {made}\n    return {escape.format('s')}")} == {"set-order"}


@given(SETS, NEUTRAL)
def test_a_sink_that_forgets_the_order_takes_the_hit_away(made: str, sink: str) -> None:
    assert hits(f"def f(a, b, x, z):\n    return {sink.format(made)}") == ()
    assert hits(f"def f(a, b, x, z):\n    s = {made}\n    return {sink.format('s')}") == ()


@given(SETS, ESCAPES)
def test_sorting_first_takes_every_escape_away(made: str, escape: str) -> None:
    assert hits(f"def f(a, b):\n    return {escape.format(f'sorted({made})')}") == ()


@pytest.mark.parametrize("body", [
    "out = []\nfor y in s:\n    out.append(y)\nreturn out", "for y in s:\n    yield y", "t = ''\nfor y in s:\n    t += y\nreturn t",
    "for y in s:\n    if y:\n        return y", "a, b = s\nreturn a", "for y in s:\n    last = y\nreturn last",
    "for y in s:\n    print(y)", "out = list(s)\nreturn out", "t = s\nreturn list(t)", "z.extend(s)", "z += s",
])  # fmt: skip
def test_a_body_that_lets_the_order_out_is_found(body: str) -> None:
    source = f"def f(s: set[str], z):\n{textwrap.indent(body, '    ')}\n"
    ast.parse(source)
    assert {hit.rule.id for hit in hits(source)} == {"set-order"}


@pytest.mark.parametrize("body", [
    "out = []\nfor y in s:\n    out.append(y)\nout.sort()\nreturn out", "out = []\nfor y in s:\n    out.append(y)\nreturn sorted(out)",
    "n = 0\nfor y in s:\n    n += 1\nreturn n", "for y in s:\n    if y:\n        return True\nreturn False",
    "(a,) = s\nreturn a", "for y in s:\n    z.add(y)", "out = list(s)\nout.sort()\nreturn out", "s = sorted(s)\nreturn list(s)",
    "best = 0\nfor y in s:\n    best = max(best, y)\nreturn best", "s.pop(1)", "for y in s:\n    z[y] = 1", "return s",
])  # fmt: skip
def test_a_body_that_keeps_the_order_in_is_left(body: str) -> None:
    source = f"def f(s: set[str], z):\n{textwrap.indent(body, '    ')}\n"
    assert hits(source) == ()


# Sources that were made to be slow.


@pytest.mark.parametrize("source", [
    "class A:\n" + "".join(f"    def m{n}(self):\n        self.a{n} = self.a{n + 1} or self.a{n + 2} or self.a{(n * 7) % 60}\n"
                           for n in range(60)),
    "x = 1\n" + "".join("x = x or y\ny = y or x\n" for _ in range(400)),
    "def f():\n    while a:\n" + "".join(f"        x{n % 50} = x{(n * 3) % 50} or x{(n * 5) % 50}\n" for n in range(800)),
    "".join(f"def f{n}():\n    return f{n + 1}() | f{n + 2}()\n" for n in range(400)) + "list(f0())",
    "s = set()\n" + "s = s | s\n" * 500 + "list(s)",
    "".join(f"class C{n}(C{n + 1}, C{n + 2}):\n    x = C{n + 1}.x\n" for n in range(150)),
], ids=["attributes", "rebinding", "loop", "answers", "algebra", "bases"])  # fmt: skip
def test_no_source_takes_long(source: str) -> None:
    """Bounded by steps and not by patience: every tangle ends in hits, or in one hit that says it can't be read."""
    started = time.process_time()
    scan_source(source, "x.py")
    assert time.process_time() - started < 10


def test_a_tangle_beyond_measure_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_STEPS", -1000)
    assert only("a = b = c = d\nf(a, b, c, d)").rule.id == "unreadable"
