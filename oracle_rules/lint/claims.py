"""What the tests of a file claim, one by one: each assertion with its subject, how much it says, and whether it counts.

A table gives the strength of each form, so that two versions of a claim can be held against each other. Knows no diff.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..entropy.names import Names, read
from ..entropy.source import Source
from .hollow import always_false, always_true
from .pardon import forgives, suppresses

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
_BROAD = ("builtins.Exception", "builtins.BaseException")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One assertion. `subjects` are the forms of what it is about, `form` its own, `scope` the qualified function.

    `bound` orders claims of one strength, smaller says more: a tolerance, a number of members, how broad an exception
    is; NaN where there is none. `muted`: it stands where it cannot fail.
    """

    scope: str
    kind: str
    form: str
    subjects: frozenset[str]
    bound: float
    muted: bool
    node: ast.AST = field(repr=False, compare=False)

    @property
    def strength(self) -> int:
        """By the table."""
        return STRENGTHS[self.kind]


def claims(source: Source) -> list[Claim]:
    """Every claim of a source, in its order."""
    return list(_Reader(read(source.tree)).body(source.tree.body, "", muted=False))


class _Reader:
    def __init__(self, names: Names) -> None:
        self._names = names

    def body(self, block: list[ast.stmt], scope: str, *, muted: bool) -> Iterator[Claim]:
        for statement in block:
            yield from self.statement(statement, scope, muted=muted)
            if isinstance(statement, ast.Return | ast.Raise):
                muted = True  # nothing behind it runs

    def statement(self, node: ast.stmt, scope: str, *, muted: bool) -> Iterator[Claim]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from self.body(node.body, f"{scope}.{node.name}".lstrip("."), muted=muted)
        elif isinstance(node, ast.Assert):
            yield from self._claimed(node.test, scope, muted)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield from self._called(node.value, scope, muted)
        elif isinstance(node, ast.With | ast.AsyncWith):
            inner = muted or any(suppresses(item.context_expr) for item in node.items)
            for item in node.items:
                if isinstance(item.context_expr, ast.Call):
                    yield from self._called(item.context_expr, scope, muted, node.body)
            yield from self.body(node.body, scope, muted=inner)
        elif isinstance(node, ast.If | ast.While):
            yield from self.body(node.body, scope, muted=muted or always_false(node.test))
            yield from self.body(node.orelse, scope, muted=muted or always_true(node.test))
        else:
            hidden = muted or (isinstance(node, ast.Try) and any(map(forgives, node.handlers)))
            for name in ("body", "orelse", "finalbody"):
                yield from self.body(getattr(node, name, None) or [], scope, muted=hidden if name == "body" else muted)
            for arm in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                yield from self.body(arm.body, scope, muted=muted)

    def _claimed(self, test: ast.expr, scope: str, muted: bool) -> Iterator[Claim]:
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            for each in test.values:
                yield from self._claimed(each, scope, muted)
        elif isinstance(test, ast.Compare) and len(test.ops) > 1:
            sides = [test.left, *test.comparators]
            for left, operator, right in zip(sides, test.ops, sides[1:], strict=False):
                link = ast.copy_location(ast.Compare(left=left, ops=[operator], comparators=[right]), test)
                yield from self._claimed(link, scope, muted)
        else:
            kind, about, bound = self._form(test)
            yield _claim(scope, "hollow" if always_true(test) else kind, test, about, bound, muted)

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

    def _called(self, call: ast.Call, scope: str, muted: bool, block: Sequence[ast.stmt] = ()) -> Iterator[Claim]:
        """`self.assertX(…)`, `pytest.raises(…)` and `assert_called_with(…)` as claims."""
        name = self._names.resolve(call.func) or ""
        last = call.func.attr if isinstance(call.func, ast.Attribute) else name.rpartition(".")[2]
        if name in ("pytest.raises", "pytest.warns") or last in STRENGTHS and last.startswith("assert"):
            if STRENGTHS[last] == RAISES:
                yield _claim(scope, last, call, [*call.args[1:2], *block], self._breadth(call), muted)
            elif last in ("assertTrue", "assertFalse") and call.args:
                test = call.args[0] if last == "assertTrue" else ast.UnaryOp(op=ast.Not(), operand=call.args[0])
                yield from self._claimed(ast.copy_location(test, call), scope, muted)
            else:
                bound = _tolerance(call) if STRENGTHS[last] == CLOSE else math.nan
                yield _claim(scope, last, call, call.args[:2], bound, muted)
        elif last.startswith(("assert_called", "assert_any_call", "assert_has_calls", "assert_not_called")):
            yield _claim(scope, "call", call, [call.func], math.nan, muted)

    def _breadth(self, call: ast.Call) -> float:
        """How broad an expected exception is: a match narrows it, the base of all exceptions is the broadest."""
        given = call.args[0] if call.args else None
        kinds = given.elts if isinstance(given, ast.Tuple) else [given] if given is not None else []
        if any(self._names.resolve(each) in _BROAD for each in kinds):
            return 1000.0
        match = any(keyword.arg == "match" for keyword in call.keywords) or "Regex" in ast.dump(call.func)
        return len(kinds) + (0.0 if match else 0.5)


def _claim(scope: str, kind: str, node: ast.AST, about: Sequence[ast.AST], bound: float, muted: bool) -> Claim:
    subjects = frozenset(ast.unparse(each) for each in about if not isinstance(each, ast.Constant))
    return Claim(scope=scope, kind=kind, form=ast.unparse(node), subjects=subjects, bound=bound, muted=muted, node=node)


def _tolerance(call: ast.Call) -> float:
    """The widest tolerance that is written, 0 when it is left to the default; fewer places are wider."""
    given = {keyword.arg: _number(keyword.value) for keyword in call.keywords}
    places = -given.pop("places", math.nan)
    found = [value for name, value in given.items() if name in ("rel", "abs", "rel_tol", "abs_tol", "delta")]
    return places if not math.isnan(places) else max(found, default=0.0)


def _number(node: ast.expr) -> float:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_number(node.operand)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    return math.nan
