"""Two programs at the two ends of a wire: what each can reach of the other, and who ends whom."""

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
from oracle_rules.execution.sandbox.check import check

from .walls import IDENTITIES, LIMITS, Somebody, marked, program

JUDGE = """
import os, socket
wire = socket.socket(fileno=3)
wire.sendall(b"question")
answer = wire.recv(100)
os.write(4, answer)
print("judged")
"""
CELL = """
import socket
wire = socket.socket(fileno=3)
wire.sendall(wire.recv(100)[::-1])
wire.recv(100)
"""
WIRE = (Link(a="judge", b="cell"),)


def test_question_answer_result(wall: Somebody) -> None:
    processes = (program(JUDGE, name="judge", result_bytes=100), program(CELL, name="cell"))
    judge, cell = wall.run(*processes, links=WIRE, primary="judge")
    assert (judge.name, judge.how, judge.code, judge.stdout) == ("judge", "exited", 0, b"judged\n")
    assert (judge.result, judge.result_overflow) == (b"noitseuq", False)
    assert (cell.name, cell.how, cell.code, cell.stdout, cell.result) == ("cell", "exited", 0, b"", b"")


def test_the_cell_has_no_result_pipe_and_a_lone_process_no_wire(wall: Somebody) -> None:
    code = """
import errno, os
for fd in (3, 4):
    try: os.fstat(fd); print("open")
    except OSError as error: print(errno.errorcode[error.errno])
"""
    (lone,) = wall.run(program(code))
    assert lone.stdout == b"EBADF\nEBADF\n"
    (with_result,) = wall.run(program(code, result_bytes=1))
    assert with_result.stdout == b"EBADF\nopen\n"
    _, cell = wall.run(program("", name="judge"), program(code, name="cell"), links=WIRE)
    assert cell.stdout == b"open\nEBADF\n"


@pytest.mark.parametrize(("size", "overflow"), [(99, False), (100, False), (101, True), (1 << 20, True)])
def test_a_result_is_capped(size: int, overflow: bool, wall: Somebody) -> None:
    code = f"import os\nleft = {size}\nwhile left: left -= os.write(4, b'x' * left)"
    (ending,) = wall.run(program(code, result_bytes=100))
    assert (ending.how, ending.code) == ("exited", 0)
    assert (len(ending.result), ending.result_overflow) == (min(size, 100), overflow)


def test_when_the_primary_ends_the_others_are_stopped(wall: Somebody) -> None:
    before = time.monotonic()
    judge, cell = wall.run(
        program("import sys; sys.exit(3)", name="judge"), program("import time; time.sleep(60)", name="cell"),
        links=WIRE, primary="judge",
    )  # fmt: skip
    assert (judge.how, judge.code) == ("exited", 3)
    assert (cell.how, cell.code) == ("stopped", 9)
    assert time.monotonic() - before < 3


def test_without_a_primary_everybody_is_waited_for(wall: Somebody) -> None:
    judge, cell = wall.run(program("", name="judge"), program("import time; time.sleep(0.8)", name="cell"), links=WIRE)
    assert (judge.how, cell.how) == ("exited", "exited")
    assert cell.wall_ms >= 800


ATTACKS = {
    "signal every number": """
import os
for pid in range(1, 40000):
    if pid != os.getpid():
        try: os.kill(pid, 9)
        except OSError: pass""",
    "signal everybody": "import os\ntry: os.kill(-1, 9)\nexcept OSError: pass",
    "signal through the wire": """
import fcntl, os
try: fcntl.fcntl(3, fcntl.F_SETOWN, 1); fcntl.fcntl(3, fcntl.F_SETSIG, 9); fcntl.fcntl(3, fcntl.F_SETFL, os.O_ASYNC)
except OSError: pass""",
    "memory of the other": "try: open('/proc/2/mem')\nexcept OSError: pass",
}


@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_the_cell_cannot_reach_the_judge(name: str, wall: Somebody) -> None:
    code = ATTACKS[name] + "\nimport socket\nwire = socket.socket(fileno=3)\nwire.sendall(b'over'); wire.recv(1)"
    judge, cell = wall.run(program(JUDGE, name="judge", result_bytes=9), program(code, name="cell"), links=WIRE,
                           primary="judge")  # fmt: skip
    assert (judge.how, judge.code, judge.result) == ("exited", 0, b"over")
    assert cell.how in ("exited", "signalled")


def test_the_judge_can_be_killed_by_somebody_who_may() -> None:
    """The control of the signals: the same number, sent outside, arrives."""
    with subprocess.Popen(["/usr/bin/sleep", "60"]) as process:
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait(5) == -9


def test_a_file_of_one_is_not_seen_by_the_other(wall: Somebody) -> None:
    write = "import socket\nopen('/tmp/mine', 'w').close()\nw = socket.socket(fileno=3)\nw.sendall(b'x'); w.recv(1)"
    look = "import os, socket\nwire = socket.socket(fileno=3)\nwire.recv(1)\nprint(os.listdir('/tmp'))"
    _, cell = wall.run(program(write, name="judge"), program(look, name="cell"), links=WIRE)
    assert cell.stdout == b"[]\n"


def test_a_descriptor_sent_and_never_collected_delays_nothing(wall: Somebody) -> None:
    send = "import array, socket\nwire = socket.socket(fileno=3)\nsocket.send_fds(wire, [b'x'], [1, 2])"
    before = time.monotonic()
    judge, cell = wall.run(
        program("import time; time.sleep(0.3)", name="judge"), program(send, name="cell"), links=WIRE
    )
    assert (judge.how, cell.how, cell.code) == ("exited", "exited", 0)
    assert time.monotonic() - before < 5


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


REFUSED: dict[str, dict[str, object]] = {
    "the root of the host": {"binds": (Bind(source="/", target="/x"),)},
    "process files": {"binds": (Bind(source="/proc/self", target="/x"),)},
    "runtime sockets": {"binds": (Bind(source="/run/user", target="/x"),)},
    "devices": {"binds": (Bind(source="/dev", target="/x"),)},
    "a relative source": {"binds": (Bind(source="usr", target="/x"),)},
    "dots": {"binds": (Bind(source="/usr/../etc", target="/x"),)},
    "a target over proc": {"binds": (Bind(source="/usr", target="/proc"),)},
    "a target given twice": {"binds": (Bind(source="/usr/lib", target="/usr"),)},
    "a target below a link": {"links": (("/x", "/usr"),), "binds": (Bind(source="/usr", target="/x/y"),)},
    "no limit": {"limits": {"processes": 0}},
    "a relative program": {"argv": ("python3",)},
    "an unknown system call": {"deny": ("no_such_call",)},
    "a call that the set-up needs": {"deny": ("execve",)},
    "a NUL": {"argv": ("/usr/bin/true", "a\0b")},
    "an empty host name": {"hostname": ""},
    "a variable with an equals sign": {"env": {"A=B": "c"}},
}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_request_that_breaks_a_law_starts_nothing(name: str) -> None:
    with pytest.raises(Malfunction, match="bug of the caller"):
        check([program("", **REFUSED[name])], [], wall_ms=1000, primary=None)  # type: ignore[arg-type]


def test_a_request_that_keeps_the_laws_passes() -> None:
    check([program("", name="judge"), program("", name="cell")], WIRE, wall_ms=1, primary="judge")


@pytest.mark.parametrize(
    ("processes", "links"),
    [
        ((), ()),
        ((program(""), program("")), ()),
        ((program("", name="judge"),), WIRE),
        (tuple(program("", name=name) for name in ("judge", "cell", "c")), (*WIRE, Link(a="cell", b="c"))),
    ],
)
def test_links_and_names_have_to_fit(processes: tuple[Process, ...], links: tuple[Link, ...]) -> None:
    with pytest.raises(Malfunction):
        check(processes, links, wall_ms=1000, primary=None)


def test_further_calls_can_be_denied(wall: Somebody) -> None:
    code = (
        "import signal\ntry: signal.setitimer(signal.ITIMER_REAL, 9); print('set')\nexcept OSError as e: print(e.errno)"
    )
    assert wall.run(program(code))[0].stdout == b"set\n"
    assert wall.run(program(code, deny=("setitimer",)))[0].stdout == b"1\n"


def test_the_limits_used_here_are_below_the_machine() -> None:
    """The bombs of this room rely on it."""
    assert LIMITS["memory_bytes"] * 4 < os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
