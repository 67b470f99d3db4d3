"""Whether the order of an unordered value gets out: how the place that uses it treats order.

A place is judged by its parents: a function of the table in `sinks.py`, a loop's body, a format, an answer. What the
tables don't know is taken for harmless with a set, which has no order to lose, and for an escape with a sequence.
"""

from __future__ import annotations

import ast

from . import sinks
from .names import Names
from .order import Orders, Shape, Unordered, ties
from .scopes import children, end, place

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
SET, FOLDER, TIE = "set-order", "folder-order", "set-tie"


class Escapes:
    """The escapes of one module."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._orders = Orders(names)

    def at(self, node: ast.expr) -> tuple[ast.expr, str] | None:
        """Where the order of this expression is let out, and the rule's id; None where it is not."""
        held = None if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)) else self._orders.of(node)
        if held is None:
            return None
        found = self._use(node, held)
        if found is None:
            return None
        return (held.origin, FOLDER) if held.folder else (found[1], found[0])

    def _use(self, node: ast.expr, held: Unordered) -> tuple[str, ast.expr] | None:
        """The rule that fires where the node is used, and the expression to point at."""
        parent = self._names.parent(node)
        shown = held.origin if held.shape.tells else node
        if isinstance(parent, ast.Starred):
            outer = self._names.parent(parent)
            if isinstance(outer, ast.Call):
                return self._argument(outer, parent, held, shown)
            return None
        if isinstance(parent, ast.Call) and parent.func is not node:
            return self._argument(parent, node, held, shown)
        if isinstance(parent, (ast.For, ast.AsyncFor)) and parent.iter is node:
            return (SET, node) if Loop(self._names, self._orders, parent, held).lets_out() else None
        if isinstance(parent, ast.comprehension) and self._numbers(parent, node):
            return SET, node
        if isinstance(parent, ast.comprehension) or isinstance(parent, (ast.GeneratorExp, ast.ListComp, ast.DictComp)):
            return None if isinstance(parent, ast.comprehension) or not held.shape.tells else (SET, shown)
        if isinstance(parent, ast.Assign):
            return self._assigned(parent, held, shown)
        if isinstance(parent, (ast.FormattedValue, ast.YieldFrom)):
            return SET, shown
        if isinstance(parent, ast.Attribute):
            outer = self._names.parent(parent)
            takes = parent.attr == "pop" and isinstance(outer, ast.Call) and not outer.args
            if not takes or held.shape is not Shape.SET or not isinstance(outer, ast.Call):
                return None
            return None if self._is_alone(outer, node) else (SET, outer)
        if isinstance(parent, ast.BinOp):
            formats = isinstance(parent.op, ast.Mod) and "builtins.str()" in self._names.every(parent.left)
            return (SET, parent) if formats and parent.right is node else None
        if isinstance(parent, ast.AugAssign):
            adds = isinstance(parent.op, ast.Add) and not (
                isinstance(parent.target, ast.Name) and self._is_neutral(parent.target))
            return (SET, node) if adds else None
        return (SET, shown) if held.shape.tells and self._tells(parent, node) else None

    def _is_alone(self, call: ast.Call, receiver: ast.expr) -> bool:
        """Whether the set of a `pop` is asked there, by `len(…) == 1`, for the one element that it may have."""
        current: ast.AST = call
        parent = self._names.parent(call)
        while isinstance(parent, ast.expr) and not isinstance(parent, (*_INNER, ast.BoolOp, ast.IfExp)):
            current, parent = parent, self._names.parent(parent)
        asked: list[ast.expr] = []
        if isinstance(parent, ast.BoolOp) and isinstance(parent.op, ast.And):
            asked = parent.values[: parent.values.index(current)] if isinstance(current, ast.expr) else []
        elif isinstance(parent, ast.IfExp) and parent.body is current:
            asked = [parent.test]
        elif isinstance(parent, ast.stmt):
            outer = self._names.parent(parent)
            asked = [outer.test] if isinstance(outer, ast.If) and outer.body[0] is parent else []
        wanted = f"len({ast.unparse(receiver)}) == 1"
        return isinstance(receiver, ast.Name) and any(ast.unparse(each) == wanted for each in asked)

    def _numbers(self, parent: ast.comprehension, node: ast.expr) -> bool:
        """Whether a set or a mapping is made of elements and the numbers that they came by."""
        return parent.iter is node and bool(number_of(self._names, node, parent.target)) and isinstance(
            self._names.parent(parent), (ast.DictComp, ast.SetComp))

    def _tells(self, parent: ast.AST | None, node: ast.expr) -> bool:
        """Whether a sequence without order is handed on at a place of no other kind."""
        if isinstance(parent, (ast.Return, ast.Yield, ast.keyword, ast.Lambda, ast.Dict, ast.List, ast.Tuple, ast.Set)):
            return True
        if isinstance(parent, ast.Subscript):
            return parent.value is node and not isinstance(parent.slice, ast.Slice)
        return isinstance(parent, ast.Compare) and not all(isinstance(op, (ast.In, ast.NotIn)) for op in parent.ops)

    def _argument(
        self, call: ast.Call, given: ast.expr, held: Unordered, shown: ast.expr
    ) -> tuple[str, ast.expr] | None:
        called = frozenset(self._names.every(call.func))
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if called & sinks.ORDERING and ties(self._names, call):
            return TIE, call
        if called & sinks.FORGET or method in sinks.FORGETTING_METHODS:
            return ("set-order", call) if called & {"builtins.sum"} and self._is_float(given) else None
        if called & (sinks.PASS | sinks.SEQUENCE | sinks.MAPPING):
            numbered = called & sinks.MAPPING and "builtins.enumerate()" in self._names.every(given)
            return (SET, call) if numbered or called & {"builtins.zip"} and len(call.args) > 1 else None
        if called & sinks.SHOW or method in sinks.SHOWING_METHODS:
            forgotten = self._names.parent(call)
            if isinstance(forgotten, ast.Call) and sinks.FORGET & frozenset(self._names.every(forgotten.func)):
                return None
            receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
            if method == "extend" and isinstance(receiver, ast.Name) and self._is_neutral(receiver):
                return None
            return SET, call
        if isinstance(given, ast.Starred):
            return SET, call
        return (SET, shown) if held.shape is Shape.SEQUENCE else None

    def _is_float(self, node: ast.expr) -> bool:
        """Whether a name is annotated as holding floats, whose sum depends on the order."""
        if isinstance(node, ast.Name):
            for binding in self._names.bindings(node):
                hint = binding.annotation
                if isinstance(hint, ast.Subscript) and self._names.resolve(hint.slice) == "builtins.float":
                    return True
        return False

    def _assigned(self, parent: ast.Assign, held: Unordered, shown: ast.expr) -> tuple[str, ast.expr] | None:
        for target in parent.targets:
            if isinstance(target, (ast.Tuple, ast.List)) and (
                    len(target.elts) > 1 or isinstance(target.elts[0], ast.Starred)):
                return SET, shown
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                return (SET, shown) if held.shape.tells else None
            if held.shape.tells and isinstance(target, ast.Attribute) and not self._names.attribute(target):
                return SET, shown
            if held.shape is Shape.SEQUENCE and isinstance(target, ast.Name) and not self._is_neutral(target):
                if not self._orders.home(target).is_function:
                    return SET, shown  # any module may read it
        return None

    def _is_neutral(self, name: ast.Name) -> bool:
        return is_neutral(self._names, self._orders, name)


def number_of(names: Names, walked: ast.expr, target: ast.expr) -> str:
    """The name of the number that `enumerate` counts an element by; empty where there is none, or it goes unused."""
    counted = "builtins.enumerate()" in names.every(walked) and isinstance(target, ast.Tuple) and target.elts
    first = target.elts[0] if counted and isinstance(target, ast.Tuple) else None
    return first.id if isinstance(first, ast.Name) and not first.id.startswith("_") else ""


def is_neutral(names: Names, orders: Orders, name: ast.Name) -> bool:
    """Whether the sequence of this name is sorted in its function, or used there only where order is forgotten."""
    if orders.is_settled(name):
        first = min(orders.sorts(name))
        return not any(isinstance(each := names.parent(use), ast.Subscript) and each.value is use
                       and isinstance(each.ctx, ast.Load) and place(use) < first for use in orders.uses(name))
    forgotten = 0
    for use in orders.uses(name):
        parent = names.parent(use)
        if not isinstance(use.ctx, ast.Load) or isinstance(parent, ast.Attribute) and parent.attr in sinks.WRITING:
            continue
        called = names.every(parent.func) if isinstance(parent, ast.Call) and parent.func is not use else ()
        if sinks.FORGET.intersection(called):
            forgotten += 1
        elif isinstance(parent, ast.Compare) and use is not parent.left:
            forgotten += 1
        elif not isinstance(parent, (ast.If, ast.While, ast.UnaryOp, ast.Assert)):
            return False
    return forgotten > 0


def _added(node: ast.expr) -> list[ast.expr]:
    """The parts of a sum."""
    found, todo = [], [node]
    while todo:
        part = todo.pop()
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add):
            todo += [part.left, part.right]
        else:
            found.append(part)
    return found


def _names_it(node: ast.AST, name: str) -> bool:
    """Whether a name stands anywhere in an expression."""
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


class Loop:
    """The body of a loop over something without order."""

    def __init__(self, names: Names, orders: Orders, loop: ast.For | ast.AsyncFor, held: Unordered) -> None:
        self._names, self._orders, self._loop, self._held = names, orders, loop, held
        self._items = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
        self._body = list(self._inside(loop.body))
        self._made = {node.id for node in self._body if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}

    def lets_out(self) -> bool:
        """Whether the body does anything whose outcome depends on which element comes first."""
        if sinks.WALKS.intersection(self._names.every(self._loop.iter)):
            return not self._sorts_folders()
        return any(self._statement(node) for node in self._body)

    def _sorts_folders(self) -> bool:
        """Whether the folders of a walk are put in order, so that the walk itself is."""
        target = self._loop.target
        folders = target.elts[1] if isinstance(target, ast.Tuple) and len(target.elts) > 2 else None
        if not isinstance(folders, ast.Name):
            return False
        if self._orders.is_settled(folders):
            return True
        return any(isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == folders.id
                   and isinstance(node.ctx, ast.Store) for node in self._body)

    def _inside(self, body: list[ast.stmt]) -> list[ast.AST]:
        found, todo = [], list[ast.AST](body)
        while todo:
            node = todo.pop()
            if not isinstance(node, _INNER):
                found.append(node)
                todo += [child for _, child in children(node)]
        return found

    def _statement(self, node: ast.AST) -> bool:
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if isinstance(node, ast.Return):
            return node.value is not None and self._mentions(node.value)
        if isinstance(node, ast.AugAssign):
            return isinstance(node.op, ast.Add) and self._builds(node)
        if isinstance(node, ast.Assign):
            return any(self._keeps(target, node.value) or self._appends(target, node.value) for target in node.targets)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            return self._effect(node.value)
        return False

    def _mentions(self, value: ast.AST) -> bool:
        local = self._items | self._made
        return any(isinstance(node, ast.Name) and node.id in local for node in ast.walk(value))

    def _builds(self, node: ast.AugAssign) -> bool:
        if not isinstance(node.target, ast.Name) or node.target.id in self._local():
            return False
        kinds = {"builtins.str()", "builtins.list()", "builtins.tuple()", "builtins.bytes()"}
        known = kinds.intersection((*self._names.every(node.target), *self._names.every(node.value)))
        return bool(known) and not is_neutral(self._names, self._orders, node.target)

    def _local(self) -> set[str]:
        """Names that the body gives a fresh value each time round, before anything is added to them."""
        return {target.id for node in self._loop.body if isinstance(node, (ast.Assign, ast.AnnAssign))
                for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
                if isinstance(target, ast.Name) and not (node.value is not None and _names_it(node.value, target.id))}

    def _keeps(self, target: ast.expr, value: ast.expr) -> bool:
        """Whether an element is kept in a name that is read after the loop: the last one, or the one at a break."""
        if not isinstance(target, ast.Name) or not self._mentions(value):
            return False
        if _names_it(value, target.id):
            return False
        after = end(self._loop)
        return any(isinstance(use.ctx, ast.Load) and place(use) > after for use in self._orders.uses(target))

    def _appends(self, target: ast.expr, value: ast.expr) -> bool:
        """Whether `text = text + item`, or an element is put where the number it came by is kept with it."""
        if isinstance(target, ast.Subscript):
            number = number_of(self._names, self._loop.iter, self._loop.target)
            return any(_names_it(part, number) for part in (target.slice, value))
        if not isinstance(target, ast.Name) or not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Add):
            return False
        sides = (value.left, value.right)
        if not any(isinstance(node, ast.Name) and node.id == target.id for side in sides for node in _added(side)):
            return False
        return self._builds(ast.AugAssign(target=target, op=value.op, value=value))

    def _effect(self, call: ast.Call) -> bool:
        """Whether a call for its effect writes elements down one after another."""
        if not isinstance(call.func, ast.Attribute):
            name = self._names.resolve(call.func)
            last = (name or "").rpartition(".")[2]
            return last not in sinks.COMMUTING and any(map(self._mentions, call.args))
        receiver, method = call.func.value, call.func.attr
        if isinstance(receiver, ast.Name) and receiver.id in self._items | self._local():
            return False
        if method in sinks.WRITING:
            return not (isinstance(receiver, ast.Name) and is_neutral(self._names, self._orders, receiver))
        return method not in sinks.COMMUTING and any(map(self._mentions, call.args))
