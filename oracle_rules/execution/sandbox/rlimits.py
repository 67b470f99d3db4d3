"""Resource limits of the program: every one of them is set, so that none is inherited from whoever started us.

Knows numbers only. Setting them is refused by the seccomp filter afterwards, so they hold for all descendants.
"""

from __future__ import annotations

import resource

from .request import Limits

_STACK = 8 << 20
# Addresses cost nothing until they are used: libraries mapped from files, and what the allocator reserves per thread.
_RESERVATIONS = 1 << 30
# Processes of the sandbox that are not the program's: its outermost process and pid 1 (same user namespace, same uid).
HELPERS = 2


def table(limits: Limits) -> tuple[tuple[int, int, int], ...]:
    """(resource, soft, hard) for all sixteen."""
    same = (
        # One, not zero: the kernel hands a core to a piped handler of the *host* under a limit of zero, but not of one.
        (resource.RLIMIT_CORE, 1),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        # Per user namespace since Linux 5.14. Before, per real uid, which is private when started as root.
        (resource.RLIMIT_NPROC, limits.processes + HELPERS),
        (resource.RLIMIT_STACK, _STACK),
        # What a process can fill by itself: heap, private mappings, stacks of threads.
        (resource.RLIMIT_DATA, limits.memory_bytes),
        (resource.RLIMIT_RSS, limits.memory_bytes),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, 128),
        (resource.RLIMIT_NICE, 0),
        (resource.RLIMIT_RTPRIO, 0),
        (resource.RLIMIT_RTTIME, 0),
        (_RLIMIT_LOCKS, 0),
        # Last: from here on this very process has only so much room.
        (resource.RLIMIT_AS, limits.memory_bytes + _RESERVATIONS),
    )
    # SIGXCPU at the limit; SIGKILL a second later for those who ignore it.
    cpu = (resource.RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds + 1)
    return (cpu, *((which, value, value) for which, value in same))


_RLIMIT_LOCKS = 10


def apply(limits: Limits) -> None:
    """Set every row of the table for this process; OSError names the row that can't be set."""
    for which, soft, hard in table(limits):
        try:
            resource.setrlimit(which, (soft, hard))
        except (OSError, ValueError) as error:
            inherited = resource.getrlimit(which)[1]
            raise OSError(
                1, f"limit {which} cannot be {hard}, the inherited hard limit is {inherited}: {error}"
            ) from error
