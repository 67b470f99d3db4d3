"""Committed fixtures, read relative to the workspace: the judge stages them at the paths they have there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def load_fixture(name: str, *, root: str | Path = "fixtures") -> bytes:
    """The bytes of a fixture; raises ValueError for a path that leaves the folder, OSError when there is none."""
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise ValueError(f"a fixture is named relative to {root}: {name}")
    return (Path(root) / name).read_bytes()


def load_exchanges(name: str, *, root: str | Path = "fixtures") -> list[dict[str, Any]]:
    """The exchanges of a JSON fixture, for FakeTransport."""
    found = json.loads(load_fixture(name, root=root).decode("utf-8"))
    if not isinstance(found, list):
        raise ValueError(f"{name} has to hold a list of exchanges")
    return found
