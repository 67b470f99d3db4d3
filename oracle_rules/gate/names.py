"""Names that are not what they look like: skeletons for comparison, odd characters, and path patterns.

Two paths with one skeleton may be taken for each other by a person, a file system or an importer. The map is a small
part of what UTS #39 calls confusables: the letters that look like ASCII ones in common fonts. ASCII look-alikes among
themselves (`l`, `1`) are left alone, because honest names differ by them. Knows nothing of what is protected.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from .. import relpath

# Cyrillic, Greek, Armenian and Latin letters after case folding, each beside the ASCII letter that it passes for.
_LETTERS = {
    "a": "аαɑ", "b": "вьЬβƅ", "c": "сϲᴄⅽ", "d": "ԁɗժ", "e": "еєεҽ℮", "f": "ғքϝẝ", "g": "ɡցԍ", "h": "һнհԋ",
    "i": "іıιїɩ", "j": "јϳյ", "k": "кκҝ", "l": "ӏⅼǀ", "m": "мⅿϻ", "n": "пηոռ", "o": "оοσօөθ๐᧐", "p": "рρϱթ",
    "q": "ԛզգ", "r": "гѓᴦꭇ", "s": "ѕꜱƽʂ", "t": "тτᴛ", "u": "υսцᴜʋ", "v": "νѵᴠ", "w": "ѡԝաωᴡ", "x": "хχᕁ×", "y": "уγүყ",
    "z": "ᴢʐ", "-": "‐‑‒–—−﹣⁃", "_": "＿ˍ", "/": "∕⁄╱⧸", ".": "․·‧٠۰",
}  # fmt: skip
_MAP = {ord(char): plain for plain, chars in _LETTERS.items() for char in chars}
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")
_INVISIBLE = re.compile("[\u180b-\u180d\ufe00-\ufe0f\U000e0100-\U000e01ef]")


@lru_cache(maxsize=65536)
def skeleton(path: str) -> str:
    """What the path may be taken for. Equal skeletons collide; the result is for comparison only."""
    visible = "".join(char for char in relpath.fold(path) if not _is_invisible(char))
    plain = unicodedata.normalize("NFKC", visible.translate(_MAP).replace("i\u0307", "i")).casefold()
    return "/".join(part.rstrip(". ") or part for part in plain.split("/"))


def odd(path: str) -> str | None:
    """Why no honest path is spelled like this, or None."""
    if reason := relpath.problem(path):
        return reason
    for char in path:
        if _is_invisible(char):
            return f"holds the invisible character U+{ord(char):04X}"
        if char != " " and unicodedata.category(char) == "Zs":
            return f"holds the space character U+{ord(char):04X}"
    for part in path.split("/"):
        if part[-1] in ". ":
            return "has a component that ends with a dot or a space"
        if skeleton(part) in (".git", "git~1"):
            return "has a component that some systems take for .git"
    return None


def matches(pattern: str, path: str) -> bool:
    """Whether a table pattern selects the path.

    `**/` is any number of folders, `/**` the folder itself and everything below it, `*` any text within a component.
    """
    return _compiled(pattern).fullmatch(path) is not None


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    head, body, tail = "", pattern, ""
    if body.startswith("**/"):
        head, body = "(?:.*/)?", body[3:]
    if body.endswith("/**"):
        body, tail = body[:-3], "(?:/.*)?"
    return re.compile(head + "[^/]*".join(re.escape(piece) for piece in body.split("*")) + tail, re.DOTALL)


def _is_invisible(char: str) -> bool:
    """Control, format and separator characters, selectors, and letters that draw nothing."""
    if char in _BLANK_LETTERS or _INVISIBLE.match(char):
        return True
    return unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs")
