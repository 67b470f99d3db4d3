"""Which expressions hold their elements in an order that nothing pins: sets, folders, and what is made of them.

A small inference within one module: displays, algebra, annotations, aliases, answers of functions of the module, and
sequences, iterators and mappings that were filled from such a thing. `escape.py` says whether the order gets out.
"""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass

from . import sinks
from .names import Names
from .scopes import Binding, How, Scope, place

_SETS = frozenset({"builtins.set()", "builtins.frozenset()"})
_DEEP = 12


class Shape(enum.Enum):
    """How a value holds its elements: a set and a mapping are equal whatever their order, the others are not."""

    SET = "set"
    MAPPING = "mapping"
    ITERATOR = "iterator"
    SEQUENCE = "sequence"

    @property
    def tells(self) -> bool:
        """Whether two such values with other orders are different values."""
        return self in (Shape.ITERATOR, Shape.SEQUENCE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unordered:
    """What an expression gives: its shape, the expression that first had no order, and whether that is a folder."""

    shape: Shape
    origin: ast.expr
    folder: bool = False


class Orders:
    """Answers about the expressions of one module."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._known: dict[ast.AST, Unordered | None] = {}
        self._partial: dict[ast.AST, Unordered | None] = {}
        self._open: set[ast.AST] = set()
        self._uses: dict[tuple[str, Scope], list[ast.Name]] | None = None
        self._sorts: dict[tuple[str, Scope], list[tuple[int, int]]] = {}

    def of(self, node: ast.AST) -> Unordered | None:
        """What is known of the expression's order; None when it has one, or nothing is known."""
        if node in self._known:
            return self._known[node]
        if node in self._partial:
            return self._partial[node]
        if node in self._open or len(self._open) > _DEEP or not isinstance(node, ast.expr):
            return None
        self.names.step()
        self._open.add(node)
        try:
            found = self._of(node)
        finally:
            self._open.discard(node)
        (self._partial if self._open else self._known)[node] = found
        if not self._open:
            self._partial.clear()
        return found

    def uses(self, name: ast.Name) -> list[ast.Name]:
        """All places of the same name in the same function."""
        if self._uses is None:
            self._uses = {}
            for node in self.names.outline.order:
                if isinstance(node, ast.Name):
                    self._uses.setdefault((node.id, self.home(node)), []).append(node)
        return self._uses.get((name.id, self.home(name)), [])

    def home(self, node: ast.AST) -> Scope:
        """The function, class or module around the node."""
        scope = self.names.scope(node)
        while not (scope.is_function or scope.is_class) and scope.parent is not None:
            scope = scope.parent
        return scope

    def is_settled(self, name: ast.Name) -> bool:
        """Whether the sequence of this name is sorted in place somewhere in its function."""
        return bool(self.sorts(name))

    def sorts(self, name: ast.Name) -> list[tuple[int, int]]:
        """Where the sequence of this name is sorted in its function by a key under which no elements tie."""
        key = name.id, self.home(name)
        if key not in self._sorts:
            self._sorts[key] = [place(use) for use in self.uses(name) if self._is_sorted(use)]
        return self._sorts[key]

    def _is_sorted(self, name: ast.Name) -> bool:
        parent = self.names.parent(name)
        call = self.names.parent(parent) if isinstance(parent, ast.Attribute) and parent.attr == "sort" else None
        return isinstance(call, ast.Call) and not ties(self.names, call)

    def _is_sorted_before(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and any(at <= place(node) for at in self.sorts(node))

    def _of(self, node: ast.expr) -> Unordered | None:
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, (ast.GeneratorExp, ast.ListComp, ast.DictComp)):
            return self._comprehension(node)
        if isinstance(node, (ast.List, ast.Tuple)):
            return self._display(node)
        if isinstance(node, ast.Attribute):
            return self._bound(node, self.names.attribute(node))
        if isinstance(node, (ast.IfExp, ast.BoolOp)):
            branches = [node.body, node.orelse] if isinstance(node, ast.IfExp) else node.values
            return next(filter(None, map(self.of, branches)), None) or self._plain(node)
        if isinstance(node, (ast.NamedExpr, ast.Await)):
            return self.of(node.value)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            both = self.of(node.left) or self.of(node.right)
            return both if both is not None and both.shape is Shape.SEQUENCE else None
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return self.of(node.value)
        return self._plain(node)

    def _plain(self, node: ast.expr) -> Unordered | None:
        """A set, by what the resolver says."""
        if isinstance(node, (ast.Set, ast.SetComp)) and _has_one(node):
            return None
        return Unordered(shape=Shape.SET, origin=node) if _SETS.intersection(self.names.every(node)) else None

    def _call(self, node: ast.Call) -> Unordered | None:
        every = self.names.every(node)
        if sinks.LISTINGS.intersection(every) or self._lists(node):
            shape = Shape.ITERATOR if sinks.WALKS.intersection(every) else Shape.SEQUENCE
            return Unordered(shape=shape, origin=node, folder=True)
        called = frozenset(self.names.every(node.func))
        given = next(filter(None, (self.of(_inner(each)) for each in node.args)), None)
        if given is not None and called & sinks.PASS:
            return Unordered(shape=Shape.ITERATOR, origin=given.origin, folder=given.folder)
        if given is not None and called & sinks.SEQUENCE:
            return Unordered(shape=Shape.SEQUENCE, origin=given.origin if given.folder else node, folder=given.folder)
        if given is not None and called & sinks.MAPPING and not isinstance(node.args[0], ast.Dict):
            return Unordered(shape=Shape.MAPPING, origin=given.origin, folder=given.folder)
        if isinstance(node.func, ast.Attribute) and node.func.attr in sinks.VIEWS:
            held = self.of(node.func.value)
            if held is not None and held.shape is Shape.MAPPING:
                return Unordered(shape=Shape.ITERATOR, origin=held.origin, folder=held.folder)
        if not node.args and called & {"builtins.set", "builtins.frozenset"} and not self._grows(node):
            return None
        return self._plain(node) or self._answer(node)

    def _grows(self, node: ast.Call) -> bool:
        """An empty set stays one unless it is bound to a name."""
        return isinstance(self.names.parent(node), (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.Attribute, ast.IfExp,
                                                    ast.BoolOp))

    def _lists(self, node: ast.Call) -> bool:
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in sinks.LISTING_METHODS:
            return False
        receiver = node.func.value
        return not (isinstance(receiver, ast.Name) and receiver.id in ("self", "cls"))

    def _answer(self, node: ast.Call) -> Unordered | None:
        """What a function of this module returns, where each of its answers is written out as a set."""
        found = self.names.bindings(node.func) if isinstance(node.func, ast.Name) else (
            self.names.attribute(node.func) if isinstance(node.func, ast.Attribute) else ())
        for binding in found:
            if binding.how is How.FUNCTION and isinstance(binding.node, ast.FunctionDef) and not binding.node.returns:
                for answer in _answers(binding.node):
                    given = self.of(answer)
                    if given is not None and given.shape is Shape.SET:
                        return Unordered(shape=Shape.SET, origin=node)
        return None

    def _name(self, node: ast.Name) -> Unordered | None:
        return self._bound(node, self.names.bindings(node))

    def _bound(self, node: ast.Name | ast.Attribute, bindings: tuple[Binding, ...]) -> Unordered | None:
        for binding in bindings:
            if binding.how is How.ITEM and binding.index is not None and binding.value is not None:
                if binding.index > 0 and sinks.WALKS.intersection(self.names.every(binding.value)):
                    walked = Unordered(shape=Shape.SEQUENCE, origin=binding.value, folder=True)
                    return None if isinstance(node, ast.Name) and self.is_settled(node) else walked
            if binding.how is not How.VALUE or binding.value is None:
                continue
            held = self.of(binding.value)
            if held is None or isinstance(binding.node, ast.withitem) and not held.folder:
                continue
            if held.shape is Shape.SEQUENCE and self._is_sorted_before(node):
                return None
            return held if held.shape is not Shape.SET else Unordered(shape=Shape.SET, origin=node)
        return self._plain(node)

    def _comprehension(self, node: ast.GeneratorExp | ast.ListComp | ast.DictComp) -> Unordered | None:
        given = next(filter(None, (self.of(each.iter) for each in node.generators)), None)
        if given is None:
            return None
        shape = {ast.GeneratorExp: Shape.ITERATOR, ast.ListComp: Shape.SEQUENCE}.get(type(node), Shape.MAPPING)
        return Unordered(shape=shape, origin=given.origin if given.folder else node, folder=given.folder)

    def _display(self, node: ast.List | ast.Tuple) -> Unordered | None:
        if not isinstance(node.ctx, ast.Load):
            return None
        stars = (self.of(each.value) for each in node.elts if isinstance(each, ast.Starred))
        given = next(filter(None, stars), None)
        if given is None:
            return None
        return Unordered(shape=Shape.SEQUENCE, origin=given.origin if given.folder else node, folder=given.folder)


def ties(names: Names, call: ast.Call) -> bool:
    """Whether a call sorts by a key under which different elements may be equal, and so keep the order they had."""
    for each in call.keywords:
        if each.arg == "key":
            key = each.value
            if isinstance(key, ast.Lambda):
                key = key.body.func if isinstance(key.body, ast.Call) else key
            return bool(sinks.LOSSY_KEYS.intersection(names.every(key)))
    return False


def _inner(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Starred) else node


def _has_one(node: ast.Set | ast.SetComp) -> bool:
    return isinstance(node, ast.Set) and len(node.elts) == 1 and not isinstance(node.elts[0], ast.Starred)


def _answers(function: ast.FunctionDef) -> list[ast.expr]:
    """What the function returns, functions within it left out."""
    found, todo = [], list[ast.AST](function.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            found.append(node.value)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.expr)):
            todo += ast.iter_child_nodes(node)
    return found
