"""The plain part of YAML that people write ledgers in, with a place for each value.

One document of mappings, lists and scalars. No key twice, no anchor, alias, tag or merge. Only `true`, `false`, `null`
and whole numbers mean something; everything else is the text that stands there, days and `yes` included. Knows nothing
of ledgers.
"""

from __future__ import annotations

import re
from typing import Any

from ...errors import IncompleteError
from ..document import Field, decoded
from ..positions import FieldPath, dotted

MAX_BYTES, MAX_DEPTH = 1 << 20, 32
_NUMBER = re.compile(r"(?:0|-?[1-9][0-9]{0,17})\Z")
_CONSTANTS = {"true": True, "false": False, "null": None, "~": None, "": None}


def read_yaml(data: bytes, *, path: str, remedy: str) -> Field:
    """The whole document. Raises IncompleteError with line and column for whatever is not plain."""
    import yaml  # what reads JSON alone need not pay for it

    if len(data) > MAX_BYTES:
        raise IncompleteError(f"is larger than {MAX_BYTES} bytes", where=path, remedy=remedy)
    text = decoded(data, path, remedy)
    builder = _Builder(path, remedy)
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            builder.take(type(event).__name__.removesuffix("Event"), event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else path
        raise IncompleteError(f"is not YAML: {error.problem}", where=place, remedy=remedy) from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # an escape can name a character that there isn't
        raise IncompleteError(f"is not YAML: {str(error).partition(chr(10))[0]}", where=path, remedy=remedy) from None
    if not builder.places:
        raise IncompleteError("is empty", where=f"{path}:1:1", remedy=remedy)
    return Field(file=path, text=text, path=(), value=builder.value, remedy=remedy, places=builder.places)


class _Builder:
    """Events in, one value out. An explicit stack, so that no depth can exhaust the interpreter."""

    def __init__(self, file: str, remedy: str) -> None:
        self.value: Any = None
        self.places: dict[FieldPath, tuple[int, int]] = {}
        self._file, self._remedy = file, remedy
        self._open: list[tuple[FieldPath, Any]] = []
        self._key: list[str | None] = []
        self._documents = 0

    def take(self, kind: str, event: Any) -> None:
        """One event of the parser."""
        self._refuse(kind, event)
        if kind == "Scalar":
            self._scalar(event)
        elif kind in ("MappingStart", "SequenceStart"):
            made: Any = {} if kind == "MappingStart" else []
            self._open.append((self._put(made, event), made))
            self._key.append(None)
        elif kind in ("MappingEnd", "SequenceEnd"):
            self._open.pop()
            self._key.pop()

    def _refuse(self, kind: str, event: Any) -> None:
        self._documents += kind == "DocumentStart"
        wrong = ("has a second document" if self._documents > 1
                 else "holds an alias; write the value again" if kind == "Alias"
                 else "holds an anchor" if getattr(event, "anchor", None)
                 else "holds a tag" if getattr(event, "tag", None)
                 else f"is nested deeper than {MAX_DEPTH}" if len(self._open) > MAX_DEPTH else "")
        if wrong:
            self._fail(event, wrong)

    def _fail(self, event: Any, detail: str) -> None:
        mark = event.start_mark
        where = f"{self._file}:{mark.line + 1}:{mark.column + 1}"
        raise IncompleteError(detail, where=where, remedy=self._remedy)

    def _scalar(self, event: Any) -> None:
        plain = event.style is None
        if self._open and type(self._open[-1][1]) is dict and self._key[-1] is None:
            path, holder = self._open[-1]
            if event.value in holder:
                self._fail(event, f"{dotted((*path, event.value))}: stands twice in its object")
            self._key[-1] = event.value
            return
        self._put(_resolved(event.value) if plain else event.value, event)

    def _put(self, value: Any, event: Any) -> FieldPath:
        """Puts a value where it belongs; its path."""
        if not self._open:
            path: FieldPath = ()
            self.value = value
        else:
            above, holder = self._open[-1]
            if type(holder) is list:
                path = (*above, len(holder))
                holder.append(value)
            else:
                key = self._key[-1]
                if key is None:
                    self._fail(event, "has a key that is no text")
                assert key is not None
                path = (*above, key)
                holder[key], self._key[-1] = value, None
        self.places[path] = (event.start_mark.line + 1, event.start_mark.column + 1)
        return path


def _resolved(text: str) -> Any:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    return int(text) if _NUMBER.match(text) else text


