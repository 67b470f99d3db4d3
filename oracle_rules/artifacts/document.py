"""A JSON artifact under reading: strict bytes in, typed fields out, each error with file, line, column and field path.

Every schema of this folder is written with these readers, so that all artifacts complain alike. Whatever is wrong with
the form of a declared artifact is `oracle_incomplete`: an oracle that cannot be read has not been asked.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from ..errors import IncompleteError
from ..protocol import canonical
from .positions import FieldPath, dotted, first_repeated_key, first_unreadable, line_column, offset_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One value of a document: where it stands, and what it is.

    `places` has the lines and columns where the text is not JSON, by path.
    """

    file: str
    text: str = field(repr=False)
    path: FieldPath
    value: Any
    remedy: str = field(repr=False)
    places: Mapping[FieldPath, tuple[int, int]] | None = field(repr=False, default=None)

    def fail(self, detail: str) -> NoReturn:
        """Raises the error of this field."""
        if self.places is None:
            line, column = line_column(self.text, offset_of(self.text, self.path))
        else:
            line, column = self.places[self.path]
        place = f"{self.file}:{line}:{column}"
        raise IncompleteError(f"{dotted(self.path)}: {detail}", where=place, remedy=self.remedy)

    def child(self, step: str | int) -> Field:
        """The field below this one; the step has to exist."""
        return replace(self, path=(*self.path, step), value=self.value[step])

    def items(self) -> Iterator[Field]:
        """The elements of a list."""
        if type(self.value) is not list:
            self.fail(f"has to be a list, this is {kind(self.value)}")
        return (self.child(index) for index in range(len(self.value)))

    def members(self) -> Iterator[tuple[str, Field]]:
        """The members of an object, by key."""
        if type(self.value) is not dict:
            self.fail(f"has to be an object, this is {kind(self.value)}")
        return ((key, self.child(key)) for key in sorted(self.value))

    def closed(self, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Field]:
        """The members of an object that holds all the required keys and no key beyond the optional ones."""
        found = dict(self.members())
        for key in required:
            if key not in found:
                self.fail(f"has no {key!r}; it needs {', '.join(required)}")
        for key, member in found.items():
            if key not in required and key not in optional:
                known = required + optional
                member.fail(f"is not a field that is known here; {near(key, known)}known are {', '.join(known)}")
        return found

    def words(self) -> str:
        """Text that says something."""
        if type(self.value) is not str:
            self.fail(f"has to be text, this is {kind(self.value)}")
        if not self.value.strip():
            self.fail("must not be empty")
        return self.value

    def integer(self, least: int, most: int) -> int:
        """A whole number within bounds; `true` is not a number."""
        if type(self.value) is not int:
            self.fail(f"has to be a whole number, this is {kind(self.value)}")
        if not least <= self.value <= most:
            self.fail(f"has to be from {least} to {most}, this is {self.value}")
        return self.value

    def flag(self) -> bool:
        """True or false and nothing that merely looks like it."""
        if type(self.value) is not bool:
            self.fail(f"has to be true or false, this is {kind(self.value)}")
        return self.value


def near(word: str, known: Iterable[str]) -> str:
    """A question after the one of these words that was probably meant, with what leads on; empty when none is near."""
    found = difflib.get_close_matches(word, list(known), n=1)
    return f"did you mean {found[0]!r}? " if found else ""


def kind(value: object) -> str:
    """What JSON calls the value."""
    names = {type(None): "null", bool: "a boolean", int: "a number", float: "a number", str: "text", list: "a list"}
    return names.get(type(value), "an object")


def read(data: bytes | None, *, path: str, remedy: str) -> Field:
    """The whole document; None stands for a file that is declared and not there."""
    if data is None:
        raise IncompleteError("is declared and does not exist", where=path, remedy=remedy)
    text = decoded(data, path, remedy)
    if not text.strip(" \t\r\n"):
        raise IncompleteError("is empty", where=f"{path}:1:1", remedy=remedy)
    try:
        value = canonical.loads(data)
    except ValueError as error:
        raise _malformed(text, path, str(error), remedy) from None
    return Field(file=path, text=text, path=(), value=value, remedy=remedy)


def decoded(data: bytes, path: str, remedy: str) -> str:
    """UTF-8 without a byte order mark; JSON has no other encoding."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = line_column(before, len(before))
        raise IncompleteError("is not UTF-8", where=f"{path}:{line}:{column}", remedy=remedy) from None
    if text.startswith("\ufeff"):
        raise IncompleteError("starts with a byte order mark", where=f"{path}:1:1", remedy=remedy)
    return text


def fault(text: str, message: str) -> tuple[int, int, str]:
    """Where a text is not JSON and why, from what `canonical.loads` says and a second look; 0, 0 when neither tells."""
    words = message.split(" ", 4)
    if message.startswith("line ") and len(words) == 5 and words[2] == "column":
        return int(words[1]), int(words[3].rstrip(":")), f"is not JSON: {words[4]}"
    if message.startswith("duplicate key"):
        repeated = first_repeated_key(text)
        found = repeated and (*repeated, "stands twice in its object")
    else:
        found = first_unreadable(text)
    return (*line_column(text, found[1]), f"{dotted(found[0])}: {found[2]}") if found else (0, 0, message)


def _malformed(text: str, path: str, message: str, remedy: str) -> IncompleteError:
    """The error of a text that is not JSON, at its place."""
    line, column, message = fault(text, message)
    return IncompleteError(message, where=f"{path}:{line}:{column}" if line else path, remedy=remedy)
