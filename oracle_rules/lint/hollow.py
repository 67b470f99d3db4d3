"""Expressions that cannot be false, or that say nothing about the value in them. Knows no property and no candidate."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

_REFLEXIVE = (ast.Eq, ast.Is, ast.LtE, ast.GtE)
_OPPOSITES = {ast.Eq: ast.NotEq, ast.Is: ast.IsNot, ast.In: ast.NotIn, ast.Lt: ast.GtE, ast.Gt: ast.LtE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Truths:
    """What is known of one function: names and functions that are only ever true, and what a name stands for.

    `origins` gives the one expression that a name was assigned from, where there is exactly one.
    """

    names: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    origins: Mapping[str, ast.expr] = field(default_factory=dict)


NOTHING_KNOWN = Truths()


def always_true(node: ast.expr, known: Truths = NOTHING_KNOWN) -> bool:
    """Whether the expression is true for every value of its names, as far as its shape tells."""
    match node:
        case ast.Constant():
            return bool(node.value)
        case ast.Name():
            return node.id in known.names or node.id == "__debug__"
        case ast.Tuple() | ast.List() | ast.Set():
            return any(not isinstance(each, ast.Starred) for each in node.elts)
        case ast.Dict():
            return any(key is not None for key in node.keys)
        case ast.Lambda() | ast.GeneratorExp():
            return True
        case ast.JoinedStr():
            return any(isinstance(each, ast.Constant) and each.value for each in node.values)
        case ast.BoolOp(op=ast.Or()):
            return any(always_true(each, known) for each in node.values) or _excluded_middle(node.values)
        case ast.BoolOp(op=ast.And()):
            return all(always_true(each, known) for each in node.values)
        case ast.UnaryOp(op=ast.Not()):
            return always_false(node.operand, known)
        case ast.IfExp():
            return always_true(node.body, known) and always_true(node.orelse, known)
        case ast.NamedExpr():
            return always_true(node.value, known)
        case ast.Compare():
            sides = [node.left, *node.comparators]
            return all(_link(left, operator, right, known)
                       for left, operator, right in zip(sides, node.ops, sides[1:], strict=False))
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, ast.Name(id="object")]):
            return True
        case ast.Call(func=ast.Name(id="bool" | "any"), args=[ast.GeneratorExp()]):
            return False
        case ast.Call(func=ast.Name(id="bool" | "any"), args=[argument]):
            return always_true(argument, known)
        case ast.Call(func=ast.Name(id=name)):
            return name in known.functions
        case _:
            return False


def always_false(node: ast.expr, known: Truths = NOTHING_KNOWN) -> bool:
    """Whether the expression is false for every value of its names, as far as its shape tells."""
    match node:
        case ast.Constant():
            return not node.value
        case ast.UnaryOp(op=ast.Not()):
            return always_true(node.operand, known)
        case ast.BoolOp(op=ast.And()):
            return any(always_false(each, known) for each in node.values)
        case ast.BoolOp(op=ast.Or()):
            return all(always_false(each, known) for each in node.values)
        case ast.Tuple(elts=[]) | ast.List(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Compare(left=left, ops=[ast.NotEq() | ast.IsNot() | ast.Lt() | ast.Gt()], comparators=[right]):
            return _same(left, right) and not _calls(left)
        case _:
            return False


def _link(left: ast.expr, operator: ast.cmpop, right: ast.expr, known: Truths) -> bool:
    """One comparison of a chain that cannot be false."""
    if isinstance(operator, _REFLEXIVE) and _same(left, right) and not _calls(left):
        return True
    if isinstance(operator, ast.In) and isinstance(right, ast.Tuple | ast.List | ast.Set):
        return any(_same(left, each) for each in right.elts) and not _calls(left)
    if isinstance(operator, ast.GtE | ast.Gt):
        return _is_length(left, known) and number(right) <= (0 if isinstance(operator, ast.GtE) else -1)
    if isinstance(operator, ast.LtE | ast.Lt):
        return _is_length(right, known) and number(left) <= (0 if isinstance(operator, ast.LtE) else -1)
    return False


def weak(node: ast.expr, known: Truths) -> str | None:
    """Why an expression says next to nothing about the answer in it, or None."""
    if always_true(node, known):
        return "it cannot be false"
    match node:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is() | ast.LtE() | ast.GtE()], comparators=[right]):
            if _same(inlined(left, known.origins), inlined(right, known.origins)):
                return "it compares an answer with itself"
        case ast.Compare(ops=[ast.IsNot() | ast.NotEq()], comparators=[ast.Constant(value=None)]):
            return "that there is an answer says nothing about it"
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(
                left=left, ops=[ast.NotEq() | ast.IsNot() | ast.Is()], comparators=[right])):
            if isinstance(right, ast.Constant) and right.value is None:
                return "that there is an answer says nothing about it"
            if _same(inlined(left, known.origins), inlined(right, known.origins)):
                return "it compares an answer with itself"
        case ast.BoolOp(op=ast.And()):
            reasons = [weak(each, known) for each in node.values]
            return reasons[0] if all(reasons) else None
        case ast.BoolOp(op=ast.Or()):
            return next((why for each in node.values if (why := weak(each, known))), None)
    return None


def inlined(node: ast.expr, origins: Mapping[str, ast.expr], depth: int = 4) -> ast.expr:
    """What a name stands for, where it was assigned once; `(x := e)` is `e`."""
    while depth and (isinstance(node, ast.NamedExpr) or isinstance(node, ast.Name) and node.id in origins):
        node, depth = (node.value if isinstance(node, ast.NamedExpr) else origins[node.id]), depth - 1
    return node


def number(node: ast.expr) -> float:
    """The value of an expression of numbers as it is written; infinity for anything else."""
    match node:
        case ast.UnaryOp(op=ast.USub()):
            return -number(node.operand)
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.BinOp(op=ast.Mult()):
            return number(node.left) * number(node.right)
        case ast.BinOp(op=ast.Add()):
            return number(node.left) + number(node.right)
        case _:
            return float("inf")


def _excluded_middle(values: list[ast.expr]) -> bool:
    """`x or not x`, `x == y or x != y`."""
    for one in values:
        if isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not):
            if any(_same(one.operand, other) for other in values):
                return True
        if isinstance(one, ast.Compare) and len(one.ops) == 1:
            for other in values:
                if isinstance(other, ast.Compare) and len(other.ops) == 1 and _same(one.left, other.left):
                    opposite = _OPPOSITES.get(type(one.ops[0]))
                    if type(other.ops[0]) is opposite and _same(one.comparators[0], other.comparators[0]):
                        return True
    return False


def _same(left: ast.AST, right: ast.AST) -> bool:
    return ast.dump(left) == ast.dump(right)


def _calls(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Call | ast.Await) for each in ast.walk(node))


def _is_length(node: ast.expr, known: Truths) -> bool:
    node = inlined(node, known.origins)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"
