"""Facts of the host and the way out: environment, process, `/proc`, sockets, native code, other programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .pins import Attribution

# What a function of `os` says inside; the names are the same in `posix`.
_FACTS: dict[str, Any] = {"getpid": 2, "getppid": 1, "getpgrp": 2, "getloadavg": (0.0, 0.0, 0.0)}
_OBSERVED = ("uname", "getlogin", "getuid", "geteuid", "getgid", "getegid", "getgroups", "times", "sched_getaffinity",
             "getresuid", "getresgid", "getsid", "getpgid")
_HOST_FOLDERS = ("/proc", "/sys", "/dev")
_SOCKET_EVENTS = frozenset({"socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname",
                            "socket.gethostbyaddr", "socket.getnameinfo", "socket.getservbyname", "socket.sendto"})
_NATIVE_EVENTS = frozenset({"ctypes.dlopen", "ctypes.dlsym", "ctypes.cdata"})
_PROCESS_EVENTS = frozenset({"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty"})


def install(reads: Attribution, declared: frozenset[str], cpus: int) -> None:
    """Pins and watches the host of this process; `declared` are the variables that may be read."""
    _pin_facts(reads, cpus)
    _watch_environment(reads, declared)
    sys.addaudithook(_auditor(reads))


def _pin_facts(reads: Attribution, cpus: int) -> None:
    posix = sys.modules["posix"]
    for module in (os, posix):
        for name, value in _FACTS.items():
            setattr(module, name, _fact(reads, name, lambda *args, value=value: value))
        for name in _OBSERVED:
            setattr(module, name, _fact(reads, name, getattr(module, name)))
        setattr(module, "cpu_count", _fact(reads, "cpu_count", lambda: cpus))


def _fact(reads: Attribution, name: str, value: Callable[..., Any]) -> Callable[..., Any]:
    def read(*args: Any) -> Any:
        reads.read("host", f"os.{name}", direct=True)
        return value(*args)
    read.__name__ = name
    return read


def _watch_environment(reads: Attribution, declared: frozenset[str]) -> None:
    base: Any = type(os.environ)
    written: set[Any] = set(declared) | {name.encode() for name in declared}

    class Environment(base):  # type: ignore[misc]
        """The environment, which says who looked for what."""

        def __getitem__(self, key: Any) -> Any:
            if key not in written:
                reads.read("env", f"os.environ[{str(key)[:40]!r}]", direct=True)
            return base.__getitem__(self, key)

        def __setitem__(self, key: Any, value: Any) -> None:
            written.add(key)
            base.__setitem__(self, key, value)

        def __iter__(self) -> Iterator[Any]:
            reads.read("env", "iteration over os.environ", direct=True)
            return iter(base.__iter__(self))

        def __len__(self) -> int:
            reads.read("env", "len(os.environ)", direct=True)
            return int(base.__len__(self))

    os.environ.__class__ = Environment
    os.environb.__class__ = Environment


def _auditor(reads: Attribution) -> Callable[[str, tuple[Any, ...]], None]:
    """Watches what can't be replaced: creating sockets, loading native code, opening /proc, starting programs."""
    def audit(event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            path = os.fsdecode(args[0]) if isinstance(args[0], (str, bytes)) else ""
            if path.startswith(_HOST_FOLDERS) and path != "/dev/null":
                reads.read("host", f"open {path[:60]}")
        elif event == "socket.__new__":
            if args[1] != 1:  # AF_UNIX reaches nobody: each run has a network namespace of its own.
                reads.read("network", "socket")
        elif event in _SOCKET_EVENTS:
            if not isinstance(args[-1], (str, bytes)):
                reads.read("network", event)
        elif event == "socket.gethostname":
            reads.read("host", event)
        elif event in _NATIVE_EVENTS:
            reads.read("native", event)
        elif event in _PROCESS_EVENTS:
            reads.read("host", event)
    return audit
