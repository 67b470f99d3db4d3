"""What a disk can hold that git cannot: swaps, links, pipes, files that move under the reader, names that escape."""

from __future__ import annotations

import hashlib
import os
import socket
import threading
import time
from pathlib import Path

import pytest

from oracle_rules.errors import UsageError
from oracle_rules.scm import Limits, Repository
from oracle_rules.scm.disk import Disk

from .kit import Repo, by_git, contents, snapshot


def test_swaps_between_files_folders_and_links(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"file": b"1", "folder/x": b"2", "other/y": b"3"})
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/x").write_bytes(b"from outside")
    for path in ("folder/x", "file", "other/y"):
        (repo.top / path).unlink()
    (repo.top / "folder").rmdir()
    (repo.top / "other").rmdir()
    (repo.top / "folder").symlink_to(tmp_path / "outside")
    (repo.top / "other").write_bytes(b"a file now")
    repo.write({"file/inside": b"4"})
    tree = snapshot(repo)
    assert contents(tree) == {"file/inside": b"4", "other": b"a file now"}
    assert tree.link("folder") == str(tmp_path / "outside") and "folder/x" not in tree.entries
    assert tree.id == by_git(repo)


def test_links_are_entries_wherever_they_point(repo: Repo) -> None:
    for name, target in {"abs": "/etc/passwd", "up": "../..", "loop": "loop", "none": "nowhere"}.items():
        (repo.top / name).symlink_to(target)
    os.symlink(b"\xff", os.fsencode(repo.top / "bad"))
    tree = snapshot(repo)
    assert tree.paths() == () and len(tree.entries) == 5
    assert tree.link("bad") == "\udcff" and tree.link("loop") == "loop"
    assert tree.id == by_git(repo)


def test_pipes_sockets_and_devices_are_left_out_at_once(repo: Repo) -> None:
    repo.commit({"a": b"1", "was-file": b"2"})
    os.mkfifo(repo.top / "pipe")
    (repo.top / "was-file").unlink()
    os.mkfifo(repo.top / "was-file")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(repo.top)
        server.bind("socket")
        os.chdir(here)
        tree = snapshot(repo)
    assert contents(tree) == {"a": b"1"}
    assert tree.skipped == {"was-file": "pipe"}


def test_a_pipe_as_an_ignore_file_is_named(repo: Repo) -> None:
    repo.commit({"a": b"1", "d/b": b"2"})
    os.mkfifo(repo.top / "d/.gitignore")
    with Repository.discover(repo.top, limits=Limits(seconds=0.5)) as opened:
        with pytest.raises(UsageError, match="regular file") as caught:
            opened.worktree()
        assert caught.value.where.endswith("d/.gitignore")
        (repo.top / "d/.gitignore").unlink()
        assert set(opened.worktree().paths()) == {"a", "d/b"}


def test_a_file_that_changes_after_the_look(repo: Repo) -> None:
    repo.commit({"a": b"1", "b": b"2", "c": b"3", "d/e": b"4"})
    (repo.top / "l").symlink_to("a")
    tree = snapshot(repo)
    assert tree.read("a") == b"1"
    repo.write({"a": b"9"})
    (repo.top / "b").unlink()
    (repo.top / "c").unlink()
    os.mkfifo(repo.top / "c")
    (repo.top / "d/e").unlink()
    (repo.top / "d").rmdir()
    (repo.top / "l").unlink()
    (repo.top / "l").symlink_to("b")
    for path in ("a", "b", "c", "d/e"):
        with pytest.raises(UsageError, match="changed after") as caught:
            tree.read(path)
        assert caught.value.where == path and caught.value.remedy
    with pytest.raises(UsageError, match="changed after"):
        tree.link("l")
    repo.write({"a": b"1"})
    assert tree.read("a") == b"1"


def test_files_that_change_all_the_time_give_a_true_snapshot_or_an_error(repo: Repo) -> None:
    repo.commit({"a": b"x", "calm": b"1"})
    stop = threading.Event()

    def churn() -> None:
        size = 0
        while not stop.is_set():
            size = (size + 7919) % 200_000
            (repo.top / "a").write_bytes(b"x" * size)

    writer = threading.Thread(target=churn)
    writer.start()
    outcomes = set()
    end = time.monotonic() + 1.0
    try:
        with Repository.discover(repo.top) as opened:
            while time.monotonic() < end:
                try:
                    data = opened.worktree().read("a")
                    outcomes.add(data.strip(b"x") == b"")
                except UsageError as problem:
                    assert "change" in problem.detail
                    assert problem.where == "a"
    finally:
        stop.set()
        writer.join()
    assert outcomes <= {True}
    assert snapshot(repo).read("calm") == b"1"


def test_bounds(repo: Repo) -> None:
    repo.commit({"a": b"123", "b": b"4"})
    for limits, says in ((Limits(disk_bytes=2), "3 bytes"), (Limits(entries=1), "more than 1 files")):
        with Repository.discover(repo.top, limits=limits) as opened, pytest.raises(UsageError, match=says):
            opened.worktree()
    with Repository.discover(repo.top, limits=Limits(blob_bytes=2)) as opened:
        tree = opened.worktree()
        assert tree.read("b") == b"4"
        with pytest.raises(UsageError, match="3 bytes"):
            tree.read("a")
    with Repository.discover(repo.top, limits=Limits(disk_bytes=3, entries=2, blob_bytes=3)) as opened:
        assert len(contents(opened.worktree())) == 2


def test_git_in_any_case_is_no_name_for_a_file(repo: Repo) -> None:
    repo.write({"a/.GIT/config": b"x", "b": b"1"})
    with pytest.raises(UsageError, match="belongs to git"):
        snapshot(repo)
    (repo.top / "a/.GIT/config").unlink()
    assert contents(snapshot(repo)) == {"b": b"1"}


def test_an_index_that_leads_out_of_the_work_tree_is_refused(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"secret")
    repo.write({"aa/out": b"1"})
    repo.git("update-index", "--add", "aa/out")
    index = repo.top / ".git/index"
    body = index.read_bytes()[:-20]
    assert contents(snapshot(repo)) == {"aa/out": b"1"}
    for name in (b"../out", b".git/o", b"aa//ou", b"./aa/o", b"/etc/x"):
        forged = body.replace(b"aa/out", name)
        index.write_bytes(forged + hashlib.sha1(forged).digest())
        with pytest.raises(UsageError, match="^[^;]*the path .* holds") as caught:
            snapshot(repo)
        assert caught.value.remedy


def test_a_damaged_index_is_refused(repo: Repo) -> None:
    repo.commit({"a": b"1"})
    (repo.top / ".git/index").write_bytes(b"garbage")
    with pytest.raises(UsageError, match="index cannot be read"):
        snapshot(repo)
    (repo.top / ".git/index").unlink()
    assert contents(snapshot(repo)) == {"a": b"1"}


def test_a_folder_for_temporary_files_inside_the_work_tree_is_not_part_of_it(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a": b"1"})
    repo.write({"tmp/mine": b"2"})
    monkeypatch.setattr("tempfile.tempdir", str(repo.top / "tmp"))
    assert contents(snapshot(repo)) == {"a": b"1", "tmp/mine": b"2"}


def test_an_ignore_file_that_is_a_link_is_not_followed(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "rules").write_text("*\n")
    (repo.top / ".gitignore").symlink_to(tmp_path / "rules")
    repo.write({"a": b"1"})
    tree = snapshot(repo)
    assert set(tree.entries) == {".gitignore", "a"} and tree.link(".gitignore") == str(tmp_path / "rules")


def test_folders_too_deep_for_a_path_are_an_error(repo: Repo) -> None:
    repo.write({"a": b"1"})
    folder = os.open(repo.top, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=folder)
        below = os.open("d" * 200, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    os.close(os.open("leaf", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
    os.close(folder)
    with pytest.raises(UsageError, match="cannot be read") as caught:
        snapshot(repo)
    assert caught.value.remedy


@pytest.mark.parametrize("path", ["proc/version", "sys/devices/system/cpu/online"])
def test_a_file_with_more_or_fewer_bytes_than_its_size_has_no_id(repo: Repo, path: str) -> None:
    strange = Path("/", path)
    assert strange.stat().st_size != len(strange.read_bytes())
    with pytest.raises(UsageError, match="changes while it is read"):
        Disk(Path("/"), "sha1", Limits()).look([path])
    repo.write({"a": b"1"})
    assert Disk(repo.top, "sha1", Limits()).look(["a"])["a"] == snapshot(repo).entries["a"]
