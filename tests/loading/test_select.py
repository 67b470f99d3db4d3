"""Which property tests a list of target patterns names."""

from __future__ import annotations

import pytest

from oracle_rules.errors import NothingError, UsageError
from oracle_rules.label import Pattern
from oracle_rules.loading import Workspace
from tests.loading.trees import LOADS, SOURCES, load

TEST = 'oracle_property_test(name = "{0}", property = "p.py", candidate = ":src", seeds = "s.json", {1})\n'
CANDIDATE = 'oracle_candidate(name = "src", srcs = glob(["src/**"]))\n'


def workspace() -> Workspace:
    files = {
        "BUILD.bazel": LOADS
        + CANDIDATE
        + TEST.format("one", "")
        + TEST.format("two", 'tags = ["manual"]')
        + 'oracle_suite(name = "inner", tests = [":two"])\n'
        + 'oracle_suite(name = "outer", tests = [":inner", "//a/b:deep", ":one"])\n'
        + 'oracle_suite(name = "quiet", tests = ["//a:near"], tags = ["manual"])\n'
        + 'alias(name = "uno", actual = ":one")\nalias(name = "file", actual = "p.py")\n',
        "a/BUILD.bazel": LOADS + CANDIDATE + TEST.format("near", "") + 'test_suite(name = "all_here")\n',
        "a/b/BUILD.bazel": LOADS + CANDIDATE + TEST.format("deep", "") + 'py_test(name = "foreign")\n',
        "ab/BUILD.bazel": LOADS + CANDIDATE + TEST.format("other", ""),
        "empty/BUILD.bazel": "",
    }
    for folder in ("", "a/", "a/b/", "ab/"):
        files |= {folder + path: text for path, text in SOURCES.items()}
    return load(files)


SPACE = workspace()


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        ("//...", "//:one //:two //a:near //a/b:deep //ab:other"),
        ("//a/...", "//a:near //a/b:deep"),
        ("//a/...:all", "//a:near //a/b:deep"),
        ("//a:all", "//a:near"),
        ("//a:*", "//a:near"),
        ("//ab", None),
        ("//ab:other", "//ab:other"),
        ("//:two", "//:two"),
        ("//:inner", "//:two"),
        ("//:outer", "//:one //:two //a/b:deep"),
        ("//:quiet", "//a:near"),
        ("//:uno", "//:one"),
        ("//a:all_here", "//a:near"),
        ("//ab:other //:one //:one //a/b:all", "//:one //a/b:deep //ab:other"),
    ],
)
def test_patterns(patterns: str, expected: str | None) -> None:
    parsed = [Pattern.parse(text) for text in patterns.split()]
    if expected is None:
        with pytest.raises(UsageError):
            SPACE.select(parsed)
    else:
        assert " ".join(str(test.label) for test in SPACE.select(parsed)) == expected


def test_manual_keeps_a_test_out_of_wildcards_but_not_out_of_a_suite_that_names_it() -> None:
    files = {"BUILD": LOADS + CANDIDATE + TEST.format("one", "") + TEST.format("two", 'tags = ["manual"]')} | SOURCES
    alone = load(files)
    assert [test.label.name for test in alone.select([Pattern.parse("//...")])] == ["one"]
    assert [test.label.name for test in alone.select([Pattern.parse("//:two")])] == ["two"]
    # A wildcard takes suites too, and a suite takes what it names.
    with_suite = load(files | {"BUILD": files["BUILD"] + 'oracle_suite(name = "all_of_it", tests = [":two"])\n'})
    assert [test.label.name for test in with_suite.select([Pattern.parse("//...")])] == ["one", "two"]


@pytest.mark.parametrize(
    ("pattern", "remedy"),
    [
        ("//:ome", "//:one"),
        ("//a:naer", "//a:near"),
        ("//aa:all", "//a:all"),
        ("//b:deep", "//a/b:deep"),
        ("//nothing/like/it/...", "//..."),
    ],
)
def test_a_pattern_that_names_nothing_is_told_what_is_near(pattern: str, remedy: str) -> None:
    with pytest.raises(UsageError) as caught:
        SPACE.select([Pattern.parse("//:one"), Pattern.parse(pattern)])
    assert pattern in caught.value.where
    assert remedy in caught.value.remedy


@pytest.mark.parametrize("pattern", ["//:src", "//:file"])
def test_what_is_no_test_is_not_one(pattern: str) -> None:
    with pytest.raises(UsageError):
        SPACE.select([Pattern.parse(pattern)])


@pytest.mark.parametrize("pattern", ["//empty:all", "//empty/..."])
def test_a_package_without_tests_is_nothing_to_score(pattern: str) -> None:
    with pytest.raises(NothingError) as caught:
        SPACE.select([Pattern.parse(pattern)])
    assert caught.value.exit_code == 6


def test_an_empty_workspace_is_nothing_to_score() -> None:
    with pytest.raises(NothingError):
        load({"BUILD": ""}).select([Pattern.parse("//...")])
    with pytest.raises(NothingError):
        load({}).select([Pattern.parse("//:x")])
    with pytest.raises(NothingError):
        SPACE.select([])
