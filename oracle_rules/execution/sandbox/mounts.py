"""The file system a program sees: an empty read-only root with exactly what was asked for, and no way back.

Uses the descriptor-based mount interface (Linux 5.12) throughout: sources are cloned and made read-only while nobody
can see them yet, and targets are created and opened component by component without following a link, so that no path
is ever resolved twice or in the wrong root. Knows nothing of identities.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import stat

from . import libc
from .request import Process

_AT_FDCWD = -100
_AT_EMPTY_PATH, _AT_RECURSIVE = 0x1000, 0x8000
_CLOEXEC = os.O_CLOEXEC
_CLONE_TREE = 1
_SET_STRING, _CREATE = 1, 6
_FROM_EMPTY, _TO_EMPTY = 0x4, 0x40
_RDONLY, _NOSUID, _NODEV, _NOEXEC = 1, 2, 4, 8
_PRIVATE = 1 << 18
_DETACH = 2

# Somewhere that is certain to exist and that no bind may name; covered only until the pivot.
_STAGE = b"/proc"
_DEVICES = {"null": (1, 3), "zero": (1, 5), "full": (1, 7)}
_ROOT_BYTES, _ROOT_INODES = 1 << 20, 4096
_NEVER = frozenset(("proc", "sysfs", "cgroup", "cgroup2", "devpts", "devtmpfs", "mqueue", "debugfs", "tracefs", "bpf",
                    "securityfs", "configfs", "binfmt_misc"))  # fmt: skip


class _Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "user_namespace")]


def _change(fd: int, path: bytes, flags: int, attributes: _Attributes) -> None:
    libc.call("mount_setattr", fd, path, flags, attributes, ctypes.sizeof(_Attributes))


def make_private() -> None:
    """Nothing mounted from here on is seen outside, or the other way round."""
    _change(_AT_FDCWD, b"/", _AT_RECURSIVE, _Attributes(propagation=_PRIVATE))


def _clone(source: str, attributes: int) -> int:
    flags = _CLONE_TREE | _CLOEXEC | _AT_RECURSIVE
    try:
        tree = libc.call("open_tree", _AT_FDCWD, os.fsencode(source), flags)
    except OSError as error:
        raise OSError(error.errno, f"{source}: {os.strerror(error.errno or 0)}") from error
    _change(tree, b"", _AT_EMPTY_PATH | _AT_RECURSIVE, _Attributes(set=attributes))
    return tree


def _tmpfs(attributes: int, size: int, inodes: int, mode: str, owner: tuple[int, int] | None) -> int:
    context = libc.call("fsopen", b"tmpfs", 1)
    options = {"size": str(size), "nr_inodes": str(inodes), "mode": mode, "source": "oracle"}
    if owner is not None:
        options |= {"uid": str(owner[0]), "gid": str(owner[1])}
    for key, value in options.items():
        libc.call("fsconfig", context, _SET_STRING, key.encode(), value.encode(), 0)
    libc.call("fsconfig", context, _CREATE, 0, 0, 0)
    mounted = libc.call("fsmount", context, 1, attributes)
    os.close(context)
    return mounted


def _parent(root: int, target: str) -> tuple[int, str]:
    """Open the folder that holds `target`, making what is missing on the way."""
    *folders, last = [part for part in target.split("/") if part]
    here = os.dup(root)
    for name in folders:
        there = _enter(here, name)
        os.close(here)
        here = there
    return here, last


def _enter(here: int, name: str) -> int:
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, 0o755, dir_fd=here)
    return os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)


def _mountpoint(root: int, target: str, *, folder: bool) -> int:
    parent, name = _parent(root, target)
    try:
        if folder:
            return _enter(parent, name)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o444, dir_fd=parent))
        return os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    finally:
        os.close(parent)


def _attach(root: int, tree: int, target: str) -> None:
    try:
        point = _mountpoint(root, target, folder=stat.S_ISDIR(os.stat(tree).st_mode))
        libc.call("move_mount", tree, b"", point, b"", _FROM_EMPTY | _TO_EMPTY)
    except OSError as error:
        raise OSError(error.errno, f"{target}: {os.strerror(error.errno or 0)}") from error
    os.close(point)
    os.close(tree)


def _devices(root: int) -> None:
    """Bound from the host: a device node on a file system of a user namespace would be inert."""
    for name, (major, minor) in _DEVICES.items():
        source = f"/dev/{name}"
        found = os.stat(source)
        if not stat.S_ISCHR(found.st_mode) or found.st_rdev != os.makedev(major, minor):
            raise OSError(errno.ENODEV, f"{source} is not the device it is named for")
        _attach(root, _clone(source, _RDONLY | _NOSUID | _NOEXEC), source)


def build(process: Process, owner: tuple[int, int] | None) -> int:
    """Build the root and return a descriptor of it; `owner` is who may write the tmpfs (None: the caller)."""
    root = _tmpfs(_NOSUID | _NODEV | _NOEXEC, _ROOT_BYTES, _ROOT_INODES, "0755", None)
    libc.call("move_mount", root, b"", _AT_FDCWD, _STAGE, _FROM_EMPTY)
    os.close(_enter(root, "dev"))
    wanted: list[tuple[str, str | tuple[int, int]]] = [(bind.target, bind.source) for bind in process.binds]
    wanted += [(tmpfs.target, (tmpfs.size_bytes, tmpfs.inodes)) for tmpfs in process.tmpfs]
    # Outer targets first, or they would cover the inner ones.
    for target, what in sorted(wanted, key=lambda row: row[0].count("/")):
        if isinstance(what, str):
            _attach(root, _clone(what, _RDONLY | _NOSUID | _NODEV), target)
        else:
            _attach(root, _tmpfs(_NOSUID | _NODEV | _NOEXEC, *what, "0755", owner), target)
    _devices(root)
    # Links last: up to here nothing could be led astray by one.
    for target, text in process.links:
        parent, name = _parent(root, target)
        os.symlink(text, name, dir_fd=parent)
        os.close(parent)
    _change(root, b"", _AT_EMPTY_PATH, _Attributes(set=_RDONLY))
    return root


def pivot(root: int) -> None:
    """Make `root` the root and let the old one go, with everything that was in it."""
    os.fchdir(root)
    os.close(root)
    libc.call("pivot_root", b".", b".")
    # Both are stacked on "." now, the old one on top.
    libc.call("umount2", b".", _DETACH)
    os.chdir("/")


def _unescape(point: str) -> str:
    """Blanks, tabs, newlines and backslashes are octal in mountinfo."""
    for code, text in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        point = point.replace(code, text)
    return point


def verify(process_directory: int, process: Process) -> None:
    """Read back every mount that can be reached and insist on its kind and flags."""
    writable = {tmpfs.target for tmpfs in process.tmpfs}
    descriptor = os.open("mountinfo", os.O_RDONLY | os.O_CLOEXEC, dir_fd=process_directory)
    with open(descriptor, encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            before, _, after = line.partition(" - ")
            fields, kind = before.split(), after.split()[0]
            point, flags = _unescape(fields[4]), set(fields[5].split(","))
            device = point.startswith("/dev/") and point[5:] in _DEVICES
            if kind in _NEVER and not device:
                raise OSError(errno.EPERM, f"a {kind} file system is visible at {point}")
            if "nosuid" not in flags or not (device or "nodev" in flags):
                raise OSError(errno.EPERM, f"{point} is mounted without nosuid or nodev")
            if "ro" not in flags and not (kind == "tmpfs" and point in writable):
                raise OSError(errno.EPERM, f"{point} is writable")
