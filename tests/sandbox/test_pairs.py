"""Two programs at the two ends of a wire: what each can reach of the other, and who ends whom."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest

from oracle_rules.execution.sandbox import Link

from .walls import Somebody, program

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
