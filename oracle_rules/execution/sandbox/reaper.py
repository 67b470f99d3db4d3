"""pid 1 of a sandbox: starts the program as pid 2, reaps whatever is left to it, reports and ends.

When it ends the kernel kills everything else in the pid namespace, and its own parent cannot collect it before all
of that is gone: "pid 1 is collected" therefore means "nothing of this sandbox is running".
Knows nothing of limits or of what the program is.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable

from . import descriptors, libc, pins


def report(message: dict[str, object]) -> None:
    """One line to the supervisor, in one write: short enough to be atomic."""
    os.write(descriptors.STATUS, json.dumps(message).encode() + b"\n")


def serve(program: Callable[[], None]) -> None:
    """Be pid 1; `program` never returns (it executes, or reports and exits)."""
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    libc.prctl(libc.PR_SET_DUMPABLE, 0)
    pins.default_signals()
    # Nobody to let us go means that the supervisor is gone.
    if os.read(descriptors.GO, 1) != b"+":
        os._exit(1)
    child = os.fork()
    if child == 0:
        program()
        os._exit(127)
    descriptors.forget_program_ends()
    while True:
        pid, status, usage = os.wait4(-1, 0)
        if pid == child:
            break
    cpu_ms = int((usage.ru_utime + usage.ru_stime) * 1000)
    report({"status": status, "cpu_ms": cpu_ms, "peak_kib": usage.ru_maxrss})
    os._exit(0)
