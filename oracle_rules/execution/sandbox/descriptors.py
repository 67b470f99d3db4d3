"""Descriptors of a sandboxed process: which number means what, and that nothing else is open.

Knows numbers only; who reads the other ends is `supervise.py`.
"""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass

from . import libc
from .crossing import RESULT_FD, WIRE_FD

STDOUT, _STDERR = 1, 2
STATUS = 5  # set-up failures and the ending, to the supervisor; close-on-exec
GO = 6  # one byte from the supervisor lets the program start
_LAST = GO
_EVERYTHING = 0xFFFFFFFF
_CLOSE_RANGE_CLOEXEC = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Ends:
    """The child's ends, wherever the kernel happened to number them."""

    stdout: int
    stderr: int
    status: int
    go: int
    wire: int | None
    result: int | None


def arrange(ends: Ends) -> None:
    """Move every end to its number, plug absent ones with /dev/null (which is fd 0) and close all others."""
    wanted = {STDOUT: ends.stdout, _STDERR: ends.stderr, WIRE_FD: ends.wire, RESULT_FD: ends.result,
              STATUS: ends.status, GO: ends.go}  # fmt: skip
    # First out of the way: a source may sit on a number that another end has to take.
    lifted = {number: _above(source) for number, source in wanted.items() if source is not None}
    for number in wanted:
        if number in lifted:
            os.dup2(lifted[number], number, inheritable=number < STATUS)
        else:
            os.dup2(0, number, inheritable=False)
    libc.call("close_range", _LAST + 1, _EVERYTHING, 0)


def _above(fd: int) -> int:
    """A duplicate of `fd` beyond the numbers with a meaning."""
    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _LAST + 1)


def forget_program_ends() -> None:
    """In the helpers of a sandbox: let go of what belongs to the program, so that its end is seen as end of file."""
    for number in (STDOUT, _STDERR, WIRE_FD, RESULT_FD):
        os.dup2(0, number, inheritable=False)


def empty_stdin() -> None:
    """The sandbox's own /dev/null, on a read-only mount, instead of the host's that we were started with."""
    own = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
    os.dup2(own, 0)
    os.close(own)


def seal() -> None:
    """Last thing before exec: everything from STATUS up closes with it."""
    libc.call("close_range", STATUS, _EVERYTHING, _CLOSE_RANGE_CLOEXEC)
