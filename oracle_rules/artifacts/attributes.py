"""What `.gitattributes` say of a path, as far as they convert bytes: gitattributes(5), by its own rules of matching.

Later lines win over earlier ones, and files nearer to a path over those above it. Patterns are those of gitignore(5),
without negation. Knows nothing of fixtures, of configuration, and of attribute files that are not committed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .. import relpath

_NAME = re.compile(r"[-!]?[A-Za-z0-9_.][-A-Za-z0-9_.]*(?:=.*)?\Z")
_CLASSES = {"alnum": "A-Za-z0-9", "alpha": "A-Za-z", "digit": "0-9", "lower": "a-z", "upper": "A-Z", "space": r"\s",
            "blank": r" \t", "xdigit": "0-9A-Fa-f", "punct": r"!-/:-@\[-`{-~"}


class Said(NamedTuple):
    """One attribute as some line gives it: `value` is `set`, `unset`, `unspecified` or what stands behind `=`."""

    name: str
    value: str
    file: str
    line: int


class Converts(NamedTuple):
    """What makes git convert a file: the attribute as it is written, where, and the attribute that would undo it."""

    reason: str
    file: str
    line: int
    undo: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attributes:
    """One attribute file: what each line matches (by the last name alone, or by the path) and what it says."""

    folder: str
    lines: tuple[tuple[re.Pattern[str], bool, tuple[Said, ...]], ...]
    macros: Mapping[str, tuple[Said, ...]]

    @classmethod
    def parse(cls, data: bytes, *, path: str) -> Attributes:
        """Reads a file; as git does, a line that makes no sense is passed over."""
        lines, macros = [], dict[str, tuple[Said, ...]]()
        for number, text in enumerate(data.decode("utf-8", "surrogateescape").removeprefix("\ufeff").split("\n"), 1):
            words = _words(text)
            if not words:
                continue
            pattern = words[0]
            said = tuple(Said(*_value(word), path, number) for word in words[1:] if _NAME.match(word))
            if pattern.startswith("[attr]"):
                macros[pattern[6:]] = said
            elif not pattern.startswith("!") and not pattern.endswith("/"):
                lines.append((_compiled(pattern.removeprefix("/")), "/" not in pattern, said))
        return cls(folder=relpath.parent(path), lines=tuple(lines), macros=macros)

    def of(self, path: str) -> Iterator[Said]:
        """What is said of a path below this file's folder, in order."""
        inside = path[len(self.folder):].lstrip("/")
        for pattern, by_name, said in self.lines:
            if pattern.fullmatch(relpath.name(inside) if by_name else inside):
                yield from said


# What the built-in macro stands for, of the attributes that matter here.
_BUILT_IN: Mapping[str, tuple[Said, ...]] = {"binary": (Said("text", "unset", "", 0),)}


def conversion(path: str, files: Sequence[Attributes]) -> Converts | None:
    """The first reason why git would convert this path, of the files that stand above it; None when it would not."""
    above = sorted((file for file in files if relpath.is_within(path, file.folder)), key=lambda file: len(file.folder))
    macros = {**_BUILT_IN, **(above[0].macros if above and not above[0].folder else {})}
    known: dict[str, Said] = {}
    for file in reversed(above):
        for said in reversed(list(file.of(path))):
            _settle(said, macros, known)
    lines = next((known[name] for name in ("text", "crlf") if _value_of(known, name) != "unspecified"), None)
    if lines is not None and lines.value != "unset":
        return _converts(lines, "-text")
    if lines is None and _value_of(known, "eol") not in ("unspecified", "unset"):
        return _converts(known["eol"], "-text")
    for name in ("filter", "ident", "working-tree-encoding"):
        if _value_of(known, name) not in ("unspecified", "unset"):
            return _converts(known[name], f"-{name}")
    return None


def _settle(said: Said, macros: Mapping[str, tuple[Said, ...]], known: dict[str, Said]) -> None:
    """Git reads from the last word to the first; what is known stays, and a macro stands for its words where it is."""
    if said.name in known:
        return
    known[said.name] = said
    if said.value == "set":
        for inner in reversed(macros.get(said.name, ())):
            _settle(Said(inner.name, inner.value, said.file, said.line), macros, known)


def _value_of(known: Mapping[str, Said], name: str) -> str:
    return known[name].value if name in known else "unspecified"


def _converts(said: Said, undo: str) -> Converts:
    return Converts(said.name if said.value == "set" else f"{said.name}={said.value}", said.file, said.line, undo)


def _value(word: str) -> tuple[str, str]:
    if word[0] in "-!":
        return word[1:], "unset" if word[0] == "-" else "unspecified"
    name, equals, value = word.partition("=")
    return name, value if equals else "set"


def _words(text: str) -> list[str]:
    """The pattern and the attributes; a pattern in quotes may hold spaces and escapes as in C."""
    text = text.strip(" \t\r")
    if not text or text.startswith("#"):
        return []
    quoted = re.match(r'"((?:[^"\\]|\\.)*)"(?=[ \t]|$)', text)
    if quoted is None:
        return text.split()
    escapes = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}

    def plain(found: re.Match[str]) -> str:
        sign = found[1]
        return chr(int(sign, 8)) if sign[0] in "0123" else escapes.get(sign, sign)

    raw = re.sub(r"\\([0-3][0-7]{2}|.)", plain, quoted[1])
    try:
        raw = raw.encode("latin-1").decode("utf-8")  # octal escapes spell the bytes of UTF-8
    except (UnicodeEncodeError, UnicodeDecodeError):
        pass
    return [raw, *text[quoted.end():].split()]


def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of gitignore(5) as a regular expression over the path; one that is none matches nothing."""
    out, at = "", 0
    while at < len(pattern):
        rest = pattern[at:]
        starts = at == 0 or pattern[at - 1] == "/"
        if starts and rest.startswith("**/"):
            out, at = out + "(?:.*/)?", at + 3
        elif starts and rest == "**":
            out, at = out + ".*", at + 2
        elif rest[0] == "*":
            stars = len(rest) - len(rest.lstrip("*"))
            out, at = out + "[^/]*", at + stars
        elif rest[0] == "?":
            out, at = out + "[^/]", at + 1
        elif rest[0] == "[":
            made, length = _bracket(rest)
            if not length:
                return re.compile(r"(?!)")
            out, at = out + made, at + length
        elif rest[0] == "\\" and len(rest) > 1:
            out, at = out + re.escape(rest[1]), at + 2
        else:
            out, at = out + re.escape(rest[0]), at + 1
    return re.compile(out, re.DOTALL)


def _bracket(rest: str) -> tuple[str, int]:
    """A set of characters, and its length in the pattern; a length of 0 when it is not closed."""
    found = re.match(r"\[([!^]?)(\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]", rest, re.DOTALL)
    if found is None:
        return "", 0
    inside = re.sub(r"\[:([a-z]+):\]|\\(.)|([\[\]^&~|])", lambda part: _CLASSES.get(part[1], "") if part[1]
                    else re.escape(part[2] or part[3]), found[2], flags=re.DOTALL)
    return f"(?!/)[{'^' if found[1] else ''}{inside}]", found.end()
