"""What a program could see of the machine and its user, set to one value: name, layout of memory, CPUs, umask, signals.

Knows nothing of privileges.
"""

from __future__ import annotations

import os
import signal

from . import libc

_ADDR_NO_RANDOMIZE = 0x0040000
_QUERY = 0xFFFFFFFF
_LAST_SIGNAL = 64
# By the spawner: a sandbox that has ended must not take it along when it is written to.
IGNORED = (signal.SIGPIPE,)


def hostname(name: str) -> None:
    """Both names: an inherited NIS domain is as much of a trace as a host name."""
    for call, text in (("sethostname", name.encode()), ("setdomainname", b"(none)")):
        libc.call(call, text, len(text))


def fixed_addresses() -> None:
    """The same addresses every time; takes effect at exec."""
    libc.call("personality", _ADDR_NO_RANDOMIZE)
    if libc.call("personality", _QUERY) != _ADDR_NO_RANDOMIZE:
        raise OSError(1, "the personality is not the one that was set")


def one_cpu(index: int) -> None:
    """One CPU, so that the count is one. `index` spreads concurrent sandboxes over what we may use ourselves."""
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {allowed[index % len(allowed)]})


def umask() -> None:
    """The same for everybody, whatever the caller's is."""
    os.umask(0o022)


def settle_signals() -> None:
    """In the spawner, once: nothing is handled in Python or blocked, so that what is forked has nothing to undo but
    `IGNORED`. A handler would also be a way to reach pid 1, see `default_signals`."""
    for number in range(1, _LAST_SIGNAL + 1):
        if number in (signal.SIGKILL, signal.SIGSTOP, 32, 33):  # the last two belong to the C library
            continue
        signal.signal(number, signal.SIG_IGN if number in IGNORED else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def default_signals() -> None:
    """Every disposition is the default: an ignored SIGPIPE would survive exec.

    In pid 1 it has a second meaning: the kernel drops every signal from inside the namespace for which pid 1 has no
    handler, SIGKILL and SIGSTOP included.
    """
    for number in IGNORED:
        signal.signal(number, signal.SIG_DFL)
