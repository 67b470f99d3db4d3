"""Tests and properties that are silenced in place: skips, xfails, switched-off collection. A table says by what.

A silence that names the id of a ledger row is the ledger's business: it has an owner, a class and a day to end. Knows
no ledger beyond its ids.
"""

from __future__ import annotations

import ast
import re

from ..entropy.hit import Hit, Rule, Use
from ..entropy.names import Names, read
from ..entropy.source import Source

_SEAM = "freeze it in the ledger and name the row's id in the reason, or take the silence out"


def _rule(name: str, says: str, *names: str) -> Rule:
    return Rule(id=name, kind="silence", code="silence_unnamed", category=None, says=says, seam=_SEAM,
                names=names)


# `?.` stands for a receiver that nobody knows; a name without a dot is one that the module binds itself.
RULES = (
    _rule("silence-skip", "skips a test", "pytest.skip", "pytest.skip.Exception", "pytest.mark.skip",
          "pytest.mark.skipif", "pytest.importorskip", "_pytest.outcomes.skip", "_pytest.outcomes.Skipped",
          "_pytest.outcomes.importorskip", "unittest.skip", "unittest.skipIf", "unittest.skipUnless",
          "unittest.SkipTest", "unittest.case.skip", "unittest.case.skipIf", "unittest.case.skipUnless",
          "unittest.case.SkipTest", "nose.SkipTest", "?.skipTest"),
    _rule("silence-xfail", "expects a failure", "pytest.xfail", "pytest.mark.xfail", "_pytest.outcomes.xfail",
          "unittest.expectedFailure", "unittest.case.expectedFailure"),
    _rule("silence-collection", "leaves tests out of the collection", "__test__", "collect_ignore",
          "collect_ignore_glob", "__unittest_skip__", "pytest.exit", "_pytest.outcomes.exit"),
)
_BY_NAME = {name: rule for rule in RULES for name in rule.names}
_OFF = ("__test__",)  # a silence only when it is false


def silences(source: Source, ids: frozenset[str] = frozenset()) -> tuple[Hit, ...]:
    """Every silence that names none of these ledger ids, by place."""
    names = read(source.tree)
    found = []
    for node in ast.walk(source.tree):
        rule, name = _silences(names, node)
        if rule is not None and not _named(names, node, ids):
            found.append(_hit(source, names, node, rule, name))
    return tuple(sorted(found, key=lambda hit: (hit.span.line, hit.span.column)))


def _silences(names: Names, node: ast.AST) -> tuple[Rule | None, str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        assigned = names.outline.parents.get(node)
        value = getattr(assigned, "value", None)
        if node.id in _OFF and not (isinstance(value, ast.Constant) and not value.value):
            return None, ""
        return _BY_NAME.get(node.id), node.id
    if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
        above = names.outline.parents.get(node)
        if isinstance(above, ast.Attribute):
            # `pytest.mark.skip` is one silence, not also one of what stands before the last dot.
            return (None, "") if any(each in _BY_NAME for each in names.every(above)) else _known(names, node)
        return _known(names, node)
    return None, ""


def _known(names: Names, node: ast.Attribute | ast.Name) -> tuple[Rule | None, str]:
    dotted = [each for each in names.every(node) if each in _BY_NAME]
    if dotted:
        return _BY_NAME[dotted[0]], dotted[0]
    unknown = f"?.{node.attr}" if isinstance(node, ast.Attribute) else ""
    return _BY_NAME.get(unknown), unknown


def _named(names: Names, node: ast.AST, ids: frozenset[str]) -> bool:
    """Whether a text in the call, or in the decorated or assigned value, holds one of the ids as a word of its own."""
    around = node
    while (above := names.outline.parents.get(around)) is not None and not isinstance(above, ast.stmt):
        around = above
    if isinstance(above, ast.Assign | ast.AnnAssign | ast.Expr | ast.Raise):
        around = above
    texts = [each.value for each in ast.walk(around) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return any(re.search(rf"(?<![\w-]){re.escape(each)}(?![\w-])", text) for each in ids for text in texts)


def _hit(source: Source, names: Names, node: ast.AST, rule: Rule, name: str) -> Hit:
    scope = names.outline.places[node][0] if node in names.outline.places else names.outline.module
    early = scope.runs_at_import
    called = isinstance(names.outline.parents.get(node), ast.Call)
    use = (Use.IMPORT_CALL if early else Use.CALL) if called else (Use.IMPORT_REFERENCE if early else Use.REFERENCE)
    return Hit(path=source.path, span=source.span(node), rule=rule, expression=source.written(node), name=name,
               scope=scope.name, form=ast.unparse(node), use=use)


