"""The judge's side of the wire: asks the cell, serves its callbacks, keeps what it noted. Trusts no byte of it.

Whatever the cell sends that the protocol does not allow, and every way of leaving early, becomes a `Violation`, which
no handler of `Exception` in a property catches and which is remembered even if one catches everything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any

from . import changes, codec, describe, proxies
from .wire import Wire, WireClosed, WireError

MAX_NOTES = 1000
MAX_NESTING = 200
_ITERATING = ("__next__", "__anext__", "send", "throw")


class Violation(BaseException):
    """The candidate broke off or broke the protocol; `code` is a reason code. Never a pass."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class Peer:
    """A conversation with the cell."""

    def __init__(self, wire: Wire, stand_ins: Callable[[Peer], Any]) -> None:
        self._wire = wire
        self._stand_ins = stand_ins(self)
        self._objects: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._methods: dict[tuple[int, str], Any] = {}
        self._depth = 0
        self._decoder = codec.Decoder({**self._stand_ins.tags, "j": self._own})
        self.violation: Violation | None = None
        self.notes: dict[tuple[str, str, int, str], None] = {}
        self.requests = 0
        self.given: deque[Any] = deque(maxlen=4096)
        self._originals = changes.Originals()

    def open(self, setup: dict[str, Any]) -> None:
        """Greets the cell, which pins itself."""
        self._send(["setup", setup])
        if self._receive() != ["hello", 1]:
            raise self._violate("protocol_violation", "the cell did not greet")

    def close(self) -> None:
        """Says goodbye; anything but a clean close is a violation."""
        self._send(["bye"])
        answer = self._next()
        if answer != ["bye"] or not self._wire.at_end():
            raise self._violate("protocol_violation", "the cell did not close cleanly")

    def note(self, kind: str, path: str, line: int, what: str) -> None:
        """Remembers what a judge's own observer or the cell saw."""
        if len(self.notes) < MAX_NOTES:
            self.notes[(kind, path, line, what)] = None
        else:
            self.notes[("notes", "", 0, f"more than {MAX_NOTES} notes")] = None  # what it hides can't be allowed

    def get(self, reference: Any, name: str) -> Any:
        """An attribute of the candidate's object."""
        return self.ask(["get", reference, name])

    def begin(self) -> None:
        """A new case: what was given and passed for the last one is no longer looked at."""
        self.given.clear()
        self._originals.clear()
        if self.violation is None:
            self._send(["case"])

    def call(self, reference: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Calls the candidate; arguments it changes in place, now or later, are changed here too."""
        encoded = self._arguments([*args, *kwargs.values()])
        named = [[name, data] for name, data in zip(kwargs, encoded[len(args):])]
        return self.ask(["call", reference, encoded[:len(args)], named])

    def operate(self, reference: Any, name: str, args: tuple[Any, ...]) -> Any:
        """A special method of the candidate's object."""
        return self.ask(["op", reference, name, self._arguments(list(args))])

    def assign(self, reference: Any, name: str, value: Any) -> None:
        """Sets an attribute of the candidate's object."""
        self.ask(["set", reference, name, self._arguments([value])[0]])

    def ask(self, message: list[Any]) -> Any:
        """Sends one request and serves callbacks until its answer comes."""
        if self.violation is not None:
            raise self.violation
        if self._depth >= MAX_NESTING:
            raise self._violate("output_limit", f"calls nested deeper than {MAX_NESTING}")
        self.requests += 1
        self._depth += 1
        try:
            self._send(message)
            while True:
                answer = self._next()
                if answer[0] in _ANSWERS:
                    return self._given(_ANSWERS[answer[0]](self, answer))
                self._serve(answer)
        except (StopIteration, StopAsyncIteration) as stop:
            if message[0] == "op" and message[2] in _ITERATING:
                raise
            # From a plain call it would end the loop of a property's `map` early, and unseen.
            error = RuntimeError(f"the candidate raised {type(stop).__name__} outside an iterator")
            error.__dict__["_oracle_where"] = stop.__dict__.get("_oracle_where", "")
            raise error from None
        finally:
            self._depth -= 1

    def _given(self, value: Any) -> Any:
        self.given.append(value)
        return value

    def _next(self) -> list[Any]:
        while True:
            message = self._receive()
            if message[0] != "note":
                return message
            if [type(part) for part in message[1:]] != [str, str, int, str]:
                raise self._violate("protocol_violation", "a malformed note")
            kind, path, line, what = message[1:]
            self.note(kind[:40], path[:200], line, what[:200])

    def _answer_ok(self, message: list[Any]) -> Any:
        _, value, changed, classes = self._shape(message, 4)
        self._learn(classes)
        self._change(changed)
        return self._decode(value)

    def _change(self, changed: Any) -> None:
        """Takes over what has become of arguments; only what was passed as changeable data can change."""
        for change in changed if type(changed) is list else [None]:
            number, data = self._shape(change, 2)
            try:
                self._originals.take(number, self._decode(data))
            except (IndexError, TypeError):
                raise self._violate("protocol_violation", "a change of no argument") from None

    def _answer_error(self, message: list[Any]) -> Any:
        _, data, changed, classes = self._shape(message, 4)
        self._learn(classes)
        self._change(changed)
        error = self._decode(data)
        if not isinstance(error, BaseException):
            raise self._violate("protocol_violation", "an exception that is none")
        raise error

    def _answer_left(self, message: list[Any]) -> Any:
        raise self._violate("candidate_exited", f"raised {str(message[1:3])[:200]}")

    def _answer_bad(self, message: list[Any]) -> Any:
        _, code, detail, _ = self._shape(message, 4)
        known = code if code in ("output_limit", "protocol_violation") else "protocol_violation"
        raise self._violate(known, str(detail)[:300])

    def _serve(self, message: list[Any]) -> None:
        """Runs a callback into an object of the property's."""
        try:
            if message[0] == "jget":
                _, number, name, classes = self._shape(message, 4)
                value = self._public(self._own(number), number, str(name))
            elif message[0] == "jset":
                _, number, name, classes = self._shape(message, 4)
                self.note("harness_read", type(self._own(number)).__name__, 0, f"assignment to {str(name)[:80]}")
                raise AttributeError(f"an object of the property can't be changed: {name}")
            elif message[0] == "jcall":
                _, number, name, args, kwargs, classes = self._shape(message, 6)
                self._learn(classes)
                value = self._call_own(number, name, args, kwargs)
            else:
                raise self._violate("protocol_violation", f"an unknown message {str(message[0])[:40]!r}")
            reply = ["ret", self._encode_all([value])[0]]
        except Exception as error:
            if message[0] != "jcall":
                # The candidate's reach is refused, and that is its error, not the property's, if it lets it through.
                error.__dict__.setdefault("_oracle_where", "its use of an object of the property's")
            reply = ["exc", *self._describe(error)]
        self._send(reply)

    def _call_own(self, number: int, name: str, args: Any, kwargs: Any) -> Any:
        target = self._own(number)
        if type(name) is not str or name not in proxies.SPECIAL or not hasattr(type(target), name):
            raise self._violate("protocol_violation", f"a callback by {str(name)[:40]!r}")
        values = [self._decode(data) for data in args]
        named = {str(key): self._decode(data) for key, data in kwargs}
        return target(*values, **named) if name == "__call__" else getattr(type(target), name)(target, *values)

    def _public(self, target: Any, number: int, name: str) -> Any:
        """A public method of one of the property's objects, or a public callable field."""
        allowed = not name.startswith("_") and name not in getattr(type(target), "__oracle_private__", ())
        declared = name in getattr(type(target), "__oracle_public__", ())
        if hasattr(target, name):
            value = getattr(target, name)
            if allowed and (callable(value) or declared):
                return self._methods.setdefault((number, name), value)
            self.note("harness_read", type(target).__name__, 0, f"read of {name[:80]}")
        kind = type(target).__name__
        raise AttributeError(f"{kind!r} object has no public method {name!r}; only methods of a fake can be used")

    def _describe(self, error: Exception) -> list[Any]:
        try:
            return [self._stand_ins.reference(error) or self._shared(error), str(error)[:1000]]
        except Exception:
            return [None, "an exception that cannot be shown"]

    def _own(self, number: Any) -> Any:
        if type(number) is not int or not 0 <= number < len(self._objects):
            raise self._violate("protocol_violation", "an object that the judge never lent")
        return self._objects[number]

    def _shared(self, value: Any) -> Any:
        """Wire form of a builtin class, which both sides have, and of exceptions, which have to be real to be raised
        there and come back as themselves; anything else is lent."""
        if isinstance(value, BaseException):
            parts = [part if type(part) in (int, str) else str(part) for part in value.args]
            return ["jx", self._lend(value)[1], self._shared(type(value)), parts]
        if isinstance(value, type) and issubclass(value, BaseException) and value.__module__ != "builtins":
            base = next(kind for kind in value.__mro__ if kind.__module__ == "builtins")
            return ["jt", self._lend(value)[1], value.__name__, base.__name__]
        if type(value) is type and value in describe.KNOWN.values():
            return ["kb", describe.builtin_name(value)]
        return None if type(value) is TracebackType else self._lend(value)

    def _lend(self, value: Any) -> Any:
        """Wire form of an object that stays in the judge."""
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = len(self._objects)
            self._objects.append(value)
        kind = type(value)
        return ["j", number, kind.__name__, sorted(name for name in proxies.SPECIAL if hasattr(kind, name))]

    def _encode_all(self, values: list[Any]) -> list[Any]:
        encoder = codec.Encoder(lambda value: self._stand_ins.reference(value) or self._shared(value))
        try:
            return [encoder.encode(value) for value in values]
        except codec.NotData as refusal:
            raise ValueError(f"the property passes {refusal.detail}") from None

    def _arguments(self, values: list[Any]) -> list[Any]:
        """Wire data of arguments; those that can be changed in place carry a number."""
        encoded = self._encode_all(values)
        numbers = [self._originals.number(value, data) for value, data in zip(values, encoded)]
        return [data if number is None else ["~", number, data] for number, data in zip(numbers, encoded)]

    def _decode(self, data: Any) -> Any:
        try:
            return self._decoder.decode(data)
        except codec.NotData as refusal:
            raise self._violate(refusal.code, refusal.detail) from None
        except (MemoryError, RecursionError):
            raise self._violate("output_limit", "a value too large to take in") from None

    def _learn(self, classes: Any) -> None:
        try:
            self._stand_ins.learn(classes)
        except Exception as error:
            raise self._violate("protocol_violation", f"a malformed class: {type(error).__name__}") from None

    def _shape(self, message: Any, length: int) -> list[Any]:
        if type(message) is not list or len(message) != length:
            raise self._violate("protocol_violation", "a message of the wrong shape")
        return message

    def _violate(self, code: str, detail: str) -> Violation:
        if self.violation is None:
            self.violation = Violation(code, detail)
        return self.violation

    def _send(self, message: list[Any]) -> None:
        try:
            self._wire.send(message)
        except WireClosed:
            raise self._violate("candidate_exited", "the cell ended before the plan was done") from None
        except WireError as error:
            raise ValueError(f"the property sends too much: {error}") from None

    def _receive(self) -> list[Any]:
        try:
            return self._wire.receive()
        except WireClosed:
            raise self._violate("candidate_exited", "the cell ended before the plan was done") from None
        except WireError as error:
            raise self._violate("protocol_violation", str(error)) from None


_ANSWERS: dict[str, Callable[[Peer, list[Any]], Any]] = {
    "ok": Peer._answer_ok, "err": Peer._answer_error, "left": Peer._answer_left, "bad": Peer._answer_bad}
