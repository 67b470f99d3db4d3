"""The cell's table of objects that the judge holds handles to, and the wire form of the candidate's values.

Knows nothing of requests; `cell.py` serves them. A handle is a number that means something here alone.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

from . import codec, describe

_type, _id = type, id
MAX_HANDLES = 1_000_000


class ObjectTable:
    """Objects by handle; the same object always has the same handle."""

    def __init__(self, stand_in: Callable[[Any], Any]) -> None:
        self._objects: list[Any] = []
        self._handles: dict[int, int] = {}
        self._sent: set[int] = set()
        self._classes: list[Any] = []
        self._stand_in = stand_in

    def handle(self, value: Any) -> int:
        """The handle of an object, which is kept alive from now on."""
        known = self._handles.get(_id(value))
        if known is not None:
            return known
        if len(self._objects) >= MAX_HANDLES:
            raise codec.NotData("output_limit", f"more than {MAX_HANDLES} objects held by the property")
        self._objects.append(value)
        self._handles[_id(value)] = len(self._objects) - 1
        return len(self._objects) - 1

    def get(self, handle: int) -> Any:
        """The object behind a handle."""
        return self._objects[handle]

    def encode(self, value: Any) -> Any:
        """Wire data of a value of the candidate's."""
        return codec.Encoder(self._other).encode(value)

    def encode_all(self, values: list[Any]) -> list[Any]:
        """Wire data of several values under one cap."""
        encoder = codec.Encoder(self._other)
        return [encoder.encode(value) for value in values]

    def take_classes(self) -> list[Any]:
        """Descriptors of classes mentioned since the last call."""
        found, self._classes = self._classes, []
        return found

    def reference(self, kind: type) -> Any:
        """Wire form of a class, which is described first if the judge has not seen it."""
        known = describe.builtin_name(kind)
        if known is not None:
            return ["kb", known]
        handle = self.handle(kind)
        if handle not in self._sent:
            self._sent.add(handle)
            self._classes.append([handle, describe.describe(kind, self.reference)])
        return ["k", handle]

    def _other(self, value: Any) -> Any:
        kind = _type(value)
        own = self._stand_in(value)
        if own is not None:
            return ["j", own]
        if describe.issubclass_raw(kind, type):
            return self.reference(value)
        handle = self.handle(value)
        if kind is types.ModuleType or describe.issubclass_raw(kind, types.ModuleType):
            return ["m", handle, str(types.ModuleType.__getattribute__(value, "__name__"))]
        if describe.issubclass_raw(kind, BaseException):
            return self.encode_exception(value)
        base = describe.data_base(kind)
        if base is None:
            return ["h", handle, self.reference(kind)]
        return ["x", handle, self.reference(kind), codec.Encoder(self._other).encode_base(base, value)]

    def encode_exception(self, error: BaseException) -> Any:
        """Wire data of an exception: its class, its arguments, a handle for its attributes."""
        kind = _type(error)
        arguments = BaseException.args.__get__(error)  # type: ignore[attr-defined]
        try:
            encoded = codec.Encoder(self._other).items(arguments, 1)
        except codec.NotData:
            encoded = []
        return ["e", self.handle(error), self.reference(kind), encoded, _where(error)]


def _where(error: BaseException) -> str:
    """File and line of the innermost frame of the traceback; of a source that can't be parsed, its own."""
    if type(error) in (SyntaxError, IndentationError, TabError):
        file, line = error.filename, error.lineno  # type: ignore[attr-defined]
        if type(file) is str and type(line) is int:
            return f"{file}:{line}"
    field: Any = BaseException.__dict__["__traceback__"]
    trace = field.__get__(error)
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"


def module_of(frame: types.FrameType | None) -> str:
    """The file that a frame runs; used in messages only."""
    return frame.f_code.co_filename if frame is not None else sys.executable
