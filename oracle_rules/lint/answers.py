"""What of a property hangs on the candidate's answers, and where the property looks at them.

An analysis that ignores the order of statements and takes a value for an answer when in doubt: a name is one when it
is ever assigned from one, changed under a condition on one, or handed to the candidate, which may fill it. So a check
that is not found here is one that looks at no answer. Knows nothing of what a check is worth.
Longer than 300 lines because marking, and what is looked at, are one walk over one set of names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from .code import Module, Program, Unit, base_name, names
from .pardon import Try

_Block = list[ast.stmt]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """An expression that decides whether the property holds and hangs on an answer."""

    module: Module
    unit: Unit = field(repr=False)
    test: ast.expr = field(repr=False)


class Answers:
    """The units that a property's `hold` reaches, and in each of them the names that hang on answers."""

    def __init__(self, program: Program, module: Module, hold: Unit) -> None:
        self._program = program
        self.reached = tuple(_reached(program, module, hold))
        self._asking = self._asking_units()
        self._escaping = tuple(self._handed_around())
        self._tainted: dict[int, set[str]] = {id(unit): set() for _, unit in self.reached}
        self._case = _case_names(hold)
        self._handed: set[str] = set()
        self._spread()

    @property
    def asks(self) -> bool:
        """Whether anything that `hold` reaches names something of the candidate's."""
        return bool(self._asking)

    @property
    def is_open(self) -> bool:
        """Whether a file that is reached imports whatever a module of the candidate's offers."""
        return any(self._program.is_open(module) for module, _ in self.reached)

    def checks(self) -> Iterator[Check]:
        """Every test, assertion, answer and `case` that hangs on an answer, in the order of the source."""
        for module, unit in self.reached:
            for node in ast.walk(unit):
                for test in _tests(node):
                    if self.hangs(module, unit, test) or self._compares_handed(test):
                        yield Check(module=module, unit=unit, test=test)

    def guarded(self) -> Iterator[tuple[Module, Unit, Try]]:
        """Every `try` whose body asks the candidate or looks at an answer."""
        for module, unit in self.reached:
            for node in ast.walk(unit):
                if isinstance(node, Try) and any(self.hangs(module, unit, each) for each in node.body):
                    yield module, unit, node

    def hangs(self, module: Module, unit: Unit, node: ast.AST) -> bool:
        """Whether something below the node is the candidate's, an answer, or a unit that asks."""
        known = self._tainted[id(unit)] | self._tainted.get(id(module.at_import), set())
        return any(name.id in known or self._program.is_candidate(module, name.id)
                   or any(id(found) in self._asking for _, found in self._program.units(module, name.id))
                   for name in names(node))

    def _compares_handed(self, test: ast.expr) -> bool:
        """Whether a part of the case that the candidate was given, and may have changed, is compared afterwards."""
        sides = [side for node in ast.walk(test) if isinstance(node, ast.Compare)
                 for side in (node.left, *node.comparators) if isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.Is)]
        return any(ast.dump(side) in self._handed for side in sides)

    def _asking_units(self) -> frozenset[int]:
        """Units that name the candidate, or that refer to one that does."""
        asking = {id(unit) for module, unit in self.reached
                  if any(self._program.is_candidate(module, name.id) for name in names(unit))}
        grown = True
        while grown:
            more = {id(unit) for module, unit in self.reached
                    for name in names(unit)
                    if any(id(found) in asking for _, found in self._program.units(module, name.id))}
            grown = not more <= asking
            asking |= more
        return frozenset(asking)

    def _handed_around(self) -> Iterator[Unit]:
        """Functions that are used as values, or decorated: whoever gets them may call them with answers."""
        for module, unit in self.reached:
            if getattr(unit, "decorator_list", ()):
                yield unit
            called = {id(node.func) for node in ast.walk(unit) if isinstance(node, ast.Call)}
            for name in names(unit):
                if id(name) not in called:
                    yield from (found for _, found in self._program.units(module, name.id))

    def _spread(self) -> None:
        """Marks names until nothing more is marked, through calls as well."""
        if self._asking:
            for unit in self._escaping:
                self._tainted[id(unit)].update(_parameters(unit))
        before = -1
        while before != (now := sum(map(len, self._tainted.values()))):
            before = now
            for module, unit in self.reached:
                self._block(module, unit, unit.body, under=False)
                self._hand_over(module, unit)

    def _hand_over(self, module: Module, unit: Unit) -> None:
        """Arguments that are answers make parameters answers; what the candidate is given it may fill."""
        for node in ast.walk(unit):
            if not isinstance(node, ast.Call):
                continue
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            name = base_name(node.func)
            if name is not None and any(self.hangs(module, unit, each) for each in given):
                if isinstance(node.func, ast.Attribute) and name in _locals(unit):
                    self._tainted[id(unit)].add(name)
                for _, found in self._program.units(module, name):
                    self._tainted[id(found)].update(_parameters(found))
            if self.hangs(module, unit, node.func):
                for each in given:
                    self._filled(module, unit, each)

    def _filled(self, module: Module, unit: Unit, given: ast.expr) -> None:
        """Marks what the candidate may fill. The case itself mostly is not changed: that has to be compared."""
        own = _locals(unit)
        if base_name(given) in self._case:
            self._handed.add(ast.dump(given))
        for name in names(given):
            if name.id in own and name.id not in self._case:
                self._tainted[id(unit)].add(name.id)
            for _, found in self._program.units(module, name.id):
                # A function that is handed over tells through the names that it shares with this one.
                shared = {each.id for each in names(found) if each.id in own} - self._case
                self._tainted[id(unit)].update(shared)

    def _block(self, module: Module, unit: Unit, block: _Block, *, under: bool) -> None:
        for statement in block:
            inside = under or self._hangs_head(module, unit, statement)
            for target, value in _assignments(statement):
                if inside or (value is not None and self.hangs(module, unit, value)):
                    self._tainted[id(unit)].update(_targets(target))
            for child in _blocks(statement):
                self._block(module, unit, child, under=inside)

    def _hangs_head(self, module: Module, unit: Unit, statement: ast.stmt) -> bool:
        """Whether an answer decides if, or how often, what is inside the statement happens."""
        if isinstance(statement, Try):
            return any(self.hangs(module, unit, each) for each in statement.body)
        heads: list[ast.expr] = []
        if isinstance(statement, ast.If | ast.While):
            heads = [statement.test]
        elif isinstance(statement, ast.For | ast.AsyncFor):
            heads = [statement.iter]
        elif isinstance(statement, ast.Match):
            heads = [statement.subject]
        elif isinstance(statement, ast.With | ast.AsyncWith):
            heads = [item.context_expr for item in statement.items]
        return any(self.hangs(module, unit, each) for each in heads)


def _reached(program: Program, module: Module, hold: Unit) -> Iterator[tuple[Module, Unit]]:
    """What `hold` may run, and what the files that this stands in run when they are imported."""
    waiting, seen = [(module, hold), (module, module.at_import)], {id(hold), id(module.at_import)}
    while waiting:
        where, unit = waiting.pop(0)
        yield where, unit
        for each in (each for group in where.units.values() for each in group if getattr(each, "decorator_list", ())):
            if id(each) not in seen:  # its decorator may keep it where nobody names it
                seen.add(id(each))
                waiting.append((where, each))
        for name in names(unit):
            for there, found in program.units(where, name.id):
                for each in (found, there.at_import):
                    if id(each) not in seen:
                        seen.add(id(each))
                        waiting.append((there, each))


def asserts(node: ast.expr) -> bool:
    """A call by the name of an assertion, such as `case.assertEqual(…)` or `assert_close(…)`."""
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return str(name).startswith("assert")


def _case_names(hold: Unit) -> set[str]:
    """The parameters of `hold`, and names that are assigned once from a part of one."""
    found = _parameters(hold) if not isinstance(hold, ast.Module) else set()
    stored = [each.id for each in ast.walk(hold) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    for node in ast.walk(hold):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is_part(node.value, found):
            if stored.count(node.targets[0].id) == 1:
                found.add(node.targets[0].id)
    return found


def _is_part(node: ast.expr, of: set[str]) -> bool:
    """`case`, `case["raw"]`, `case.get("raw")`, or a choice between such parts."""
    if isinstance(node, ast.IfExp):
        return _is_part(node.body, of) and _is_part(node.orelse, of)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "get" and _is_part(node.func.value, of)
    if isinstance(node, ast.Subscript):
        return _is_part(node.value, of)
    return isinstance(node, ast.Name) and node.id in of


def _tests(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.If | ast.While | ast.Assert | ast.IfExp):
        yield node.test
    elif isinstance(node, ast.Return | ast.Yield) and node.value is not None:
        yield node.value
    elif isinstance(node, ast.Raise) and node.exc is not None:
        yield node.exc
    elif isinstance(node, ast.Lambda):
        yield node.body
    elif isinstance(node, ast.comprehension):
        yield from node.ifs
    elif isinstance(node, ast.Match):
        yield node.subject
    elif isinstance(node, ast.Expr) and asserts(node.value):
        yield node.value
    elif isinstance(node, Try):
        yield from (handler.type for handler in node.handlers if handler.type is not None)


def _assignments(statement: ast.stmt) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """(target, value) of everything that a statement itself binds, None for a value that is its own head."""
    if isinstance(statement, ast.Assign):
        yield from ((target, statement.value) for target in statement.targets)
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign):
        yield statement.target, statement.value
    elif isinstance(statement, ast.For | ast.AsyncFor):
        yield statement.target, statement.iter
    elif isinstance(statement, ast.With | ast.AsyncWith):
        yield from ((item.optional_vars, item.context_expr) for item in statement.items if item.optional_vars)
    elif isinstance(statement, Try):
        yield from ((ast.Name(id=handler.name, ctx=ast.Store()), None)
                    for handler in statement.handlers if handler.name)
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        # `found.append(x)`: what is changed by a method may hold x, or the fact that it was called.
        if isinstance(statement.value.func, ast.Attribute):
            yield statement.value.func.value, statement.value
    for node in _own_expressions(statement):
        if isinstance(node, ast.NamedExpr):
            yield node.target, node.value
        elif isinstance(node, ast.comprehension):
            yield node.target, node.iter


def _own_expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """Nodes of the statement's own expressions, those of statements inside it left out."""
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from ast.walk(child)


def _blocks(statement: ast.stmt) -> Iterator[_Block]:
    for name in ("body", "orelse", "finalbody"):
        if block := getattr(statement, name, None):
            yield block
    for handler in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield handler.body


def _targets(target: ast.AST) -> set[str]:
    found = {each.id for each in ast.walk(target) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    base = base_name(target)
    return found | ({base} if base is not None else set())


def _parameters(unit: Unit) -> set[str]:
    """The parameters of a unit's functions."""
    given = [each.args for each in ast.walk(unit) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    every = [each for one in given for each in (*one.posonlyargs, *one.args, *one.kwonlyargs, one.vararg, one.kwarg)]
    return {each.arg for each in every if each is not None}


def _locals(unit: Unit) -> set[str]:
    """Names that are bound anywhere inside a unit."""
    bound = {each.id for each in ast.walk(unit) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    return bound | _parameters(unit)
