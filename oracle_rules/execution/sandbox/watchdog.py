"""Memory of a whole sandbox where no control group can be had: the sum over its processes, looked at from outside.

Coarser than the kernel's accounting (it looks every few dozen milliseconds), but each process is held by its own
address-space limit meanwhile. Knows `/proc` of the host and nothing else.
"""

from __future__ import annotations

import os

# pid 1 is an interpreter that shares most of its pages with the spawner; the control group gives as much.
SLACK = 16 << 20
_PAGE = os.sysconf("SC_PAGE_SIZE")


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")
        for thread in threads:
            with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:
                found += [int(word) for word in file.read().split()]
    except OSError:  # it ended while we looked
        pass
    return found


def family(first: int) -> list[int]:
    """pid 1 of the namespace and everything below it: orphans are pid 1's, so nobody can leave the tree."""
    pending, seen = [first], []
    while pending:
        pid = pending.pop()
        seen.append(pid)
        pending += _children(pid)
    return seen


def _resident(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _proportional(pid: int) -> int:
    """Pages shared by forked processes counted once between them."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            for line in file:
                if line.startswith("Pss:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def exceeds(first: int, limit: int) -> bool:
    """Whether the sandbox below pid 1 = `first` holds more than `limit` bytes; the dear question only when needed."""
    pids = family(first)
    limit += SLACK
    if sum(map(_resident, pids)) <= limit:
        return False
    return sum(map(_proportional, pids)) > limit
