"""The mutation operators: what small fault can be put where. Each changes one place of the text, and nothing else.

Six kinds, by their usual names: a comparison is turned round, a boundary moved, a constant changed, a boolean turned
round, a returned value lost, a statement removed. What stands in a format string, an annotation or a docstring is left
alone: the places of the first are not told by every Python, and the others change nothing that a property could see.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from .source import Source, Span

COMPARISON, BOUNDARY, CONSTANT, BOOLEAN, RETURN, STATEMENT = (
    "comparison", "boundary", "constant", "boolean", "return", "statement")
OPERATORS = {
    COMPARISON: "`==` and `!=`, `<` and `>=`, `<=` and `>`, `in` and `not in`, `is` and `is not`, each for the other",
    BOUNDARY: "`<` and `<=`, `>` and `>=`, each for the other",
    CONSTANT: "a number that is one more; an empty text or bytes instead of one that is not, and `x` instead of one "
              "that is",
    BOOLEAN: "`and` and `or`, `True` and `False`, each for the other; a condition without its `not`, or with one",
    RETURN: "`None` instead of what is returned",
    STATEMENT: "`pass` instead of an assignment, a call, a deletion, `raise`, `assert`, `break` or `continue`",
}
_TURNED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in",
           "is": "is not", "is not": "is"}
_MOVED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
# For text and for bytes, where there is something and where there is nothing.
_EMPTIED = {(str, True): '""', (str, False): '"x"', (bytes, True): 'b""', (bytes, False): 'b"x"'}
_REMOVABLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Delete, ast.Raise, ast.Assert, ast.Break,
              ast.Continue)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# What makes a statement one with blocks of its own.
_BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """One small fault: what stands where, and what stands there instead."""

    span: Span
    operator: str
    text: str


def edits(source: Source, reached: Set[int] | None) -> list[Edit]:
    """Every edit of what was run, by place; `reached` are the lines that were, None for all of them.

    A statement counts as run where one of its lines was, a condition where one of its own was, and what stands in the
    head of a function where its body was.
    """
    return sorted(_Walk(source, reached).block(source.tree.body, documented=True))


class _Walk:
    """One walk over a tree. Only expressions that every Python places in the text are looked into."""

    def __init__(self, source: Source, reached: Set[int] | None) -> None:
        self._source = source
        self._reached = reached

    def block(self, body: Sequence[ast.stmt], *, documented: bool = False) -> Iterator[Edit]:
        """The edits of these statements; the first may be a docstring."""
        for number, statement in enumerate(body):
            if not (documented and number == 0 and _is_text(statement)):
                yield from self._statement(statement)

    def _statement(self, node: ast.stmt) -> Iterator[Edit]:
        if isinstance(node, _FUNCTIONS):
            if self._was_run(node.body[0].lineno, node.end_lineno):
                yield from self._expressions([*node.decorator_list, *node.args.defaults, *node.args.kw_defaults])
                yield from self.block(node.body, documented=True)
        elif isinstance(node, ast.ClassDef):
            if self._was_run(node.lineno, node.body[0].lineno):
                keywords = [each.value for each in node.keywords]
                yield from self._expressions([*node.decorator_list, *node.bases, *keywords])
            yield from self.block(node.body, documented=True)
        elif any(isinstance(part, _BLOCKS) for part in ast.iter_child_nodes(node)):
            yield from self._compound(node)
        elif self._was_run(node.lineno, node.end_lineno):
            yield from self._simple(node)

    def _compound(self, node: ast.AST) -> Iterator[Edit]:
        """What a statement asks or goes through, where that was run, and its blocks."""
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.stmt):
                yield from self._statement(part)
            elif isinstance(part, ast.ExceptHandler | ast.match_case):
                yield from self._compound(part)
            else:
                yield from self._head(node, part)

    def _head(self, node: ast.AST, part: ast.AST) -> Iterator[Edit]:
        placed = [each for each in ast.walk(part) if isinstance(each, ast.expr | ast.pattern)]
        lines = [line for each in placed for line in (each.lineno, each.end_lineno or each.lineno)]
        if lines and self._was_run(min(lines), max(lines)):
            yield from self._expression(part)
            if isinstance(part, ast.expr) and part in (getattr(node, "test", None), getattr(node, "guard", None)):
                yield from self._negated(part)

    def _simple(self, node: ast.stmt) -> Iterator[Edit]:
        parts: list[ast.expr | None] = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
        if isinstance(node, ast.AnnAssign):
            parts = [node.target, node.value]
        if parts[-1:] == [None] or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            return  # a bare annotation, a bare text: nothing is done there
        if isinstance(node, _REMOVABLE):
            yield Edit(self._source.span(node), STATEMENT, "pass")
        if isinstance(node, ast.Return) and node.value is not None:
            yield from self._lost(node.value)
        if type(node).__name__ != "TypeAlias":
            yield from self._expressions(parts)

    def _expressions(self, nodes: Sequence[ast.expr | None]) -> Iterator[Edit]:
        for node in nodes:
            if node is not None:
                yield from self._expression(node)

    def _expression(self, node: ast.AST) -> Iterator[Edit]:
        if isinstance(node, ast.JoinedStr) or type(node).__name__ == "TemplateStr":
            return
        if isinstance(node, ast.Compare):
            yield from self._compared(node)
        elif isinstance(node, ast.BoolOp):
            yield from self._joined(node)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield self._unnegated(node)
        elif isinstance(node, ast.Constant):
            yield from self._constant(node)
        elif isinstance(node, ast.IfExp):
            yield from self._negated(node.test)
        elif isinstance(node, ast.comprehension):
            for test in node.ifs:
                yield from self._negated(test)
        elif isinstance(node, ast.Lambda):
            yield from self._lost(node.body)
        for part in ast.iter_child_nodes(node):
            yield from self._expression(part)

    def _compared(self, node: ast.Compare) -> Iterator[Edit]:
        for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
            found = self._source.words(self._source.span(left)[1], self._source.span(right)[0])
            word, span = " ".join(each for each, _ in found), (found[0][1][0], found[-1][1][1])
            yield Edit(span, COMPARISON, _TURNED[word])
            if word in _MOVED:
                yield Edit(span, BOUNDARY, _MOVED[word])

    def _joined(self, node: ast.BoolOp) -> Iterator[Edit]:
        """Every `and` of one chain at once, or every `or`: which binds stronger is as it was, since it is one place."""
        whole = self._source.span(node)
        text, last = "", whole[0]
        for left, right in zip(node.values, node.values[1:], strict=False):
            [(_, span)] = self._source.words(self._source.span(left)[1], self._source.span(right)[0])
            text += self._source.text[last:span[0]] + ("or" if isinstance(node.op, ast.And) else "and")
            last = span[1]
        yield Edit(whole, BOOLEAN, text + self._source.text[last:whole[1]])

    def _unnegated(self, node: ast.UnaryOp) -> Edit:
        start = self._source.span(node)[0]
        rest = self._source.text[start + len("not"):]
        return Edit((start, start + len("not") + len(rest) - len(rest.lstrip(" \t"))), BOOLEAN, "")

    def _negated(self, test: ast.expr) -> Iterator[Edit]:
        """A condition that asks for truth alone; every other has an edit of its own that turns it round."""
        if isinstance(test, ast.Compare | ast.BoolOp | ast.Constant | ast.JoinedStr):
            return
        if not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            span = self._source.span(test)
            yield Edit(span, BOOLEAN, f"(not ({self._source.text[span[0]:span[1]]}))")

    def _constant(self, node: ast.Constant) -> Iterator[Edit]:
        value = node.value
        if isinstance(value, bool):
            yield Edit(self._source.span(node), BOOLEAN, str(not value))
        elif isinstance(value, int):
            # A Python writes no more than some thousand digits in decimal.
            yield Edit(self._source.span(node), CONSTANT, hex(value + 1) if value > 1 << 64 else str(value + 1))
        elif isinstance(value, float):
            if math.isfinite(value) and value + 1.0 != value:
                yield Edit(self._source.span(node), CONSTANT, repr(value + 1.0))
        elif isinstance(value, str | bytes):
            yield Edit(self._source.span(node), CONSTANT, _EMPTIED[type(value), bool(value)])

    def _lost(self, value: ast.expr) -> Iterator[Edit]:
        if not (isinstance(value, ast.Constant) and value.value is None):
            yield Edit(self._source.span(value), RETURN, "None")

    def _was_run(self, first: int, last: int | None) -> bool:
        return self._reached is None or any(line in self._reached for line in range(first, (last or first) + 1))


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
