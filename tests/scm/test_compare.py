"""Differences between two trees, against `git diff-tree` and by hand."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle_rules.scm import Change, Entry, Mode, Repository, compare, memory_tree

from .kit import Repo

BASE = {"a": b"1", "b/c": b"2", "b/d": b"3", "e": b"run"}


def changed(after: dict[str, bytes], modes: dict[str, str] | None = None) -> list[tuple[str, str | None, str | None]]:
    found = compare(memory_tree(BASE), memory_tree(after, modes))
    return [(one.path, mode_of(one.before), mode_of(one.after)) for one in found]


def mode_of(entry: Entry | None) -> str | None:
    return None if entry is None else str(entry.mode)


def test_equal_trees_do_not_differ() -> None:
    assert changed(dict(BASE)) == []


def test_each_kind_of_change() -> None:
    assert changed({**BASE, "a": b"2"}) == [("a", "100644", "100644")]
    assert changed({**BASE, "e": b"run"}, {"e": "100755"}) == [("e", "100644", "100755")]
    assert changed({**BASE, "a": b"1"}, {"a": "120000"}) == [("a", "100644", "120000")]
    assert changed({**BASE, "z": b""}) == [("z", None, "100644")]
    assert changed({path: data for path, data in BASE.items() if path != "a"}) == [("a", "100644", None)]


def test_a_move_is_two_changes() -> None:
    moved = {"A" if path == "a" else path: data for path, data in BASE.items()}
    assert changed(moved) == [("A", None, "100644"), ("a", "100644", None)]


def test_a_folder_swapped_for_a_link_shows_every_path() -> None:
    after = {"a": b"1", "b": b"/etc", "e": b"run"}
    assert changed(after, {"b": "120000"}) == [("b", None, "120000"), ("b/c", "100644", None), ("b/d", "100644", None)]


FILES = st.dictionaries(st.sampled_from(["a", "b", "c/d", "c/e", "f"]), st.binary(max_size=1), max_size=5)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(FILES, FILES)
def test_a_path_is_listed_exactly_if_its_bytes_differ(before: dict[str, bytes], after: dict[str, bytes]) -> None:
    found = compare(memory_tree(before), memory_tree(after))
    expected = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    assert [one.path for one in found] == expected
    assert [one.path for one in compare(memory_tree(after), memory_tree(before))] == expected
    assert (memory_tree(before).id == memory_tree(after).id) == (not found)


def test_it_takes_any_mapping_of_entries() -> None:
    class Bare:
        entries = MappingProxyType(memory_tree({"a": b""}).entries)

    assert compare(Bare(), memory_tree({"a": b""})) == ()
    assert isinstance(compare(Bare(), memory_tree({}))[0], Change)


def test_agrees_with_diff_tree(repo: Repo) -> None:
    base = repo.commit(
        {"keep": b"k", "move me": b"long enough to be a rename\n" * 9, "edit": b"1", "gone": b"g", "d/x": b"x"}
    )
    repo.git("mv", "move me", "moved")
    repo.git("rm", "-q", "gone")
    repo.git("update-index", "--chmod=+x", "d/x")
    repo.write({"edit": b"2", "new\nline": b"n"})
    (repo.top / "d" / "x").chmod(0o755)
    candidate = repo.commit()
    raw = repo.raw("diff-tree", "-r", "-z", "--no-renames", "--name-only", base, candidate)
    with Repository.discover(repo.top) as opened:
        found = compare(opened.tree(base), opened.tree(candidate))
    assert [one.path for one in found] == sorted(raw.decode().split("\0")[:-1])
    assert [one.path for one in found if one.before and one.after] == ["d/x", "edit"]
    executable = found[0].after
    assert executable and executable.mode is Mode.EXECUTABLE


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_another_object_format_makes_every_path_a_change(algorithm: str) -> None:
    other = memory_tree(BASE, algorithm=algorithm)  # type: ignore[arg-type]
    assert len(compare(memory_tree(BASE), other)) == (0 if algorithm == "sha1" else len(BASE))
