"""What a property sees of the candidate: stand-in modules, classes, instances, exceptions.

A stand-in class mirrors the bases that the class has in the cell, so `except`, `isinstance` and `issubclass` are
decided here, by identity of classes, and no metaclass of the candidate's has a say. Structural instances (dataclass,
attrs) are compared by their fields; subclasses of builtin data carry the data of that builtin and are compared by it. A
comparison or arithmetic that only the candidate can answer is noted as `comparison`, which refuses a pass unless it is
allowed.

Longer than 300 lines because classes, instances and exceptions know each other: apart, they would be a cycle.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from typing import Any

from . import codec, describe

_REFERENCE = "_oracle_reference"
_COMPARING = frozenset("__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __contains__".split())
_OPERATORS = "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and or xor".split()
_ARITHMETIC = frozenset(f"__{side}{name}__" for name in _OPERATORS for side in ("", "r", "i"))
_FORCED: dict[str, type] = {"__len__": int, "__bool__": bool, "__str__": str, "__repr__": str, "__format__": str,
                            "__hash__": int, "__index__": int, "__int__": int, "__float__": float, "__contains__": bool}


class StandInType(type):
    """The class of stand-in classes: calling one makes an instance in the cell."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return cls._oracle_peer.call(cls._oracle_class, args, kwargs)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_oracle_") or name in ("__wrapped__", "__abstractmethods__"):
            raise AttributeError(name)
        return cls._oracle_peer.get(cls._oracle_class, name)

    def __iter__(cls) -> Any:
        return iter(cls._oracle_peer.operate(cls._oracle_class, "__iter__", ()))

    def __len__(cls) -> int:
        return int(cls._oracle_peer.operate(cls._oracle_class, "__len__", ()))

    def __getitem__(cls, key: Any) -> Any:
        return cls._oracle_peer.operate(cls._oracle_class, "__getitem__", (key,))

    def __contains__(cls, item: Any) -> bool:
        # Membership of an enumeration or the like: the members are asked for, the comparison is made here.
        return any(item is member or item == member for member in cls)

    def __bool__(cls) -> bool:
        return True


class StandIn:
    """Mixed into every stand-in class; instances know their handle and nothing else."""

    _oracle_peer: Any = None
    _oracle_class: Any = None
    _oracle_fields: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_oracle_"):
            raise AttributeError(name)
        return self._oracle_peer.get(object.__getattribute__(self, _REFERENCE), name)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"a {type(self).__name__} lives with the candidate and can't be copied or pickled here; "
                        "let the candidate make the copy")

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith(("__", "_oracle_")):
            object.__setattr__(self, name, value)
        else:
            self._oracle_peer.assign(object.__getattribute__(self, _REFERENCE), name, value)


class StandInModule(types.ModuleType):
    """A module of the candidate's; attributes are asked for each time."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name not in ("__all__", "__version__", "__doc__"):
            raise AttributeError(name)
        try:
            return self.__dict__["_oracle_peer"].get(self.__dict__[_REFERENCE], name)
        except AttributeError:
            self.__dict__["_oracle_missing"](f"{self.__name__} has no name {name!r}")
            raise

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("__") or isinstance(value, types.ModuleType):
            super().__setattr__(name, value)
        else:
            self.__dict__["_oracle_peer"].assign(self.__dict__[_REFERENCE], name, value)


class StandIns:
    """Makes stand-ins from wire data and remembers which it made."""

    def __init__(self, peer: Any) -> None:
        self._peer = peer
        self._classes: dict[int, Any] = {}
        self._instances: dict[int, Any] = {}
        self._references: dict[int, Any] = {}
        self.missing: list[str] = []
        self.tags: dict[str, Callable[..., Any]] = {
            "h": self._instance, "k": self._class, "kb": lambda name: describe.KNOWN[name], "m": self._module,
            "x": self._data, "e": self._exception}

    def reference(self, value: Any) -> Any:
        """Wire form of a stand-in, or None for anything else."""
        return self._references.get(id(value))

    def learn(self, classes: Any) -> None:
        """Makes the classes that a message describes; raises ValueError or TypeError for nonsense."""
        if type(classes) is not list:
            raise ValueError("classes")
        for handle, description in classes:
            self._make_class(_number(handle), description)

    def _class(self, handle: Any) -> Any:
        return self._classes[_number(handle)]

    def _module(self, handle: Any, name: Any) -> Any:
        return self._once(_number(handle), lambda: self._bind(StandInModule(str(name)), _number(handle)))

    def _instance(self, handle: Any, kind: Any) -> Any:
        cls = self._kind(kind)
        return self._once(_number(handle), lambda: self._bind(object.__new__(cls), _number(handle)))

    def _data(self, handle: Any, kind: Any, data: Any) -> Any:
        """An instance of a subclass of builtin data, with the data of now."""
        cls = self._kind(kind)
        value = codec.Decoder({**self.tags, "j": self._peer._own}).decode(data)
        base = describe.KNOWN[cls._oracle_base]
        if type(value) is not base:
            raise ValueError("data of another type than its class says")
        kept = self._instances.get(_number(handle))
        if kept is not None and base in (list, dict, set, bytearray):
            _refresh(kept, value, base)
            return kept
        return self._once(_number(handle), lambda: self._bind(_new(cls, base, value), _number(handle)))

    def _exception(self, handle: Any, kind: Any, args: Any, where: Any) -> Any:
        cls = describe.KNOWN[kind[1]] if kind[0] == "kb" else self._kind(kind)
        if not issubclass(cls, BaseException):
            raise ValueError("an exception of a class that is none")
        values = codec.Decoder({**self.tags, "j": self._peer._own}).items(args, 1)
        return self._once(_number(handle), lambda: self._bind(_new_exception(cls, values, str(where)), _number(handle)))

    def _kind(self, kind: Any) -> Any:
        if type(kind) is not list or len(kind) != 2 or kind[0] != "k":
            raise ValueError("an instance of a class that was not described")
        return self._classes[_number(kind[1])]

    def _once(self, handle: int, make: Callable[[], Any]) -> Any:
        if handle not in self._instances:
            self._instances[handle] = make()
        return self._instances[handle]

    def _bind(self, made: Any, handle: int) -> Any:
        try:
            object.__setattr__(made, _REFERENCE, ["h", handle])
        except AttributeError:
            made.__dict__[_REFERENCE] = ["h", handle]
        if isinstance(made, StandInModule):
            made.__dict__["_oracle_peer"] = self._peer
            made.__dict__["_oracle_missing"] = self.missing.append
        self._references[id(made)] = ["h", handle]
        return made

    def _make_class(self, handle: int, about: Any) -> None:
        if handle in self._classes:
            return
        bases = tuple(self._base(entry) for entry in about["bases"])
        mixin: tuple[type, ...] = () if any(isinstance(base, StandInType) for base in bases) else (StandIn,)
        fixed = tuple(base for base in bases if base is not object)
        namespace: dict[str, Any] = {
            "__module__": str(about["module"]), "_oracle_peer": self._peer, "_oracle_class": ["h", handle],
            "_oracle_base": about["base"], "_oracle_shape": str(about["shape"]),
            "_oracle_fields": tuple(str(name) for name in about["fields"])}
        namespace.update(self._methods(about))
        made = _build(str(about["name"]), mixin + fixed, namespace, about)
        for name in about["abcs"]:
            describe.ABCS[name].register(made)  # type: ignore[attr-defined]
        self._classes[handle] = made
        self._references[id(made)] = ["h", handle]

    def _base(self, entry: Any) -> Any:
        if entry[0] == "k":
            return self._classes[_number(entry[1])]
        known = describe.KNOWN[entry[1]]
        return known if issubclass(known, BaseException) or known in codec.DATA_BASES else object

    def _methods(self, about: Any) -> dict[str, Any]:
        """The special methods of a stand-in class."""
        base, structural = describe.KNOWN.get(about["base"]), about["shape"] in ("dataclass", "attrs")
        found: dict[str, Any] = {}
        for name in about["special"]:
            # What the builtin base can do is done here, on the data: an override of it is the candidate's word.
            here = (hasattr(base, name) or name == "__bool__") if base else structural and name in _COMPARING
            if name in describe.SPECIAL and not here:
                found[name] = _forward(name)
        for name in _public(about["members"]):
            if base is None or not hasattr(base, name):
                found.setdefault(name, property(_attribute(name)))
        if about["shape"] == "namedtuple":
            found.update((name, property(_item(index))) for index, name in enumerate(_public(about["fields"])))
        if structural:
            found["__eq__"] = _same
            found.update((name, method) for name, method in _ORDER.items() if name in about["special"])
            found["_oracle_partial"] = bool(about["partial"]) or not about["fields"]
            found["__hash__"] = _field_hash if "__hash__" in about["special"] else None
        if about["shape"] == "dataclass":
            # So that `dataclasses.fields`, `asdict` and `replace` work; each field is read from the cell when asked.
            names = [(name, object, dataclasses.field(default=None)) for name in about["fields"]]
            made = dataclasses.make_dataclass("Fields", names)
            found["__dataclass_fields__"] = dict(vars(made)["__dataclass_fields__"])
        elif "__eq__" in found and "__hash__" not in found:
            found["__hash__"] = None
        return found


def _build(name: str, bases: tuple[type, ...], namespace: dict[str, Any], about: Any) -> type:
    try:
        return StandInType(name, bases, namespace)
    except TypeError:
        # Bases whose layouts or orders don't mix here: keep what decides `except` and data, drop the rest.
        kept = [base for base in bases if issubclass(base, BaseException)][:1]
        return StandInType(name, (StandIn, *kept), namespace)


def _forward(name: str) -> Callable[..., Any]:
    compares, computes, forced = name in _COMPARING, name in _ARITHMETIC, _FORCED.get(name)

    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        peer, reference = self._oracle_peer, object.__getattribute__(self, _REFERENCE)
        if compares or computes and any(peer._stand_ins.reference(arg) is None for arg in args):
            peer.note("comparison", type(self).__name__, 0, name)
        if name == "__call__":
            return peer.call(reference, args, kwargs)
        answer = peer.operate(reference, name, args)
        if forced is not None and type(answer) is not forced and not isinstance(answer, forced):
            raise TypeError(f"{name} of {type(self).__name__} answered {type(answer).__name__}")
        return answer

    method.__name__ = name
    return method


def _attribute(name: str) -> Callable[[Any], Any]:
    def read(self: Any) -> Any:
        return self._oracle_peer.get(object.__getattribute__(self, _REFERENCE), name)
    return read


def _item(index: int) -> Callable[[Any], Any]:
    return lambda self: tuple.__getitem__(self, index)


def _fields(value: Any) -> list[Any]:
    reference = object.__getattribute__(value, _REFERENCE)
    found = value._oracle_peer.ask(["fields", reference, list(value._oracle_fields)])
    return found if type(found) is list else []


def _same(self: Any, other: Any) -> Any:
    if self is other:
        return True
    if type(other) is not type(self):
        return NotImplemented
    _note_partial(self)
    return _fields(self) == _fields(other)


def _note_partial(value: Any) -> None:
    """Fields that the candidate leaves out of comparisons make an answer its own."""
    if value._oracle_partial:
        value._oracle_peer.note("comparison", type(value).__name__, 0, "fields left out of comparisons")


def _field_hash(self: Any) -> int:
    return hash((type(self).__name__, *_fields(self)))


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if type(other) is not type(self):
            return NotImplemented
        _note_partial(self)
        return compare(_fields(self), _fields(other))
    return method


_ORDER: dict[str, Any] = {
    "__lt__": _ordered(lambda a, b: a < b), "__le__": _ordered(lambda a, b: a <= b),
    "__gt__": _ordered(lambda a, b: a > b), "__ge__": _ordered(lambda a, b: a >= b)}


def _new(cls: Any, base: Any, value: Any) -> Any:
    if base in (list, set, bytearray, dict) or issubclass(base, dict):
        made = base.__new__(cls)
        _refresh(made, value, base)
        return made
    if issubclass(base, codec._datetime):
        return base.__new__(cls, value.year, value.month, value.day, value.hour, value.minute, value.second,
                            value.microsecond, value.tzinfo, fold=value.fold)
    if base is codec._date:
        return base.__new__(cls, value.year, value.month, value.day)
    if base is codec._timedelta:
        return base.__new__(cls, value.days, value.seconds, value.microseconds)
    return base.__new__(cls, value)


def _refresh(made: Any, value: Any, base: Any) -> None:
    if issubclass(base, dict):
        dict.clear(made)
        dict.update(made, value)
    elif base is set:
        set.clear(made)
        set.update(made, value)
    else:
        base.__setitem__(made, slice(None), value)


def _new_exception(cls: Any, args: list[Any], where: str) -> BaseException:
    try:
        # A builtin fills its fields when it is initialised; a stand-in class must not call the cell for that.
        made: BaseException = type.__call__(cls, *args) if type(cls) is type else cls.__new__(cls, *args)
    except TypeError:
        made = Exception.__new__(cls, *args)
    BaseException.args.__set__(made, tuple(args))  # type: ignore[attr-defined]
    made.__dict__["_oracle_where"] = where
    return made


def _public(names: Any) -> list[str]:
    """Attribute names a class may bring along; no special name can come by this way."""
    if type(names) is not list or any(type(name) is not str or not name.isidentifier() for name in names):
        raise ValueError("names that are none")
    return [name for name in names if not name.startswith("_")]


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("a handle that is no number")
    return value
