"""The conditions that rules of the table name: what a place must be like for its rule to fire. One function each.

A condition gets the resolver, the node that names something, and the dotted name. Knows nothing of rules.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from .names import Names, constant
from .rules import HOT, HOT_CLASSES
from .spelling import imported

Condition = Callable[[Names, ast.expr, str], bool]
_HOT = frozenset(HOT)
_ANY_HOT = _HOT | frozenset(HOT_CLASSES)
_TYPE_TESTS = ("builtins.isinstance", "builtins.issubclass", "typing.cast", "typing.TypeVar", "typing.NewType")
_BOUND = (ast.Attribute, ast.Subscript, ast.Tuple, ast.BinOp, ast.Starred, ast.List)
# What asks about a module without taking anything out of it.
_ASKING = frozenset({"builtins.hasattr", "builtins.getattr", "builtins.isinstance", "builtins.type", "importlib.reload",
                     "builtins.repr", "builtins.str", "builtins.print"})
# Methods under whose name an identity is only looked up.
# The parameters, of what rules name under "no-argument", that say what would else be asked of the machine.
_INSTANTS = frozenset({"secs", "t", "dt", "timeval", "timestamp", "tz"})
_SCALARS = frozenset(f"builtins.{kind}()" for kind in ("str", "int", "float", "bool", "NoneType"))
_LOOKING_UP = frozenset({"add", "discard", "remove", "get", "pop", "setdefault", "__contains__"})


def fires(when: str, names: Names, node: ast.expr, name: str) -> bool:
    """Whether the place meets the condition. KeyError for a condition that does not exist."""
    return CONDITIONS[when](names, node, name)


def call_of(names: Names, node: ast.expr) -> ast.Call | None:
    """The call whose callee the node is, or in which `functools.partial` binds it."""
    parent = names.parent(node)
    if isinstance(parent, ast.Call):
        if parent.func is node:
            return parent
        if parent.args and parent.args[0] is node and names.resolve(parent.func) in (
                "functools.partial", "functools.partialmethod"):
            return ast.Call(func=node, args=parent.args[1:], keywords=parent.keywords)
    return None


def is_type(names: Names, node: ast.AST) -> bool:
    """Whether the node stands where a type is spoken of: annotation, isinstance, except, base class."""
    current, parent = node, names.parent(node)
    while isinstance(parent, _BOUND):
        current, parent = parent, names.parent(parent)
    if isinstance(parent, (ast.arg, ast.AnnAssign)):
        return parent.annotation is current
    if isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return parent.returns is current
    if isinstance(parent, ast.ExceptHandler):
        return parent.type is current
    if isinstance(parent, ast.MatchClass):
        return parent.cls is current
    if isinstance(parent, ast.Call) and parent.func is not current:
        return names.resolve(parent.func) in _TYPE_TESTS
    return False


def _always(_names: Names, _node: ast.expr, _name: str) -> bool:
    return True


def _arguments(call: ast.Call) -> int:
    """How many arguments are given; a star counts as many."""
    stars = any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords)
    return 99 if stars else len(call.args) + len(call.keywords)


def _no_argument(names: Names, node: ast.expr, name: str) -> bool:
    call = call_of(names, node)
    if call is None:
        return not name.startswith("?")
    if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
        return False
    given = [*call.args[:1], *(each.value for each in call.keywords if each.arg in _INSTANTS)]
    return all(isinstance(each, ast.Constant) and each.value is None for each in given)


def _no_second(names: Names, node: ast.expr, _name: str) -> bool:
    call = call_of(names, node)
    return call is None or _arguments(call) < 2


def _no_timezone(names: Names, node: ast.expr, _name: str) -> bool:
    call = call_of(names, node)
    if call is None or _arguments(call) < 2:
        return True
    given = [call.args[1]] if len(call.args) > 1 else [each.value for each in call.keywords if each.arg == "tz"]
    return any(isinstance(each, ast.Constant) and each.value is None for each in given)


def _unseeded(names: Names, node: ast.expr, _name: str) -> bool:
    call = call_of(names, node)
    if call is not None:
        return _arguments(call) == 0 or _is_none(call)
    parent = names.parent(node)
    return not isinstance(parent, (ast.Attribute, ast.ClassDef))


def _is_none(call: ast.Call) -> bool:
    given = [*call.args, *(each.value for each in call.keywords)]
    return len(given) == 1 and isinstance(given[0], ast.Constant) and given[0].value is None


def _keys_unsorted(names: Names, node: ast.expr, name: str) -> bool:
    call = call_of(names, node)
    if call is None:
        return not (name.endswith("JSONEncoder") and isinstance(names.parent(node), (ast.ClassDef, ast.Attribute)))
    for each in call.keywords:
        if each.arg == "sort_keys":
            return not (isinstance(each.value, ast.Constant) and each.value.value is True)
    first = call.args[0] if call.args else None
    if first is None or any(each.arg is None for each in call.keywords):
        return True
    return not _is_written(names, first)


def _is_written(names: Names, node: ast.expr) -> bool:
    """Whether the order of every key in a value is the one that stands there: displays and scalars, nothing else."""
    if isinstance(node, ast.Dict):
        return all(isinstance(key, ast.Constant) for key in node.keys) and all(
            _is_written(names, value) for value in node.values)
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(_is_written(names, item) for item in node.elts)
    every = names.every(node)
    return bool(every) and _SCALARS.issuperset(every)


def _orjson_unsorted(names: Names, node: ast.expr, _name: str) -> bool:
    call = call_of(names, node)
    given = [] if call is None else [*call.args[2:], *(each.value for each in call.keywords if each.arg == "option")]
    return not any("orjson.OPT_SORT_KEYS" in names.every(below)
                   for each in given for below in ast.walk(each) if isinstance(below, (ast.Name, ast.Attribute)))


def _not_in_hash(names: Names, node: ast.expr, _name: str) -> bool:
    return not names.scope(node).name.endswith("__hash__")


def _identity_seen(names: Names, node: ast.expr, _name: str) -> bool:
    """False where an identity is compared, looked up, or used as a key: nobody sees which number it is."""
    call = call_of(names, node)
    if call is None:
        return True
    current: ast.AST = call
    parent = names.parent(call)
    while isinstance(parent, (ast.Tuple, ast.Starred)):
        current, parent = parent, names.parent(parent)
    if isinstance(parent, ast.Compare):
        return any(isinstance(each, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for each in parent.ops)
    if isinstance(parent, ast.Subscript) and parent.slice is current:
        return False
    if isinstance(parent, (ast.SetComp, ast.Set)) or isinstance(parent, ast.DictComp) and parent.key is current:
        return False
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute):
        return parent.func.attr not in _LOOKING_UP
    return not (isinstance(parent, ast.Call) and isinstance(current, ast.Tuple))


def _import_unknown(names: Names, node: ast.expr, name: str) -> bool:
    call = call_of(names, node)
    known = name.endswith(("__import__", "import_module"))
    return not (known and call is not None and call.args and constant(call.args[0]))


def _module_lookup(names: Names, node: ast.expr, _name: str) -> bool:
    """A look-up whose key is unknown, or names a module of entropy; storing, deleting and asking are none."""
    parent = names.parent(node)
    if isinstance(parent, ast.Subscript) and parent.value is node:
        return isinstance(parent.ctx, ast.Load) and _is_secret(parent.slice)
    if isinstance(parent, ast.Attribute):
        call = call_of(names, parent)
        if parent.attr in ("get", "pop", "setdefault", "__getitem__"):
            return call is None or not call.args or _is_secret(call.args[0])
        return parent.attr in ("values", "items")
    return not isinstance(parent, (ast.Compare, ast.For, ast.comprehension)) or isinstance(parent, ast.Assign)


def _is_secret(key: ast.expr) -> bool:
    text = constant(key)
    return not (isinstance(key, ast.Name) and key.id == "__name__") and (not text or imported(text) in _HOT)


def _name_lookup(names: Names, node: ast.expr, _name: str) -> bool:
    call = call_of(names, node)
    parent = names.parent(call) if call is not None else None
    if isinstance(parent, ast.Subscript) and parent.value is call:
        return isinstance(parent.ctx, ast.Load) and not constant(parent.slice)
    if isinstance(parent, ast.Attribute) and parent.attr in ("get", "pop", "__getitem__"):
        outer = call_of(names, parent)
        return outer is None or not outer.args or not constant(outer.args[0])
    return False


def _attribute_unknown(names: Names, node: ast.expr, _name: str) -> bool:
    call = call_of(names, node)
    if call is None or len(call.args) < 2 or constant(call.args[1]):
        return False
    return not _ANY_HOT.isdisjoint(names.every(call.args[0]))


def _module_escapes(names: Names, node: ast.expr, _name: str) -> bool:
    """False for what the resolver follows (attributes, aliases) and for what only asks."""
    current: ast.AST = node
    parent = names.parent(node)
    while isinstance(parent, (ast.IfExp, ast.BoolOp, ast.NamedExpr)):
        if isinstance(parent, ast.IfExp) and parent.test is current:
            return False
        current, parent = parent, names.parent(parent)
    if isinstance(parent, (ast.Attribute, ast.Compare, ast.Expr, ast.If, ast.UnaryOp, ast.Assert)):
        return False
    if isinstance(parent, (ast.Assign, ast.AnnAssign)):
        targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
        return not all(_is_followed(names, each) for each in targets)
    if isinstance(parent, ast.Tuple) and isinstance(names.parent(parent), ast.Assign):
        outer = names.parent(parent)
        return not (isinstance(outer, ast.Assign) and all(
            isinstance(each, (ast.Tuple, ast.List)) and len(each.elts) == len(parent.elts) for each in outer.targets))
    if isinstance(parent, ast.Call) and current is not parent.func:
        called = names.resolve(parent.func)
        return not (called in _ASKING and parent.args and parent.args[0] is current)
    return True


def _is_followed(names: Names, target: ast.expr) -> bool:
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        return any(binding.own is not None for binding in names.bindings(target.value))
    return isinstance(target, ast.Name)


CONDITIONS: Mapping[str, Condition] = {
    "always": _always, "no-argument": _no_argument, "no-second-argument": _no_second, "no-timezone": _no_timezone,
    "unseeded": _unseeded, "keys-unsorted": _keys_unsorted, "orjson-unsorted": _orjson_unsorted,
    "not-in-hash": _not_in_hash, "identity-seen": _identity_seen, "import-unknown": _import_unknown,
    "module-lookup": _module_lookup, "name-lookup": _name_lookup, "attribute-unknown": _attribute_unknown,
    "module-escapes": _module_escapes,
}  # fmt: skip
