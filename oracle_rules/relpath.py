"""Paths inside a tree: relative, `/`-separated, normalised text. Knows nothing of the file system.

Git stores names as bytes; a name that is not UTF-8 is carried with `surrogateescape` so that no two names collide,
and `problem` says why such a name cannot be an input of an Action.
"""

from __future__ import annotations

import unicodedata


def problem(path: str) -> str | None:
    """Why this cannot be the path of an input, or None if it can."""
    if not path:
        return "is empty"
    if path.startswith("/"):
        return "is absolute"
    if any(0xD800 <= ord(char) <= 0xDFFF for char in path):
        return "is not UTF-8"
    if any(ord(char) < 32 or ord(char) == 127 for char in path):
        return "holds a control character"
    if "\\" in path:
        return "holds a backslash"
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "is not normalised"
    if any(len(part.encode("utf-8")) > 255 for part in parts):
        return "has a component of more than 255 bytes"
    if len(path.encode("utf-8")) > 4000:
        return "is longer than 4000 bytes"
    return None


def parent(path: str) -> str:
    """The folder that holds the path; the root is the empty string."""
    return path.rpartition("/")[0]


def name(path: str) -> str:
    """The last component."""
    return path.rpartition("/")[2]


def ancestors(path: str) -> list[str]:
    """Every folder above the path, nearest first, the root (the empty string) last."""
    found = []
    while path:
        path = parent(path)
        found.append(path)
    return found


def join(folder: str, rest: str) -> str:
    """`rest` below `folder`; either may be empty."""
    return f"{folder}/{rest}" if folder and rest else folder or rest


def is_within(path: str, folder: str) -> bool:
    """Whether the path is the folder or below it; everything is within the root."""
    return not folder or path == folder or path.startswith(folder + "/")


def fold(path: str) -> str:
    """What a case- or normalisation-insensitive file system may take the path for (NFKC, then case folding)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())
