"""Whether the order of an unordered value gets out: how the place that uses it treats order.

A place is judged by its parents: a function of the table in `sinks.py`, a loop's body, a format, an answer. What the
tables don't know is taken for harmless with a set, which has no order to lose, and for an escape with a sequence.
"""

from __future__ import annotations

import ast

from . import sinks
from .names import Names
from .order import Orders, Shape, Unordered
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
        if isinstance(parent, ast.comprehension) or isinstance(parent, (ast.GeneratorExp, ast.ListComp, ast.DictComp)):
            return None if isinstance(parent, ast.comprehension) or not held.shape.tells else (SET, shown)
        if isinstance(parent, ast.Assign):
            return self._assigned(parent, held, shown)
        if isinstance(parent, (ast.FormattedValue, ast.YieldFrom)):
            return SET, shown
        if isinstance(parent, ast.Attribute):
            outer = self._names.parent(parent)
            takes = parent.attr == "pop" and isinstance(outer, ast.Call) and not outer.args
            return (SET, outer) if takes and held.shape is Shape.SET and isinstance(outer, ast.Call) else None
        if isinstance(parent, ast.BinOp):
            formats = isinstance(parent.op, ast.Mod) and "builtins.str()" in self._names.every(parent.left)
            return (SET, parent) if formats and parent.right is node else None
        if isinstance(parent, ast.AugAssign):
            adds = isinstance(parent.op, ast.Add) and not (
                isinstance(parent.target, ast.Name) and self._is_neutral(parent.target))
            return (SET, node) if adds else None
        return (SET, shown) if held.shape.tells and self._tells(parent, node) else None

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
        if called & sinks.ORDERING and self._ties(call):
            return TIE, call
        if called & sinks.FORGET or method in sinks.FORGETTING_METHODS:
            return ("set-order", call) if called & {"builtins.sum"} and self._is_float(given) else None
        if called & (sinks.PASS | sinks.SEQUENCE | sinks.MAPPING):
            return (SET, call) if called & {"builtins.zip"} and len(call.args) > 1 else None
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

    def _ties(self, call: ast.Call) -> bool:
        for each in call.keywords:
            if each.arg == "key":
                key = each.value
                if isinstance(key, ast.Lambda):
                    key = key.body.func if isinstance(key.body, ast.Call) else key
                return bool(sinks.LOSSY_KEYS.intersection(self._names.every(key)))
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


def is_neutral(names: Names, orders: Orders, name: ast.Name) -> bool:
    """Whether the sequence of this name is sorted in its function, or used there only where order is forgotten."""
    if orders.is_settled(name):
        return True
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
            return any(self._keeps(target, node.value) for target in node.targets)
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
                if isinstance(target, ast.Name)}

    def _keeps(self, target: ast.expr, value: ast.expr) -> bool:
        """Whether an element is kept in a name that is read after the loop: the last one, or the one at a break."""
        if not isinstance(target, ast.Name) or not self._mentions(value):
            return False
        if any(isinstance(node, ast.Name) and node.id == target.id for node in ast.walk(value)):
            return False
        after = end(self._loop)
        return any(isinstance(use.ctx, ast.Load) and place(use) > after for use in self._orders.uses(target))

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
