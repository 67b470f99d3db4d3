"""Handlers and context managers that let every failure pass. Knows no property and no test."""

from __future__ import annotations

import ast

from ..entropy.names import Names
from .hollow import always_true

Try = ast.Try | ast.TryStar
"""Both kinds of `try`."""

_BLANKET = ("builtins.Exception", "builtins.BaseException", "builtins.AssertionError", "builtins.ExceptionGroup",
            "builtins.BaseExceptionGroup")
_ASSERTS = ("assert", "fail", "check")


def forgives(names: Names, attempt: Try, handler: ast.ExceptHandler) -> bool:
    """Whether the handler takes any failure, and the case passes, or a check in the body is lost.

    A handler that only goes on is none as long as the body holds no check: what comes after it may look.
    """
    if not _is_blanket(names, handler) or not all(map(_is_nothing, handler.body)):
        return False
    return any(map(_answers, handler.body)) or _checks(attempt.body)


def is_blanket(names: Names, kind: ast.expr | None) -> bool:
    """Whether an exception class, or one of a tuple of them, stands for any failure; None is a bare `except`."""
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(each is None or any(name in _BLANKET for name in names.every(each)) for each in kinds)


def suppresses(names: Names, node: ast.AST) -> bool:
    """`suppress(Exception)` by any of its names."""
    if not isinstance(node, ast.Call) or "contextlib.suppress" not in names.every(node.func):
        return False
    return any(is_blanket(names, each) for each in node.args)


def _is_blanket(names: Names, handler: ast.ExceptHandler) -> bool:
    return is_blanket(names, handler.type)


def _is_nothing(statement: ast.stmt) -> bool:
    """A statement that leaves no trace of a failure, or answers that all is well."""
    if isinstance(statement, ast.Return):
        return _answers(statement) or statement.value is None
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Pass | ast.Continue | ast.Break)


def _answers(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Return) and statement.value is not None and always_true(statement.value)


def _checks(body: list[ast.stmt]) -> bool:
    """Whether something in the body could falsify: an assertion, a return, or a raise."""
    for node in (each for statement in body for each in ast.walk(statement)):
        if isinstance(node, ast.Assert | ast.Return | ast.Raise | ast.Yield):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.startswith(_ASSERTS):
            return True
    return False
