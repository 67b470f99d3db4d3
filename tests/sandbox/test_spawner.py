"""A spawner's life: what it cannot set up, who it dies with, what it keeps of a run (nothing)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

import oracle_rules
from oracle_rules.errors import Malfunction
from oracle_rules.execution.sandbox import Bind, Link, Process, Spawner, Tmpfs

from .walls import IDENTITIES, Somebody, marked, program

WIRE = (Link(a="judge", b="cell"),)

MALFUNCTIONS: dict[str, tuple[Callable[[], Process], str, str]] = {
    "a missing source": (
        lambda: program("", binds=(Bind(source="/nowhere", target="/x"),)),
        "root_filesystem",
        "/nowhere",
    ),
    "a missing program": (lambda: program("", argv=("/usr/bin/nothing-of-this-name",)), "exec", "No such file"),
    "a missing folder": (lambda: program("", cwd="/nowhere"), "cwd", "No such file"),
    "a mount point in a read-only folder": (
        lambda: program("", tmpfs=(Tmpfs(target="/usr/no/such", size_bytes=1, inodes=1),), cwd="/"),
        "root_filesystem",
        "/usr/no/such",
    ),
    "too many open files": (lambda: program("", limits={"open_files": 1 << 40}), "limits", "inherited hard limit"),
}


@pytest.mark.parametrize("name", sorted(MALFUNCTIONS))
def test_what_cannot_be_set_up_is_a_malfunction_that_names_the_step(name: str, wall: Somebody) -> None:
    make, step, text = MALFUNCTIONS[name]
    with pytest.raises(Malfunction) as caught:
        wall.run(make(), program("import time; time.sleep(60)", name="other"))
    assert f"step {step} failed" in caught.value.detail
    assert text in caught.value.detail
    assert caught.value.remedy
    (after,) = wall.run(program("print('well')"))
    assert after.stdout == b"well\n"


def parent(marker: str, folder: str) -> str:
    """A program of the host that starts a run which would take a minute."""
    return f"""
import sys
sys.path.insert(0, {folder!r})
from tests.sandbox.walls import program
from oracle_rules.execution.sandbox import Spawner
with Spawner() as spawner:
    print(spawner._process.pid, flush=True)
    spawner.run([program("import time; time.sleep(60)  # {marker}")], wall_ms=60000)
"""


def wait_for(condition: Callable[[], bool], seconds: float = 5) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("whom", ["caller", "spawner"])
def test_everything_dies_with_its_parent(whom: str) -> None:
    marker = f"marker-{uuid.uuid4().hex}"
    folder = str(Path(oracle_rules.__file__).parents[1])
    command = [sys.executable, "-c", parent(marker, folder)]
    host = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with host:
        assert host.stdout is not None
        assert host.stderr is not None
        spawner = int(host.stdout.readline())
        # The host's own command line has the marker, and so has the program's.
        assert wait_for(lambda: len(marked(marker)) == 2)
        os.kill(host.pid if whom == "caller" else spawner, signal.SIGKILL)
        assert wait_for(lambda: len(marked(marker)) == 0)
        assert wait_for(lambda: not os.path.exists(f"/proc/{spawner}"))
        errors = host.stderr.read()
    assert ("the spawner ended unexpectedly" in errors) == (whom == "spawner")


def test_a_spawner_can_be_used_from_a_thread_that_ends() -> None:
    spawner = Spawner()
    thread = threading.Thread(target=spawner.__enter__)
    thread.start()
    thread.join()
    time.sleep(0.1)
    try:
        (ending,) = spawner.run([program("print('well')")], wall_ms=10_000)
    finally:
        spawner.close()
    assert ending.stdout == b"well\n"


def test_two_spawners_run_at_the_same_time(walls: dict[str, Somebody]) -> None:
    with Somebody(IDENTITIES[0]) as one, Somebody(IDENTITIES[0]) as other:
        assert one.run(program("print(1)"))[0].stdout == b"1\n"
        assert other.run(program("print(2)"))[0].stdout == b"2\n"


def test_names_with_blanks_and_odd_bytes(wall: Somebody) -> None:
    folder = "/tmp/a b\\c\td\u00e4"
    tmpfs = (Tmpfs(target=folder, size_bytes=1 << 20, inodes=8),)
    code = "import os; open('x', 'w').close(); print(ascii(os.getcwd()), os.listdir('.'))"
    (ending,) = wall.run(program(code, tmpfs=tmpfs, cwd=folder))
    assert ending.stdout.decode() == f"{ascii(folder)} ['x']\n"


def test_stdin_is_the_sandboxs_own_and_read_only(wall: Somebody) -> None:
    code = """
import os
print(os.read(0, 1), os.fstat(0).st_rdev == os.stat("/dev/null").st_rdev)
for action in (lambda: os.write(0, b"x"), lambda: os.fchmod(0, 0o666)):
    try: action(); print("done")
    except OSError as error: print(error.errno)
"""
    (ending,) = wall.run(program(code))
    assert ending.stdout == b"b'' True\n9\n30\n"


def test_a_long_refusal_is_reported_whole(wall: Somebody) -> None:
    with pytest.raises(Malfunction, match="root_filesystem"):
        wall.run(program("", binds=(Bind(source="/nowhere/" + "\u00e4" * 1000, target="/x"),)))


def _state(pid: int) -> tuple[int, list[str]]:
    """Open descriptors and children of a process."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return len(os.listdir(f"/proc/{pid}/fd")), children


def test_a_spawner_keeps_nothing_of_runs_however_they_end() -> None:
    """Runs that end well, that are cut at every early moment of their life, and that cannot be set up."""
    with Spawner() as spawner:
        assert spawner._process is not None
        pid = spawner._process.pid
        spawner.run([program("")], wall_ms=10_000)
        before = _state(pid)
        for wall_ms in (*range(1, 12), 5000):
            endings = spawner.run([program("", name="judge"), program("", name="cell")], WIRE, wall_ms=wall_ms)
            assert {ending.how for ending in endings} <= {"timeout", "exited"}
        for make, _, _ in MALFUNCTIONS.values():
            with pytest.raises(Malfunction):
                spawner.run([make(), program("", name="other")], wall_ms=5000)
        assert _state(pid) == before == (before[0], [])
        groups = subprocess.run(["/usr/bin/find", "/sys/fs/cgroup", "-name", f"oracle-sandbox-{pid}-*"],
                                capture_output=True, text=True, check=False)  # fmt: skip
        assert groups.stdout == ""
