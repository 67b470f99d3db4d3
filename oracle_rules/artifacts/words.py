"""Words as a person reads them: what draws nothing is left out, and letters are taken for those they look like.

The map is a small part of what UTS #39 calls confusables: the letters that look like ASCII ones in common fonts. ASCII
look-alikes among themselves (`l`, `1`) are left alone, because honest names differ by them. Knows no paths and no laws.
"""

from __future__ import annotations

import re
import unicodedata

# What passes for an ASCII character after case folding: Cyrillic, Greek, Armenian, Georgian and Latin letters, dashes,
# slashes and dots. Written as code points, because on a screen these lines would look alike.
_LETTERS = {
    "a": "0430 03b1 0251",
    "b": "0432 044c 042c 03b2 0185",
    "c": "0441 03f2 1d04 217d",
    "d": "0501 0257 056a",
    "e": "0435 0454 03b5 04bd 212e",
    "f": "0493 0584 03dd 1e9d",
    "g": "0261 0581 050d",
    "h": "04bb 043d 0570 050b",
    "i": "0456 0131 03b9 0457 0269",
    "j": "0458 03f3 0575",
    "k": "043a 03ba 049d",
    "l": "04cf 217c 01c0",
    "m": "043c 217f 03fb",
    "n": "043f 03b7 0578 057c",
    "o": "043e 03bf 03c3 0585 04e9 03b8 0e50 19d0",
    "p": "0440 03c1 03f1 0569",
    "q": "051b 0566 0563",
    "r": "0433 0453 1d26 ab47",
    "s": "0455 a731 01bd 0282",
    "t": "0442 03c4 1d1b",
    "u": "03c5 057d 0446 1d1c 028b",
    "v": "03bd 0475 1d20",
    "w": "0461 051d 0561 03c9 1d21",
    "x": "0445 03c7 1541 00d7",
    "y": "0443 03b3 04af 10e7",
    "z": "1d22 0290",
    "-": "2010 2011 2012 2013 2014 2212 fe63 2043",
    "_": "ff3f 02cd",
    "/": "2215 2044 2571 29f8",
    ".": "2024 00b7 2027 0660 06f0",
}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W\d_]+")
_MAP = {int(point, 16): plain for plain, points in _LETTERS.items() for point in points.split()}
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")
_INVISIBLE = re.compile("[\u180b-\u180f\u2065\ufe00-\ufe0f\ufff0-\ufff8\U000e0000-\U000e0fff]")


def is_invisible(char: str) -> bool:
    """Control, format and separator characters, selectors, and letters that draw nothing."""
    if char in _BLANK_LETTERS or _INVISIBLE.match(char):
        return True
    return unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs")


def look_alike(text: str) -> str:
    """What a text may be taken for, in lower case. Equal ones collide; the result is for comparison only."""
    visible = "".join(char for char in text if not is_invisible(char))
    return unicodedata.normalize("NFKC", visible.translate(_MAP).replace("i\u0307", "i")).casefold()


def told(text: str) -> str:
    """What a text says: two that differ only in white space, in compatible forms or by what draws nothing are one."""
    plain = unicodedata.normalize("NFKC", text)
    return " ".join("".join(char for char in plain if char.isspace() or not is_invisible(char)).split())


def readings(text: str) -> frozenset[str]:
    """Every word of letters that a text may be read as, in lower case: as it is spelled, and as it looks.

    Marks over letters are left out of the second, so that none hides a word.
    """
    spelled = _CAMEL.sub(" ", told(text))
    bare = "".join(char for char in unicodedata.normalize("NFKD", spelled) if not unicodedata.combining(char))
    seen = " ".join(look_alike(word) for word in bare.casefold().split())
    return frozenset(_WORD.findall(f"{spelled.casefold()} {bare.casefold()} {seen}"))
