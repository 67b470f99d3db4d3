"""Git's object formats as pure functions: ids of blobs and trees, and strict parsers of trees, commits and tags.

Knows nothing of repositories, processes or disks. Section "Object Format" of gitformat-* and `git help hash-object`
describe the bytes: an id is the hash over `KIND SIZE\\0` and the content; a tree is a list of `MODE NAME\\0ID`, ordered
as if the name of a folder ended in a slash.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from ..errors import UsageError

ObjectFormat = Literal["sha1", "sha256"]
FOLDER = "40000"

_RAW_SIZE = {"sha1": 20, "sha256": 32}
_MODES = {
    b"100644": "100644",
    b"100664": "100644",  # written by git before 2005-08; git itself reads it as 100644
    b"100755": "100755",
    b"120000": "120000",
    b"160000": "160000",
    b"40000": FOLDER,
}
_FULL_ID = {"sha1": re.compile(r"[0-9a-fA-F]{40}\Z"), "sha256": re.compile(r"[0-9a-fA-F]{64}\Z")}
_LINK_LINE = re.compile(rb"(tree|object) ([0-9a-f]+)\n")


class Node(NamedTuple):
    """One line of a tree object. `name` is raw, `mode` one of git's five."""

    mode: str
    name: bytes
    oid: str


def object_id(kind: str, data: bytes, algorithm: ObjectFormat = "sha1") -> str:
    """The id under which git stores these bytes as a blob, tree, commit or tag."""
    digest = hashlib.new(algorithm, b"%s %d\0" % (kind.encode("ascii"), len(data)), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def is_full_id(text: str, algorithm: ObjectFormat) -> bool:
    """Whether the text is a whole object id in the repository's format."""
    return _FULL_ID[algorithm].match(text) is not None


def name_problem(name: bytes) -> str | None:
    """Why no tree may hold this name, or None. The same names that git refuses to add to its index."""
    if not name:
        return "an empty name"
    if name in (b".", b".."):
        return f"the name {name.decode()!r}"
    if name.lower() == b".git":
        return f"the name {name.decode()!r}, which belongs to git"
    if b"/" in name:
        return f"a name with a slash, {name.decode('utf-8', 'backslashreplace')!r}"
    return None


def parse_tree(data: bytes, algorithm: ObjectFormat, where: str) -> list[Node]:
    """The lines of a tree object, which must be exactly what git would write for them.

    Refuses unknown and zero modes, names from `name_problem`, duplicates (a file and a folder of one name too) and
    any order but git's: each of them lets two readers see two different trees.
    """
    size = _RAW_SIZE[algorithm]
    nodes: list[Node] = []
    names: set[bytes] = set()
    position, previous = 0, b""
    while position < len(data):
        space = data.find(b" ", position, position + 8)
        end = data.find(b"\0", space)
        if space < 0 or end < 0 or end + 1 + size > len(data):
            raise _bad_tree("is cut short or malformed", where)
        mode = _MODES.get(data[position:space])
        if mode is None:
            text = data[position:space].decode("ascii", "backslashreplace")
            raise _bad_tree(f"holds the mode {text!r}", where)
        name = data[space + 1 : end]
        problem = "a name twice: " + repr(name) if name in names else name_problem(name)
        if problem:
            raise _bad_tree(f"holds {problem}", where)
        key = name + b"/" if mode == FOLDER else name
        if key <= previous:
            raise _bad_tree("is not in git's order", where)
        position = end + 1 + size
        nodes.append(Node(mode, name, data[end + 1 : position].hex()))
        names.add(name)
        previous = key
    return nodes


def link_target(kind: str, data: bytes, where: str) -> str:
    """The tree that a commit, or the object that a tag, names in its first line."""
    found = _LINK_LINE.match(data)
    if not found or found[1] != {"commit": b"tree", "tag": b"object"}[kind]:
        raise UsageError(f"this {kind} object is malformed", where=where, remedy="run `git fsck` in the repository")
    return found[2].decode("ascii")


def tree_id(leaves: Iterable[tuple[str, str, str]], algorithm: ObjectFormat = "sha1") -> str:
    """The id of the tree that holds these (path, mode, id) leaves, as `git write-tree` would name it.

    Raises ValueError for a path that is a file and a folder at once, is twice there or holds a name no tree may hold.
    """
    folders: dict[str, dict[bytes, tuple[str, str]]] = {"": {}}
    for path, mode, oid in leaves:
        folder, _, name = path.rpartition("/")
        if path.startswith("/"):
            raise ValueError(f"{path!r}: an empty name")
        _put(folders.setdefault(folder, {}), name, mode, oid, path)
    for folder in list(folders):
        above = folder.rpartition("/")[0]
        while folder and above not in folders:
            folders[above] = {}
            above = above.rpartition("/")[0]
    for folder in sorted(folders, key=lambda path: (path.count("/"), path), reverse=True):
        if folder:
            above, _, name = folder.rpartition("/")
            _put(folders[above], name, FOLDER, _folder_id(folders[folder], algorithm), folder)
    return _folder_id(folders[""], algorithm)


def _put(names: dict[bytes, tuple[str, str]], name: str, mode: str, oid: str, path: str) -> None:
    raw = name.encode("utf-8", "surrogateescape")
    problem = "is twice in the tree" if raw in names else name_problem(raw)
    if problem:
        raise ValueError(f"{path!r}: {problem}")
    names[raw] = (mode, oid)


def _folder_id(names: dict[bytes, tuple[str, str]], algorithm: ObjectFormat) -> str:
    lines = sorted((name + b"/" if mode == FOLDER else name, name, mode, oid) for name, (mode, oid) in names.items())
    body = b"".join(b"%s %s\0" % (mode.encode(), name) + bytes.fromhex(oid) for _, name, mode, oid in lines)
    return object_id("tree", body, algorithm)


def _bad_tree(problem: str, where: str) -> UsageError:
    return UsageError(
        f"this tree object {problem}",
        where=where,
        remedy="git would not write such a tree; rewrite the commit with git, and see `git fsck`",
    )
