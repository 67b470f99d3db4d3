"""How much of a repository is read before it is refused: numbers, as data.

Knows nothing of git. Every limit that is reached ends in an error that names what reached it; nothing is cut short.
"""

from __future__ import annotations

from dataclasses import dataclass

_MIB = 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """Bounds on one repository. A tree that only fits on paper (a nested tree bomb) must end early, not in memory."""

    entries: int = 1_000_000
    """Files and folders of one tree together."""
    depth: int = 2_000
    """Folders above a file."""
    path_bytes: int = 256 * _MIB
    """All paths of one tree together."""
    node_bytes: int = 64 * _MIB
    """One tree, commit or tag object."""
    blob_bytes: int = 64 * _MIB
    """One file, when it is read; a bigger file may exist as long as nobody asks for it."""
    total_bytes: int = 1024 * _MIB
    """All files of one `read_many`."""
    disk_bytes: int = 4096 * _MIB
    """One file of a work tree, when it is hashed."""
    seconds: float = 60.0
    """One git command, or the silence between two bytes of an answer."""
