"""Cases that falsified something here and that nobody has promoted yet, kept beside the cache by what they are.

A later run that passes discards none: only a person's promotion, or `forget`, takes one away. Nothing here is believed
for a verdict; an entry that can't be read is left alone.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .protocol import canonical


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """A case (typed JSON) of one target, why it failed, which corpus it is of, and the command that shows it."""

    label: str
    property_id: str
    case: Any
    reason: str
    detail: str
    origin: str
    repro: str

    @property
    def name(self) -> str:
        """The same for the same case of the same property."""
        return hashlib.sha256(canonical.dumps([self.property_id, self.case])).hexdigest()[:12]


def keep(root: Path, workspace: str, find: Find) -> None:
    """Keeps a find; the first of the same case stays."""
    place = _folder(root, workspace) / f"{find.name}.json"
    if place.exists():
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary = place.with_suffix(f".{os.getpid()}")
        temporary.write_bytes(canonical.dumps(asdict(find)))
        temporary.replace(place)
    except OSError:
        return


def kept(root: Path, workspace: str) -> Iterator[Find]:
    """What is kept, by name."""
    try:
        places = sorted(_folder(root, workspace).glob("*.json"))
    except OSError:
        return
    for place in places:
        try:
            found: Mapping[str, Any] = canonical.loads(place.read_bytes())
            yield Find(**found)
        except (OSError, ValueError, TypeError):
            continue


def forget(root: Path, workspace: str, find: Find) -> None:
    """Takes one away, once a person has promoted it."""
    (_folder(root, workspace) / f"{find.name}.json").unlink(missing_ok=True)


def _folder(root: Path, workspace: str) -> Path:
    return root / "finds" / hashlib.sha256(workspace.encode("utf-8", "surrogateescape")).hexdigest()[:16]
