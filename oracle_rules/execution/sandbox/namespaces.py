"""Namespaces and the id maps of the user namespace.

Knows nothing of what is done inside them.
"""

from __future__ import annotations

import os

from . import libc
from .identity import INSIDE

MOUNT, _CGROUP, _UTS, _IPC, _USER, _PID, _NET = (
    0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000,
)  # fmt: skip
ALL = MOUNT | _CGROUP | _UTS | _IPC | _USER | _PID | _NET


def unshare(flags: int) -> None:
    """Leave the namespaces named by `flags`. The pid namespace takes effect for the next child."""
    libc.call("unshare", flags)


def map_identity(process_directory: int, uid: int, gid: int) -> None:
    """Be 65534 inside: one id, its own. Anybody may do that for himself once setgroups is given up."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"{INSIDE} {uid} 1"), ("gid_map", f"{INSIDE} {gid} 1")):
        descriptor = os.open(name, os.O_WRONLY | os.O_CLOEXEC, dir_fd=process_directory)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)
