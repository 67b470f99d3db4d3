"""Alphabets as a lock spells them, down to code points. A text that looks like a misspelt name is refused.

The explicit spelling is an object with one of `named`, `characters`, `code_points` and `categories`. Categories hang on
the tables of an interpreter, so that they name their Unicode version; the canonical form holds code points alone.
"""

from __future__ import annotations

import difflib
import functools
import unicodedata
from typing import Final

from ...protocol import typed
from ...protocol.alphabets import NAMED, Ranges, merged, ranges_of
from .. import document
from ..document import Field

_WAYS = ("named", "characters", "code_points", "categories")
_LAST = 0x10FFFF
# What people write when they mean a set by its name, and no table of ours knows.
_WORDS: Final = ("alphabet", "alphanumeric", "any", "all", "text", "unicode", "utf-8", "utf8", "utf-16", "latin1",
                 "iso-8859-1", "whitespace", "punctuation", "lowercase", "uppercase", "hexdigits", "hex", "octdigits",
                 "numbers", "numeric", "emoji", "string", "bytes", "default", "none")


def short(field: Field) -> str:
    """An alphabet of the short form: a name of the table, or the characters themselves."""
    text = field.value
    if type(text) is not str:
        field.fail(f"has to be text, this is {document.kind(text)}; the general form takes an alphabet as an object")
    if not text:
        field.fail("must not be empty")
    meant = mistaken(text)
    if meant:
        field.fail(f"{text!r} is taken for characters and looks like a name; {meant}write one of {', '.join(NAMED)}, "
                   'or lock {"kind": "text", "alphabet": {"characters": …}} in the general form')
    return str(text)


def mistaken(text: str) -> str:
    """Why a text that is no name of the table reads as one, with what leads on; empty when it doesn't.

    The rule: in small letters it is a word that sets of characters are called by, or it is near to a name of the table.
    """
    word = text.lower().strip()
    if text in NAMED:
        return ""
    found = difflib.get_close_matches(word, NAMED, n=1, cutoff=0.75)
    if found:
        return f"did you mean {found[0]!r}? "
    return "no alphabet has this name; " if word in _WORDS else ""


def short_ranges(text: str) -> Ranges:
    """The code points of an alphabet of the short form."""
    return ranges_of(NAMED.get(text, text))


def explicit(field: Field) -> Ranges:
    """The code points of an alphabet of the general form."""
    found = dict(field.members())
    ways = [way for way in _WAYS if way in found]
    if len(ways) != 1:
        field.fail(f"has {' and '.join(ways) if ways else 'none'} of {', '.join(_WAYS)}; it needs exactly one")
    more = ("unidata",) if ways[0] == "categories" else ()
    found = field.closed((ways[0], *more))
    if ways[0] == "categories":
        return _categories(found["categories"], found["unidata"])
    return {"named": _named, "characters": _characters, "code_points": _code_points}[ways[0]](found[ways[0]])


def _named(field: Field) -> Ranges:
    name = field.words()
    if name not in NAMED:
        field.fail(f"{name!r} is no alphabet; {document.near(name.lower(), NAMED)}there are {', '.join(NAMED)}")
    return ranges_of(NAMED[name])


def _characters(field: Field) -> Ranges:
    try:
        text = typed.decode(field.value)
    except ValueError as error:
        field.fail(str(error))
    if type(text) is not str or not text:
        field.fail("has to be text that is not empty")
    twice = sorted({sign for sign in text if text.count(sign) > 1}) if len(text) < 5000 else []
    if twice:
        field.fail(f"holds {twice[0]!r} more than once; an alphabet names each character once")
    return ranges_of(text)


def _code_points(field: Field) -> Ranges:
    found = []
    for pair in field.items():
        ends = [end.integer(0, _LAST) for end in pair.items()]
        if len(ends) != 2 or ends[0] > ends[1]:
            pair.fail("has to be [first, last] with first not above last")
        found.append((ends[0], ends[1]))
    if not found:
        field.fail("must not be empty")
    return merged(found)


def _categories(field: Field, unidata: Field) -> Ranges:
    version = unidata.words()
    if version != unicodedata.unidata_version:
        unidata.fail(f"is Unicode {version}, and this interpreter has {unicodedata.unidata_version}; write the "
                     "code_points that `oracle-rules domain show` prints where it can be read")
    known = _by_category()
    names = [item.words() for item in field.items()]
    for name, item in zip(names, field.items(), strict=True):
        if name not in known:
            item.fail(f"{name!r} is no category of Unicode; {document.near(name, known)}"
                      f"there are {', '.join(sorted(known))}")
    if not names:
        field.fail("must not be empty")
    return merged(each for name in names for each in known[name])


@functools.cache
def _by_category() -> dict[str, list[tuple[int, int]]]:
    """Category to its ranges; a major class such as `L` holds all that start with it."""
    found: dict[str, list[tuple[int, int]]] = {}
    start, current = 0, unicodedata.category("\0")
    for number in range(1, _LAST + 2):
        category = unicodedata.category(chr(number)) if number <= _LAST else ""
        if category != current:
            found.setdefault(current, []).append((start, number - 1))
            found.setdefault(current[0], []).append((start, number - 1))
            start, current = number, category
    return found
