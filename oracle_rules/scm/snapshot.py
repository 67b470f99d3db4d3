"""The tree of a commit, read from git's objects level by level. Knows nothing of revisions or work trees.

Each object is hashed and parsed strictly before a path is built from it. Equal folders are read once, however often
they appear; what they expand to is counted, so a tree that names itself over and over ends at the limit.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import TooLargeError, UsageError
from .batch import Reader, Want
from .limits import Limits
from .objects import FOLDER, Node, ObjectFormat, link_target, parse_tree
from .session import Session
from .tree import Entry, Mode, Tree, ordered

_SPLIT = "keep generated files out of the repository, or split it"
_LEAVES = {mode.value: mode for mode in Mode}


class Stored:
    """Blobs of a repository."""

    def __init__(self, session: Session) -> None:
        self._session = session  # keeps process and private folder alive as long as a tree is

    def read(self, entries: Sequence[Entry]) -> dict[str, bytes]:
        """The verified bytes of each entry, by path."""
        limits = self._session.limits
        found: dict[str, bytes] = {}
        total = 0

        def accept(want: Want, _kind: str, data: bytes) -> None:
            nonlocal total
            total += len(data)
            if total > limits.total_bytes:
                raise TooLargeError(
                    f"the files asked for have more than {limits.total_bytes} bytes", where=want.where, remedy=_SPLIT,
                )
            found[want.where] = data

        self._session.reader.fetch(
            [Want(oid=entry.oid, kinds=("blob",), limit=limits.blob_bytes, where=entry.path) for entry in entries],
            accept,
        )
        return found


def read_commit(session: Session, commit: str) -> Tree:
    """The snapshot that a commit (a full id) holds."""
    _, data = read_one(session, commit, ("commit",), commit)
    root = link_target("commit", data, commit)
    entries = _Walk(session.reader, session.limits, session.algorithm, commit).run(root)
    return Tree(id=root, entries=ordered(entries), blobs=Stored(session))


def read_one(session: Session, oid: str, kinds: tuple[str, ...], where: str) -> tuple[str, bytes]:
    """One commit, tag or tree, verified."""
    found: list[tuple[str, bytes]] = []
    want = Want(oid=oid, kinds=kinds, limit=session.limits.node_bytes, where=where)
    session.reader.fetch((want,), lambda _want, kind, data: found.append((kind, data)))
    return found[0]


class _Walk:
    """Expands one root tree into its leaves."""

    def __init__(self, reader: Reader, limits: Limits, algorithm: ObjectFormat, commit: str) -> None:
        self._reader = reader
        self._limits = limits
        self._algorithm = algorithm
        self._commit = commit
        self._parsed: dict[str, list[Node]] = {}
        self._entries: list[Entry] = []
        self._count = 0
        self._path_bytes = 0

    def run(self, root: str) -> list[Entry]:
        level = [("", root)]
        depth = 0
        while level:
            if depth > self._limits.depth:
                raise self._too_much(f"has folders more than {self._limits.depth} deep", level[0][0])
            self._load(level)
            level = [folder for prefix, oid in level for folder in self._expand(prefix, self._parsed[oid])]
            depth += 1
        return self._entries

    def _load(self, level: Sequence[tuple[str, str]]) -> None:
        fresh = {oid: prefix for prefix, oid in reversed(level) if oid not in self._parsed}
        wants = [
            Want(oid=oid, kinds=("tree",), limit=self._limits.node_bytes, where=f"{self._commit}:{prefix}")
            for oid, prefix in fresh.items()
        ]
        self._reader.fetch(wants, self._parse)

    def _parse(self, want: Want, _kind: str, data: bytes) -> None:
        self._parsed[want.oid] = parse_tree(data, self._algorithm, f"tree {want.oid} ({want.where})")

    def _expand(self, prefix: str, nodes: Sequence[Node]) -> list[tuple[str, str]]:
        folders = []
        self._count += len(nodes)
        if self._count > self._limits.entries:
            raise self._too_much(f"has more than {self._limits.entries} entries", prefix)
        for mode, name, oid in nodes:
            path = prefix + name.decode("utf-8", "surrogateescape")
            self._path_bytes += len(path)
            if mode == FOLDER:
                folders.append((path + "/", oid))
            else:
                self._entries.append(Entry(path=path, mode=_LEAVES[mode], oid=oid))
        if self._path_bytes > self._limits.path_bytes:
            raise self._too_much(f"has paths of more than {self._limits.path_bytes} characters together", prefix)
        return folders

    def _too_much(self, problem: str, prefix: str) -> UsageError:
        return UsageError(f"this tree {problem}", where=f"{self._commit}:{prefix[:200]}", remedy=_SPLIT)
