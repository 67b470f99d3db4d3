"""The cache of one machine, ready to use. Knows which stores and decorators it is made of, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .completeness import Complete
from .disk import open_disk
from .interface import ActionCache, ContentStore
from .verifying import Verifying

# Outputs are verdicts and captured streams: to read them once more is cheaper than a hit that turns out worthless.
_READ_UP_TO = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalCache:
    """Blobs and results on this machine. What `actions` gives had all its blobs in `content` when it was given."""

    content: ContentStore
    actions: ActionCache


def open_local(root: Path, *, cap_bytes: int) -> LocalCache:
    """The cache in that folder; it is made when something is written to it."""
    disk = open_disk(root, cap_bytes=cap_bytes)
    content = Verifying(disk.content)
    return LocalCache(content=content, actions=Complete(disk.actions, content, read_up_to=_READ_UP_TO))
