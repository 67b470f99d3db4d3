"""The lint of a property: says where it could hold for a candidate that is wrong. Knows no target and no decision.

Refuses only what its shape proves; a property that passes is not thereby a good one.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ..artifacts.violation import Violation
from ..entropy.source import UnreadableError
from .answers import Answers
from .code import Module, Program, Unit, module_name, parse_module
from .hollow import always_true, weak
from .io import io_of
from .pardon import forgives, suppresses
from .rules import BY_NAME


def lint_property(path: str, files: Mapping[str, bytes], *, candidate: frozenset[str],
                  fixtures: frozenset[str] = frozenset()) -> tuple[Violation, ...]:
    """Everything that the rules refuse in the property at `path`, by place; the subject is `path:line:column`.

    `files` holds the property and every oracle file that it may import, by workspace path; `candidate` the top-level
    names that an import finds in the candidate, `fixtures` the paths that the property may read.
    """
    modules: dict[str, Module] = {}
    try:
        for each in sorted(files):
            if each.endswith(".py"):
                modules[module_name(each)] = parse_module(each, files[each])
    except UnreadableError:
        return ()  # a run says so: the property is broken
    program = Program(modules=modules, candidate=candidate)
    module = modules[module_name(path)]
    hold = next((each for each in module.source.tree.body if _is_hold(each)), None)
    if not isinstance(hold, ast.FunctionDef):
        return ()  # missing, or bound by an assignment or an import: what it is only a run can tell
    found = list(_io(modules.values(), fixtures))
    found += _shape(Answers(program, module, hold), module, hold)
    return tuple(sorted(set(found), key=_place))


def _is_hold(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.name == "hold"
    if isinstance(node, ast.Import | ast.ImportFrom):
        return any((alias.asname or alias.name) == "hold" for alias in node.names)
    return any(isinstance(each, ast.Name) and each.id == "hold" and isinstance(each.ctx, ast.Store)
               for each in ast.walk(node))


def _io(modules: Iterable[Module], fixtures: frozenset[str]) -> Iterator[Violation]:
    for module in modules:
        for node, what in io_of(module.source, fixtures):
            yield _at("does-io", module, node, f"{what} is input or output")


def _shape(answers: Answers, module: Module, hold: ast.FunctionDef) -> Iterator[Violation]:
    if not answers.asks:
        yield _at("asks-nothing", module, hold, "nothing that hold reaches names the candidate")
        return
    yield from _by_form(answers)
    yield from _forgiving(answers)
    # A plain `return True` is an answer among others; one that is true by its form was meant to be a check.
    hollow = [each for each in _returns(hold) if each.value is not None and not isinstance(each.value, ast.Constant)
              and always_true(each.value)]
    if hollow:
        yield from (_at("true-by-form", module, each, "this answer cannot be false") for each in hollow)
    else:
        yield from _looked_at(answers, module, hold)


def _looked_at(answers: Answers, module: Module, hold: ast.FunctionDef) -> Iterator[Violation]:
    """Whether there is a way to answer False, and one that hangs on more than the case."""
    outcomes = [each for each in _returns(hold) if each.value is None or not always_true(each.value)]
    if not outcomes and not any(_can_raise(unit) for _, unit in answers.reached):
        where = next(iter(_returns(hold)), hold)
        yield _at("never-false", module, where, "hold has no other answer than True, and asserts nothing")
        return
    checks = list(answers.checks())
    if not checks:
        where = next(iter(outcomes), hold)
        yield _at("restates-the-case", module, where, "no answer of the candidate is looked at, only the case is")
        return
    reasons = [(check, weak(check.test, _origins(check.unit))) for check in checks]
    if all(why for _, why in reasons):
        check, why = reasons[0]
        yield _at("no-invariant", check.module, check.test, f"{why}, and nothing else is looked at")


def _by_form(answers: Answers) -> Iterator[Violation]:
    """Assertions that are true by their form, and jumps that drop an exception."""
    for module, unit in answers.reached:
        for node in ast.walk(unit):
            if isinstance(node, ast.Assert) and always_true(node.test):
                yield _at("true-by-form", module, node, "this assertion cannot fail")
            elif isinstance(node, ast.Try):
                for each in node.finalbody:
                    if (jump := _jump(each)) is not None:
                        yield _at("return-in-finally", module, jump, "this drops the exception that is on its way")


def _forgiving(answers: Answers) -> Iterator[Violation]:
    for module, _unit, node in answers.guarded():
        for handler in node.handlers:
            if forgives(handler):
                yield _at("forgives", module, handler, "whatever goes wrong here, the case passes")
    for module, unit in answers.reached:
        for with_ in ast.walk(unit):
            if isinstance(with_, ast.With):
                for item in with_.items:
                    if suppresses(item.context_expr):
                        yield _at("forgives", module, item.context_expr, "whatever goes wrong here, the case passes")


def _jump(node: ast.AST) -> ast.stmt | None:
    """The first return, break or continue below a node that leaves it; those of functions inside are theirs."""
    if isinstance(node, ast.Return | ast.Break | ast.Continue):
        return node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.For | ast.While):
        return next((each for each in ast.walk(node) if isinstance(each, ast.Return)), None) \
            if isinstance(node, ast.For | ast.While) else None
    return next((jump for each in ast.iter_child_nodes(node) if (jump := _jump(each)) is not None), None)


def _returns(function: ast.FunctionDef) -> Iterator[ast.Return]:
    """The returns of a function itself, not of functions inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Return):
            yield node
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting[:0] = ast.iter_child_nodes(node)


def _can_raise(unit: Unit) -> bool:
    return any(isinstance(node, ast.Raise) or (isinstance(node, ast.Assert) and not always_true(node.test))
               for node in ast.walk(unit))


def _origins(unit: Unit) -> dict[str, ast.expr]:
    """The expression that a name was assigned from, for names that are assigned once in the unit."""
    stores = Counter(node.id for node in ast.walk(unit)
                     if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return {node.targets[0].id: node.value for node in ast.walk(unit)
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
            and stores[node.targets[0].id] == 1}


def _at(rule: str, module: Module, node: ast.AST, detail: str) -> Violation:
    span = module.source.span(node)
    return _violation(rule, module.source.path, span.line, span.column, detail)


def _violation(rule: str, path: str, line: int, column: int, detail: str) -> Violation:
    row = BY_NAME[rule]
    return Violation(code=row.code, subject=f"{path}:{line}:{column}", detail=f"{detail}: {row.why}",
                     remedy=row.remedy, row=row.name)


def _place(violation: Violation) -> tuple[str, int, int, str]:
    path, line, column = violation.subject.rsplit(":", 2)
    return path, int(line), int(column), violation.detail
