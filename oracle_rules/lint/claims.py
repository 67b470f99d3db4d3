"""What the tests of a file claim, one by one: each assertion with its subject, how much it says, and whether it counts.

A table gives the strength of each form, so that two versions of a claim can be held against each other. Knows no diff.
"""

from __future__ import annotations

import ast
import copy
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..entropy.names import Names, read
from ..entropy.source import Source
from .hollow import Truths, always_false, always_true, number, weak
from .pardon import Try, forgives, is_blanket, suppresses

# How much a form says about its subject. Claims of one strength are told apart by `bound`, where they have one.
EXACT, CLOSE, RAISES, PART, KIND, PRESENT, NOTHING = 6, 5, 4, 3, 2, 1, 0
STRENGTHS: dict[str, int] = {
    "==": EXACT, "is": EXACT, "assertEqual": EXACT, "assertIs": EXACT, "assertIsNone": EXACT, "assertListEqual": EXACT,
    "assertDictEqual": EXACT, "assertSetEqual": EXACT, "assertTupleEqual": EXACT, "assertMultiLineEqual": EXACT,
    "assertSequenceEqual": EXACT, "assertCountEqual": EXACT, "assertFalse": EXACT, "not": EXACT,
    "approx": CLOSE, "isclose": CLOSE, "assertAlmostEqual": CLOSE,
    "raises": RAISES, "warns": RAISES, "assertRaises": RAISES, "assertRaisesRegex": RAISES, "assertWarns": RAISES,
    "<": PART, "<=": PART, ">": PART, ">=": PART, "in": PART, "not in": PART, "call": PART, "assertIn": PART,
    "assertLess": PART, "assertLessEqual": PART, "assertGreater": PART, "assertGreaterEqual": PART,
    "assertRegex": PART, "assertNotIn": PART,
    "isinstance": KIND, "assertIsInstance": KIND,
    "!=": PRESENT, "is not": PRESENT, "truth": PRESENT, "or": PRESENT, "assertTrue": PRESENT,
    "assertIsNotNone": PRESENT, "assertNotEqual": PRESENT, "assertIsNot": PRESENT,
    "hollow": NOTHING,
}  # fmt: skip
_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is", ast.IsNot: "is not", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
    ast.GtE: ">=", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_NEGATED = {"==": "!=", "!=": "==", "is": "is not", "is not": "is", "<": ">=", "<=": ">", ">": "<=", ">=": "<",
            "in": "not in", "not in": "in"}
# Calls that give back what they are given, as far as a claim goes.
_THROUGH = ("list", "tuple", "sorted", "set", "dict", "str", "repr", "len", "next", "iter", "bool", "int", "float")
_BROAD = ("builtins.Exception", "builtins.BaseException")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One assertion. `subjects` are skeletons of what it is about, `form` its own, `scope` the qualified function.

    In both, a name that is assigned once stands for what it is assigned from; a skeleton also forgets arguments,
    numbers and other names. `bound` orders claims of one strength, smaller says more: a tolerance, a number of members,
    how broad an exception is; NaN where there is none. `general`: it stands in a loop or a parametrised test.
    `muted`: it stands where it cannot fail.
    """

    scope: str
    kind: str
    form: str
    subjects: frozenset[str]
    bound: float
    general: bool
    muted: bool
    node: ast.AST = field(repr=False, compare=False)

    @property
    def strength(self) -> int:
        """By the table."""
        return STRENGTHS[self.kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class _At:
    """Where a claim stands: its scope, whether nothing there can fail, whether it is met more than once."""

    scope: str
    muted: bool = False
    general: bool = False
    origins: Mapping[str, ast.expr] = field(default_factory=dict)
    conditions: frozenset[str] = frozenset()


def claims(source: Source) -> list[Claim]:
    """Every claim of a source, in its order."""
    return list(_Reader(read(source.tree), source).body(source.tree.body, _At(scope="")))


class _Reader:
    def __init__(self, names: Names, source: Source) -> None:
        self._names = names
        used = [each.id for each in ast.walk(source.tree) if isinstance(each, ast.Name)]
        used += [each.attr for each in ast.walk(source.tree) if isinstance(each, ast.Attribute)]
        self._used = frozenset(used)
        stem = source.path.rpartition("/")[2].removesuffix(".py")
        self._collects = stem.startswith("test_") or stem.endswith("_test")

    def body(self, block: list[ast.stmt], at: _At) -> Iterator[Claim]:
        last = {each.name: each for each in block if isinstance(each, ast.FunctionDef | ast.ClassDef)}
        for statement in block:
            replaced = isinstance(statement, ast.FunctionDef) and last[statement.name] is not statement
            yield from self.statement(statement, replace(at, muted=True) if replaced else at)
            if isinstance(statement, ast.Return | ast.Raise):
                at = replace(at, muted=True)  # nothing behind it runs

    def statement(self, node: ast.stmt, at: _At) -> Iterator[Claim]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from self.body(node.body, self._inside(node, at))
        elif isinstance(node, ast.Assert):
            yield from self._claimed(node.test, at)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield from self._called(node.value, at)
        elif isinstance(node, ast.With | ast.AsyncWith):
            inner = at.muted or any(self._takes(item.context_expr) for item in node.items)
            for item in node.items:
                if isinstance(item.context_expr, ast.Call):
                    yield from self._called(item.context_expr, at, node.body)
            yield from self.body(node.body, replace(at, muted=inner))
        elif isinstance(node, ast.If | ast.While):
            known = at.conditions | {ast.unparse(node.test)}
            yield from self.body(node.body, replace(at, muted=at.muted or always_false(node.test), conditions=known))
            yield from self.body(node.orelse, replace(at, muted=at.muted or always_true(node.test)))
        elif isinstance(node, ast.For | ast.AsyncFor):
            nothing = at.muted or always_false(node.iter)
            yield from self.body(node.body, replace(at, muted=nothing, general=True))
            yield from self.body(node.orelse, at)
        else:
            hidden = at.muted or isinstance(node, Try) and any(
                forgives(self._names, node, each) for each in node.handlers)
            for name in ("body", "orelse", "finalbody"):
                yield from self.body(getattr(node, name, None) or [],
                                     replace(at, muted=hidden if name == "body" else at.muted))
            for arm in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                yield from self.body(arm.body, at)

    def _inside(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, at: _At) -> _At:
        """The place inside a function: nothing there can fail when nobody collects it and nobody calls it."""
        scope = f"{at.scope}.{node.name}".lstrip(".")
        called = node.name in self._used or bool(node.decorator_list) or node.name == "hold"
        collected = node.name.lower().startswith(("test", "setup", "teardown", "_", "async")) and not (
            node.name.startswith("_test")) or not self._collects or isinstance(node, ast.ClassDef)
        marks = [mark for mark in node.decorator_list if isinstance(mark, ast.Call)]
        given = isinstance(node, ast.ClassDef) or bool(marks) or any(
            each.arg not in ("self", "cls") for each in node.args.args)
        return _At(scope=scope, muted=at.muted or not (called or collected), general=at.general or given,
                   origins=dict(_origins(node)))

    def _takes(self, node: ast.expr) -> bool:
        """A context that lets nothing out: `suppress(Exception)`, or `raises` of what an assertion raises."""
        if suppresses(self._names, node):
            return True
        return isinstance(node, ast.Call) and self._names.resolve(node.func) == "pytest.raises" and bool(
            node.args) and is_blanket(self._names, node.args[0])

    def _claimed(self, test: ast.expr, at: _At) -> Iterator[Claim]:
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            for each in test.values:
                yield from self._claimed(each, at)
        elif isinstance(test, ast.Compare) and len(test.ops) > 1:
            sides = [test.left, *test.comparators]
            for left, operator, right in zip(sides, test.ops, sides[1:], strict=False):
                link = ast.copy_location(ast.Compare(left=left, ops=[operator], comparators=[right]), test)
                yield from self._claimed(link, at)
        else:
            kind, about, bound = self._form(test)
            same = weak(test, Truths(origins=at.origins)) == "it compares an answer with itself"
            hollow = always_true(test) or same or ast.unparse(test) in at.conditions
            yield _claim(at, "hollow" if hollow else kind, test, about, bound)

    def _form(self, test: ast.expr) -> tuple[str, list[ast.expr], float]:
        """The kind of a test, what it is about, and its bound."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            kind, about, bound = self._form(test.operand)
            return _NEGATED.get(kind, "not"), about, bound
        if isinstance(test, ast.BoolOp):
            return "or", [part for each in test.values for part in self._form(each)[1]], float(len(test.values))
        if isinstance(test, ast.Compare):
            return self._compared(test.left, _SIGNS[type(test.ops[0])], test.comparators[0])
        if isinstance(test, ast.Call):
            name = (self._names.resolve(test.func) or "").rpartition(".")[2]
            if name in ("isinstance", "isclose"):
                return name, test.args[:2], _tolerance(test) if name == "isclose" else math.nan
            return "call", [test], math.nan
        return "truth", [test], math.nan

    def _compared(self, left: ast.expr, sign: str, right: ast.expr) -> tuple[str, list[ast.expr], float]:
        near = next((side for side in (left, right) if isinstance(side, ast.Call) and self._is_approx(side)), None)
        if near is not None and sign == "==":
            return "approx", [right if near is left else left, *near.args[:1]], _tolerance(near)
        if sign == "in" and isinstance(right, ast.Tuple | ast.List | ast.Set):
            return "in", [left], float(len(right.elts))
        if sign in ("<", "<="):
            return sign, [left, right], _number(right) if not math.isnan(_number(right)) else -_number(left)
        if sign in (">", ">="):
            return sign, [left, right], -_number(right) if not math.isnan(_number(right)) else _number(left)
        return sign, [left, right], math.nan

    def _is_approx(self, node: ast.Call) -> bool:
        return self._names.resolve(node.func) == "pytest.approx"

    def _called(self, call: ast.Call, at: _At, block: Sequence[ast.stmt] = ()) -> Iterator[Claim]:
        """`self.assertX(…)`, `pytest.raises(…)`, `pytest.fail(…)` and whatever else is named as an assertion."""
        name = self._names.resolve(call.func) or ""
        last = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name in ("pytest.raises", "pytest.warns") or STRENGTHS.get(last) == RAISES:
            kind = last if last in STRENGTHS else name.rpartition(".")[2]
            yield _claim(at, kind, call, [*call.args[1:2], *block], self._breadth(call))
        elif last in ("assertTrue", "assertFalse") and call.args:
            test = call.args[0] if last == "assertTrue" else ast.UnaryOp(op=ast.Not(), operand=call.args[0])
            yield from self._claimed(ast.copy_location(test, call), at)
        elif last.startswith("assert") or name in ("pytest.fail", "unittest.TestCase.fail"):
            kind = last if last in STRENGTHS else "call"
            bound = _tolerance(call) if STRENGTHS[kind] == CLOSE else math.nan
            yield _claim(at, kind, call, call.args[:2] or [call.func], bound)

    def _breadth(self, call: ast.Call) -> float:
        """How broad an expected exception is: a match narrows it, the base of all exceptions is the broadest."""
        given = call.args[0] if call.args else None
        kinds = given.elts if isinstance(given, ast.Tuple) else [given] if given is not None else []
        if any(self._names.resolve(each) in _BROAD for each in kinds):
            return 1000.0
        match = any(keyword.arg == "match" and not _matches_all(keyword.value) for keyword in call.keywords)
        match = match or "Regex" in ast.dump(call.func)
        return len(kinds) + (0.0 if match else 0.5)


def _claim(at: _At, kind: str, node: ast.AST, about: Sequence[ast.AST], bound: float) -> Claim:
    subjects = frozenset(_skeleton(each, at.origins) for each in about if not isinstance(each, ast.Constant))
    return Claim(scope=at.scope, kind=kind, form=ast.unparse(_Inline(at.origins).visit(copy.deepcopy(node))),
                 subjects=subjects - {"_"} or subjects, bound=bound, general=at.general, muted=at.muted, node=node)


class _Inline(ast.NodeTransformer):
    """Puts what a name was assigned from in its place."""

    def __init__(self, origins: Mapping[str, ast.expr], depth: int = 4) -> None:
        self._origins, self._depth = origins, depth

    def visit_Name(self, node: ast.Name) -> ast.AST:  # noqa: N802 - the library's name
        """A name that is assigned once."""
        if self._depth and isinstance(node.ctx, ast.Load) and node.id in self._origins:
            inlined: ast.AST = _Inline(self._origins, self._depth - 1).visit(copy.deepcopy(self._origins[node.id]))
            return inlined
        return node


def _skeleton(node: ast.AST, origins: Mapping[str, ast.expr], depth: int = 8) -> str:
    """What an expression is about: the function or name it begins with, and the attributes and items on the way."""
    while isinstance(node, ast.Expr | ast.Await | ast.Starred | ast.NamedExpr):
        node = node.value
    if isinstance(node, ast.Name):
        if depth and node.id in origins:
            return _skeleton(origins[node.id], origins, depth - 1)
        return node.id if node.id[:1].isupper() else "_"
    if isinstance(node, ast.Attribute):
        return f"{_skeleton(node.value, origins, depth)}.{node.attr}"
    if isinstance(node, ast.Subscript):
        return f"{_skeleton(node.value, origins, depth)}[]"
    if isinstance(node, ast.Call):
        made = node.func.id if isinstance(node.func, ast.Name) else _skeleton(node.func, origins, depth)
        through = isinstance(node.func, ast.Name) and node.func.id in _THROUGH and bool(node.args)
        return _skeleton(node.args[0], origins, depth) if through else f"{made}()"
    return "_"


def _origins(unit: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Names that a function assigns once, with what they are assigned from."""
    stores = Counter(node.id for node in ast.walk(unit)
                     if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    for node in ast.walk(unit):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            if stores[node.targets[0].id] == 1:
                yield node.targets[0].id, node.value


def _matches_all(node: ast.expr) -> bool:
    """A pattern that every message matches."""
    return isinstance(node, ast.Constant) and node.value in ("", ".*", ".+", ".", "(?s).*")


def _tolerance(call: ast.Call) -> float:
    """The widest tolerance that is written, 0 when it is left to the default; fewer places are wider."""
    given = {keyword.arg: _number(keyword.value) for keyword in call.keywords}
    places = -given.pop("places", math.nan)
    found = [value for name, value in given.items() if name in ("rel", "abs", "rel_tol", "abs_tol", "delta")]
    return places if not math.isnan(places) else max(found, default=0.0)


def _number(node: ast.expr) -> float:
    """The value of a number as it is written; NaN for anything else."""
    value = number(node)
    return math.nan if math.isinf(value) else value
