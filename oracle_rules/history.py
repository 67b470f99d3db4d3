"""What the last runs of each target and lane read, so that a miss can say which input changed. Kept beside the cache.

Only an explanation: nothing here is believed for a verdict, and an entry that can't be read is as good as none.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .digest import Digest
from .protocol import canonical


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The Action of a run and the digest of each of its inputs."""

    action: str
    inputs: Mapping[str, str]


def remember(root: Path, workspace: str, label: str, lane: str, action: Digest, inputs: Mapping[str, Digest]) -> None:
    """Notes a run; the one before it is kept as long as its Action differs."""
    now = Run(action=str(action), inputs={path: str(digest) for path, digest in inputs.items()})
    runs = recall(root, workspace, label, lane)
    if runs and runs[0].action == now.action:
        return
    kept = [now, *runs[:1]]
    data = canonical.dumps([{"action": run.action, "inputs": dict(run.inputs)} for run in kept])
    path = _path(root, workspace, label, lane)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(f".{os.getpid()}")
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError:
        return


def recall(root: Path, workspace: str, label: str, lane: str) -> list[Run]:
    """The last runs, newest first; empty when there is none or it can't be read."""
    try:
        found = canonical.loads(_path(root, workspace, label, lane).read_bytes())
        return [Run(action=str(row["action"]), inputs={str(k): str(v) for k, v in row["inputs"].items()})
                for row in found]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []


def difference(before: Mapping[str, str], after: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """(input, old digest, new digest) of what differs; "absent" for an input that one side has not."""
    return [(path, before.get(path, "absent"), after.get(path, "absent"))
            for path in sorted({*before, *after}) if before.get(path) != after.get(path)]


def _path(root: Path, workspace: str, label: str, lane: str) -> Path:
    name = hashlib.sha256(f"{workspace}\0{label}\0{lane}".encode("utf-8", "surrogateescape")).hexdigest()
    return root / "history" / f"{name}.json"
