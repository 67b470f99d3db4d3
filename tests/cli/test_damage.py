"""What the world does to a run: no space, no right to write, kills, neighbours. Nothing is lost, nothing is left."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from .kit import PATCHES, Ran, Repo, build_file, command, environment, make, oracle
from .processes import killed_midway, warm
from .test_bad_input import refused


@pytest.fixture(scope="session")
def primed(score: Callable[..., Ran], cache: Path) -> Path:
    """The shared cache, with the toolchain and the results of `good`."""
    assert score("good").status == 0
    return cache


def mounted(script: str, *words: str, cwd: Path) -> Ran:
    """Runs a shell script in a mount namespace of its own; `$@` is the command line."""
    unshare = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-r", "-m"]
    done = subprocess.run(
        [*unshare, "sh", "-c", "set -e; " + script, "sh", *command(*words)],
        cwd=cwd,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in ran.err, ran.err
    return ran


def test_a_full_disk_is_a_malfunction_and_the_next_run_is_fine(tmp_path: Path, repo: Repo) -> None:
    words = ("score", "--base", "main", "--head", "good", "--cache-dir", f"{tmp_path}/disk/cache")
    disk = f"mkdir {tmp_path}/disk; mount -t tmpfs -o size=SIZE none {tmp_path}/disk; "
    refused(mounted(disk.replace("SIZE", "64k") + '"$@"', *words, cwd=repo.top), 5)
    shutil.rmtree(tmp_path / "disk")
    both = (
        disk.replace("SIZE", "30m") + f'if "$@" >&2; then exit 99; fi; mount -o remount,size=1g {tmp_path}/disk; "$@"'
    )
    ran = mounted(both, *words, cwd=repo.top)
    assert ran.status == 0 and "ACCEPT" in ran.out, ran
    assert ran.err.startswith("oracle-rules: malfunction: ") and ran.err.count("\n") == 1, ran.err


def test_a_cache_that_cannot_be_written_serves_what_it_has_and_refuses_the_rest(
    primed: Path, repo: Repo, tmp_path: Path
) -> None:
    script = f'mount --bind {primed} {primed}; mount -o remount,ro,bind {primed}; "$@"'
    words = ("score", "--base", "main", "--cache-dir", str(primed), "--format", "json", "--head")
    ran = mounted(script, *words, "good", cwd=repo.top)
    assert ran.status == 0 and ran.record["summary"]["cached"] == 5, ran
    # A patch that nobody has judged yet.
    other = make(tmp_path / "repo")
    other.commit({"src/unseen.py": "# only here\n"}, "unseen")
    refused(mounted(script, *words, "unseen", cwd=other.top), 5)


def test_a_cache_that_is_a_file(tmp_path: Path, repo: Repo) -> None:
    (tmp_path / "cache").write_text("")
    words = ("score", "--base", "main", "--head", "good", "--cache-dir", str(tmp_path / "cache"))
    refused(oracle(*words, cwd=repo.top), 5, str(tmp_path / "cache"))
    assert (tmp_path / "cache").read_text() == ""


@pytest.mark.parametrize(("sign", "status"), [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
def test_a_run_that_is_ended_midway_loses_nothing_and_leaves_nothing(
    sign: signal.Signals, status: int, primed: Path, tmp_path: Path
) -> None:
    cache = warm(primed, tmp_path / "cache")
    repo = make(tmp_path / "repo")
    repo.commit({"BUILD.bazel": build_file().replace("timeout_seconds = 20", "timeout_seconds = 300")})
    repo.commit(PATCHES["slow"], "slow")
    words = ["score", "--base", "main", "--head", "slow", "--cache-dir", str(cache), "--jobs", "2"]
    # A corpus and four verdicts; the fifth target never answers.
    ended, said = killed_midway(words, repo.top, cache, 5, sign)
    assert ended == status
    assert said == ("" if sign == signal.SIGKILL else "oracle-rules: interrupted; what was finished is in the cache\n")
    others = ("//:clean", "//:shout", "//:total", "//:stamp")
    ran = oracle(*words, "--format", "json", *others, cwd=repo.top)
    assert ran.status == 0 and ran.record["summary"]["cached"] == 4, ran
    repo.write({"src/life.py": "def alive():\n    return 1 == 1\n"})
    assert oracle("score", "--worktree", "--cache-dir", str(cache), "//:alive", cwd=repo.top).status == 0
    assert list((cache / "scratch").iterdir()) == []


def test_two_processes_at_once_on_one_cold_cache_agree(primed: Path, tmp_path: Path, repo: Repo) -> None:
    cache = warm(primed, tmp_path / "cache")
    words = command("score", "--base", "main", "--head", "red", "--cache-dir", str(cache), "--format", "json")
    running = [
        subprocess.Popen(
            words, cwd=repo.top, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    ended = [(process.communicate(timeout=120), process.returncode) for process in running]
    runs = [Ran(status, out, err) for (out, err), status in ended]
    assert [(ran.status, ran.err) for ran in runs] == [(1, ""), (1, "")], runs
    records = [ran.record for ran in runs]
    for record in records:
        del record["summary"]["cached"]
        for row in (*record["targets"], *record["debt"]):
            del row["served_from"]
    assert records[0] == records[1]
    third = oracle(
        "score", "--base", "main", "--head", "red", "--cache-dir", str(cache), "--format", "json", cwd=repo.top
    )
    assert third.record["summary"]["cached"] == 5
