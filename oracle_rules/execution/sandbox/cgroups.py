"""Control groups: memory of a whole sandbox, and its number of tasks. Version 1, version 2, hybrid, or none.

Where nothing is writable (an ordinary user without a delegated subtree) `find` says so and `watchdog.py` takes the
place of the memory controller; the resource limits of `rlimits.py` hold in every case.
Knows nothing of who is put in.
"""

from __future__ import annotations

import errno
import os
import time
from dataclasses import dataclass

_PREFIX = "oracle-sandbox-"
# For pid 1, page tables, kernel stacks: small next to the program, and never the program's fault.
_SLACK = 16 << 20
_REMOVE_TRIES = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Hierarchy:
    """Folders in which groups can be made: `version` 0 (none), 1 or 2, per controller."""

    version: int
    memory: str | None = None
    pids: str | None = None

    @property
    def title(self) -> str:
        """What it is, for people."""
        names = [name for name, folder in (("memory", self.memory), ("pids", self.pids)) if folder]
        return f"cgroup v{self.version} ({', '.join(names)})" if names else "none"


def mounted(mountinfo: str) -> list[tuple[str, str, frozenset[str]]]:
    """(mount point, root of the mount, controllers; {"v2"} for the unified hierarchy) from /proc/self/mountinfo."""
    found = []
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2) if after.count(" ") >= 2 else ("", "", "")
        if kind in ("cgroup", "cgroup2"):
            fields = before.split()
            controllers = frozenset(("v2",)) if kind == "cgroup2" else frozenset(options.split(","))
            found.append((fields[4], fields[3], controllers))
    return found


def own_paths(cgroup: str) -> dict[str, str]:
    """Controller (or "v2") → our own path in that hierarchy, from /proc/self/cgroup."""
    paths = {}
    for line in cgroup.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(",") if controllers else ("v2",):
            paths[controller] = path
    return paths


def _places(point: str, root: str, path: str) -> list[str]:
    """Our own group and its ancestors as folders, nearest first."""
    inside = path[len(root) :] if root != "/" and path.startswith(root) else path
    parts = [part for part in inside.split("/") if part and part != ".."]
    return [os.path.join(point, *parts[:count]) for count in range(len(parts), -1, -1)]


def _usable(folder: str, wanted: str) -> bool:
    """Proven by making a group and removing it."""
    probe = os.path.join(folder, f"{_PREFIX}{os.getpid()}-probe")
    try:
        os.mkdir(probe)
    except OSError:
        return False
    try:
        return os.access(os.path.join(probe, wanted), os.W_OK) and os.access(
            os.path.join(folder, "cgroup.procs"), os.W_OK
        )
    finally:
        os.rmdir(probe)


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def find() -> Hierarchy:
    """What this process may use, tried in earnest."""
    mounts, paths = mounted(_read("/proc/self/mountinfo")), own_paths(_read("/proc/self/cgroup"))
    first: dict[str, str | None] = {"memory": None, "pids": None}
    for point, root, controllers in mounts:
        for controller, wanted in (("memory", "memory.limit_in_bytes"), ("pids", "pids.max")):
            if controller in controllers and first[controller] is None:
                places = _places(point, root, paths.get(controller, "/"))
                first[controller] = next((place for place in places if _usable(place, wanted)), None)
    if first["memory"]:
        return Hierarchy(version=1, memory=first["memory"], pids=first["pids"])
    for point, root, controllers in mounts:
        if "v2" in controllers:
            for place in _places(point, root, paths.get("v2", "/")):
                if _usable(place, "memory.max"):
                    pids = place if _usable(place, "pids.max") else None
                    return Hierarchy(version=2, memory=place, pids=pids)
    return Hierarchy(version=1 if first["pids"] else 0, pids=first["pids"])


def sweep(hierarchy: Hierarchy) -> None:
    """Remove the empty groups of spawners that were killed; those in use refuse to go."""
    for folder in {hierarchy.memory, hierarchy.pids} - {None}:
        assert folder is not None
        for name in os.listdir(folder):
            owner = name.removeprefix(_PREFIX).partition("-")[0]
            if name.startswith(_PREFIX) and owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
                try:
                    os.rmdir(os.path.join(folder, name))
                except OSError:
                    continue


class Group:
    """The group of one sandbox."""

    def __init__(self, hierarchy: Hierarchy, name: str, *, memory: int, tasks: int) -> None:
        self._version = hierarchy.version
        base = f"{_PREFIX}{os.getpid()}-{name}"
        self._memory = os.path.join(hierarchy.memory, base) if hierarchy.memory else None
        self._pids = os.path.join(hierarchy.pids, base) if hierarchy.pids else None
        for folder in self._folders():
            os.mkdir(folder)
        total = str(memory + _SLACK)
        if self._memory and self._version == 1:
            self._write(self._memory, "memory.limit_in_bytes", total)
            self._write(self._memory, "memory.memsw.limit_in_bytes", total, optional=True)
        elif self._memory:
            self._write(self._memory, "memory.max", total)
            self._write(self._memory, "memory.swap.max", "0", optional=True)
            self._write(self._memory, "memory.oom.group", "1", optional=True)
        if self._pids:
            self._write(self._pids, "pids.max", str(tasks))

    @property
    def counts_memory(self) -> bool:
        """Whether the kernel counts memory here, so that nothing else has to."""
        return self._memory is not None

    def _folders(self) -> set[str]:
        return {folder for folder in (self._memory, self._pids) if folder}

    @staticmethod
    def _write(folder: str, name: str, text: str, *, optional: bool = False) -> None:
        try:
            descriptor = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            if optional:  # swap accounting and group kill came later or may be configured out
                return
            raise
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)

    def attach(self, pid: int) -> None:
        """Put a process into the group; what it starts is in it too."""
        for folder in self._folders():
            self._write(folder, "cgroup.procs", str(pid))

    def out_of_memory(self) -> bool:
        """Whether the kernel has killed anything in here for want of memory."""
        if not self._memory:
            return False
        name = "memory.oom_control" if self._version == 1 else "memory.events"
        return self._counter(self._memory, name, "oom_kill") > 0

    def refused_tasks(self) -> bool:
        """Whether a process more was asked for than the group may hold."""
        return self._pids is not None and self._counter(self._pids, "pids.events", "max") > 0

    @staticmethod
    def _counter(folder: str, name: str, key: str) -> int:
        for line in _read(os.path.join(folder, name)).splitlines():
            if line.startswith(key + " "):
                return int(line.split()[1])
        return 0

    def remove(self) -> None:
        """Everything in it is gone already; the kernel may need a moment to agree."""
        for folder in self._folders():
            for _ in range(_REMOVE_TRIES):
                try:
                    os.rmdir(folder)
                except FileNotFoundError:
                    break
                except OSError as error:
                    if error.errno != errno.EBUSY:
                        raise
                    time.sleep(0.005)
                else:
                    break
