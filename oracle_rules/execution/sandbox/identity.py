"""Who the sandboxed program is: uid, gid, groups, capabilities, no-new-privileges.

Inside, everybody is 65534:65534 with no groups and no capability, whoever started us. Knows nothing of mounts.
"""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import Literal

from . import libc

INSIDE = 65534

_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_GET_NO_NEW_PRIVS, _PR_CAP_AMBIENT = 24, 38, 39, 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_CAP_VERSION_3 = 0x20080522
_CAP_SETGID, _CAP_SETUID, _CAP_SYS_ADMIN = 6, 7, 21
_LAST_POSSIBLE_CAPABILITY = 63

# Above what systemd hands to containers and below the sign bit: nobody else's files or processes have these ids.
_PRIVATE_BASE = 0x70000000
_PRIVATE_MASK = 0x3FFFFF


@dataclass(frozen=True, kw_only=True, slots=True)
class Identity:
    """How to get rid of what we are.

    `root`: real mount rights; the root file system is built first, so that sources only root can reach work, then a
    private uid is taken. `shed`: uid 0 without mount rights (a container); the uid is shed first. `user`: an
    ordinary user, who keeps his own uid outside.
    """

    mode: Literal["root", "shed", "user"]
    uid: int
    gid: int


class _CapHeader(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _CapData(ctypes.Structure):
    _fields_ = [("words", ctypes.c_uint32 * 6)]


def _effective() -> int:
    with open("/proc/self/status", encoding="ascii", errors="replace") as lines:
        for line in lines:
            if line.startswith("CapEff:"):
                return int(line.split()[1], 16)
    raise OSError(0, "/proc/self/status has no CapEff line")


def _extents(path: str) -> list[tuple[int, int, int]]:
    with open(path, encoding="ascii") as lines:
        return [(int(inside), int(outside), int(size)) for inside, outside, size in (line.split() for line in lines)]


def _maps(extents: list[tuple[int, int, int]], number: int) -> bool:
    return any(inside <= number < inside + size for inside, _, size in extents)


def choose(pid: int) -> Identity:
    """The identity for the sandbox whose outermost process is `pid`: concurrent ones differ, and so do their uids."""
    uid, gid = os.geteuid(), os.getegid()
    if uid != 0:
        return Identity(mode="user", uid=uid, gid=gid)
    uids, gids = _extents("/proc/self/uid_map"), _extents("/proc/self/gid_map")
    held = _effective()
    can_shed = held >> _CAP_SETUID & 1 and held >> _CAP_SETGID & 1
    for number in (_PRIVATE_BASE + (pid & _PRIVATE_MASK), INSIDE):
        if can_shed and _maps(uids, number) and _maps(gids, number):
            mode: Literal["root", "shed"] = "root" if held >> _CAP_SYS_ADMIN & 1 else "shed"
            return Identity(mode=mode, uid=number, gid=number)
    if any(inside == 0 and outside != 0 for inside, outside, _ in uids):
        # Root of a user namespace that has no other id: outside it is an ordinary user already.
        return Identity(mode="user", uid=uid, gid=gid)
    raise OSError(1, "uid 0 cannot be shed: no CAP_SETUID and CAP_SETGID, or no other id is mapped")


def drop(identity: Identity) -> None:
    """Become the private id for good. The result must stay dumpable, or it could not write its own id maps."""
    os.setgroups([])
    os.setresgid(identity.gid, identity.gid, identity.gid)
    os.setresuid(identity.uid, identity.uid, identity.uid)
    libc.prctl(libc.PR_SET_DUMPABLE, 1)


def no_new_privileges() -> None:
    """No program that is run from here on gains anything by a set-uid bit or by file capabilities."""
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1)


def drop_capabilities() -> None:
    """Empty the bounding and ambient sets, then the three others; the bounding set first, it needs a capability."""
    for capability in range(_LAST_POSSIBLE_CAPABILITY + 1):
        try:
            libc.prctl(_PR_CAPBSET_DROP, capability)
        except OSError as error:
            if error.errno != 22:  # EINVAL: beyond the last one of this kernel
                raise
            break
    libc.call("prctl", _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    libc.call("capset", _CapHeader(version=_CAP_VERSION_3, pid=0), _CapData())


def verify() -> None:
    """Ask the kernel back, after everything was dropped."""
    data = _CapData()
    libc.call("capget", _CapHeader(version=_CAP_VERSION_3, pid=0), data)
    facts = {
        "uid": os.getresuid() == (INSIDE,) * 3,
        "gid": os.getresgid() == (INSIDE,) * 3,
        "capabilities": not any(data.words),
        "no_new_privs": libc.prctl(_PR_GET_NO_NEW_PRIVS) == 1,
    }
    wrong = [name for name, holds in facts.items() if not holds]
    if wrong:
        raise OSError(1, "not as it was set: " + ", ".join(wrong))
