"""Reads the JUnit XML that pytest writes. A document type, and with it every entity, is refused. Knows no classes.

The newer family of the format leaves the file out. The path is then the one among the failure's own lines that fits the
class name, else put together from it; `Failure.exact` says which.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NoReturn
from xml.parsers import expat

from ...errors import UsageError
from .failures import Log, Run, log_of

_REMEDY = "give what pytest --junit-xml writes, or the text of a run with -rA"
_OUTCOMES = {"failure": "FAILED", "error": "ERROR", "skipped": "SKIPPED"}
_PLACE = re.compile(r"^(\S+\.py):\d+: ", re.MULTILINE)


def read_junit(data: bytes, *, path: str) -> Log:
    """The log of an XML file. Raises UsageError for one that is broken, or that declares a document type."""
    reader = _Reader(path)
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise UsageError(f"is not XML: {expat.errors.messages[error.code]}", remedy=_REMEDY,
                         where=f"{path}:{error.lineno}:{error.offset + 1}") from None
    return log_of([reader.run])


class _Reader:
    """Elements in, outcomes out."""

    def __init__(self, path: str) -> None:
        self.run = Run()
        self._path = path
        self._case: Mapping[str, str] = {}
        self._outcomes: list[tuple[str, str]] = []
        self._inside = ""
        self._held: list[str] = []

    def doctype(self, *_about: object) -> NoReturn:
        """Entities are a way to grow; no test report needs one."""
        raise UsageError("declares a document type", where=self._path, remedy=_REMEDY)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """The start of an element."""
        if name == "testcase":
            self._case, self._outcomes = attributes, []
        elif name in _OUTCOMES and self._case:
            self._inside = name
            self._held = [attributes.get("message", ""), "\n"]

    def text(self, text: str) -> None:
        """Characters within an element."""
        if self._inside:
            self._held.append(text)

    def end(self, name: str) -> None:
        """The end of an element."""
        if name == self._inside:
            self._outcomes.append((_OUTCOMES[name], "".join(self._held)))
            self._inside = ""
        elif name == "testcase":
            self._finish()
            self._case = {}

    def _finish(self) -> None:
        told = "\n".join(text for _, text in self._outcomes)
        name, exact = _nodeid(self._case, told)
        for outcome, text in self._outcomes or [("PASSED", "")]:
            self.run.saw(name, outcome)
            if text.strip():
                # The message repeats the first lines of the text, where there is text.
                lines = text.partition("\n")[2].splitlines() or text.splitlines()
                self.run.sections.setdefault(name, lines)
        if not exact:
            self.run.guessed.add(name)


def _nodeid(case: Mapping[str, str], told: str) -> tuple[str, bool]:
    """The node id, and whether it is pytest's."""
    name, parts = case.get("name", ""), case.get("classname", "").split(".")
    if parts == [""]:
        return name, False  # what could not be collected
    file = case.get("file", "")
    places = [file] if file else list(dict.fromkeys(_PLACE.findall(told)))
    for place in places:
        module = place.removesuffix(".py").split("/")
        if parts[: len(module)] == module:
            return "::".join([place, *parts[len(module):], name]), True
    classes = 0
    while classes < len(parts) - 1 and parts[-1 - classes][:1].isupper():
        classes += 1
    cut = len(parts) - classes
    return "::".join(["/".join(parts[:cut]) + ".py", *parts[cut:], name]), False
