"""What a `selector` may name: each mistake with its place and what to do, beside the same words put right."""

from __future__ import annotations

import pytest

from oracle_rules.loading.targets import PropertyTest
from tests.loading.trees import LOADS, NEEDED, load, refused

FILES = {"src/a.py": "", "tests/test_x.py": "", "tests/test_z.py": "", "s.json": "[]", "sub/BUILD": "",
         "sub/test_y.py": ""}  # fmt: skip
GROUPS = ('filegroup(name = "none", srcs = [])\nfilegroup(name = "one", srcs = ["tests/test_x.py"])\n'
          'filegroup(name = "two", srcs = ["tests/test_x.py", "tests/test_z.py"])\n')
X = 'selector = "tests/test_x.py::test_a"'
# Name to the words of the target, what is said of them, what to do, and the words put right.
ROWS = {
    "whole file": ('selector = "tests/test_x.py"', "names the whole file tests/test_x.py", "add nodeids = [",
                   'selector = "tests/test_x.py", nodeids = ["tests/test_x.py::test_a"]'),
    "no name": ('selector = "tests/test_x.py::"', "names the whole file tests/test_x.py", "add nodeids = [", X),
    "no file": ('selector = "::test_a"', "invalid target name ''", "correct the label", X),
    "empty": ('selector = ""', "invalid target name ''", "correct the label", X),
    "unknown": ('selector = "tests/test_xx.py::test_a"', "no target or file 'tests/test_xx.py'",
                "did you mean :tests/test_x.py", X),
    "folder": ('selector = "tests::test_a"', "no target or file 'tests'", "add the file, or correct the name", X),
    "pattern": ('selector = "tests/*.py::test_a"', "no target or file 'tests/*.py'", "did you mean", X),
    "above": ('selector = "../test_x.py::test_a"', "invalid target name '../test_x.py'", "correct the label", X),
    "absolute": ('selector = "/tests/test_x.py::test_a"', "invalid target name '/tests/test_x.py'",
                 "correct the label", X),
    "another package": ('selector = "sub/test_y.py::test_a"', "reaches into package '//sub'", "write //sub:test_y.py", X),
    "not exported": ('selector = "//sub:test_y.py::test_a"', "a file that package '//sub' does not export",
                     'add exports_files(["test_y.py"]) to sub/BUILD', X),
    "several files": ('selector = ":two::test_a"', "'selector' needs one file, ':two' stands for 2",
                      "name the file itself", 'selector = ":one::test_a"'),
    "no files": ('selector = ":none::test_a"', "'selector' needs one file, ':none' stands for 0",
                 "name the file itself", 'selector = ":one::test_a"'),
    "a number": ("selector = 3", "must be a string, this holds an integer", "give a string", X),
    "an id of another test": (X + ', nodeids = ["tests/test_x.py::test_b"]', "is no id that", "--collect-only -q",
                              X + ', nodeids = ["tests/test_x.py::test_a"]'),
    "an id that only starts alike": (X + ', nodeids = ["tests/test_x.py::test_ab"]', "is no id that",
                                     "--collect-only -q", X + ', nodeids = ["tests/test_x.py::test_a[b]"]'),
    "an id of another file": ('selector = "tests/test_x.py", nodeids = ["tests/test_z.py::test_a"]', "is no id that",
                              "--collect-only -q", 'selector = "tests/test_x.py", nodeids = ["tests/test_x.py::test_a"]'),
    "an id twice": (X + ', nodeids = ["tests/test_x.py::test_a[1]", "tests/test_x.py::test_a[1]"]',
                    "names one id twice", "name each id once",
                    X + ', nodeids = ["tests/test_x.py::test_a[1]", "tests/test_x.py::test_a[2]"]'),
    "ids of nothing": ('property = "tests/test_x.py", seeds = "s.json", nodeids = ["tests/test_x.py::test_a"]',
                       "are those of a 'selector', and there is none", 'give selector = "tests/test_x.py"',
                       'property = "tests/test_x.py", seeds = "s.json"'),
    "with a property": (X + ', property = "tests/test_x.py"', "'property' does not go with 'selector'",
                        "remove property", X),
    "with seeds": (X + ', seeds = "s.json"', "'seeds' does not go with 'selector'", "remove seeds", X),
    "with fresh cells": (X + ", fresh_cell = True", "'fresh_cell' does not go with 'selector'", "remove fresh_cell", X),
    "with neither": ("tags = []", "has no 'property', which is mandatory", "or give a selector", X),
}  # fmt: skip


def workspace(words: str) -> dict[str, str]:
    """A package with one test of these words, in line 8."""
    build = LOADS + NEEDED + GROUPS + f'# line 7\noracle_property_test(name = "t", candidate = ":src", {words})\n'
    return {**FILES, "BUILD": build}


@pytest.mark.parametrize("name", ROWS)
def test_a_selector_that_selects_no_tests_is_refused_in_its_line(name: str) -> None:
    wrong, said, remedy, right = ROWS[name]
    error = refused(workspace(wrong))
    assert error.where.startswith("BUILD:8:")
    assert said in error.detail and remedy in error.remedy
    assert load(workspace(right))


def test_a_selector_becomes_file_and_ids_from_the_top_of_the_workspace() -> None:
    files = {**workspace(X), "sub/BUILD": LOADS + 'oracle_candidate(name = "src", srcs = [])\n'
             'oracle_property_test(name = "u", candidate = ":src", selector = "test_y.py::T::test_a")\n'}
    tests = {each.label.package: each for each in load(files).targets.values() if isinstance(each, PropertyTest)}
    assert (tests[""].property, tests[""].selector) == ("tests/test_x.py", "tests/test_x.py::test_a")
    assert (tests["sub"].property, tests["sub"].selector) == ("sub/test_y.py", "sub/test_y.py::T::test_a")
    assert {name: test.nodeids for name, test in tests.items()} == {
        "": ("tests/test_x.py::test_a",), "sub": ("sub/test_y.py::T::test_a",)}
    assert {test.seeds for test in tests.values()} == {None}
