"""What the judge has to know of a class that lives in the cell: its bases, its special methods, its shape.

Runs in the cell, on hostile classes: everything is read through `type`'s own descriptors, so that a metaclass cannot
answer for its class. What is sent is data all the same; the judge believes none of it beyond its meaning.
"""

from __future__ import annotations

import builtins
import collections.abc
import enum
import numbers
from collections.abc import Callable
from typing import Any

from . import codec

_C_FUNCTION = type(len)
_mro = type.__dict__["__mro__"].__get__
_bases = type.__dict__["__bases__"].__get__
_namespace = type.__dict__["__dict__"].__get__

# The operators that a stand-in forwards when the class in the cell defines them.
SPECIAL = frozenset(
    "__call__ __len__ __iter__ __next__ __reversed__ __contains__ __getitem__ __setitem__ __delitem__ __missing__ "
    "__enter__ __exit__ __aenter__ __aexit__ __aiter__ __anext__ __await__ "
    "__bool__ __str__ __repr__ __format__ __bytes__ __int__ __float__ __complex__ __index__ __round__ __trunc__ "
    "__floor__ __ceil__ __neg__ __pos__ __abs__ __invert__ "
    "__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ "
    "__add__ __sub__ __mul__ __matmul__ __truediv__ __floordiv__ __mod__ __divmod__ __pow__ __lshift__ __rshift__ "
    "__and__ __or__ __xor__ __radd__ __rsub__ __rmul__ __rmatmul__ __rtruediv__ __rfloordiv__ __rmod__ __rdivmod__ "
    "__rpow__ __rlshift__ __rrshift__ __rand__ __ror__ __rxor__ __iadd__ __isub__ __imul__ __imatmul__ __itruediv__ "
    "__ifloordiv__ __imod__ __ipow__ __ilshift__ __irshift__ __iand__ __ior__ __ixor__ "
    "__fspath__ __dir__ send throw close".split())
_ABCS: tuple[type, ...] = tuple(getattr(collections.abc, name) for name in collections.abc.__all__) + (
    numbers.Number, numbers.Complex, numbers.Real, numbers.Rational, numbers.Integral)


def builtin_name(kind: type) -> str | None:
    """The name of a class that both sides have, or None."""
    return _NAMES.get(kind)


def shape(kind: type) -> str:
    """How instances are compared: "dataclass", "namedtuple", "attrs", "enum", "exception" or "plain"."""
    names: dict[str, Any] = {}
    for base in reversed(_mro(kind)):
        names.update(_namespace(base))
    if issubclass_raw(kind, BaseException):
        return "exception"
    if type(names.get("__dataclass_fields__")) is dict:
        return "dataclass"
    if issubclass_raw(kind, tuple) and type(names.get("_fields")) is tuple:
        return "namedtuple"
    if type(names.get("__attrs_attrs__")) is not type(None):
        return "attrs"
    return "enum" if issubclass_raw(kind, enum.Enum) else "plain"


def issubclass_raw(kind: type, base: type) -> bool:
    """`issubclass` by the method resolution order alone."""
    return base in _mro(kind)


def data_base(kind: type) -> type | None:
    """The builtin data type that instances of this class extend, or None."""
    order = _mro(kind)
    return next((base for base in codec.DATA_BASES if base in order), None)


def field_names(kind: type) -> list[str]:
    """The fields of a structural class in order."""
    for base in _mro(kind):
        names = _namespace(base)
        fields = names.get("__dataclass_fields__")
        if type(fields) is dict:
            return [name for name, field in fields.items() if getattr(field, "compare", True) and str(name) == name]
        if type(names.get("__attrs_attrs__")) is not type(None):
            return [item.name for item in names["__attrs_attrs__"]]
        if type(names.get("_fields")) is tuple and issubclass_raw(kind, tuple):
            return list(names["_fields"])
    return []


def leaves_out(kind: type) -> bool:
    """Whether instances hold what a comparison by fields does not see: fields that are taken out of it, or the data of
    a class that both sides have, such as the items of a `deque`."""
    if any(base in _NAMES or type(_namespace(base).get("__new__")) is _C_FUNCTION for base in _mro(kind)[:-1]):
        return True
    for base in _mro(kind):
        fields = _namespace(base).get("__dataclass_fields__")
        if type(fields) is dict:
            return any(not getattr(field, "compare", True) for field in fields.values())
        attributes = _namespace(base).get("__attrs_attrs__")
        if type(attributes) is not type(None):
            return any(not getattr(item, "eq", True) for item in attributes)
    return False


def describe(kind: type, reference: Callable[[type], Any]) -> dict[str, Any]:
    """The descriptor of a class; `reference` gives the wire form of another class."""
    special: set[str] = set()
    members: set[str] = set()
    base = data_base(kind)
    stop = {object, base, BaseException, Exception}
    for entry in _mro(kind):
        if entry in stop or entry in _NAMES and issubclass_raw(entry, BaseException):
            continue
        names = [name for name in _namespace(entry) if type(name) is str]
        special.update(name for name in names if name in SPECIAL and _namespace(entry)[name] is not None)
        if base is not None or shape(kind) == "exception":
            members.update(name for name in names if not name.startswith("_"))
    name = type.__dict__["__name__"].__get__(kind)
    return {
        "name": str(name), "module": _text(_namespace(kind).get("__module__")),
        "bases": [reference(entry) for entry in _bases(kind)], "shape": shape(kind),
        "base": _NAMES[base] if base is not None else None, "special": sorted(special), "members": sorted(members),
        "fields": [str(item) for item in field_names(kind)], "partial": leaves_out(kind),
        "abcs": sorted(item.__name__ for item in _ABCS if _registered(kind, item)),
    }


def _registered(kind: type, abc: type) -> bool:
    return abc in _mro(kind)


def _text(value: Any) -> str:
    return value if type(value) is str else ""


def _known() -> dict[type, str]:
    found: dict[type, str] = {}
    for name, value in vars(builtins).items():
        if isinstance(value, type) and value.__name__ == name:
            found[value] = name
    for kind in codec.DATA_BASES + (codec._Fraction, codec._UUID, codec._time, codec._timezone, collections.deque,
                                    collections.defaultdict, type(None), type(Ellipsis), type(NotImplemented)):
        found.setdefault(kind, f"{kind.__module__}.{kind.__qualname__}")
    return found


_NAMES: dict[type, str] = _known()
KNOWN: dict[str, type] = {name: kind for kind, name in _NAMES.items()}
ABCS: dict[str, type] = {kind.__name__: kind for kind in _ABCS}
