"""The one door to the kernel that Python's `os` module does not have: `syscall(2)` with a prototype and errno.

Knows numbers (`syscalls.py`) and how to pass buffers; knows nothing of what the calls are for.
"""

from __future__ import annotations

import ctypes
import errno
import os

from . import syscalls

_MACHINE = os.uname().machine
_ARGUMENTS = 6

_libc = ctypes.CDLL(None, use_errno=True)
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long
_syscall.argtypes = [ctypes.c_long] * (_ARGUMENTS + 1)

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36


def call(name: str, *arguments: int | bytes | ctypes.Structure | ctypes.Array[ctypes.c_char]) -> int:
    """Make system call `name`; bytes go as NUL-terminated strings, structures by address. Raises OSError.

    Every word is passed at full register width: a Python int given to a function without a prototype would be cut to
    32 bits.
    """
    number = syscalls.number(name, _MACHINE) if _MACHINE in syscalls.MACHINES else None
    if number is None:
        raise OSError(errno.ENOSYS, f"{name} is not known on {_MACHINE}")
    kept: list[object] = []
    words: list[int] = []
    for argument in arguments:
        if isinstance(argument, int):
            words.append(argument)
            continue
        buffer = ctypes.create_string_buffer(argument) if isinstance(argument, bytes) else argument
        kept.append(buffer)
        words.append(ctypes.addressof(buffer))
    words.extend([0] * (_ARGUMENTS - len(words)))
    result: int = _syscall(number, *words)
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


def prctl(option: int, value: int = 0) -> int:
    """`prctl` with one value; the remaining arguments are zero, which several options insist on."""
    return call("prctl", option, value, 0, 0, 0)
