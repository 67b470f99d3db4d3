"""One import point for all messages. Holds no code: each message is described where it is defined.

Has more public names than a module should, because REAPI has that many messages and a caller should not have to know
which file holds which.
"""

from __future__ import annotations

from .action import Action, Command, Platform
from .directory import Directory, DirectoryNode, FileNode, SymlinkNode
from .result import ActionResult, ExecutionMetadata, OutputFile
from .values import Timestamp

__all__ = [
    "Action",
    "ActionResult",
    "Command",
    "Directory",
    "DirectoryNode",
    "ExecutionMetadata",
    "FileNode",
    "OutputFile",
    "Platform",
    "SymlinkNode",
    "Timestamp",
]
