"""Every store that the suite runs over: a name and how to make a fresh one in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from oracle_rules.storage.completeness import Complete
from oracle_rules.storage.disk import open_disk
from oracle_rules.storage.interface import ActionCache, ContentStore
from oracle_rules.storage.local import open_local
from oracle_rules.storage.memory import MemoryActions, MemoryContent
from oracle_rules.storage.verifying import Verifying

CAP = 1 << 30

Stores = tuple[ContentStore, ActionCache]


def _memory(root: Path) -> Stores:
    return MemoryContent(), MemoryActions()


def _disk(root: Path) -> Stores:
    disk = open_disk(root / "cache", cap_bytes=CAP)
    return disk.content, disk.actions


def _durable(root: Path) -> Stores:
    disk = open_disk(root / "cache", cap_bytes=CAP, durable=True)
    return disk.content, disk.actions


def _decorated(make: Callable[[Path], Stores], read_up_to: int) -> Callable[[Path], Stores]:
    def made(root: Path) -> Stores:
        content, actions = make(root)
        verified = Verifying(content)
        return verified, Complete(actions, verified, read_up_to=read_up_to)

    return made


def _local(root: Path) -> Stores:
    cache = open_local(root / "cache", cap_bytes=CAP)
    return cache.content, cache.actions


STACKS: dict[str, Callable[[Path], Stores]] = {
    "memory": _memory,
    "disk": _disk,
    "disk-durable": _durable,
    "complete-verifying-memory": _decorated(_memory, 0),
    "complete-verifying-disk": _decorated(_disk, 0),
    "complete-verifying-disk-read": _decorated(_disk, 1 << 20),
    "local": _local,
}
