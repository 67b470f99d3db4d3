"""The system call filter, instruction by instruction, for both machines: a small simulator of classic BPF decides.

The numbers expected here come from the kernel's published tables (arch/x86/entry/syscalls, include/uapi/asm-generic).
"""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.execution.sandbox import seccomp, syscalls

ALLOW, KILL = "allow", "kill"
ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7, "i386": 0x40000003, "arm": 0x40000028}


def decide(code: bytes, number: int, arguments: tuple[int, ...] = (), arch: str = "x86_64") -> str | int:
    """What the kernel would do with a call; an int is an errno."""
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("<IIQ6Q", number & 0xFFFFFFFF, ARCH[arch], 0, *padded)
    program: list[tuple[int, int, int, int]] = list(struct.iter_unpack("=HBBI", code))
    accumulator, at = 0, 0
    while True:
        operation, yes, no, operand = program[at]
        at += 1
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, operand)
        elif operation == 0x06:
            action, value = operand & 0xFFFF0000, operand & 0xFFFF
            return ALLOW if action == 0x7FFF0000 else KILL if action == 0x80000000 else value
        else:
            holds = {0x15: accumulator == operand, 0x25: accumulator > operand, 0x35: accumulator >= operand,
                     0x45: bool(accumulator & operand)}[operation]  # fmt: skip
            at += yes if holds else no


def code(machine: str, deny: tuple[str, ...] = ()) -> bytes:
    return seccomp.encode(seccomp.assemble(machine, deny))


@pytest.mark.parametrize(
    ("machine", "number", "arguments", "expected"),
    [
        # read, openat, mmap, exit_group, futex, getrandom, execve, wait4
        *[("x86_64", number, (), ALLOW) for number in (0, 257, 9, 231, 202, 318, 59, 61)],
        *[("aarch64", number, (), ALLOW) for number in (63, 56, 222, 94, 98, 278, 221, 260)],
        # ptrace, mount, bpf, keyctl, unshare, setns, personality, process_vm_readv
        *[("x86_64", number, (), 1) for number in (101, 165, 321, 250, 272, 308, 135, 310)],
        *[("aarch64", number, (), 1) for number in (117, 40, 280, 219, 97, 268, 92, 270)],
        # clone3, io_uring_setup, a call of the future
        *[(machine, number, (), 38) for machine in ("x86_64", "aarch64") for number in (435, 425, 463, 100000)],
        # getgroups succeeds with nothing
        ("x86_64", 115, (), 0),
        ("aarch64", 158, (), 0),
        # clone: a thread, a fork, then each new namespace
        ("x86_64", 56, (0x3D0F00,), ALLOW),
        ("x86_64", 56, (17,), ALLOW),
        *[("x86_64", 56, (1 << bit | 17,), 1) for bit in (17, 25, 26, 27, 28, 29, 30)],
        *[("aarch64", 220, (1 << bit | 17,), 1) for bit in (17, 25, 26, 27, 28, 29, 30)],
        # ioctl: TCGETS, TIOCSTI, TIOCSTI with high bits, TIOCLINUX
        ("x86_64", 16, (0, 0x5401), ALLOW),
        ("x86_64", 16, (0, 0x5412), 1),
        ("x86_64", 16, (0, 0x5412 | 1 << 32), 1),
        ("aarch64", 29, (0, 0x541C | 1 << 63), 1),
        # socket: AF_UNIX, AF_INET, AF_NETLINK, AF_INET with high bits, AF_UNIX with high bits
        ("x86_64", 41, (1,), ALLOW),
        ("x86_64", 41, (2,), 1),
        ("x86_64", 41, (16,), 1),
        ("x86_64", 41, (2 | 1 << 32,), 1),
        ("x86_64", 53, (1,), ALLOW),
        ("aarch64", 199, (2,), 1),
        # prlimit64: reading, writing, writing with a pointer whose low half is zero
        ("x86_64", 302, (0, 7, 0, 1), ALLOW),
        ("x86_64", 302, (0, 7, 4096), 1),
        ("x86_64", 302, (0, 7, 1 << 32), 1),
        # fcntl: F_SETLK is for data bases, leases are not
        ("x86_64", 72, (3, 6), ALLOW),
        ("x86_64", 72, (3, 1024), 1),
    ],
)
def test_decisions(machine: str, number: int, arguments: tuple[int, ...], expected: str | int) -> None:
    assert decide(code(machine), number, arguments, machine) == expected


@given(st.integers(0, 2**32 - 1), st.sampled_from(["i386", "arm", "aarch64"]))
def test_foreign_machines_are_killed(number: int, arch: str) -> None:
    assert decide(code("x86_64"), number, arch=arch) == KILL


@given(st.integers(0x40000000, 2**32 - 1))
def test_x32_is_killed(number: int) -> None:
    assert decide(code("x86_64"), number) == KILL


@given(st.integers(0, 2**32 - 1), st.tuples(*[st.integers(0, 2**64 - 1)] * 6), st.sampled_from(["x86_64", "aarch64"]))
def test_the_filter_always_ends_and_denies_no_more_than_the_tables(
    number: int, arguments: tuple[int, ...], machine: str
) -> None:
    answer = decide(code(machine), number, arguments, machine)
    listed = {syscalls.number(name, machine) for name, row in syscalls.ROWS.items() if row[2] != "pass"}
    if number <= syscalls.NEWEST_REVIEWED and number not in listed:
        assert answer == ALLOW
    else:
        assert answer in (ALLOW, KILL, 0, 1, 38)


def test_the_tables_are_consistent() -> None:
    for machine in syscalls.MACHINES:
        numbers = [syscalls.number(name, machine) for name in syscalls.ROWS]
        present = [number for number in numbers if number is not None]
        assert len(set(present)) == len(present)
        assert max(present) <= syscalls.NEWEST_REVIEWED
    assert {row[2] for row in syscalls.ROWS.values()} == {"eperm", "enosys", "empty", "arg", "pass"}
    assert {name for name, row in syscalls.ROWS.items() if row[2] == "arg"} == {row[0] for row in syscalls.CONDITIONS}
    assert len(code("x86_64")) // 8 < 4096


def test_more_can_be_denied_and_nothing_be_allowed_by_it() -> None:
    assert decide(code("x86_64"), 38) == ALLOW
    assert decide(code("x86_64", ("setitimer",)), 38) == 1
    assert decide(code("x86_64", ("socket",)), 41, (1,)) == 1
    assert decide(code("x86_64", ("clone3",)), 435) == 38
