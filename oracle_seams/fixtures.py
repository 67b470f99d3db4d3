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


def load_document(name: str, *, root: str | Path = "fixtures") -> str:
    """The text of a JSON fixture as `dumps` writes it: without the line feed that may end the file.

    `dumps(value) == load_document("order.json")` compares a value with a fixture. Raises ValueError when the fixture is
    not one line, and so not in canonical form.
    """
    text = load_fixture(name, root=root).decode("utf-8").removesuffix("\n")
    if "\n" in text or "\r" in text:
        raise ValueError(f"{name} is not in canonical form; see oracle-rules canon --check")
    return text
