"""The cell's stand-ins for objects that stay in the judge: fakes, seams, callbacks, iterators of the property's.

They offer public methods and the special methods of the original's class, nothing else: no data attribute, no private
name, no assignment. A reach for more is an AttributeError here and a note in the judge.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# What a judge object's class may answer when the candidate uses an operator on it.
SPECIAL = frozenset("__call__ __len__ __iter__ __next__ __contains__ __getitem__ __enter__ __exit__ __bool__".split())

_get = object.__getattribute__
_type, _id = type, id


class Proxies:
    """Stand-ins by the judge's number; `request` sends one message and waits for its answer."""

    def __init__(self, request: Callable[[list[Any]], Any]) -> None:
        self._request = request
        self._numbers: dict[int, int] = {}
        self._made: dict[int, Any] = {}
        self._classes: dict[tuple[str, ...], type] = {}

    def number(self, value: Any) -> int | None:
        """The judge's number if the value is a stand-in of ours, by identity."""
        return self._numbers.get(_id(value))

    def make(self, number: int, name: str, special: list[str]) -> Any:
        """The stand-in of the judge's object with this number."""
        if number not in self._made:
            key = (name, *sorted(SPECIAL.intersection(special)))
            if key not in self._classes:
                self._classes[key] = self._class(*key)
            made: Any = object.__new__(self._classes[key])
            object.__setattr__(made, "_oracle_number", number)
            self._keep(number, made)
        return self._made[number]

    def exception_class(self, number: int, name: str, base: type) -> Any:
        """A class that stands for an exception class of the property's, so that it can be raised and caught."""
        if number not in self._made:
            self._keep(number, _type(name, (base,), {"__module__": "oracle"}))
        return self._made[number]

    def exception(self, number: int, kind: type, args: list[Any]) -> Any:
        """An exception that stands for one of the property's; raised back, it is that one."""
        if number not in self._made:
            try:
                self._keep(number, kind(*args))
            except TypeError:
                self._keep(number, kind.__new__(kind, *args))
        return self._made[number]

    def _keep(self, number: int, made: Any) -> None:
        self._made[number] = made
        self._numbers[_id(made)] = number

    def _class(self, name: str, *special: str) -> type:
        request = self._request

        def get(self: Any, attribute: str) -> Any:
            return request(["jget", _get(self, "_oracle_number"), attribute])

        def refuse(self: Any, attribute: str, *value: Any) -> None:
            request(["jset", _get(self, "_oracle_number"), attribute])

        namespace: dict[str, Any] = {"__slots__": ("_oracle_number", "__weakref__"), "__getattr__": get,
                                     "__setattr__": refuse, "__delattr__": refuse, "__module__": "oracle"}
        for method in special:
            namespace[method] = _forward(request, method)
        return _type(name, (), namespace)


def _forward(request: Callable[[list[Any]], Any], method: str) -> Callable[..., Any]:
    def forward(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        return request(["jcall", _get(self, "_oracle_number"), method, list(args), list(kwargs.items())])
    forward.__name__ = method
    return forward
