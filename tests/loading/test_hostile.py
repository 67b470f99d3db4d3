"""Texts made to break the reader: each ends in an OracleError, in time, with the process alive."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.errors import OracleError, UsageError
from oracle_rules.loading import guard
from oracle_rules.loading.problem import Problem
from tests.loading.test_macros import FOREIGN, RULES_OF_THEIR_OWN
from tests.loading.test_workspace import GAMING, GAMING_FILES
from tests.loading.trees import LOADS, load, refused

# Each of these, some thousand times over, ends the process when the parser gets it. (start, repeated, end)
NESTS = {
    "brackets": ("x = ", "[", ""),
    "closed brackets": ("x = ", "[", "]"),
    "parentheses": ("x = ", "(", ")"),
    "braces": ("x = ", "{1:", ""),
    "sum": ("x = 1", " + 1", ""),
    "sum over lines": ("x = (1", "\n + 1", ")"),
    "negation": ("x = ", "not ", "True"),
    "minus": ("x = ", "-", "1"),
    "attributes": ("x = []", ".a", ""),
    "calls": ("x = len", "()", ""),
    "calls with arguments": ("x = len", "(1, 2, 3)", ""),
    "indices": ("x = []", "[0]", ""),
    "conditions": ("x = ", "1 if True else ", "1"),
    "lambdas": ("x = ", "lambda: ", "1"),
    "lambdas with arguments": ("x = [", "lambda a, b: ", "1]"),
    "comprehensions": ("x = [1 ", "for a, b in [] ", "]"),
    "strings": ('x = "("', ' + "("', ""),
    "or": ("x = 1", " or 1", ""),
    "strings and comments": ("x = (1  # '\n", ' + \'#\' # """\n', ")"),
    "triple quotes": ('x = """a\\""""', ' + """b"""', ""),
    "raw": ("x = r'\\'(' + (", "r'\\\\' + (", ""),
}


@pytest.mark.parametrize("kind", sorted(NESTS))
def test_deep_nesting_is_refused_before_it_is_parsed(kind: str) -> None:
    start, middle, end = NESTS[kind]
    for count in (1000, 50_000):
        error = refused({"BUILD": start + middle * count + end * (count if end in ("]", ")") else 1)})
        assert isinstance(error, UsageError)
        assert "nested deeper" in error.detail or "syntax error" in error.detail


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n" + "".join(" " * (n + 1) + "if True:\n" for n in range(900)) + " " * 901 + "pass\n",
        "".join(" " * n + "def f():\n" for n in range(900)) + " " * 900 + "pass\n",
        "def f():\n  if 1:\n    pass\n" + "  elif 1:\n    pass\n" * 3000,
    ],
)
def test_deep_blocks_are_refused(text: str) -> None:
    error = refused({"BUILD": 'load(":m.bzl", "f")', "m.bzl": text})
    assert "nested deeper" in error.detail
    assert error.where.startswith("m.bzl:")


def test_what_people_write_is_not_refused_for_its_nesting() -> None:
    targets = "".join(f'filegroup(name = "f{n}", srcs = ["a-{n}.b"] + [], tags = ["x"])\n' for n in range(5000))
    lists = "x = [\n" + "".join(f'    ("k{n}", {{"a": -{n} + 1, "b": [1, 2]}}),  # ((((\n' for n in range(5000)) + "]\n"
    long_sum = "y = " + " + ".join(f'"{n}"' for n in range(400)) + "\n"
    blocks = "def f(a):\n" + "".join(f"    if a == {n}:\n        return ({n},)\n" for n in range(3000))
    load({"BUILD": targets + lists + long_sum, "m.bzl": ""})
    load({"BUILD": 'load(":m.bzl", "f")\n', "m.bzl": blocks})


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(1000000000):\n        pass",
        "for i in range(100000):\n        for j in range(100000):\n            x = [i, j]",
        "[[None for i in range(100000)] for j in range(100000)]",
        "return sorted([i for i in range(1000000000)])",
    ],
)
def test_long_loops_are_stopped(body: str) -> None:
    files = {"BUILD": 'load(":m.bzl", "f")\nf()\n', "m.bzl": f"def f():\n    {body}\n"}
    error = refused(files)
    assert "steps" in error.detail
    assert error.where.startswith("m.bzl:")
    assert load(files | {"m.bzl": files["m.bzl"].replace("00000", "")})


@pytest.mark.parametrize("body", ["return f()", "return [f() for x in [1]]", "return sorted([1], key = lambda x: f())"])
def test_recursion_is_refused(body: str) -> None:
    error = refused({"BUILD": 'load(":m.bzl", "f")\nf()\n', "m.bzl": f"def f():\n    {body}\n"})
    assert "nest too deep" in error.detail


def test_a_file_that_is_too_large() -> None:
    line = "# twenty characters\n"
    error = refused({"BUILD": line * (guard.MAX_BYTES // len(line) + 1)})
    assert "bytes" in error.detail
    assert load({"BUILD": line * (guard.MAX_BYTES // len(line))})


def test_a_long_chain_of_loads() -> None:
    files = {f"m{n}.bzl": f'load(":m{n + 1}.bzl", "x")\ny = 1\n' for n in range(2000)}
    error = refused(files | {"BUILD": 'load(":m0.bzl", "y")\n'})
    assert "deeper than 50 files" in error.detail
    short = {f"m{n}.bzl": f'load(":m{n + 1}.bzl", z = "y")\ny = z\n' for n in range(40)} | {"m40.bzl": "y = 1\n"}
    assert load(short | {"BUILD": 'load(":m0.bzl", "y")\n'})


@pytest.mark.parametrize(
    "build",
    [
        'x = []\nx.append(x)\nfilegroup(name = "a", srcs = x)',
        'x = {}\nx["a"] = x\nfilegroup(name = "a", srcs = [x])',
        'filegroup(name = "a", srcs = [1 << 5000])',
        'filegroup(name = "a", srcs = [1e400, float("nan")])',
        'filegroup(name = "a", srcs = {(1, 2): 3})',
        'filegroup(name = "a", **{"name ": 1})',
        'filegroup(**{"name": "a", "b\\nc": 1})',
        'filegroup(name = "\\x00")',
        'filegroup(name = "a", srcs = range(10))',
        'glob(*[["*"]] * 9)',
        'glob(include = {"a": 1})',
        "select({1: 2})",
        "select({(1, 2): 2})",
        'native = 1; native.glob(["*"])',
        "x = [] % ()",
        '"%s" % (1, 2)',
        '"{}".format()',
        "fail()",
        "fail(glob)",
        "glob(glob)",
        "existing_rule([])",
        'package_relative_label("//a//b")',
        "package_relative_label(3)",
        "exports_files(3)",
        'load(":BUILD", "x")',
        'load("//a:b:c.bzl", "x")',
        'load("//../a:c.bzl", "x")',
        'load("//a\\n:c.bzl", "x")',
        'load("@", "x")',
        'load("", "x")',
        "\ufeffx = 1",
        "x = 1\x00",
        "\x00",
        "'''",
        '"\\ud800"',
        "\\",
        "x = 1 \\",
        "def",
        "x = 0777",
        "x = 1__0",
        "x = b'1'",
        "x = f'{x}'",
        "class A: pass",
        "import os",
        "x: int = 1",
        "while True: pass",
        "x = y = 1",
        "del x",
        "print(x for x in [])",
        "len = len",
        "x = x",
    ],
)
def test_odd_texts_end_in_an_error_with_a_place(build: str) -> None:
    error = refused({"pkg/BUILD": build})
    assert error.exit_code == 2
    assert error.where.startswith("pkg/BUILD:")
    assert error.detail
    assert all(char.isprintable() for char in str(error))


def test_a_folder_whose_name_no_label_can_have() -> None:
    for folder in ("é", "a:b", "a\\b", "...", "a\udcffb"):
        files = {f"{folder}/BUILD": 'filegroup(name = "x")'}
        error = refused(files)
        assert "invalid package name" in error.detail
        assert load(files | {".bazelignore": folder}).targets == {}


def _survives(files: dict[str, str]) -> None:
    with contextlib.suppress(OracleError):
        load(files)


PIECES = st.sampled_from(
    [
        *(
            "oracle_candidate(",
            "name = ",
            '"a"',
            ")",
            "(",
            "[",
            "]",
            "{",
            "}",
            ",",
            ":",
            "=",
            "glob",
            "select",
            "load(",
            "\n",
        ),
        *(
            '"//:a"',
            '":a"',
            "[1]",
            "lambda",
            "def f():",
            "for x in",
            "if",
            "else",
            "#",
            "'",
            '"""',
            "\\",
            "*",
            "**",
            "+",
            "%",
        ),
        *(
            "None",
            "x",
            "not",
            ".",
            "0",
            "range(9)",
            "\t",
            " ",
            "    ",
            "fail(",
            "exports_files(",
            "alias(",
            "actual=",
            "é",
        ),
    ]
)


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=25).map(" ".join), st.booleans())
def test_random_texts(text: str, macro: bool) -> None:
    _survives({"BUILD": 'load(":m.bzl", "f")', "m.bzl": text} if macro else {"BUILD": LOADS + text})


@settings(max_examples=100)
@given(st.text(max_size=60))
def test_random_characters(text: str) -> None:
    _survives({"BUILD": text})


TEXTS = [GAMING, LOADS + FOREIGN, RULES_OF_THEIR_OWN]


@settings(max_examples=150)
@given(st.data())
def test_mutations_of_texts_that_load(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        text = text[:start] + data.draw(st.text(alphabet="()[]{}\"'\\\n =,:#ax1*", max_size=4)) + text[end:]
    if text.startswith('"""Rules'):
        _survives({"BUILD": 'load(":m.bzl", "thing")', "m.bzl": text})
    else:
        _survives(GAMING_FILES | {"BUILD.bazel": text})


WRAPPERS = st.sampled_from(
    [
        ("[", "]"),
        ("(", ",)"),
        ("{1: ", "}"),
        ("len(", ")"),
        ("not ", ""),
        ("-", ""),
        ("1 + ", ""),
        ("lambda a, b: ", ""),
        ("1 if ", " else 2"),
        ('[")", \'"]\', """)" """, ', "]"),
        ("(  # ) ' ] \"\n", "\n)"),
        ('f("\\\\", r"\\")", ', ")"),
    ]
)


@given(st.lists(WRAPPERS, min_size=1, max_size=12))
def test_the_bound_on_nesting_is_above_the_real_nesting(wrappers: list[tuple[str, str]]) -> None:
    def nested(times: int) -> str:
        return "".join(start for start, _ in wrappers) * times + "1" + "".join(end for _, end in wrappers[::-1]) * times

    times = guard.MAX_NESTING // len(wrappers) + 1
    with pytest.raises(Problem):
        guard.check_nesting("x = [" + nested(times) + "]\n")
    guard.check_nesting("x = [" + nested(times // 12) + "]\n")
