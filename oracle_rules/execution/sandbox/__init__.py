"""Runs programs, each walled in on its own, connected by socketpairs, and tells how each ended.

Theory of operation
-------------------
    caller ── socket ── spawner ──fork── outer ──fork── pid 1 ──fork── pid 2 = the program
    client.py           spawner.py       steps.OUTER    reaper.py      steps.INNER, then exec
                        supervise.py

The *caller* may hold oracle artifacts in memory, so nothing sandboxed is ever forked from it: it starts a *spawner*,
a fresh interpreter without site, environment or inherited descriptors, which forks everything and supervises. One
request goes in, endings or the failed step come out.

The *outer* process becomes somebody harmless and leaves every namespace. As root it first builds the root file system
(sources behind a 0700 home work), then takes a private uid; an ordinary user builds it inside his user namespace.
Both look the same from inside: 65534:65534, no groups, the same mounts, names, limits. *pid 1* reaps. *pid 2* pins
what remains, gives up capabilities, loads the filter, checks what it has become, and executes the program. The
order is data (`steps.py`), each kernel subsystem one file (`namespaces`, `mounts`, `identity`, `seccomp` with the
tables of `syscalls`, `rlimits`, `cgroups`, `pins`, `descriptors`).

What ends a run: pid 2 ends, pid 1 reports and ends, the kernel kills the rest of the pid namespace, the outer process
collects pid 1 (which is possible only once the namespace is empty) and closes the status pipe. Only then is what the
program wrote handed out. Everything is held twice: the spawner watches the caller's socket, and each process of the
chain dies with its parent.

A step that cannot be done is a `Malfunction` with its name, errno and remedy: never a weaker run. Inside are no
/proc, no /sys, no network (loopback is down), no device but null, zero and full. What stays visible of the machine:
the kernel's version, its clock, memory, load and uptime (sysinfo), the index (not the count) of the CPU, device
numbers of file systems, real time spent. A bound folder should hold no socket or FIFO of a service: its permissions
are all that guards it. The boundary is the kernel's: it stops accidents and cheating, not an unknown kernel flaw.
"""

from __future__ import annotations

from .client import Spawner, run
from .crossing import RESULT_FD, WIRE_FD
from .request import Bind, Ending, Limits, Link, Process, Tmpfs

__all__ = ["RESULT_FD", "WIRE_FD", "Bind", "Ending", "Limits", "Link", "Process", "Spawner", "Tmpfs", "run"]
