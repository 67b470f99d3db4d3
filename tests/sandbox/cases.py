"""The escapes that are tried, as a table: what is attempted, what must come of it inside, what proves that it can work.

`attempt` is a program that prints one line. It is run in the sandbox, where the line must be `inside`, and, as a
positive control, without one in a throw-away setting, where it must be `outside`: an attempt that is broken by itself
cannot pass for one that was stopped. `{name}` fields are filled from what `setting` sets up on the host.
"""

from __future__ import annotations

import os
import shutil
import socket
import stat
import subprocess
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .walls import PYTHON, STRANGER

Setting = Callable[[Path], AbstractContextManager[dict[str, Any]]]

PRELUDE = """
import ctypes, errno, os, signal, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
libc.syscall.argtypes = [ctypes.c_long] * 7
def call(number, *arguments):
    result = libc.syscall(number, *arguments, *[0] * (6 - len(arguments)))
    if result == -1:
        raise OSError(ctypes.get_errno(), "call")
    return result
def said(action, *arguments):
    try:
        action(*arguments)
    except OSError as error:
        print(errno.errorcode.get(error.errno, error.errno))
    else:
        print("done")
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """`outside` lists alternatives: an errno there means that the kernel got further than our refusal. `as_root`: the
    control needs root, so an ordinary user only sees the refusal. Paths below /bound and /tmp are replaced outside."""

    name: str
    attempt: str
    inside: str
    outside: str
    setting: Setting | None = None
    as_root: bool = False


@contextmanager
def secret_file(folder: Path) -> Iterator[dict[str, str]]:
    path = folder / "secret"
    path.write_text("secret")
    yield {"path": str(path)}
    assert path.read_text() == "secret"


@contextmanager
def tcp_service(folder: Path) -> Iterator[dict[str, int]]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield {"port": server.getsockname()[1]}


@contextmanager
def abstract_service(folder: Path) -> Iterator[dict[str, str]]:
    name = f"wall-{uuid.uuid4().hex}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0" + name)
        server.listen()
        yield {"service": name}


@contextmanager
def victim(folder: Path) -> Iterator[dict[str, int]]:
    """A process that may be killed, stopped or traced; a stranger's, so that the control needs no privilege."""
    extra: dict[str, Any] = {"user": STRANGER, "group": STRANGER, "extra_groups": []} if os.geteuid() == 0 else {}
    with subprocess.Popen([PYTHON, "-c", "input()"], stdin=subprocess.PIPE, **extra) as process:
        yield {"pid": process.pid}
        process.kill()


@contextmanager
def setuid_program(folder: Path) -> Iterator[dict[str, str]]:
    shutil.copy(os.path.realpath(PYTHON), folder / "python")
    (folder / "python").chmod(0o4755)
    yield {"folder": str(folder)}
    assert (folder / "python").stat().st_mode & stat.S_ISUID


EPERM, ENOSYS, ENOENT = "EPERM", "ENOSYS", "ENOENT"


def numbers(machine: str) -> dict[str, int]:
    """Call numbers of a machine, taken from the kernel's published tables, not from ours."""
    return {
        "x86_64": {
            "ptrace": 101, "readv": 310, "keyctl": 250, "add_key": 248, "unshare": 272, "clone": 56, "setns": 308,
            "mount": 165, "chroot": 161, "personality": 135, "bpf": 321, "perf": 298, "ufd": 323, "kcmp": 312,
            "memfd": 319, "inotify": 294, "handle": 303, "ioctl": 16, "shmget": 29, "mknodat": 259, "quotactl": 179,
            "sethostname": 170, "settime": 227, "syslog": 103, "prlimit": 302,
        },
        "aarch64": {
            "ptrace": 117, "readv": 270, "keyctl": 219, "add_key": 217, "unshare": 97, "clone": 220, "setns": 268,
            "mount": 40, "chroot": 51, "personality": 92, "bpf": 280, "perf": 241, "ufd": 282, "kcmp": 272,
            "memfd": 279, "inotify": 26, "handle": 264, "ioctl": 29, "shmget": 194, "mknodat": 33, "quotactl": 60,
            "sethostname": 161, "settime": 112, "syslog": 116, "prlimit": 261,
        },
    }[machine]  # fmt: skip


def table(machine: str) -> tuple[Case, ...]:
    """The cases about files, the network and other processes."""
    return (*files(), *network(), *others(numbers(machine)))


def files() -> tuple[Case, ...]:
    return (
        Case(name="a file of the host", setting=secret_file, attempt="said(open, {path!r})",
             inside=ENOENT, outside="done"),
        Case(name="passwd", attempt="said(open, '/etc/passwd')", inside=ENOENT, outside="done"),
        Case(name="dots upwards", setting=secret_file, attempt="said(open, '/tmp' + '/..' * 30 + {path!r})",
             inside=ENOENT, outside="done"),
        Case(name="proc root", attempt="said(os.listdir, '/proc/self/root')", inside=ENOENT, outside="done"),
        Case(name="memory of pid 1", attempt="said(os.stat, '/proc/1/mem')", inside=ENOENT, outside="done"),
        Case(name="environment of the launcher", attempt="said(os.stat, '/proc/1/environ')",
             inside=ENOENT, outside="done"),
        Case(name="arguments of the launcher", attempt="said(open, '/proc/self/cmdline')",
             inside=ENOENT, outside="done"),
        Case(name="sys", attempt="said(os.listdir, '/sys')", inside=ENOENT, outside="done"),
        Case(name="shared memory folder", attempt="said(os.listdir, '/dev/shm')", inside=ENOENT, outside="done"),
        Case(name="kernel settings", attempt="said(open, '/proc/sys/kernel/core_pattern')",
             inside=ENOENT, outside="done"),
        Case(name="write into a bound folder", attempt="said(open, '/bound/new', 'w')", inside="EROFS", outside="done"),
        Case(name="mode of a bound file", attempt="said(os.chmod, '/bound/file', 0o777)",
             inside="EROFS", outside="done"),
        Case(name="hard link out of a bound folder", attempt="said(os.link, '/bound/file', '/tmp/wall-link')",
             inside="EXDEV", outside="done"),
        Case(name="mode of a host device", attempt="said(os.chmod, '/dev/null', 0o666)", inside="EROFS", outside="done",
             as_root=True),
        Case(name="run from the tmpfs", inside="EACCES", outside="done", attempt="""
open("/tmp/wall-run", "w").write("#!/bin/sh\\nexit 0\\n"); os.chmod("/tmp/wall-run", 0o755)
said(os.posix_spawn, "/tmp/wall-run", ["run"], dict())"""),
        Case(name="set-user-id program", setting=setuid_program, as_root=True, inside="65534", outside="0", attempt="""
if os.geteuid() == 0:
    os.setgid(54321); os.setuid(54321)
os.execv("/bound/python", ["python", "-c", "import os; print(os.geteuid())"])"""),
        Case(name="dots from the root", setting=secret_file, inside=ENOENT, outside="done",
             attempt="os.chdir('/')\nsaid(os.stat, os.path.relpath({path!r}, '/'))"),
    )  # fmt: skip


def network() -> tuple[Case, ...]:
    return (
        Case(name="loopback service", setting=tcp_service, inside=EPERM, outside="done",
             attempt="said(lambda: socket.socket().connect(('127.0.0.1', {port})))"),
        Case(name="abstract socket", setting=abstract_service, inside="ECONNREFUSED", outside="done",
             attempt="said(lambda: socket.socket(socket.AF_UNIX).connect(chr(0) + {service!r}))"),
        Case(name="IPv6 datagram", attempt="said(socket.socket, socket.AF_INET6, socket.SOCK_DGRAM)", inside=EPERM,
             outside="done"),
        Case(name="netlink", attempt="said(socket.socket, socket.AF_NETLINK, socket.SOCK_RAW, 0)", inside=EPERM,
             outside="done"),
        Case(name="raw packets", attempt="said(socket.socket, socket.AF_PACKET, socket.SOCK_RAW, 0)", inside=EPERM,
             outside="done", as_root=True),
        # These two may be configured out of the host's kernel; the refusal then still differs from the kernel's own.
        Case(name="hypervisor socket", attempt="said(socket.socket, 40, socket.SOCK_STREAM)", inside=EPERM,
             outside="done|EAFNOSUPPORT"),
        Case(name="kernel crypto socket", attempt="said(socket.socket, 38, socket.SOCK_SEQPACKET)", inside=EPERM,
             outside="done|EAFNOSUPPORT"),
        Case(name="family with high bits set", inside=EPERM, outside="done", attempt="""
number = dict(x86_64=41, aarch64=198)[os.uname().machine]
said(call, number, socket.AF_INET | 1 << 32, socket.SOCK_STREAM, 0)"""),
    )  # fmt: skip


def others(number: dict[str, int]) -> tuple[Case, ...]:
    """Other processes, and what outlives a process."""
    return (
        Case(name="kill a process of the host", setting=victim, attempt="said(os.kill, {pid}, 9)", inside="ESRCH",
             outside="done"),
        Case(name="trace a process of the host", setting=victim, inside=EPERM, outside="done",
             attempt=f"said(call, {number['ptrace']}, 16, {{pid}})"),
        Case(name="trace pid 1", inside=EPERM, outside="done", setting=victim,
             attempt=f"said(call, {number['ptrace']}, 0x4206, 1 if os.getpid() == 2 else {{pid}})"),
        Case(name="read memory of a process", setting=victim, inside=EPERM, outside="EFAULT|done", attempt=f"""
here = ctypes.create_string_buffer(8); base = ctypes.addressof(here)
local = struct.pack("=QQ", base, 8)
vector = ctypes.create_string_buffer(local); address = ctypes.addressof(vector)
said(call, {number['readv']}, {{pid}}, address, 1, address, 1, 0)"""),
        Case(name="add a key", inside=EPERM, outside="done", attempt=f"""
kind, name = ctypes.create_string_buffer(b"user"), ctypes.create_string_buffer(b"wall")
said(call, {number['add_key']}, ctypes.addressof(kind), ctypes.addressof(name), ctypes.addressof(name), 4, -2)"""),
        Case(name="session keyring", attempt=f"said(call, {number['keyctl']}, 0, -2, 1)", inside=EPERM, outside="done"),
        Case(name="lock on a shared file", inside=EPERM, outside="done",

             attempt="import fcntl\nfile = open('/bound/file')\nsaid(fcntl.flock, file, fcntl.LOCK_EX | fcntl.LOCK_NB)"),
        Case(name="lease on a shared file", inside=EPERM, outside="done",

             attempt="import fcntl\nfile = open('/bound/file')\nsaid(fcntl.fcntl, file, 1024, fcntl.F_RDLCK)"),
        Case(name="watch a shared folder", attempt=f"said(call, {number['inotify']}, 0)", inside=EPERM, outside="done"),
        Case(name="System V shared memory", attempt=f"said(call, {number['shmget']}, 0, 4096, 0o600)", inside=ENOSYS,
             outside="done"),
        Case(name="anonymous file in memory", inside=EPERM, outside="done",
             attempt=f"said(call, {number['memfd']}, ctypes.addressof(ctypes.create_string_buffer(b'x')), 0)"),
        Case(name="compare processes", attempt=f"said(call, {number['kcmp']}, os.getpid(), os.getpid(), 2, 0, 0)",
             inside=EPERM, outside="done"),
        Case(name="raise a limit", inside=EPERM, outside="done", attempt=f"""
value = ctypes.create_string_buffer(struct.pack("=QQ", 0, 1))
said(call, {number['prlimit']}, 0, 4, ctypes.addressof(value), 0)"""),
        Case(name="widen the CPUs", attempt="said(os.sched_setaffinity, 0, range(64))", inside=EPERM, outside="done"),
    )  # fmt: skip
