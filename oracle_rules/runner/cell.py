"""The cell: runs the candidate and answers the judge, one request at a time. Knows no case, property or expectation.

Everything that needs an original of the standard library binds it before the first line of candidate code runs.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from typing import Any

from . import changes, codec, pins
from .objects import ObjectTable
from .proxies import Proxies
from .wire import Wire, WireClosed, WireError

CANDIDATE = "/candidate"
DEPENDENCIES = "/deps"
_type, _getattr, _setattr, _delattr = type, getattr, setattr, delattr
_import_module, _exit, _get_ident = importlib.import_module, os._exit, threading.get_ident


class Cell:
    """Serves the judge until it says goodbye."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._proxies = Proxies(self.request)
        self._objects = ObjectTable(self._proxies.number)
        self._thread = _get_ident()
        self._decoder = codec.Decoder({"h": self._objects.get, "j": self._proxies.make, "kb": _builtin, "~": self._keep,
                                       "jt": self._exception_class, "jx": self._own_exception})
        self._passed: dict[int, list[Any]] = {}
        self._serve = {"import": self._import, "get": self._get, "set": self._set, "del": self._del,
                       "call": self._call, "op": self._operate, "fields": self._fields}

    def note(self, kind: str, path: str, line: int, what: str) -> None:
        """Tells the judge that the candidate did something that has to be known."""
        try:
            self._wire.send(["note", kind, path, line, what])
        except (WireClosed, WireError):
            _exit(70)

    def request(self, message: list[Any]) -> Any:
        """Asks the judge on behalf of the candidate and serves nested requests until it answers."""
        if _get_ident() != self._thread:
            raise RuntimeError("an object of the property can be used by the thread that was called, not by others")
        if message[0] == "jcall":
            message[3] = self._objects.encode_all(message[3])
            message[4] = [[name, self._objects.encode(value)] for name, value in message[4]]
        self._wire.send([*message, self._objects.take_classes()])
        while True:
            answer = self._wire.receive()
            if answer[0] == "ret":
                return self._decoder.decode(answer[1])
            if answer[0] == "exc":
                raise self._exception(*answer[1:])
            self.serve(answer)

    def serve(self, message: list[Any]) -> None:
        """Answers one request; every way in which candidate code can end gives exactly one answer."""
        try:
            serve: Any = self._serve[message[0]]
            value = serve(*message[1:])
            answer = ["ok", self._objects.encode(value), self._changes()]
        except codec.NotData as refusal:
            answer = ["bad", refusal.code, refusal.detail]
        except (WireClosed, WireError):
            _exit(70)
        except BaseException as error:
            answer = self._raised(error)
        try:
            self._wire.send([*answer, self._objects.take_classes()])
        except WireError as error:
            self._wire.send(["bad", "output_limit", str(error), []])

    def trace(self) -> None:
        """From now on, what is run of the candidate is written down for the judge to ask."""
        from .reach import Reach
        reach = Reach(CANDIDATE)
        self._serve["reach"] = reach.lines
        reach.start()

    def forget(self) -> None:
        """A new case: arguments of the last one are not looked at any more."""
        self._passed.clear()

    def _raised(self, error: BaseException) -> list[Any]:
        if not isinstance(error, Exception) and not _is_cancellation(error):
            kind = _type(error)
            return ["left", kind.__module__ + "." + kind.__qualname__, self._text(error)]
        try:
            return ["err", self._objects.encode(error), self._changes()]
        except codec.NotData as refusal:
            return ["bad", refusal.code, refusal.detail]
        except BaseException as second:
            return ["bad", "protocol_violation", f"an exception that cannot be described: {_type(second).__name__}"]

    def _keep(self, number: int, data: Any) -> Any:
        """An argument that can be changed in place; the newest copy of each is watched, the oldest given up first."""
        value = self._decoder.decode(data)
        self._passed.pop(number, None)
        self._passed[number] = [value, self._objects.encode(value)]
        if len(self._passed) > changes.MOST:
            del self._passed[next(iter(self._passed))]
        return value

    def _changes(self) -> list[Any]:
        """New wire data of arguments that have changed since they were last told of."""
        changed = []
        for number, kept in self._passed.items():
            now = self._objects.encode(kept[0])
            if now != kept[1]:
                kept[1] = now
                changed.append([number, now])
        return changed

    def _text(self, error: BaseException) -> str:
        try:
            return repr(BaseException.args.__get__(error))[:200]  # type: ignore[attr-defined]
        except BaseException:
            return ""

    def _exception_class(self, number: int, name: str, base: str) -> Any:
        return self._proxies.exception_class(number, name, _builtin(base))

    def _own_exception(self, number: int, kind: Any, args: list[Any]) -> Any:
        return self._proxies.exception(number, self._decoder.decode(kind), args)

    def _exception(self, data: Any, text: str, _classes: Any = None) -> BaseException:
        error = self._decoder.decode(data) if data is not None else None
        if isinstance(error, BaseException):
            return error
        if isinstance(error, type) and issubclass(error, BaseException):
            return error(text)
        return RuntimeError(text)

    def _import(self, name: str) -> Any:
        module = _import_module(name)
        return [module, hasattr(module, "__path__")]

    def _get(self, target: Any, name: str) -> Any:
        return _getattr(self._decoder.decode(target), name)

    def _set(self, target: Any, name: str, value: Any) -> None:
        _setattr(self._decoder.decode(target), name, self._decoder.decode(value))

    def _del(self, target: Any, name: str) -> None:
        _delattr(self._decoder.decode(target), name)

    def _call(self, target: Any, args: list[Any], kwargs: list[Any]) -> Any:
        values = [self._decoder.decode(data) for data in args]
        named = {name: self._decoder.decode(data) for name, data in kwargs}
        return self._decoder.decode(target)(*values, **named)

    def _operate(self, target: Any, name: str, args: list[Any]) -> Any:
        subject = self._decoder.decode(target)
        return _getattr(_type(subject), name)(subject, *[self._decoder.decode(data) for data in args])

    def _fields(self, target: Any, names: list[str]) -> Any:
        subject = self._decoder.decode(target)
        return [object.__getattribute__(subject, name) for name in names]


def _is_cancellation(error: BaseException) -> bool:
    """Whether this is asyncio's way to end a task; asyncio itself is not loaded for the question."""
    kind = getattr(sys.modules.get("asyncio.exceptions"), "CancelledError", None)
    return isinstance(kind, _type) and isinstance(error, kind)


def _builtin(name: str) -> type:
    from .describe import KNOWN
    return KNOWN[name]


def main(descriptor: int) -> None:
    """Greets the judge, pins the process, makes the candidate importable, serves."""
    wire = Wire(descriptor)
    os.register_at_fork(after_in_child=wire.abandon)
    cell = Cell(wire)
    setup = wire.receive()
    options = setup[1]
    pins.install(options["pins"], cell.note, candidate=CANDIDATE, dependencies=DEPENDENCIES)
    # Last on the path, so that no file of the patch can take the place of a standard or locked module.
    if options["dependencies"]:
        sys.path.append(DEPENDENCIES)
    sys.path.extend(CANDIDATE if root == "." else f"{CANDIDATE}/{root}" for root in options["imports"])
    if options["reach"]:
        cell.trace()
    wire.send(["hello", 1])
    while True:
        message = wire.receive()
        if message[0] == "bye":
            wire.send(["bye"])
            _exit(0)
        if message[0] == "case":
            cell.forget()
        else:
            cell.serve(message)
