"""Libraries that run inside, laid down with their bytecode: read by every run, compiled once for each toolchain.

What they do is what their sources do, which are the inputs; the bytecode only spares each run the compiling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ..digest import Digest
from ..protocol import canonical
from .toolchain import Toolchain
from .toolchain.bytecode import compile_folder
from .toolchain.tree import is_intact, materialise

_SCHEMA = "oracle_rules/library/v1"
FOLDER = "libraries"


def lay_down(files: Mapping[str, Digest], read: Callable[[Digest], bytes], target: str, toolchain: Toolchain,
             root: Path) -> Path:
    """A read-only folder with these files and their bytecode, to be bound at `target`; below `root`, made once.

    Raises Malfunction when it can't be made.
    """
    def build(folder: Path) -> None:
        for path, digest in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(read(digest))
        compile_folder(toolchain.interpreter, folder, target)

    return materialise(_place(files, target, toolchain.digest, root), build)


def find(files: Mapping[str, Digest], target: str, toolchain: Digest, root: Path) -> Path | None:
    """The folder that `lay_down` made there, whole; None without one. Writes nothing."""
    place = _place(files, target, toolchain, root)
    return place if is_intact(place) else None


def _place(files: Mapping[str, Digest], target: str, toolchain: Digest, root: Path) -> Path:
    listing = {path: str(digest) for path, digest in files.items()}
    key = canonical.dumps({"schema": _SCHEMA, "files": listing, "target": target, "toolchain": str(toolchain)})
    return root / FOLDER / Digest.of(key).hash
