"""Watching a command line while it runs: what it started, what it has stored, and whether all of it is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from .kit import command, environment


def descendants(pid: int) -> set[int]:
    """Every living process below this one."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                stat = Path(f"/proc/{name}/stat").read_text()
            except OSError:
                continue
            state, parent = stat.rpartition(")")[2].split()[:2]
            if state != "Z":
                children.setdefault(int(parent), []).append(int(name))
    found, waiting = set[int](), [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found.update(below)
        waiting += below
    return found


def alive(pid: int) -> bool:
    """Whether there is such a process and it is more than a status nobody asked for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(seen: Callable[[], bool], what: str, seconds: float = 40) -> None:
    """Waits until it is so."""
    end = time.monotonic() + seconds
    while not seen():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)


def results(cache: Path) -> int:
    """How many results the cache holds."""
    return sum(1 for path in (cache / "ac").rglob("*") if path.is_file())


def warm(cache: Path, to: Path) -> Path:
    """A cache that has the toolchain of another one, and nothing else."""
    to.mkdir()
    (to / "toolchains").symlink_to(cache / "toolchains")
    return to


def killed_midway(words: list[str], cwd: Path, cache: Path, number: int, sign: signal.Signals) -> tuple[int, str]:
    """Starts it, waits until `number` results are stored and a sandbox runs, sends the signal; all has to go."""
    before = results(cache)
    running = subprocess.Popen(
        command(*words),
        cwd=cwd,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    seen: set[int] = set()

    def busy() -> bool:
        seen.update(descendants(running.pid))
        assert running.poll() is None, running.communicate()[1]
        return results(cache) >= before + number and len(descendants(running.pid)) >= 3

    until(busy, "a sandbox to be at work")
    running.send_signal(sign)
    _, said = running.communicate(timeout=30)
    until(lambda: not any(map(alive, seen)), "every process to end")
    return running.returncode, said
