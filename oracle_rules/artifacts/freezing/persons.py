"""Whether a name could be a person's, by the words of `tables.py`. Can't tell whether that person exists.

A handle (`@ada`) and a mail address are names. A word of NO_PERSON settles it, and so does one that ends like a
machine's; otherwise one word of two letters or more has to be left that is not in NO_NAME. Words are read as they are
spelled and as they look, whatever alphabet their letters are from.
"""

from __future__ import annotations

import re

from ..words import readings, told
from .tables import MACHINE_ENDINGS, MACHINES, NO_MACHINES, NO_NAME, NO_PERSON

_TEAM = re.compile(r"@[^\s/]+/")
_OF_HTTP = re.compile(r"user[- ]agents?\b|robots\.txt\b", re.IGNORECASE)


def why_no_person(name: str) -> str | None:
    """Why this is no person's name, or None when it could be one."""
    if not name.isprintable():
        return "has characters that nobody can see"
    plain = told(name)
    if _TEAM.match(plain):
        return "is the handle of a team"
    local = plain.rpartition("@")[0] or plain  # the host of an address says nothing about who reads it
    words = readings(local)
    settled = sorted(word for word in words if word in NO_PERSON or _is_machine(word))
    if settled:
        return f"is no person: {settled[0]}"
    if not any(len(word) > 1 and word not in NO_NAME for word in words):
        return "names nobody"
    return None


def machine(text: str) -> str | None:
    """The first word of a text that names a machine which writes by itself; a header or a file of HTTP is none."""
    found = sorted(filter(_is_machine, readings(_OF_HTTP.sub(" ", told(text)))))
    return found[0] if found else None


def _is_machine(word: str) -> bool:
    return word in MACHINES or (word.endswith(MACHINE_ENDINGS) and word not in NO_MACHINES)
