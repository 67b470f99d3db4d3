"""Git as a source of trees: two commits, or a commit and a work tree, and what differs between them.

Touches the world; deciding code takes the values it returns and never imports it.
"""

from __future__ import annotations

from .address import split_address
from .compare import Change, compare
from .limits import Limits
from .memory import memory_tree
from .repository import Repository
from .tree import Entry, Mode, Tree

__all__ = ["Change", "Entry", "Limits", "Mode", "Repository", "Tree", "compare", "memory_tree", "split_address"]
