"""Names that are not what they look like: skeletons for comparison, odd characters, and path patterns.

Two paths with one skeleton may be taken for each other by a person, a file system or an importer. Which letters look
alike stands in `artifacts/words.py`. Knows nothing of what is protected.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from .. import relpath
from ..artifacts.words import is_invisible, look_alike


@lru_cache(maxsize=65536)
def skeleton(path: str) -> str:
    """What the path may be taken for. Equal skeletons collide; the result is for comparison only."""
    folded = path.lower() if path.isascii() else relpath.fold(path)
    return "/".join(part.rstrip(". ") or part for part in look_alike(folded).split("/"))


def odd(path: str) -> str | None:
    """Why no honest path is spelled like this, or None."""
    if reason := relpath.problem(path):
        return reason
    for char in "" if path.isascii() else path:
        if is_invisible(char):
            return f"holds the invisible character U+{ord(char):04X}"
        if char != " " and unicodedata.category(char) == "Zs":
            return f"holds the space character U+{ord(char):04X}"
    for part in path.split("/"):
        if part[-1] in ". ":
            return "has a component that ends with a dot or a space"
        if skeleton(part) in (".git", "git~1"):
            return "has a component that some systems take for .git"
    return None


def matches(patterns: tuple[str, ...], path: str) -> bool:
    """Whether any of a table's patterns selects the path.

    `**/` is any number of folders, `/**` the folder itself and everything below it, `*` any text within a component.
    """
    return bool(patterns) and _compiled(patterns).fullmatch(path) is not None


@lru_cache(maxsize=1024)
def _compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(_expression(pattern) for pattern in patterns), re.DOTALL)


def _expression(pattern: str) -> str:
    head, body, tail = "", pattern, ""
    if body.startswith("**/"):
        head, body = "(?:.*/)?", body[3:]
    if body.endswith("/**"):
        body, tail = body[:-3], "(?:/.*)?"
    return head + "[^/]*".join(re.escape(piece) for piece in body.split("*")) + tail
