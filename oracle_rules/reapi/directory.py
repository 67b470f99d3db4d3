"""`Directory` and its nodes: one level of an input tree. Knows nothing of the levels above and below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..digest import Digest
from . import wire
from .values import check_name, check_text, decode_digest, encode_digest, utf8


@dataclass(frozen=True, slots=True, kw_only=True)
class FileNode:
    """A file: its name in the directory, its content, and whether it may be executed."""

    name: str
    digest: Digest
    is_executable: bool

    def __post_init__(self) -> None:
        check_name("FileNode", self.name)

    def encode(self) -> bytes:
        """The bytes of the message."""
        return wire.text(1, self.name) + wire.message(2, encode_digest(self.digest)) + wire.flag(4, self.is_executable)

    @classmethod
    def decode(cls, data: bytes) -> FileNode:
        """Reads untrusted bytes; ValueError when they are not a FileNode."""
        reader = wire.Reader("FileNode", data)
        digest = decode_digest(reader.required(2))
        return cls(name=reader.text(1), digest=digest, is_executable=reader.flag(4))


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryNode:
    """A directory below this one: its name, and the digest of its `Directory`."""

    name: str
    digest: Digest

    def __post_init__(self) -> None:
        check_name("DirectoryNode", self.name)

    def encode(self) -> bytes:
        """The bytes of the message."""
        return wire.text(1, self.name) + wire.message(2, encode_digest(self.digest))

    @classmethod
    def decode(cls, data: bytes) -> DirectoryNode:
        """Reads untrusted bytes; ValueError when they are not a DirectoryNode."""
        reader = wire.Reader("DirectoryNode", data)
        return cls(name=reader.text(1), digest=decode_digest(reader.required(2)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SymlinkNode:
    """A symbolic link: its name and the text it holds, which may point anywhere."""

    name: str
    target: str

    def __post_init__(self) -> None:
        check_name("SymlinkNode", self.name)
        check_text("SymlinkNode", self.target)
        if not self.target:
            raise ValueError(f"SymlinkNode: {self.name!r} has no target")

    def encode(self) -> bytes:
        """The bytes of the message."""
        return wire.text(1, self.name) + wire.text(2, self.target)

    @classmethod
    def decode(cls, data: bytes) -> SymlinkNode:
        """Reads untrusted bytes; ValueError when they are not a SymlinkNode."""
        reader = wire.Reader("SymlinkNode", data)
        return cls(name=reader.text(1), target=reader.text(2))


Node = FileNode | DirectoryNode | SymlinkNode


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """The children of one directory.

    However they were handed in, files, directories and symlinks are each held in the order of their UTF-8 bytes. No two
    children share a name, of whatever kind they are. `decode` refuses bytes with another order.
    """

    files: tuple[FileNode, ...] = ()
    directories: tuple[DirectoryNode, ...] = ()
    symlinks: tuple[SymlinkNode, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "files", tuple(sorted(self.files, key=lambda node: utf8(node.name))))
        object.__setattr__(self, "directories", tuple(sorted(self.directories, key=lambda node: utf8(node.name))))
        object.__setattr__(self, "symlinks", tuple(sorted(self.symlinks, key=lambda node: utf8(node.name))))
        names: set[str] = set()
        for node in self.nodes:
            if node.name in names:
                raise ValueError(f"Directory: two children have the name {node.name!r}")
            names.add(node.name)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All children: files, directories, symlinks."""
        return self.files + self.directories + self.symlinks

    def encode(self) -> bytes:
        """The bytes of the message."""
        return b"".join(
            (
                *(wire.message(1, node.encode()) for node in self.files),
                *(wire.message(2, node.encode()) for node in self.directories),
                *(wire.message(3, node.encode()) for node in self.symlinks),
            )
        )

    @classmethod
    def decode(cls, data: bytes) -> Directory:
        """Reads untrusted bytes; ValueError when they are not a Directory in canonical order."""
        reader = wire.Reader("Directory", data)
        files = tuple(FileNode.decode(item) for item in reader.messages(1))
        directories = tuple(DirectoryNode.decode(item) for item in reader.messages(2))
        symlinks = tuple(SymlinkNode.decode(item) for item in reader.messages(3))
        for nodes in (files, directories, symlinks):
            _check_order(nodes)
        return cls(files=files, directories=directories, symlinks=symlinks)


def _check_order(nodes: Sequence[Node]) -> None:
    names = [utf8(node.name) for node in nodes]
    if names != sorted(names):
        raise ValueError("Directory: the children are not in the order of their UTF-8 names")
