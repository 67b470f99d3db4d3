"""Handlers and context managers that let every failure pass. Knows no property and no test."""

from __future__ import annotations

import ast

from .hollow import always_true

_BLANKET = ("Exception", "BaseException", "AssertionError")


def forgives(handler: ast.ExceptHandler) -> bool:
    """Whether the handler takes any failure, and neither falsifies, nor raises, nor notes that it came by."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    blanket = any(kind is None or (isinstance(kind, ast.Name) and kind.id in _BLANKET) for kind in kinds)
    return blanket and all(map(_is_nothing, handler.body))


def suppresses(node: ast.expr) -> bool:
    """`suppress(Exception)` by either of its usual spellings."""
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name == "suppress" and any(isinstance(each, ast.Name) and each.id in _BLANKET for each in node.args)


def _is_nothing(statement: ast.stmt) -> bool:
    """A statement that leaves no trace of a failure, or answers that all is well."""
    if isinstance(statement, ast.Return):
        return statement.value is None or always_true(statement.value)
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Pass | ast.Continue | ast.Break)
