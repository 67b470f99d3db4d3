"""The laws of a request, checked before anything is started. Knows no kernel interface.

A request comes from our own code, never from a candidate: breaking a law is a malfunction.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import Malfunction
from . import syscalls
from .request import Link, Process

# What would open a view on the host from inside, whatever its permissions say.
_NEVER_BOUND = ("/proc", "/sys", "/dev", "/run")
_RESERVED = ("/proc", "/sys", "/dev/null", "/dev/zero", "/dev/full")


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _absolute(path: str) -> bool:
    parts = path.split("/")
    return path.startswith("/") and path != "/" and "\0" not in path and not {"", ".", ".."} & set(parts[1:])


def _paths(process: Process) -> list[str]:
    """What is wrong with where things come from and go to."""
    wrong = []
    linked = [target for target, _ in process.links]
    targets = [bind.target for bind in process.binds] + [tmpfs.target for tmpfs in process.tmpfs] + linked
    wrong += [f"{path!r} is not a plain absolute path" for path in targets if not _absolute(path)]
    wrong += [f"{bind.source!r} is not a plain absolute path" for bind in process.binds if not _absolute(bind.source)]
    wrong += [
        f"{bind.source} must never be visible inside"
        for bind in process.binds
        if any(_within(bind.source, folder) for folder in _NEVER_BOUND)
    ]
    wrong += [f"{path} is reserved" for path in targets if any(_within(path, taken) for taken in _RESERVED)]
    wrong += [f"{path} is given twice" for path in sorted({path for path in targets if targets.count(path) > 1})]
    wrong += [
        f"{path} lies below the link {link}"
        for link in linked
        for path in targets
        if path != link and _within(path, link)
    ]
    wrong += [f"link {target} has no text" for target, text in process.links if not text or "\0" in text]
    return wrong


def _numbers(process: Process) -> list[str]:
    limits = process.limits
    wrong = [
        f"limit {name} must be a positive number"
        for name in ("wall_ms", "cpu_seconds", "memory_bytes", "processes", "file_bytes", "open_files")
        if getattr(limits, name) <= 0
    ]
    if limits.output_bytes < 0 or process.result_bytes < 0:
        wrong.append("a number of bytes to collect is negative")
    wrong += [
        f"{tmpfs.target} needs a size and inodes"
        for tmpfs in process.tmpfs
        if tmpfs.size_bytes <= 0 or tmpfs.inodes <= 0
    ]
    return wrong


def _program(process: Process, *, probing: bool) -> list[str]:
    wrong = []
    if not probing and not (process.argv and _absolute(process.argv[0])):
        wrong.append("the program must be named by its absolute path")
    if process.cwd != "/" and not _absolute(process.cwd):
        wrong.append(f"{process.cwd!r} is not a plain absolute path")
    names = [key for key, _ in process.env]
    wrong += [f"variable {key!r} is malformed" for key in names if not key or "=" in key or "\0" in key]
    wrong += [f"variable {key!r} is given twice" for key in sorted({key for key in names if names.count(key) > 1})]
    wrong += [f"a NUL in {text!r}" for text in (*process.argv, *(value for _, value in process.env)) if "\0" in text]
    if not 0 < len(process.hostname) <= 64:
        wrong.append("the host name must have 1 to 64 characters")
    wrong += [f"system call {name!r} is not in the table" for name in process.deny if name not in syscalls.ROWS]
    # The set-up itself makes these after the filter is in force.
    wrong += [f"system call {name!r} cannot be denied" for name in process.deny
              if name in ("execve", "write", "close_range", "prctl", "capget", "read")]  # fmt: skip
    return wrong


def check(processes: Sequence[Process], links: Sequence[Link], *, wall_ms: int, primary: str | None,
          probing: bool = False) -> None:  # fmt: skip
    """Raise Malfunction unless the request keeps every law."""
    names = [process.name for process in processes]
    ends = [end for link in links for end in (link.a, link.b)]
    wrong = [] if processes else ["there is no process"]
    wrong += [f"process {name!r} is given twice" for name in sorted({name for name in names if names.count(name) > 1})]
    wrong += [f"a link names {end!r}, which is no process" for end in ends if end not in names]
    wrong += [f"process {end!r} has two links" for end in sorted({end for end in ends if ends.count(end) > 1})]
    if wall_ms <= 0:
        wrong.append("wall_ms must be positive")
    if primary is not None and primary not in names:
        wrong.append(f"the primary {primary!r} is no process")
    for process in processes:
        for text in (*_paths(process), *_numbers(process), *_program(process, probing=probing)):
            wrong.append(f"{process.name}: {text}")
    if wrong:
        raise Malfunction("; ".join(wrong), where="sandbox request", remedy="this is a bug of the caller")
