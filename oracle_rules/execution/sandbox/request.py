"""What a caller asks for and what it is told: the values of the sandbox.

Knows no kernel interface. `check.py` holds the laws a request has to keep; here are only shapes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

How = Literal["exited", "signalled", "timeout", "output_limit", "memory_limit", "process_limit", "stopped"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Bind:
    """A host file or folder, mounted read-only, nosuid, nodev; what is mounted beneath it comes along, read-only."""

    source: str
    target: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Tmpfs:
    """An empty writable file system in memory: nosuid, nodev, noexec, capped in bytes and in files."""

    target: str
    size_bytes: int
    inodes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """`memory_bytes` bounds the private memory of each process and the resident sum of all; `processes` counts threads;
    `output_bytes` bounds stdout and stderr each."""

    wall_ms: int
    cpu_seconds: int
    memory_bytes: int
    processes: int
    file_bytes: int
    open_files: int
    output_bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Process:
    """One program in one sandbox of its own. `deny` names further system calls that answer EPERM; with
    `result_bytes` above zero, RESULT_FD (4) is a pipe from which that many bytes are collected."""

    name: str
    argv: tuple[str, ...]
    env: tuple[tuple[str, str], ...]
    cwd: str
    binds: tuple[Bind, ...]
    limits: Limits
    tmpfs: tuple[Tmpfs, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    hostname: str = "oracle"
    result_bytes: int = 0
    deny: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Link:
    """A stream socketpair between two processes, WIRE_FD (3) in both."""

    a: str
    b: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Ending:
    """How one process ended; `code` is its status for `exited`, else the signal that ended it.

    `stopped` means that it was still running when the primary had ended. `cpu_ms`, `wall_ms` and `peak_kib` depend
    on the machine and belong in no verdict.
    """

    name: str
    how: How
    code: int
    stdout: bytes
    stderr: bytes
    result: bytes
    result_overflow: bool
    cpu_ms: int
    wall_ms: int
    peak_kib: int
    memory_by: str
