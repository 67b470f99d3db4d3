"""Input trees: paths to a Merkle tree of `Directory` messages, and back. Knows nothing of where their bytes are kept.

Depth needs no limit of its own: a path has at most 4000 bytes (`relpath`), so a tree has at most 2000 levels, and
neither direction recurses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from .. import relpath
from ..digest import Digest
from .directory import Directory, DirectoryNode, FileNode, Node, SymlinkNode
from .values import check_path, utf8

MAX_NODES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class FileInput:
    """What is to be at a path: content and whether it may be executed."""

    digest: Digest
    is_executable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A Merkle tree: the digest of its root, and the bytes of every `Directory` in it, the root's included."""

    root: Digest
    directories: Mapping[Digest, bytes]


class MissingDirectory(LookupError):
    """A `Directory` that a tree names can't be had; `digest` says which."""

    def __init__(self, digest: Digest, path: str) -> None:
        super().__init__(f"the directory {path or '.'!r} of the input tree, {digest}, is missing")
        self.digest = digest


def merkle(files: Mapping[str, FileInput]) -> Tree:
    """The tree that holds exactly these files. No files make the empty `Directory`.

    Raises ValueError for a path that can't be an input and for a path below another file.
    """
    levels: dict[str, tuple[list[FileNode], list[DirectoryNode]]] = {"": ([], [])}
    for path, item in files.items():
        check_path("input", path)
        folder = relpath.parent(path)
        for above in (folder, *relpath.ancestors(folder)):
            if above in levels:
                break
            levels[above] = ([], [])
        node = FileNode(name=relpath.name(path), digest=item.digest, is_executable=item.is_executable)
        levels[folder][0].append(node)
    directories: dict[Digest, bytes] = {}
    root = Digest.of(b"")
    # Deepest first: a folder's digest is known before the folder above it is encoded, and the root comes last.
    for folder in sorted(levels, key=lambda path: path.count("/") + bool(path), reverse=True):
        data = _directory(folder, *levels[folder]).encode()
        root = Digest.of(data)
        directories[root] = data
        if folder:
            node_below = DirectoryNode(name=relpath.name(folder), digest=root)
            levels[relpath.parent(folder)][1].append(node_below)
    return Tree(root=root, directories=directories)


def _directory(folder: str, files: list[FileNode], below: list[DirectoryNode]) -> Directory:
    try:
        return Directory(files=tuple(files), directories=tuple(below))
    except ValueError as error:
        raise ValueError(f"in {folder or '.'!r}: {error}") from None


def walk(
    root: Digest,
    fetch: Callable[[Digest], bytes | None],
    *,
    symlink: Callable[[str, SymlinkNode], None] | None = None,
    max_nodes: int = MAX_NODES,
) -> Iterator[tuple[str, FileNode]]:
    """Every file of a tree with its path, in the order of the components of their paths.

    `fetch` gives the bytes of a `Directory`, or None when it has none: MissingDirectory. Its bytes are checked against
    the digest. Symlinks are refused unless `symlink` is given to receive them. ValueError for anything that `merkle`
    would not have written, and for more than `max_nodes` nodes: a few directories that name one another many times
    over spell a tree that no disk could hold.
    """
    seen: dict[Digest, Directory] = {}
    visited = 0
    # The nodes still to be visited, the next one last.
    waiting: list[tuple[str, Node]] = list(_children("", _load(root, "", fetch, seen)))
    while waiting:
        path, node = waiting.pop()
        visited += 1
        if visited > max_nodes:
            raise ValueError(f"the input tree has more than {max_nodes} nodes")
        check_path("input tree", path)
        if isinstance(node, FileNode):
            yield path, node
        elif isinstance(node, DirectoryNode):
            waiting.extend(_children(path, _load(node.digest, path, fetch, seen)))
        elif symlink is None:
            raise ValueError(f"the input tree holds the symlink {path!r}")
        else:
            symlink(path, node)


def _children(folder: str, directory: Directory) -> list[tuple[str, Node]]:
    ordered = sorted(directory.nodes, key=lambda node: utf8(node.name), reverse=True)
    return [(relpath.join(folder, node.name), node) for node in ordered]


def _load(
    digest: Digest, path: str, fetch: Callable[[Digest], bytes | None], seen: dict[Digest, Directory]
) -> Directory:
    if digest not in seen:
        data = fetch(digest)
        if data is None:
            raise MissingDirectory(digest, path)
        found = Digest.of(data)
        if found != digest:
            raise ValueError(f"the directory {path or '.'!r} has the digest {found}, not {digest}")
        seen[digest] = Directory.decode(data)
    return seen[digest]
