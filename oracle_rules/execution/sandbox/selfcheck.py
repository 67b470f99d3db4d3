"""Questions that a probing run asks from the place of the program: inside, after the last step, instead of exec.

Every answer comes from trying, not from reading a setting. Used by `doctor.py`; needs no program or library in the
sandbox, because the interpreter is already in memory. Knows what a sandbox promises and not how it is made.
"""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from . import descriptors, libc, rlimits, syscalls
from .identity import INSIDE

if TYPE_CHECKING:
    from .steps import Context

_OUTLIVE_SECONDS = 600
_FAMILIES = 46


def _refusal(action: Callable[[], object]) -> int:
    """The errno of a refused action, 0 if it was carried out."""
    try:
        action()
    except OSError as error:
        return error.errno or -1
    return 0


def _calls() -> str:
    """Every call that the table refuses is refused by this kernel with the number we believe it has."""
    machine = os.uname().machine
    expected = {"eperm": errno.EPERM, "enosys": errno.ENOSYS}
    wrong = [
        name
        for name, (_, _, verdict) in syscalls.ROWS.items()
        if verdict in expected and syscalls.number(name, machine) is not None
        and _refusal(lambda name=name: libc.call(name)) != expected[verdict]  # type: ignore[misc]
    ]  # fmt: skip
    return ", ".join(wrong)


def _families() -> str:
    wrong = []
    for family in range(2, _FAMILIES):
        try:
            socket.socket(family, socket.SOCK_DGRAM).close()
            wrong.append(str(family))
        except PermissionError:
            continue
        except OSError as error:
            wrong.append(f"{family} ({error})")
    return ", ".join(wrong)


def _pair() -> None:
    for end in socket.socketpair():
        end.close()


def _set_limit() -> None:
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except ValueError as error:  # how this module spells EPERM
        raise PermissionError(errno.EPERM, str(error)) from error


def _limits(context: Context) -> str:
    return ", ".join(
        str(which)
        for which, soft, hard in rlimits.table(context.process.limits)
        if resource.getrlimit(which) != (soft, hard)
    )


def _fill(target: str, size: int) -> str:
    """A file larger than the file system must fail for want of space."""
    path = target + "/fill"
    with open(path, "wb", buffering=0) as file:
        code = _refusal(lambda: [file.write(b"x" * 4096) for _ in range(size // 4096 + 1)])
    os.unlink(path)
    return "" if code == errno.ENOSPC else f"errno {code}"


def _immune() -> str:
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGINT):
        os.kill(1, number)
    return "" if os.getppid() == 1 else "pid 1 is gone"


def _linger() -> None:
    """Leave something behind: that the run ends at all proves that the namespace takes everything along."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(_OUTLIVE_SECONDS)
        os._exit(0)


def questions(context: Context) -> list[tuple[str, str]]:
    """(name, what is wrong: empty when all is well)."""
    new_user = 0x10000000
    tmpfs = context.process.tmpfs[0]
    asked: list[tuple[str, Callable[[], object], object]] = [
        ("uid and gid", lambda: (os.getresuid(), os.getresgid()), ((INSIDE,) * 3, (INSIDE,) * 3)),
        ("no supplementary groups", os.getgroups, []),
        ("pid namespace", lambda: (os.getpid(), os.getppid()), (2, 1)),
        ("pid 1 cannot be killed from inside", _immune, ""),
        ("host name", lambda: os.uname().nodename, context.process.hostname),
        ("no /proc and no /sys", lambda: sorted(os.listdir("/")), ["dev", tmpfs.target[1:]]),
        ("devices", lambda: sorted(os.listdir("/dev")), ["full", "null", "zero"]),
        ("root is read-only", lambda: _refusal(lambda: os.mkdir("/new")), errno.EROFS),
        ("tmpfs is capped", lambda: _fill(tmpfs.target, tmpfs.size_bytes), ""),
        ("one CPU", lambda: len(os.sched_getaffinity(0)), 1),
        ("resource limits", lambda: _limits(context), ""),
        ("limits cannot be changed", lambda: _refusal(_set_limit), errno.EPERM),
        ("system call filter", _calls, ""),
        ("no new user namespace", lambda: _refusal(lambda: libc.call("clone", new_user | signal.SIGCHLD)), errno.EPERM),
        ("no socket but AF_UNIX", _families, ""),
        ("socketpair", lambda: _refusal(_pair), 0),
    ]  # fmt: skip
    answers = []
    for name, action, expected in asked:
        try:
            got = action()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the answer
            got = repr(error)
        answers.append((name, "" if got == expected else f"expected {expected!r}, found {got!r}"))
    return answers


def execute(context: Context) -> None:
    """In place of the program: ask, print, leave a lingering child behind, end."""
    text = json.dumps(questions(context)).encode()
    os.write(descriptors.STDOUT, text)
    _linger()
    os._exit(0)
