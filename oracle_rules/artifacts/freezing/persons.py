"""Whether a name could be a person's, by the words of `tables.py`. Can't tell whether that person exists.

A handle (`@ada`) and a mail address are names. A word of NO_PERSON settles it; otherwise one word of two letters or
more has to be left that is not in NO_NAME.
"""

from __future__ import annotations

import re
import unicodedata

from .tables import NO_NAME, NO_PERSON

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W\d_]+")
_TEAM = re.compile(r"@[^\s/]+/")


def why_no_person(name: str) -> str | None:
    """Why this is no person's name, or None when it could be one."""
    seen = "".join(char for char in name if unicodedata.category(char) != "Cf")  # what has no width parts no word
    plain = unicodedata.normalize("NFKC", seen).strip()
    if _TEAM.match(plain):
        return "is the handle of a team"
    local = plain.rpartition("@")[0] or plain  # the host of an address says nothing about who reads it
    words = [word.casefold() for word in _WORD.findall(_CAMEL.sub(" ", local))]
    settled = sorted({word for word in words if word in NO_PERSON})
    if settled:
        return f"is no person: {settled[0]}"
    if not any(len(word) > 1 and word not in NO_NAME for word in words):
        return "names nobody"
    return None
