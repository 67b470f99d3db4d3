"""One source in, its hits out: every name against the table, every unordered value against its use.

    scan_source(data, "src/lease.py").hits
    new_hits(before, after)            what a patch brings, wherever lines moved to

Pure and without state: equal bytes and paths give equal scans. Knows nothing of disks, git or reports.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeGuard

from . import names as resolver
from .conditions import fires, is_type
from .escape import Escapes
from .guarded import Guarded
from .hit import Hit, Rule, Use
from .rules import BY_ID, HOT, RULES
from .source import Source, UnreadableError, parse, too_deep
from .spelling import imported

_ORDERED = (ast.Name, ast.Call, ast.Set, ast.SetComp, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.BinOp,
            ast.Attribute, ast.List, ast.Tuple)
_TEXT = 400  # how much of an expression tells two hits apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What one source holds, in the order of lines. A source that can't be read has one hit, of rule `unreadable`."""

    path: str
    hits: tuple[Hit, ...]

    @property
    def is_readable(self) -> bool:
        """Whether there was a tree to look at."""
        return not any(hit.rule.id == "unreadable" for hit in self.hits)


def scan_source(data: bytes | str, path: str) -> Scan:
    """Scans one source; total over all bytes."""
    try:
        source = parse(data, path)
        try:
            names = resolver.read(source.tree)
            guarded = Guarded(names)
            hits = [_hit(source, names, *found) for found in _hits(source, names)
                    if found[1].kind == "evasion" or not guarded.holds(found[0])]
        except (RecursionError, resolver.TangledError):
            raise too_deep() from None
    except UnreadableError as error:
        hits = [Hit(path=path, span=error.span, rule=BY_ID["unreadable"], expression="", name="", scope="",
                    form=error.says, use=Use.IMPORT_CALL)]
    return Scan(path=path, hits=tuple(sorted(hits, key=_place)))


def new_hits(before: Iterable[Hit], after: Iterable[Hit]) -> tuple[Hit, ...]:
    """The hits of `after` that `before` does not hold as often: by path, scope, rule and form, never by line.

    Of several hits that are the same by these the later ones count as new. A renamed file is new as a whole.
    """
    left = Counter(hit.identity for hit in before)
    found = []
    for hit in sorted(after, key=_place):
        if left[hit.identity] > 0:
            left[hit.identity] -= 1
        else:
            found.append(hit)
    return tuple(found)


def _place(hit: Hit) -> tuple[str, int, int, str]:
    return hit.path, hit.span.line, hit.span.column, hit.rule.id


def _hits(source: Source, names: resolver.Names) -> Iterator[tuple[ast.expr | ast.stmt, Rule, str]]:
    escapes = Escapes(names)
    covered: set[ast.AST] = set()
    seen: set[tuple[ast.AST, str]] = set()
    # Children come before their parents, so that the shortest name that fires is the one that is reported.
    for node in reversed(names.outline.order):
        if isinstance(node, ast.ImportFrom) and any(each.name == "*" for each in node.names):
            if not node.level and imported(node.module or "") in HOT:
                yield node, BY_ID["evade-star"], f"{node.module}.*"
        if _is_naming(node, names):
            if node in covered:
                _cover(names, node, covered)
                continue
            for rule, name in _named(names, node):
                _cover(names, node, covered)
                yield node, rule, name
        if isinstance(node, _ORDERED):
            found = escapes.at(node)
            if found is not None and (found[0], found[1]) not in seen:
                seen.add((found[0], found[1]))
                yield found[0], BY_ID[found[1]], ""


def _is_naming(node: ast.AST, names: resolver.Names) -> TypeGuard[ast.Name | ast.Attribute | ast.Call]:
    """Whether the node may name something: a name, an attribute, or a `getattr` whose attribute is written out."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        return isinstance(node.ctx, ast.Load)
    return isinstance(node, ast.Call) and len(node.args) > 1 and names.resolve(node.func) == "builtins.getattr"


def _cover(names: resolver.Names, node: ast.AST, covered: set[ast.AST]) -> None:
    parent = names.parent(node)
    if isinstance(parent, ast.Attribute):
        covered.add(parent)


def _named(names: resolver.Names, node: ast.Name | ast.Attribute | ast.Call) -> list[tuple[Rule, str]]:
    """The rules that fire for what a node names, one of each kind."""
    found: dict[str, tuple[Rule, str]] = {}
    every = names.every(node)
    if isinstance(node, ast.Attribute) and not any(name in _EXACT for name in every):
        every = (*every, f"?.{node.attr}")
    for name in every:
        for rule in _candidates(name):
            if rule.kind not in found and not is_type(names, node) and fires(rule.when, names, node, name):
                found[rule.kind] = rule, name
                break
    return list(found.values())


def _candidates(name: str) -> list[Rule]:
    exact = _EXACT.get(name, [])
    stem, _, _ = name.rpartition(".")
    if name.endswith("()"):
        return exact  # a star stands for what a module offers, not for what a call of it gives
    return [*exact, *(rule for rule in _WILD.get(stem, ()) if name not in rule.but)]


def _index() -> tuple[dict[str, list[Rule]], dict[str, list[Rule]]]:
    exact: dict[str, list[Rule]] = {}
    wild: dict[str, list[Rule]] = {}
    for rule in RULES:
        for name in rule.names:
            if name.endswith(".*"):
                wild.setdefault(name.removesuffix(".*"), []).append(rule)
            else:
                exact.setdefault(name, []).append(rule)
    return exact, wild


_EXACT, _WILD = _index()


def _hit(source: Source, names: resolver.Names, node: ast.expr | ast.stmt, rule: Rule, name: str) -> Hit:
    scope = names.scope(node)
    parent = names.parent(node)
    called = isinstance(parent, ast.Call) and parent.func is node or isinstance(node, (ast.Call, ast.stmt))
    if scope.runs_at_import:
        use = Use.IMPORT_CALL if called else Use.IMPORT_REFERENCE
    else:
        use = Use.CALL if called else Use.REFERENCE
    return Hit(path=source.path, span=source.span(node), rule=rule, expression=source.written(node), name=name,
               scope=scope.name, form=ast.unparse(node)[:_TEXT], use=use)
