"""Bombs, floods and those who will not die: each meets its limit, is named for it, and leaves nothing behind.

Every bomb is bounded by itself too, so that a broken wall costs a test and not the machine.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
import uuid
from dataclasses import replace

import pytest

from oracle_rules.execution.sandbox import Process, Tmpfs, supervise

from .walls import LIMITS, PYTHON, Somebody, marked, program

FORKS = """
import os, time
children = 0
try:
    for _ in range(40):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        children += 1
except BlockingIOError:
    pass
print(children, flush=True)
os._exit(0)
"""
THREADS = """
import os, threading, time
count = 0
try:
    for _ in range(40):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        count += 1
except RuntimeError:
    pass
print(count, flush=True)
os._exit(0)
"""
MEMORY = """
held = []
try:
    for _ in range(400):
        held.append(bytearray(1 << 20))
except MemoryError:
    held.append(None)
print("refused" if held[-1] is None else "held")
"""
FAMILY = """
import os, time
for _ in range(5):
    if os.fork() == 0:
        held = bytearray(b"x") * (100 << 20)
        time.sleep(60)
        os._exit(0)
time.sleep(60)
"""
FILL = """
import errno, os
try:
    with open("/tmp/fill", "wb", buffering=0) as file:
        for _ in range(1000):
            file.write(b"x" * 4096)
    print("filled")
except OSError as error:
    print(errno.errorcode[error.errno], os.path.getsize("/tmp/fill"))
"""
FILES = """
import errno
try:
    for count in range(1000):
        open(f"/tmp/{count}", "w").close()
    print("filled")
except OSError as error:
    print(errno.errorcode[error.errno], count)
"""
DESCRIPTORS = """
import errno, os
try:
    for count in range(1000):
        os.dup(0)
    print("open")
except OSError as error:
    print(errno.errorcode[error.errno], count)
"""
LARGE = """
import errno
try:
    with open("/tmp/large", "wb") as file:
        file.seek(64 << 20)
        file.write(b"x")
    print("written")
except OSError as error:
    print(errno.errorcode[error.errno])
"""


@pytest.mark.parametrize(
    ("bomb", "inside", "outside"),
    [
        pytest.param(FORKS, str(LIMITS["processes"] - 1), "40", id="forks"),
        pytest.param(THREADS, str(LIMITS["processes"] - 1), "40", id="threads"),
        pytest.param(MEMORY, "refused", "held", id="memory"),
        # One megabyte less a page: the link count of the root takes none, the folder's own inode neither.
        pytest.param(FILL, f"ENOSPC {1 << 20}", "filled", id="bytes"),
        pytest.param(FILES, "ENOSPC 63", "filled", id="inodes"),
        pytest.param(DESCRIPTORS, f"EMFILE {LIMITS['open_files'] - 3}", None, id="descriptors"),
        pytest.param(LARGE, "EFBIG", "written", id="one large file"),
    ],
)
def test_a_limit_is_met_inside(bomb: str, inside: str, outside: str | None, wall: Somebody, tmp_path: object) -> None:
    before = time.monotonic()
    (ending,) = wall.run(program(bomb))
    assert (ending.how, ending.stdout.decode().strip(), ending.stderr) == ("exited", inside, b"")
    assert time.monotonic() - before < 10
    if outside is not None:
        control = bomb.replace("/tmp", str(tmp_path)).replace("time.sleep(60)", "time.sleep(1)")
        done = subprocess.run([PYTHON, "-S", "-c", control], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == outside


def test_the_memory_of_a_family_is_one_sum(wall: Somebody) -> None:
    """Each child is within its own address space; together they are not."""
    (ending,) = wall.run(program(FAMILY))
    assert (ending.how, ending.code) == ("memory_limit", 9)
    (control,) = wall.run(program(FAMILY.replace("100 << 20", "1 << 20")), wall_ms=700)
    assert control.how == "timeout"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize("piece", [r"b'x' * 65536", r"b'\n' * 100", r"bytes(range(256)) * 100"])
def test_a_flood_is_cut_and_named(stream: str, piece: str, wall: Somebody) -> None:
    fd = {"stdout": 1, "stderr": 2}[stream]
    code = f"import os\nwhile True: os.write({fd}, {piece})"
    (ending,) = wall.run(program(code))
    assert ending.how == "output_limit"
    assert len(getattr(ending, stream)) == LIMITS["output_bytes"]


def test_the_cap_is_exact(wall: Somebody) -> None:
    for size, how in ((999, "exited"), (1000, "exited"), (1001, "output_limit")):
        (ending,) = wall.run(program(f"import os; os.write(1, b'x' * {size})", limits={"output_bytes": 1000}))
        assert (ending.how, len(ending.stdout)) == (how, min(size, 1000))


STUBBORN = {
    "sleeps": "import time; time.sleep(60)",
    "spins": "while True: pass",
    "ignores signals": """
import signal, time
for number in signal.valid_signals() - {9, 19}: signal.signal(number, signal.SIG_IGN)
while True: time.sleep(1)""",
    "stops itself": "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
    "forks on and on": """
import os
while True:
    try:
        if os.fork(): os._exit(0) if os.getpid() != 2 else os.wait()
    except OSError: pass""",
}


@pytest.mark.parametrize("name", sorted(STUBBORN))
def test_the_wall_clock_ends_it(name: str, wall: Somebody) -> None:
    marker = f"marker-{uuid.uuid4().hex}"
    before = time.monotonic()
    (ending,) = wall.run(program(STUBBORN[name] + f"\n# {marker}"), wall_ms=400)
    assert (ending.how, ending.code) == ("timeout", 9)
    assert 0.4 <= time.monotonic() - before < 5
    assert marked(marker) == []


def test_cpu_time_ends_a_spinner_that_ignores_the_signal(wall: Somebody) -> None:
    code = "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
    (ending,) = wall.run(program(code, limits={"cpu_seconds": 1}))
    assert (ending.how, ending.code) == ("timeout", 9)
    assert 500 <= ending.cpu_ms < 4000


def test_a_forged_sigxcpu_is_a_plain_signal(wall: Somebody) -> None:
    (ending,) = wall.run(program("import os, signal; os.kill(os.getpid(), signal.SIGXCPU)"))
    assert (ending.how, ending.code) == ("signalled", 24)


@pytest.mark.parametrize(("number", "share", "spent"), [
    (signal.SIGXCPU, 0.885, True), (signal.SIGXCPU, 0.5, True), (signal.SIGKILL, 1.4, True),
    (signal.SIGXCPU, 0.49, False), (signal.SIGKILL, 0.0, False), (signal.SIGSEGV, 1.0, False),
])  # fmt: skip
def test_a_full_machine_makes_no_crash_of_a_program_whose_time_is_up(number: int, share: float, spent: bool) -> None:
    """0.885 of the limit is what a kernel reported once on two busy CPUs."""
    limits = replace(program("").limits, cpu_seconds=2)
    assert supervise.out_of_time(number, int(2000 * share), limits) is spent


def daemon(marker: str) -> str:
    return f"""
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in range(3): os.close(fd)
        time.sleep(60)  # {marker}
    os._exit(0)
os.wait()
print("started")
"""


def test_a_daemon_does_not_outlive_the_run(wall: Somebody) -> None:
    marker = f"marker-{uuid.uuid4().hex}"
    (ending,) = wall.run(program(daemon(marker)))
    assert (ending.how, ending.stdout) == ("exited", b"started\n")
    assert marked(marker) == []


def test_a_daemon_outlives_a_plain_subprocess() -> None:
    """The control; the daemon it leaves is ended by its number."""
    marker = f"marker-{uuid.uuid4().hex}"
    subprocess.run([PYTHON, "-c", daemon(marker)], check=True, stdout=subprocess.DEVNULL)
    seen = 0
    while left := marked(marker):
        seen += len(left)
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    assert seen


def test_somebody_who_holds_the_pipes_open_delays_nothing(wall: Somebody) -> None:
    code = "import os, time\nif os.fork() == 0: time.sleep(60)\nelse: os.write(1, b'done')"
    before = time.monotonic()
    (ending,) = wall.run(program(code))
    assert (ending.how, ending.stdout) == ("exited", b"done")
    assert time.monotonic() - before < 5


def test_nothing_is_left_for_the_next_run(wall: Somebody) -> None:
    code = """
import json, os
folders = ["/tmp", "/dev/shm"]
print(json.dumps([os.listdir(folder) for folder in folders]))
for folder in folders:
    open(folder + "/residue", "w").write("x")
print(json.dumps([os.listdir(folder) for folder in folders]))
"""
    tmpfs = tuple(Tmpfs(target=target, size_bytes=1 << 20, inodes=16) for target in ("/tmp", "/dev/shm"))
    for _ in range(2):
        (ending,) = wall.run(program(code, tmpfs=tmpfs))
        first, second = map(json.loads, ending.stdout.decode().splitlines())
        assert first == [[], []]
        assert second == [["residue"], ["residue"]]


SURVIVED = {
    "SIGKILL to pid 1": "import os, signal; os.kill(1, signal.SIGKILL); print('on')",
    "SIGSTOP to pid 1": "import os, signal; os.kill(1, signal.SIGSTOP); print('on')",
    "every signal to pid 1": "import os, signal\nfor n in signal.valid_signals(): os.kill(1, n)\nprint('on')",
    "zombies that nobody reaps": """
import os
for _ in range(5):
    if os.fork() == 0: os._exit(0)
print('on')""",
    "setsid and setpgid": "import os\nif os.fork() == 0: os.setsid(); os.setpgid(0, 0)\nelse: os.wait(); print('on')",
}


@pytest.mark.parametrize("name", sorted(SURVIVED))
def test_pid_1_stands_it(name: str, wall: Somebody) -> None:
    (ending,) = wall.run(program(SURVIVED[name]))
    assert (ending.how, ending.code, ending.stdout) == ("exited", 0, b"on\n")


@pytest.mark.parametrize("target", ["0", "-1", "-2"])
def test_a_signal_to_everybody_reaches_only_the_program(target: str, wall: Somebody) -> None:
    """To the process group (0, -2) or to all (-1): nothing outside the namespace is among them."""
    code = f"""
import os
if os.fork() == 0:
    os.read(0, 1) or os.execv("/usr/bin/sleep", ["sleep", "60"])
os.kill({target}, 9)
print('on')"""
    (ending,) = wall.run(program(code))
    # "All" leaves out whoever asks.
    expected = ("exited", 0, b"on\n") if target == "-1" else ("signalled", 9, b"")
    assert (ending.how, ending.code, ending.stdout) == expected


def quiet(name: str) -> Process:
    return program("", name=name, argv=("/usr/bin/true",))


def test_the_spawner_works_on_after_all_of_this(wall: Somebody) -> None:
    assert [ending.how for ending in wall.run(quiet("a"), quiet("b"))] == ["exited", "exited"]
