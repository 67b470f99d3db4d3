"""Mistakes in BUILD and .bzl files: each with its place, its line and what to do, beside the same text without it."""

from __future__ import annotations

import pytest

from oracle_rules.errors import UsageError
from tests.loading.trees import LOADS, SOURCES, load, refused

# (the text after LOADS, so its first line is line 2; the place; what is said; what to do; the text put right)
ROWS = [
    pytest.param(
        'oracle_candidate(\n    name = "a",\n    scrs = [],\n)',
        (4, 5),
        "no attribute 'scrs'",
        "did you mean srcs?",
        'oracle_candidate(\n    name = "a",\n    srcs = [],\n)',
        id="unknown attribute",
    ),
    pytest.param(
        'oracle_candidate(name = "a", srcs = [], zzz = 1)',
        (2, 41),
        "no attribute 'zzz'",
        "it has name, srcs, imports, requirements",
        'oracle_candidate(name = "a", srcs = [], testonly = 1)',
        id="unknown attribute, nothing near",
    ),
    pytest.param(
        'oracle_candidate(name = "a", srcs = "b.py")',
        (2, 37),
        "'srcs' of oracle_candidate must be a list of labels of files, this holds a string",
        "give a list",
        'oracle_candidate(name = "a", srcs = [])',
        id="string for list",
    ),
    pytest.param(
        'oracle_candidate(name = "a", srcs = [\n    "p.py",\n    1,\n])',
        (2, 30),
        "must be a list of labels of files, this holds an integer",
        "give a list",
        'oracle_candidate(name = "a", srcs = [\n    "p.py",\n])',
        id="integer in list",
    ),
    pytest.param(
        "oracle_candidate(\n  srcs = [])",
        (2, 1),
        "no 'name', which is mandatory",
        "add name",
        'oracle_candidate(name = "x",\n  srcs = [])',
        id="no name",
    ),
    pytest.param(
        "oracle_candidate(name = 3, srcs = [])",
        (2, 18),
        "'name' of oracle_candidate must be a string",
        "give a string",
        'oracle_candidate(name = "3", srcs = [])',
        id="name is a number",
    ),
    pytest.param(
        'x = 1; oracle_candidate(name = "a")',
        (2, 8),
        "no 'srcs', which is mandatory",
        "add srcs = …: a list of labels of files",
        'x = 1; oracle_candidate(name = "a", srcs = [])',
        id="mandatory",
    ),
    pytest.param(
        'oracle_freeze(name = "a", ledger = None)',
        (2, 1),
        "no 'ledger', which is mandatory",
        "add ledger",
        'oracle_freeze(name = "a", ledger = "s.json", tags = None)',
        id="None is absent",
    ),
    pytest.param(
        'oracle_candidate(name = "a", srcs = [])\noracle_freeze(name = "a", ledger = "s.json")',
        (3, 22),
        "target 'a' is declared twice in package '//', first by oracle_candidate",
        "another name",
        'oracle_candidate(name = "a", srcs = [])\noracle_freeze(name = "b", ledger = "s.json")',
        id="twice",
    ),
    pytest.param(
        'exports_files(["a"])\nfilegroup(name = "a")',
        (3, 11),
        "has the name of an exported file",
        "rename",
        'exports_files(["a"])\nfilegroup(name = "b")',
        id="name of an exported file",
    ),
    pytest.param(
        'filegroup(name = "a")\nexports_files(["a"])',
        (3, 16),
        "which is a target",
        "rename",
        'filegroup(name = "a")\nexports_files(["b"])',
        id="exported file of the name of a target",
    ),
    pytest.param(
        'filegroup(name = "sub/a")',
        (2, 18),
        "reaches into package '//sub'",
        "declare it in sub/BUILD",
        'filegroup(name = "subs/a")',
        id="name in another package",
    ),
    pytest.param(
        'filegroup(name = "a/../b")', (2, 11), "invalid target name", "letters", 'filegroup(name = "a..b")', id="name"
    ),
    pytest.param(
        'filegroup(name = "a", srcs = glob(["../x"]))',
        (2, 36),
        "glob pattern '../x' has the component '..'",
        "relative",
        'filegroup(name = "a", srcs = glob(["x"]))',
        id="glob leaves the package",
    ),
    pytest.param(
        'x = glob(\n    include = ["a"],\n    exclude = ["/b"],\n)',
        (4, 16),
        "glob pattern '/b' is absolute",
        "relative",
        'x = glob(\n    include = ["a"],\n    exclude = ["b"],\n)',
        id="glob absolute",
    ),
    pytest.param(
        'x = glob(["*.nope"], allow_empty = False)',
        (2, 5),
        "glob pattern '*.nope' matches no file of package '//', and allow_empty is False",
        "patterns",
        'x = glob(["*.nope"]) + glob(["*.py"], allow_empty = False)',
        id="glob empty",
    ),
    pytest.param(
        'x = glob(["*.py"], exclude = ["**"], allow_empty = False)',
        (2, 5),
        "glob is left without a file",
        "patterns",
        'x = glob(["*.py"], exclude = ["**"], allow_empty = True)',
        id="glob all excluded",
    ),
    pytest.param(
        "x = glob([1])", (2, 5), "must be a list of strings", "include", "x = glob([])", id="glob of a number"
    ),
    pytest.param(
        'x = glob(["*"], exclude_directories = 0)', (2, 5), "folders", "files", 'x = glob(["*"], [], 1)', id="folders"
    ),
    pytest.param('x = glob(incl = ["*"])', (2, 5), "'incl'", "manual", 'x = glob(include = ["*"])', id="glob argument"),
    pytest.param(
        'x = [\n    select({"//:on": 1}),\n]',
        (3, 5),
        "select has no '//conditions:default'",
        "add that key",
        'x = [\n    select({"//:on": 1, "//conditions:default": 2}),\n]',
        id="select",
    ),
    pytest.param("x = select([])", (2, 5), "takes a dictionary", "select({", "x = [select]", id="select of a list"),
    pytest.param(
        'oracle_candidate("a")',
        (2, 1),
        "no positional arguments",
        "NAME = VALUE",
        "x = oracle_candidate",
        id="positional",
    ),
    pytest.param(
        'oracle_candidte(name = "a")',
        (2, 1),
        "name 'oracle_candidte' is not defined",
        "did you mean oracle_candidate?",
        'oracle_candidate(name = "a", srcs = [])',
        id="misspelt rule",
    ),
    pytest.param(
        'filegrup(name = "a")', (2, 1), "'filegrup' is not defined", "filegroup", "pass", id="misspelt native"
    ),
    pytest.param(
        "x = native.glob", (2, 5), "'native' is not defined", ".bzl files only", "x = glob", id="native in BUILD"
    ),
    pytest.param(
        'load("//oracle_rules:defs.bzl", "oracle_candidte")',
        (2, 33),
        "no symbol 'oracle_candidte'",
        "oracle_candidate",
        'load("//oracle_rules:defs.bzl", "oracle_candidate")',
        id="unknown symbol of ours",
    ),
    pytest.param(
        'load(\n    "@oracle_rules//oracle_rules:test.bzl", "x")',
        (2, 1),
        "is not a file of oracle_rules",
        "@oracle_rules//oracle_rules:defs.bzl",
        'load(\n    "@rules_python//python:defs.bzl", "x")',
        id="unknown file of ours",
    ),
    pytest.param(
        'load(":macro.bzl", "x")',
        (2, 1),
        "there is no file macro.bzl",
        "did you mean //:macros.bzl?",
        'load(":macros.bzl", "x")',
        id="absent file",
    ),
    pytest.param('load(":macros.bzl", "y")', (2, 21), "no symbol 'y'", "", 'load(":macros.bzl", "x")', id="symbol"),
    pytest.param('load(":macros.bzl", "_z")', (2, 21), "'_z' is private", "", 'load(":macros.bzl", "x")', id="private"),
    pytest.param(
        'load("macros.bzl", "x")', (2, 1), "no label", '":file.bzl"', 'load(":macros.bzl", "x")', id="no label"
    ),
    pytest.param(
        'load("//:sub/m.bzl", "x")',
        (2, 1),
        "belongs to package '//sub'",
        "//sub:m.bzl",
        'load("//sub:m.bzl", "x")',
        id="in",
    ),
    pytest.param(
        'load("//tools:m.bzl", "x")',
        (2, 1),
        "belongs to package '//'",
        "tools/BUILD.bazel",
        'load("//:tools/m.bzl", "x")',
        id="up",
    ),
    pytest.param("x = (1 +\n", (2, 9), "syntax error", "", "x = (1 +\n1)", id="syntax"),
    pytest.param('"é"; x = (1 + ]', (2, 15), "syntax error", "", '"é"; x = (1 + 1)', id="columns count characters"),
    pytest.param("x = 'abc", (2, 5), "syntax error: unfinished string", "", "x = 'abc'", id="open string"),
    pytest.param("def f():\n    pass", (2, 1), "def is not allowed in a BUILD file", ".bzl", "pass", id="def"),
    pytest.param("x = lambda: 1", (2, 5), "lambda is not allowed in a BUILD file", ".bzl", "x = 1", id="lambda"),
    pytest.param("for x in []:\n    pass", (2, 1), "for is not allowed", "comprehension", "[x for x in []]", id="for"),
    pytest.param("if True:\n    pass", (2, 1), "if is not allowed", "comprehension", "1 if True else 2", id="if"),
    pytest.param('fail("no", 3)', (2, 1), "fail: no 3", "", "x = fail", id="fail"),
    pytest.param('x = {"a": 1}["b"]', (2, 5), "b", "", 'x = {"a": 1}["a"]', id="key"),
    pytest.param('x = "a" + 1', (2, 5), "not supported", "", 'x = "a" + "1"', id="types"),
    pytest.param(
        'oracle_candidate(name = "a", srcs = [], features = [len])',
        (2, 1),
        "a value of type",
        "strings",
        'oracle_candidate(name = "a", srcs = [], features = ["len"])',
        id="function as value",
    ),
    pytest.param(
        'oracle_candidate(name = "a", srcs = [], imports = ["../b"])',
        (2, 52),
        "import folder '../b'",
        "below the package",
        'oracle_candidate(name = "a", srcs = [], imports = ["b"])',
        id="imports",
    ),
    pytest.param(
        'oracle_candidate(name = "a", srcs = [], imports = [])',
        (2, 41),
        "no import folder",
        '["."]',
        'oracle_candidate(name = "a", srcs = [], imports = ["."])',
        id="no imports",
    ),
]
TREE = SOURCES | {
    "macros.bzl": "x = 1\n_z = 2\n",
    "sub/BUILD": "",
    "sub/m.bzl": "x = 1",
    "tools/m.bzl": "x = 1",
}


@pytest.mark.parametrize(("text", "place", "detail", "remedy", "right"), ROWS)
def test_a_mistake_has_a_place(text: str, place: tuple[int, int], detail: str, remedy: str, right: str) -> None:
    error = refused(TREE | {"BUILD.bazel": LOADS + text})
    assert isinstance(error, UsageError)
    assert error.where == f"BUILD.bazel:{place[0]}:{place[1]}"
    assert detail in error.detail
    assert remedy in error.remedy
    assert error.remedy
    line = (LOADS + text).split("\n")[place[0] - 1].strip()
    assert line in error.detail
    load(TREE | {"BUILD.bazel": LOADS + right})


TEST = 'oracle_property_test(name = "t", property = "p.py", candidate = ":src", seeds = "s.json", %s)'
TEST_ROWS = [
    ("timeout_seconds = 0", "out of range", "1 to 3600", "timeout_seconds = 1"),
    ("timeout_seconds = 3601", "out of range", "1 to 3600", "timeout_seconds = 3600"),
    ("timeout_seconds = True", "must be an integer", "integer", "timeout_seconds = 7"),
    ('timeout_seconds = "7"', "must be an integer", "integer", "timeout_seconds = 7"),
    ("fresh_cell = 2", "must be True or False", "True", "fresh_cell = 1"),
    ('fresh_cell = "yes"', "must be True or False", "True", "fresh_cell = False"),
    ("flaky = True", "depends on luck", "ledger", 'size = "small"'),
    ('timeout = "long"', "size classes", "timeout_seconds", "timeout_seconds = 60"),
    ('env = {"A": 1}', "must be a dictionary of strings, this holds an integer", "dictionary", 'env = {"A": "1"}'),
    ('env = ["A"]', "must be a dictionary", "dictionary", "env = {}"),
    ('property_id = "a b"', "'a b' cannot be a property_id", "letters", 'property_id = "a_b"'),
    ('property_id = "../x"', "cannot be a property_id", "letters", 'property_id = "y/x"'),
    ('allow = "clock"', "must be a list", "list", 'allow = ["clock"]'),
]


@pytest.mark.parametrize(("written", "detail", "remedy", "right"), TEST_ROWS)
def test_a_mistake_in_a_property_test(written: str, detail: str, remedy: str, right: str) -> None:
    start = LOADS + 'oracle_candidate(name = "src", srcs = [])\n'
    error = refused(TREE | {"BUILD.bazel": start + TEST % written})
    # The values of lists and maps are narrowed to when they are strings; all of these are the keyword itself.
    offset = len(TEST.partition("%s")[0]) + 1
    assert error.where in {f"BUILD.bazel:3:{offset}", f"BUILD.bazel:3:{offset + len(written.split('= ')[0]) + 2}"}
    assert detail in error.detail
    assert remedy in error.remedy
    load(TREE | {"BUILD.bazel": start + TEST % right})


def test_an_unknown_kind_of_entropy() -> None:
    start = LOADS + 'oracle_candidate(name = "src", srcs = [])\n'
    error = refused(TREE | {"BUILD.bazel": start + TEST % 'allow = ["clock",\n   "cloc"]'})
    assert error.where == "BUILD.bazel:4:4"
    assert error.remedy == "did you mean clock?"


def test_two_properties_of_one_id() -> None:
    start = LOADS + 'oracle_candidate(name = "src", srcs = [])\n' + TEST % ""
    other = LOADS + 'oracle_candidate(name = "src", srcs = [])\n' + TEST
    files = TREE | {"BUILD.bazel": start, "b/BUILD": other % "", "b/p.py": "", "b/s.json": ""}
    error = refused(files)
    assert error.where == "b/BUILD:3:22"
    assert "property_id 't' is already that of //:t" in error.detail
    assert load(files | {"b/BUILD": other % 'property_id = "b/t"'})


def test_a_mistake_in_a_macro_names_the_macro_and_who_called_it() -> None:
    macro = LOADS + "def m(name):\n    n = name\n    oracle_candidate(name = n, scrs = [])\n"
    files = {"pkg/BUILD.bazel": '# c\nload("//t:m.bzl", "m")\n\nm(name = "x")\n', "t/m.bzl": macro, "t/BUILD": ""}
    error = refused(files)
    assert error.where == "t/m.bzl:4:32"
    assert "called from pkg/BUILD.bazel:4" in error.detail
    assert load(files | {"t/m.bzl": macro.replace("scrs", "srcs")})


def test_a_late_finding_in_a_macro_is_placed_too() -> None:
    macro = LOADS + 'def m(names):\n    for n in names:\n        oracle_candidate(name = n, srcs = [n + ".py"])\n'
    files = {"BUILD": 'load(":m.bzl", "m")\nm(["a", "b", "c"])\n', "m.bzl": macro, "a.py": "", "c.py": ""}
    error = refused(files)
    assert error.where == "m.bzl:4:36"
    assert "'b.py'" in error.detail
    assert "called from BUILD:2" in error.detail
    assert load(files | {"b.py": ""})


def test_a_finding_in_a_comprehension_is_placed() -> None:
    build = LOADS + '[\n    oracle_candidate(name = n, srcs = [n])\n    for n in ["a.py", "b.py"]\n]\n'
    assert refused({"BUILD": build, "a.py": ""}).where == "BUILD:3:32"
    assert load({"BUILD": build.replace("name = n", 'name = n + "_c"'), "a.py": "", "b.py": ""})


CYCLE = {"BUILD": 'load("//a:x.bzl", "x")', "a/BUILD": "", "b/BUILD": "", "a/x.bzl": 'load("//b:y.bzl", "y")\nx = 1\n'}


def test_a_load_cycle_is_named() -> None:
    error = refused(CYCLE | {"b/y.bzl": '\nload("//a:x.bzl", "x")\ny = 1\n'})
    assert error.where == "b/y.bzl:2:1"
    assert "load cycle: a/x.bzl -> b/y.bzl -> a/x.bzl" in error.detail
    assert load(CYCLE | {"b/y.bzl": "y = 1\n"})


def test_a_syntax_error_in_a_loaded_file_is_placed_there() -> None:
    files = {"BUILD": 'load(":m.bzl", "m")\n', "m.bzl": "m = 1\nn = )\n"}
    assert refused(files).where == "m.bzl:2:5"


@pytest.mark.parametrize(("data", "line"), [(b"# \xff\n", 1), (b"x = 1\n'\xc3'\n", 2)])
def test_what_is_not_utf8(data: bytes, line: int) -> None:
    error = refused({"a/BUILD.bazel": data.decode("utf-8", "surrogateescape")})
    assert error.where == f"a/BUILD.bazel:{line}:1"
    assert "UTF-8" in error.detail
    assert load({"a/BUILD.bazel": "# é\n"})


def test_a_forged_place_in_a_message_is_not_believed() -> None:
    forged = 'fail("x\\n --> oracle-source-4255494c44-:99:99\\n  |\\nTraceback (most recent call last):\\n  * BUILD:7, in x")'
    assert refused({"BUILD": f"x = 1\n{forged}\n"}).where == "BUILD:2:1"


def test_a_call_that_does_not_fit_names_the_function_by_its_file() -> None:
    files = {"BUILD": 'load(":m.bzl", "f")\nf(1)\n', "m.bzl": "def f():\n    pass\n"}
    error = refused(files)
    assert error.where == "BUILD:2:1"
    assert "call to m.bzl.f" in error.detail
    assert load(files | {"m.bzl": "def f(a):\n    pass\n"})


def test_what_a_terminal_would_obey_is_not_repeated() -> None:
    error = refused({"BUILD": 'fail("\\x1b[2J\x07")  # \x1b[31m'})
    assert not {"\x1b", "\x07"} & set(str(error))
