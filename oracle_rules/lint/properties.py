"""The lint of a property: says where it could hold for a candidate that is wrong. Knows no target and no decision.

Refuses only what its shape proves; a property that passes is not thereby a good one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from ..artifacts.violation import Violation
from ..entropy.source import UnreadableError
from .answers import Answers, asserts
from .code import Module, Program, Unit, module_name, parse_module
from .hollow import Truths, always_true, weak
from .io import io_of
from .pardon import Try, forgives, suppresses
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
    found = list(_io(modules.values(), fixtures))
    holds = [each for each in module.source.tree.body if _binds_hold(each)]
    if len(holds) == 1 and isinstance(holds[0], ast.FunctionDef) and not holds[0].decorator_list:
        found += _shape(program, Answers(program, module, holds[0]), module, holds[0])
    elif holds and not isinstance(holds[-1], ast.AsyncFunctionDef):
        found.append(_at("opaque-hold", module, holds[-1], "hold is not one plain function"))
    return tuple(sorted(set(found), key=_place))  # without any hold a run says so: the property is broken


def _binds_hold(node: ast.stmt) -> bool:
    """Whether a statement at the top of a file, or something inside it but for functions, gives `hold` a value."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.name == "hold"
    if isinstance(node, ast.Import | ast.ImportFrom):
        return any((alias.asname or alias.name) == "hold" for alias in node.names)
    if any(_binds_hold(each) for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)):
        return True
    own = (each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
    return any(each.id == "hold" for each in own)


def _io(modules: Iterable[Module], fixtures: frozenset[str]) -> Iterator[Violation]:
    for module in modules:
        for node, what in io_of(module.source, fixtures):
            yield _at("does-io", module, node, f"{what} is input or output")


def _shape(program: Program, answers: Answers, module: Module, hold: ast.FunctionDef) -> Iterator[Violation]:
    if answers.is_open:
        return  # what the star brings only a run can tell
    if not answers.asks:
        strangers = list(program.strangers(module))
        for node, dotted in strangers:
            yield _at("imports-no-candidate", module, node, f"`{dotted}` is no module of the candidate, which has "
                      f"{program.importable}")
        if not strangers:
            yield _at("asks-nothing", module, hold, "nothing that hold reaches names the candidate")
        return
    known = _truths(answers, hold)
    yield from _by_form(answers)
    yield from _forgiving(answers)
    # A plain `return True` is an answer among others; one that is true by its form was meant to be a check.
    hollow = [each for each in _returns(hold) if each.value is not None and not isinstance(each.value, ast.Constant)
              and always_true(each.value, known)]
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
    reasons = [(check, weak(check.test, _truths(answers, check.unit))) for check in checks]
    if all(why for _, why in reasons):
        check, why = reasons[0]
        yield _at("no-invariant", check.module, check.test, f"{why}, and nothing else is looked at")


def _by_form(answers: Answers) -> Iterator[Violation]:
    """Assertions that are true by their form, and jumps that drop an exception."""
    for module, unit in answers.reached:
        for node in ast.walk(unit):
            if isinstance(node, ast.Assert) and always_true(node.test, _truths(answers, unit)):
                yield _at("true-by-form", module, node, "this assertion cannot fail")
            elif isinstance(node, Try):
                for each in node.finalbody:
                    if (jump := _jump(each)) is not None:
                        yield _at("return-in-finally", module, jump, "this drops the exception that is on its way")


def _forgiving(answers: Answers) -> Iterator[Violation]:
    says = "whatever goes wrong here, the case passes"
    for module, _unit, node in answers.guarded():
        for handler in node.handlers:
            if forgives(module.names, node, handler):
                yield _at("forgives", module, handler, says)
    for module, unit in answers.reached:
        for each in ast.walk(unit):
            if suppresses(module.names, each):
                yield _at("forgives", module, each, says)
            if isinstance(each, ast.FunctionDef) and each.name == "__exit__":
                for answer in _returns(each):
                    if answer.value is not None and always_true(answer.value):
                        yield _at("forgives", module, answer, says)


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
               or (isinstance(node, ast.Expr) and asserts(node.value)) for node in ast.walk(unit))


def _truths(answers: Answers, unit: Unit) -> Truths:
    """What is known inside a unit: names that are only ever given truths, helpers that only answer truths."""
    given: dict[str, list[ast.expr | None]] = {}
    for node in ast.walk(unit):
        if isinstance(node, ast.Assign) and all(isinstance(each, ast.Name) for each in node.targets):
            for each in node.targets:
                given.setdefault(each.id, []).append(node.value)  # type: ignore[attr-defined]
        elif isinstance(node, ast.NamedExpr):
            given.setdefault(node.target.id, []).append(node.value)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            given.setdefault(node.id, []).append(None)
        elif isinstance(node, ast.arg):
            given.setdefault(node.arg, []).extend((None, None))
    # Each assignment was met twice: as a statement, and by its name.
    counts = {name: (len(values) - values.count(None), values.count(None)) for name, values in given.items()}
    settled = {name for name, (known, stores) in counts.items() if known == stores}
    helpers = [each for _, each in answers.reached if isinstance(each, ast.FunctionDef)]
    return Truths(
        names=frozenset(name for name in settled if all(value is None or always_true(value) for value in given[name])),
        functions=frozenset(each.name for each in helpers if each is not unit and _only_true(each)),
        origins={name: next(value for value in given[name] if value is not None) for name in settled
                 if counts[name] == (1, 1)})


def _only_true(function: ast.FunctionDef) -> bool:
    answers = list(_returns(function))
    return bool(answers) and not _can_raise(function) and all(
        each.value is not None and always_true(each.value) for each in answers)


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
