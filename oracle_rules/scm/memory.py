"""Trees that live in memory, with the ids that git would give them. Knows nothing of repositories or disks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .objects import ObjectFormat, object_id, tree_id
from .tree import Entry, Mode, Tree, ordered


class _Held:
    """Bytes by path."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = dict(files)

    def read(self, entries: Sequence[Entry]) -> dict[str, bytes]:
        return {entry.path: self._files[entry.path] for entry in entries}


def memory_tree(
    files: Mapping[str, bytes], modes: Mapping[str, Mode | str] | None = None, *, algorithm: ObjectFormat = "sha1"
) -> Tree:
    """A tree of these files; `modes` says which of them are executable, a link (bytes: its target) or a submodule.

    The bytes of a submodule are its commit id in hexadecimal. Raises ValueError for paths that no tree can hold.
    """
    chosen = {path: Mode(mode) for path, mode in (modes or {}).items()}
    if unknown := sorted(chosen.keys() - files.keys()):
        raise ValueError(f"a mode is given for paths that are not in the tree: {unknown}")
    entries = []
    for path, data in files.items():
        mode = chosen.get(path, Mode.FILE)
        oid = data.decode("ascii") if mode is Mode.GITLINK else object_id("blob", data, algorithm)
        entries.append(Entry(path=path, mode=mode, oid=oid))
    found = tree_id(((entry.path, entry.mode, entry.oid) for entry in entries), algorithm)
    return Tree(id=found, entries=ordered(entries), blobs=_Held(files))
