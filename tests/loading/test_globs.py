"""`glob` against vectors worked out by hand and against a second implementation that only enumerates."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.loading import globs

INCLUDED = [
    ("a.py", "a.py", True),
    ("a.py", "b.py", False),
    ("a.py", "x/a.py", False),
    ("*.py", "a.py", True),
    ("*.py", "x/a.py", False),
    ("*.py", ".py", False),
    ("*.py", ".hidden.py", False),
    (".*.py", ".hidden.py", True),
    ("*", ".hidden", True),
    ("*", "a", True),
    ("*", "a/b", False),
    ("**", "a", True),
    ("**", "a/b/c", True),
    ("**", ".git/config", True),
    ("**/*", ".git/.config", True),
    ("**/*.py", "a.py", True),
    ("**/*.py", "x/y/a.py", True),
    ("**/*.py", ".x/a.py", True),
    ("**/*.py", "x/.a.py", False),
    ("x/**", "x", False),
    ("x/**", "x/a", True),
    ("x/**", "x/y/a", True),
    ("x/**", "xy/a", False),
    ("x/**/y", "x/y", True),
    ("x/**/y", "x/a/b/y", True),
    ("x/**/y", "x/a/b/y/z", False),
    ("**/y/**", "y/a", True),
    ("**/y/**", "a/y", False),
    ("**/**", "a", True),
    ("**/a/**/a", "a/a", True),
    ("**/a/**/a", "a", False),
    ("a?c", "abc", True),
    ("a?c", "ac", False),
    ("a?c", "a/c", False),
    ("?a", ".a", False),
    ("a*b*c", "aXbYc", True),
    ("a*b*c", "abcb", False),
    ("*a*", "bab", True),
    ("a*", "a", True),
    ("a*a", "a", False),
    ("[ab].py", "a.py", False),
    ("[ab].py", "[ab].py", True),
    ("a.py", "a.pyx", False),
    ("a+.py", "aa.py", False),
]

# Where excluding differs from including.
EXCLUDED = [
    ("x/**", "x", True),
    ("x/**", "x/a", True),
    ("**/*.py", ".hidden.py", True),
    ("**/*.py", "x/.a.py", True),
    ("x/**/*.py", "x/.a.py", True),
    ("x/**/*.py", "y/a.py", False),
    ("*.py", ".hidden.py", False),
    ("a.py", "a.py", True),
    ("a.py", "x/a.py", False),
    ("**/a.py", "a.py", True),
    ("**/a.py", "x/a.py", True),
    ("**/a?.py", "x/.ab.py", False),
    ("*/**", "x/a", True),
    ("*/**", "x", True),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), INCLUDED)
def test_what_a_pattern_includes(pattern: str, path: str, expected: bool) -> None:
    assert globs.includes(pattern, path) is expected
    assert globs.select([path], [pattern]) == ([path] if expected else [])


@pytest.mark.parametrize(("pattern", "path", "expected"), EXCLUDED)
def test_what_a_pattern_excludes(pattern: str, path: str, expected: bool) -> None:
    assert globs.excludes(pattern, path) is expected
    assert globs.select([path], ["**"], [pattern]) == ([] if expected else [path])


@pytest.mark.parametrize(
    "pattern", ["", "/a", "a//b", "a/", "./a", "a/../b", "..", ".", "a**", "**a/b", "a/b**/c", "***"]
)
def test_a_pattern_that_is_none(pattern: str) -> None:
    assert globs.problem(pattern)


@pytest.mark.parametrize("pattern", ["a", "*", "**", "a/**", "a/*/b", "...", "a..b", ".a", "*a*", "a?/**/b"])
def test_a_pattern_that_is_one(pattern: str) -> None:
    assert globs.problem(pattern) is None


def _component(pattern: str, name: str) -> bool:
    """By cases on the first character, with every length of a star tried."""
    if pattern == "*":
        return True
    if name[:1] == "." and pattern[:1] != ".":
        return False
    return _text(pattern, name)


def _text(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(_text(pattern[1:], name[taken:]) for taken in range(len(name) + 1))
    return bool(name) and pattern[0] in ("?", name[0]) and _text(pattern[1:], name[1:])


def reference(pattern: str, path: str) -> bool:
    """Replaces each `**` by every number of `*` that can matter and compares component by component."""
    wanted, given_parts = pattern.split("/"), path.split("/")
    stars = [index for index, part in enumerate(wanted) if part == "**"]
    for counts in itertools.product(range(len(given_parts) + 1), repeat=len(stars)):
        spread: list[str] = []
        for index, part in enumerate(wanted):
            spread += ["*"] * counts[stars.index(index)] if part == "**" else [part]
        # A trailing ** names what is inside a folder: the file itself has to be one of its components.
        trailing = len(list(itertools.takewhile(lambda part: part == "**", reversed(wanted))))
        if trailing and sum(counts[len(stars) - trailing :]) == 0:
            continue
        if len(spread) == len(given_parts) and all(map(_component, spread, given_parts)):
            return True
    return False


NAMES = st.text(alphabet="ab.", min_size=1, max_size=4).filter(lambda name: name.strip("."))
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
PIECES = st.one_of(st.just("**"), st.just("*"), st.text(alphabet="ab.*?", min_size=1, max_size=4))
PATTERNS = st.lists(PIECES, min_size=1, max_size=4).map("/".join).filter(lambda pattern: globs.problem(pattern) is None)


@given(PATTERNS, PATHS)
def test_including_agrees_with_enumeration(pattern: str, path: str) -> None:
    assert globs.includes(pattern, path) is reference(pattern, path)


def test_including_agrees_with_enumeration_on_a_whole_small_world() -> None:
    names = ["a", "b", ".a", "ab"]
    paths = ["/".join(parts) for size in (1, 2, 3) for parts in itertools.product(names, repeat=size)]
    pieces = ["**", "*", "a", "a*", "?", ".*"]
    patterns = ["/".join(parts) for size in (1, 2, 3) for parts in itertools.product(pieces, repeat=size)]
    hits = 0
    for pattern in patterns:
        found = set(globs.select(paths, [pattern]))
        expected = {path for path in paths if reference(pattern, path)}
        assert found == expected, pattern
        hits += len(found)
    assert 0 < hits < len(paths) * len(patterns)


@given(st.lists(PATHS, max_size=8), st.lists(PATTERNS, max_size=3), st.lists(PATTERNS, max_size=3))
def test_selection_is_a_sorted_subset_without_the_excluded(
    paths: list[str], include: list[str], exclude: list[str]
) -> None:
    found = globs.select(paths, include, exclude)
    assert found == sorted(set(found))
    assert set(found) == {
        path
        for path in paths
        if any(globs.includes(pattern, path) for pattern in include)
        and not any(globs.excludes(pattern, path) for pattern in exclude)
    }


@given(PATTERNS, PATHS)
def test_what_is_included_can_be_excluded_with_the_same_pattern(pattern: str, path: str) -> None:
    if globs.includes(pattern, path):
        assert globs.excludes(pattern, path)


def test_many_stars_cost_no_more_than_their_number() -> None:
    # Backtracking would take longer than the age of the universe.
    assert not globs.includes("/".join(["**"] * 200 + ["b"]), "/".join(["a"] * 200))
    assert not globs.includes("*a" * 100 + "b", "a" * 250)
    assert globs.includes("/".join(["**"] * 200 + ["a"]), "/".join(["a"] * 200))
