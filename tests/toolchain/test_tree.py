"""Folders that are built once: complete or absent, and any later change is noticed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle_rules.errors import Malfunction
from oracle_rules.execution.toolchain import tree


def lay(folder: Path) -> None:
    (folder / "a").mkdir()
    (folder / "a" / "b.txt").write_text("content")
    (folder / "run").write_text("#!/bin/sh\n")
    (folder / "run").chmod(0o700)
    os.symlink("a/b.txt", folder / "link")


def refuse(folder: Path) -> None:
    raise AssertionError("an intact folder was built again")


def test_modes_and_times_do_not_depend_on_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        final = tree.materialise(tmp_path / "new" / "parents" / "x", lay)
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (final, *final.rglob("*"))}
    assert modes == {"x": 0o555, "a": 0o555, "b.txt": 0o444, "run": 0o555, "link": 0o444}
    assert {path.lstat().st_mtime_ns for path in (final, *final.rglob("*"))} == {315_532_800 * 10**9}
    assert stat.S_IMODE((tmp_path / "new" / "parents").stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "new" / "parents" / "x.complete").stat().st_mode) == 0o644


def truncate(final: Path) -> None:
    (final / "a" / "b.txt").write_text("")


def same_size_and_time(final: Path) -> None:
    path = final / "a" / "b.txt"
    path.write_text("CONTENT")
    os.utime(path, (tree.STAMP, tree.STAMP))


def add(final: Path) -> None:
    (final / "a" / "new").write_text("")


def take_away(final: Path) -> None:
    (final / "link").unlink()


def change_mode(final: Path) -> None:
    (final / "run").chmod(0o755)


def retarget(final: Path) -> None:
    (final / "link").unlink()
    os.symlink("a/x.txt", final / "link")


def lose_marker(final: Path) -> None:
    final.with_name("x.complete").unlink()


def cut_marker(final: Path) -> None:
    final.with_name("x.complete").write_text("")


def lose_all(final: Path) -> None:
    tree.remove(final)


def become_a_file(final: Path) -> None:
    tree.remove(final)
    final.write_text("")


DAMAGES = [
    truncate,
    same_size_and_time,
    add,
    take_away,
    change_mode,
    retarget,
    lose_marker,
    cut_marker,
    lose_all,
    become_a_file,
]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda each: each.__name__)
def test_damage_is_noticed_and_mended(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    final = tree.materialise(tmp_path / "x", lay)
    assert tree.materialise(final, refuse) == final  # control: intact, so not built again
    for folder in (final, final / "a"):
        folder.chmod(0o755)
    (final / "a" / "b.txt").chmod(0o644)
    damage(final)
    assert not tree.is_intact(final)
    tree.materialise(final, lay)
    assert tree.is_intact(final)
    assert (final / "link").read_text() == "content"
    assert sorted(os.listdir(tmp_path)) == ["x", "x.complete", "x.lock"]


def test_a_failed_build_leaves_nothing_that_counts(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        lay(folder)
        raise Malfunction("no more")

    with pytest.raises(Malfunction, match="no more"):
        tree.materialise(tmp_path / "x", fail)
    assert os.listdir(tmp_path) == ["x.lock"]
    assert tree.materialise(tmp_path / "x", lay).is_dir()


def _hang(final: Path) -> None:
    def build(folder: Path) -> None:
        lay(folder)
        (final.parent / "started").touch()
        time.sleep(60)

    tree.materialise(final, build)


def _count(final: Path) -> None:
    def build(folder: Path) -> None:
        (final.parent / f"built-by-{os.getpid()}").touch()
        time.sleep(0.2)
        lay(folder)

    tree.materialise(final, build)
    assert (final / "link").read_text() == "content"


def test_a_builder_that_is_killed_leaves_no_lock_and_no_rest(tmp_path: Path) -> None:
    final = tmp_path / "x"
    process = multiprocessing.get_context("fork").Process(target=_hang, args=(final,))
    process.start()
    while not (tmp_path / "started").exists():
        time.sleep(0.01)
    assert process.pid
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert [name for name in os.listdir(tmp_path) if name.startswith(".x.")]  # control: there is a rest
    tree.materialise(final, lay)
    assert sorted(os.listdir(tmp_path)) == ["started", "x", "x.complete", "x.lock"]


def test_many_at_once_build_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_count, args=(tmp_path / "x",)) for _ in range(6)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 6
    assert len(list(tmp_path.glob("built-by-*"))) == 1


def test_a_cache_that_cannot_be_written_is_a_malfunction(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Malfunction, match="the cache cannot be written"):
        tree.materialise(tmp_path / "file" / "x", lay)
    os.mkfifo(tmp_path / "pipe")

    def build(folder: Path) -> None:
        os.mkfifo(folder / "pipe")

    with pytest.raises(Malfunction, match="neither a file"):
        tree.materialise(tmp_path / "y", build)
