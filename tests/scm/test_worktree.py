"""Uncommitted work: what is on the disk, told by git's own `write-tree` where git would not touch the bytes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle_rules.errors import UsageError
from oracle_rules.scm import Mode, Repository, compare

from .kit import Repo, by_git, contents, snapshot


def test_changed_new_deleted_and_untouched(repo: Repo) -> None:
    commit = repo.commit({"same": b"1", "edit": b"2", "gone": b"3", "d/staged": b"4"})
    repo.write({"edit": b"22", "new/file": b"5", "d/staged": b"44"})
    repo.git("add", "d/staged")
    repo.write({"d/staged": b"444"})
    (repo.top / "gone").unlink()
    repo.git("rm", "-q", "--cached", "same")
    tree = snapshot(repo)
    assert contents(tree) == {"same": b"1", "edit": b"22", "new/file": b"5", "d/staged": b"444"}
    assert tree.id == by_git(repo)
    with Repository.discover(repo.top) as opened:
        assert [one.path for one in compare(opened.tree(commit), tree)] == ["d/staged", "edit", "gone", "new/file"]


def test_a_clean_work_tree_has_the_id_of_its_commit(repo: Repo) -> None:
    files = {
        "a": b"1",
        "bad\udcff": b"2",
        "caf\u00e9": b"3",
        "cafe\u0301": b"4",
        "README": b"5",
        "Readme": b"6",
        "n" * 255: b"7",
        "d/" * 300 + "x": b"8",
        "a\nb": b"9",
        "-x": b"",
    }
    repo.write(files)
    (repo.top / "run").write_bytes(b"#!")
    (repo.top / "run").chmod(0o755)
    (repo.top / "out").symlink_to("../../etc/passwd")
    repo.commit()
    with Repository.discover(repo.top) as opened:
        work, tree = opened.worktree(), opened.tree("HEAD")
    assert work.id == tree.id and work.entries == tree.entries
    assert compare(work, tree) == ()
    assert contents(snapshot(repo)) == {**files, "run": b"#!"}
    assert snapshot(repo).link("out") == "../../etc/passwd"


def test_no_commit_no_index_and_no_file(repo: Repo) -> None:
    assert snapshot(repo).id == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    repo.write({"a": b"1"})
    assert contents(snapshot(repo)) == {"a": b"1"}


def test_a_bare_repository_has_none(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": b"1"})
    repo.git("clone", "-q", "--bare", str(repo.top), str(tmp_path / "bare"))
    for start in (tmp_path / "bare", repo.top / ".git"):
        with Repository.discover(start) as opened, pytest.raises(UsageError, match="bare") as caught:
            opened.worktree()
        assert caught.value.remedy
    assert contents(snapshot(repo)) == {"a": b"1"}


def test_a_linked_work_tree_and_a_subfolder(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": b"1", "d/b": b"2"})
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    (tmp_path / "linked/a").write_bytes(b"11")
    with Repository.discover(tmp_path / "linked/d") as opened:
        assert contents(opened.worktree()) == {"a": b"11", "d/b": b"2"}
    assert contents(snapshot(repo)) == {"a": b"1", "d/b": b"2"}


def test_ignored_files_are_out_unless_tracked(repo: Repo) -> None:
    repo.commit({".gitignore": b"*.log\nbuild/\n!keep.log\n", "tracked.log": b"1"})
    (repo.top / ".git/info").mkdir(exist_ok=True)
    (repo.top / ".git/info/exclude").write_text("mine\n")
    repo.write(
        {"x.log": b"", "keep.log": b"2", "build/y": b"", "mine": b"", "d/.gitignore": b"z\n", "d/z": b"", "d/w": b"3"}
    )
    expected = {".gitignore", "tracked.log", "keep.log", "d/.gitignore", "d/w"}
    tree = snapshot(repo)
    assert set(tree.paths()) == expected and tree.id == by_git(repo)


def test_modes_come_from_the_owners_executable_bit(repo: Repo) -> None:
    repo.git("config", "core.fileMode", "false")
    repo.commit({"a": b"1", "b": b"2", "c": b"3"})
    (repo.top / "a").chmod(0o744)
    (repo.top / "b").chmod(0o611)
    tree = snapshot(repo)
    assert [tree.entries[path].mode for path in "abc"] == [Mode.EXECUTABLE, Mode.FILE, Mode.FILE]


@pytest.mark.parametrize("bit", ["--assume-unchanged", "--skip-worktree"])
def test_the_disk_is_believed_and_not_the_index(repo: Repo, bit: str) -> None:
    repo.commit({"a": b"1", "b": b"2"})
    repo.git("update-index", bit, "a", "b")
    repo.write({"a": b"changed"})
    (repo.top / "b").unlink()
    assert repo.git("status", "--porcelain") == ""  # the control: git is told that nothing changed
    assert contents(snapshot(repo)) == {"a": b"changed"}


def test_an_edit_that_keeps_size_and_time_is_seen(repo: Repo) -> None:
    repo.commit({"a": b"1"})
    path = repo.top / "a"
    os.utime(path, ns=(10**18, 10**18))
    repo.git("update-index", "--refresh")
    path.write_bytes(b"2")
    os.utime(path, ns=(10**18, 10**18))
    assert contents(snapshot(repo)) == {"a": b"2"}


@pytest.mark.parametrize("kind", ["cone", "no-cone", "index"])
def test_a_sparse_checkout_keeps_what_it_left_out(repo: Repo, kind: str) -> None:
    commit = repo.commit({"in/a": b"1", "out/b": b"2", "out/deep/c": b"3", "top": b"4"})
    if kind == "no-cone":
        repo.git("sparse-checkout", "set", "--no-cone", "/in/", "/top")
    else:
        repo.git("sparse-checkout", "set", "--cone", *(["--sparse-index"] if kind == "index" else []), "in")
    assert not (repo.top / "out").exists()
    repo.write({"in/new": b"5", "in/a": b"11"})
    tree = snapshot(repo)
    assert contents(tree) == {"in/a": b"11", "in/new": b"5", "out/b": b"2", "out/deep/c": b"3", "top": b"4"}
    with Repository.discover(repo.top) as opened:
        assert [one.path for one in compare(opened.tree(commit), tree)] == ["in/a", "in/new"]
    repo.write({"out/b": b"on the disk after all"})
    assert snapshot(repo).read("out/b") == b"on the disk after all"
    (repo.top / "in/a").unlink()
    assert "in/a" not in snapshot(repo).entries
    (repo.top / "out/b").unlink()
    (repo.top / "out").rmdir()
    (repo.top / "out").write_bytes(b"a file now")
    assert contents(snapshot(repo)) == {"in/new": b"5", "out": b"a file now", "top": b"4"}


def test_a_split_index_and_other_extensions(repo: Repo) -> None:
    repo.commit({"a": b"1"})
    repo.git("config", "core.splitIndex", "true")
    repo.git("update-index", "--split-index", "--untracked-cache", "--index-version", "4")
    repo.write({"b": b"2"})
    repo.git("add", "b")
    assert list((repo.top / ".git").glob("sharedindex.*"))
    assert contents(snapshot(repo)) == {"a": b"1", "b": b"2"}


def test_intent_to_add_and_unmerged_paths(repo: Repo) -> None:
    repo.commit({"a": b"1"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a": b"2"})
    repo.git("checkout", "-q", "main")
    repo.commit({"a": b"3"})
    repo.git("read-tree", "-m", "main~1", "main", "side")
    repo.write({"later": b"4"})
    repo.git("add", "-N", "later")
    assert len(repo.git("ls-files", "-u").splitlines()) == 3
    assert contents(snapshot(repo)) == {"a": b"3", "later": b"4"}


def test_submodules_are_gitlinks(repo: Repo, tmp_path: Path) -> None:
    library = Repo(tmp_path / "library")
    old = library.commit({"l": b"1"})
    repo.git("submodule", "--quiet", "add", str(library.top), "sub")
    repo.git("submodule", "--quiet", "add", str(library.top), "bare-one")
    repo.commit()
    assert snapshot(repo).entries["sub"].oid == old
    new = library.commit({"l": b"2"})
    repo.git("-C", "sub", "pull", "-q")
    repo.git("submodule", "--quiet", "deinit", "-f", "bare-one")
    tree = snapshot(repo)
    assert (tree.entries["sub"].mode, tree.entries["sub"].oid) == (Mode.GITLINK, new)
    assert tree.entries["bare-one"].oid == old
    assert tree.id == by_git(repo)
    with pytest.raises(KeyError):
        tree.read("sub")
    (repo.top / "bare-one").rmdir()
    assert "bare-one" not in snapshot(repo).entries


def test_a_nested_repository_is_not_entered_and_said_so(repo: Repo) -> None:
    repo.commit({"a": b"1"})
    nested = Repo(repo.top / "vendor/nested")
    nested.commit({"hidden": b"2"})
    tree = snapshot(repo)
    assert set(tree.entries) == {"a"} and tree.skipped == {"vendor/nested": "nested repository"}


NAMES = st.sampled_from(["a", "b", "c"])
FILES = st.dictionaries(
    st.lists(NAMES, min_size=1, max_size=3).map("/".join), st.tuples(st.binary(max_size=3), st.booleans()), max_size=6
).filter(lambda files: not any(other.startswith(path + "/") for path in files for other in files))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(before=FILES, after=FILES)
def test_any_change_on_disk_gives_the_tree_that_git_would_record(
    tmp_path_factory: pytest.TempPathFactory,
    before: dict[str, tuple[bytes, bool]],
    after: dict[str, tuple[bytes, bool]],
) -> None:
    repo = Repo(tmp_path_factory.mktemp("any") / "repo")
    for stage in (before, after):
        for old in sorted(repo.top.rglob("*"), reverse=True):
            if ".git" not in old.parts:
                old.rmdir() if old.is_dir() else old.unlink()
        for path, (data, executable) in stage.items():
            repo.write({path: data})
            (repo.top / path).chmod(0o755 if executable else 0o644)
        if stage is before:
            repo.commit()
    tree = snapshot(repo)
    assert contents(tree) == {path: data for path, (data, _) in after.items()}
    assert tree.id == by_git(repo)
