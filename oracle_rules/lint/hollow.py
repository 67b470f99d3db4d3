"""Expressions that cannot be false, or that say nothing about the value in them. Knows no property and no candidate."""

from __future__ import annotations

import ast
from collections.abc import Mapping

_REFLEXIVE = (ast.Eq, ast.Is, ast.LtE, ast.GtE)


def always_true(node: ast.expr) -> bool:
    """Whether the expression is true for every value of its names, as far as its shape tells."""
    match node:
        case ast.Constant():
            return bool(node.value)
        case ast.Tuple() | ast.List() | ast.Set():
            return any(not isinstance(each, ast.Starred) for each in node.elts)
        case ast.Dict():
            return any(key is not None for key in node.keys)
        case ast.Lambda():
            return True
        case ast.JoinedStr():
            return any(isinstance(each, ast.Constant) and each.value for each in node.values)
        case ast.BoolOp(op=ast.Or()):
            return any(map(always_true, node.values)) or _excluded_middle(node.values)
        case ast.BoolOp(op=ast.And()):
            return all(map(always_true, node.values))
        case ast.UnaryOp(op=ast.Not()):
            return always_false(node.operand)
        case ast.IfExp():
            return always_true(node.body) and always_true(node.orelse)
        case ast.NamedExpr():
            return always_true(node.value)
        case ast.Compare():
            sides = [node.left, *node.comparators]
            return all(_link(left, operator, right)
                       for left, operator, right in zip(sides, node.ops, sides[1:], strict=False))
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, ast.Name(id="object")]):
            return True
        case ast.Call(func=ast.Name(id="bool" | "any"), args=[argument]):
            return always_true(argument)
        case _:
            return False


def always_false(node: ast.expr) -> bool:
    """Whether the expression is false for every value of its names, as far as its shape tells."""
    match node:
        case ast.Constant():
            return not node.value
        case ast.UnaryOp(op=ast.Not()):
            return always_true(node.operand)
        case ast.BoolOp(op=ast.And()):
            return any(map(always_false, node.values))
        case ast.BoolOp(op=ast.Or()):
            return all(map(always_false, node.values))
        case ast.Tuple(elts=[]) | ast.List(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Compare(left=left, ops=[ast.NotEq() | ast.IsNot() | ast.Lt() | ast.Gt()], comparators=[right]):
            return _same(left, right) and not _calls(left)
        case _:
            return False


def _link(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool:
    """One comparison of a chain that cannot be false."""
    if isinstance(operator, _REFLEXIVE) and _same(left, right) and not _calls(left):
        return True
    if isinstance(operator, ast.In) and isinstance(right, ast.Tuple | ast.List | ast.Set):
        return any(_same(left, each) for each in right.elts) and not _calls(left)
    if isinstance(operator, ast.GtE | ast.Gt):
        return _is_length(left) and _number(right) <= (0 if isinstance(operator, ast.GtE) else -1)
    if isinstance(operator, ast.LtE | ast.Lt):
        return _is_length(right) and _number(left) <= (0 if isinstance(operator, ast.LtE) else -1)
    return False


def weak(node: ast.expr, origins: Mapping[str, ast.expr]) -> str | None:
    """Why an expression says next to nothing about the answer in it, or None.

    `origins` gives the one expression that a name was assigned from, where there is exactly one.
    """
    if always_true(node):
        return "it cannot be false"
    match node:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is() | ast.LtE() | ast.GtE()], comparators=[right]):
            if _same(_inlined(left, origins), _inlined(right, origins)):
                return "it compares an answer with itself"
        case ast.Compare(ops=[ast.IsNot() | ast.NotEq()], comparators=[ast.Constant(value=None)]):
            return "that there is an answer says nothing about it"
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(
                left=left, ops=[ast.NotEq() | ast.IsNot() | ast.Is()], comparators=[right])):
            if isinstance(right, ast.Constant) and right.value is None:
                return "that there is an answer says nothing about it"
            if _same(_inlined(left, origins), _inlined(right, origins)):
                return "it compares an answer with itself"
        case ast.BoolOp(op=ast.And()):
            reasons = [weak(each, origins) for each in node.values]
            return reasons[0] if all(reasons) else None
        case ast.BoolOp(op=ast.Or()):
            return next((why for each in node.values if (why := weak(each, origins))), None)
    return None


def _excluded_middle(values: list[ast.expr]) -> bool:
    """`x or not x`."""
    denied = [each.operand for each in values if isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not)]
    return any(_same(one, other) and not _calls(one) for one in denied for other in values)


def _inlined(node: ast.expr, origins: Mapping[str, ast.expr], depth: int = 4) -> ast.expr:
    while isinstance(node, ast.Name) and node.id in origins and depth:
        node, depth = origins[node.id], depth - 1
    return node


def _same(left: ast.AST, right: ast.AST) -> bool:
    return ast.dump(left) == ast.dump(right)


def _calls(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Call | ast.Await) for each in ast.walk(node))


def _is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"


def _number(node: ast.expr) -> float:
    """The value of a number as it is written; infinity for anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_number(node.operand)
    number = isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    return float(node.value) if number else float("inf")  # type: ignore[attr-defined]
