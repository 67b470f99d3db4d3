"""Assembles the tables of `syscalls.py` into a classic BPF program and loads it.

Knows the instruction set and the layout of `struct seccomp_data`; which calls are refused is not decided here.
"""

from __future__ import annotations

import ctypes
import errno
import struct

from . import libc, syscalls

ALLOW, KILL_PROCESS, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000

_LOAD, _EQUAL, _GREATER, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
_OFFSET_NUMBER, _OFFSET_ARCH, _OFFSET_ARGUMENTS = 0, 4, 16
_X32_BIT = 0x40000000
_PR_GET_SECCOMP, _PR_SET_SECCOMP, _MODE_FILTER = 21, 22, 2

_ANSWER = {"eperm": ERRNO | errno.EPERM, "enosys": ERRNO | errno.ENOSYS, "empty": ERRNO}

Instruction = tuple[int, int, int, int]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def _argument_test(index: int, test: str, operand: int, code: int) -> list[Instruction]:
    """Instructions that return when the test holds and fall through when it does not (both machines: little endian)."""
    low = _OFFSET_ARGUMENTS + 8 * index
    answer = (_RETURN, 0, 0, ERRNO | code)
    if test == "equals":
        return [(_LOAD, 0, 0, low), (_EQUAL, 0, 1, operand), answer]
    if test == "not_equals":
        return [(_LOAD, 0, 0, low), (_EQUAL, 1, 0, operand), answer]
    if test == "any_bit":
        return [(_LOAD, 0, 0, low), (_ANY_BIT, 0, 1, operand), answer]
    if test == "nonzero":
        return [(_LOAD, 0, 0, low), (_EQUAL, 0, 2, 0), (_LOAD, 0, 0, low + 4), (_EQUAL, 1, 0, 0), answer]
    raise ValueError(f"unknown test {test!r}")


def assemble(machine: str, deny: tuple[str, ...] = ()) -> list[Instruction]:
    """The filter for `machine`, with the calls in `deny` refused as well."""
    program: list[Instruction] = [
        (_LOAD, 0, 0, _OFFSET_ARCH),
        (_EQUAL, 1, 0, syscalls.AUDIT_ARCH[machine]),
        (_RETURN, 0, 0, KILL_PROCESS),
        (_LOAD, 0, 0, _OFFSET_NUMBER),
    ]
    if machine == "x86_64":
        program += [(_AT_LEAST, 0, 1, _X32_BIT), (_RETURN, 0, 0, KILL_PROCESS)]
    program += [(_GREATER, 0, 1, syscalls.NEWEST_REVIEWED), (_RETURN, 0, 0, _ANSWER["enosys"])]
    for name, (_, _, verdict) in syscalls.ROWS.items():
        number = syscalls.number(name, machine)
        if name in deny and verdict in ("pass", "arg"):
            verdict = "eperm"
        if number is None or verdict == "pass":
            continue
        if verdict in _ANSWER:
            program += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ANSWER[verdict])]
            continue
        tests = [step for row in syscalls.CONDITIONS if row[0] == name for step in _argument_test(*row[1:])]
        # The accumulator is lost by then, but the call is known: nothing further down applies to it.
        tests.append((_RETURN, 0, 0, ALLOW))
        program += [(_EQUAL, 0, len(tests), number), *tests]
    program.append((_RETURN, 0, 0, ALLOW))
    return program


def encode(program: list[Instruction]) -> bytes:
    """`struct sock_filter` after `struct sock_filter`."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def load(code: bytes) -> None:
    """Install the filter on the calling thread and all it will ever start; needs no_new_privs."""
    buffer = ctypes.create_string_buffer(code, len(code))
    header = _Program(length=len(code) // 8, instructions=ctypes.addressof(buffer))
    libc.call("prctl", _PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(header), 0, 0)
    if libc.prctl(_PR_GET_SECCOMP) != _MODE_FILTER:
        raise OSError(errno.EINVAL, "the filter was accepted but is not in force")
