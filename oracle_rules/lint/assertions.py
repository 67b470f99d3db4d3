"""Assertions of a file before and after a change: which are gone, say less, or stand where they cannot fail.

Claims are matched by what they are about, not by their lines, so that a test may be moved, renamed or rewritten more
strictly. Knows no files and no tree.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator

from ..entropy.hit import Hit, Rule, Use
from ..entropy.names import read
from ..entropy.source import Source
from .claims import EXACT, Claim, claims

_SEAM = "restore the assertion, or say it as strictly"


def _rule(name: str, says: str, sentence: str, seam: str = _SEAM) -> Rule:
    return Rule(id=name, kind="assertion", code="assertion_weakened", category=None, says=says, seam=seam,
                sentence=sentence)


REMOVED = _rule("assertion-removed", "an assertion is gone, and nothing is claimed of the same thing",
                "the assertion `{before}` is gone; nothing is claimed of the same thing")
LOOSENED = _rule("assertion-loosened", "an assertion says less than before",
                 "`{written}` says less than `{before}`, which stood there")
MUTED = _rule("assertion-muted", "an assertion stands where it can no longer fail",
              "`{before}` stands where it can no longer fail", "take away what stands in its way, or restore it")
FEWER = _rule("assertion-fewer-cases", "a parametrised test lost cases",
              "this parametrised test lost cases: `{before}`", "restore the cases, and put new ones beside them")
RULES = (REMOVED, LOOSENED, MUTED, FEWER)


def weakened(before: Source, after: Source) -> tuple[Hit, ...]:
    """What claims less than before, by place in `after`; what is gone stands where its function or file begins."""
    old, new = claims(before), claims(after)
    was, left = _without_equal(old, new)
    found, pool = [], list(left)
    for claim in was:
        if claim.muted or claim.strength == 0:
            continue
        rule, now = _fate(claim, new, pool)
        if rule is not None:
            found.append(_hit(before, after, rule, claim, now))
        # One that is met more than once, or is about the whole, stands for several.
        if now is not None and now in pool and not now.general and not _covers(now, claim):
            pool.remove(now)
    found += _fewer_cases(before, after)
    return tuple(sorted(found, key=lambda hit: (hit.span.line, hit.span.column, hit.rule.id, hit.before or "")))


def _without_equal(old: list[Claim], new: list[Claim]) -> tuple[list[Claim], list[Claim]]:
    """Both sides without the claims that they share: first those in the same function, then wherever they stand."""
    for key in (_in_place, _anywhere):
        shared = Counter(map(key, old)) & Counter(map(key, new))
        old, new = _less(old, shared, key), _less(new, shared, key)
    return old, new


def _in_place(claim: Claim) -> tuple[str, ...]:
    return str(claim.muted), claim.kind, claim.form, claim.scope


def _anywhere(claim: Claim) -> tuple[str, ...]:
    return str(claim.muted), claim.kind, claim.form


def _less(found: list[Claim], shared: Counter[tuple[str, ...]], key: Callable[[Claim], tuple[str, ...]]) -> list[Claim]:
    """What is left of the claims when each shared one is taken out as often as both sides have it."""
    kept, take = [], shared.copy()
    for claim in found:
        if take[key(claim)] > 0:
            take[key(claim)] -= 1
        else:
            kept.append(claim)
    return kept


def _fate(claim: Claim, new: list[Claim], pool: list[Claim]) -> tuple[Rule | None, Claim | None]:
    """The rule that a claim without its equal falls under, None when something says as much; and what stands for it.

    `pool` is what is new and stands for no other claim yet.
    """
    same = next((each for each in pool if each.form == claim.form and (each.muted or not each.strength)), None)
    if same is not None:
        return MUTED, same
    live = [each for each in pool if not each.muted]
    # What stood there before as well replaces a claim only when it says more: otherwise it was there beside it.
    kept = [each for each in new if each not in pool and not each.muted and each.strength > claim.strength]
    about = [each for each in (*live, *kept) if each.subjects & claim.subjects]
    whole = [each for each in (*live, *kept) if each.strength == EXACT and _covers(each, claim)]
    near = [each for each in live if each.scope == claim.scope]
    for group in (about, whole, near):
        enough = [each for each in group if _says_as_much(each, claim)]
        if enough:
            return None, enough[0]
    weaker = about or near
    if weaker:
        return LOOSENED, max(weaker, key=lambda each: each.strength)
    return REMOVED, None


def _says_as_much(now: Claim, before: Claim) -> bool:
    return now.strength > before.strength or now.strength == before.strength and not now.bound > before.bound


def _covers(now: Claim, before: Claim) -> bool:
    """Whether one claim is about the whole of what the other is about a part of."""
    return any(part.startswith((f"{whole}.", f"{whole}[")) for whole in now.subjects for part in before.subjects)


def _fewer_cases(before: Source, after: Source) -> Iterator[Hit]:
    old, new = _cases(before), _cases(after)
    for scope, (cases, _) in old.items():
        if scope in new and (gone := cases - new[scope][0]):
            node = new[scope][1]
            yield Hit(path=after.path, span=after.span(node), rule=FEWER, expression=after.written(node),
                      name="pytest.mark.parametrize", scope=scope, form=ast.unparse(node), use=Use.IMPORT_CALL,
                      before=", ".join(sorted(gone.elements())))


def _cases(source: Source) -> dict[str, tuple[Counter[str], ast.Call]]:
    """The literal rows of each parametrised test, by its qualified name."""
    names, found = read(source.tree), dict[str, tuple[Counter[str], ast.Call]]()

    def visit(block: list[ast.stmt], above: str) -> None:
        for node in block:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                scope = f"{above}.{node.name}".lstrip(".")
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and names.resolve(mark.func) == "pytest.mark.parametrize":
                        rows = mark.args[1] if len(mark.args) > 1 else None
                        if isinstance(rows, ast.List | ast.Tuple | ast.Set):
                            known = found.get(scope, (Counter(), mark))[0]
                            found[scope] = known + Counter(map(ast.unparse, rows.elts)), mark
                visit(node.body, scope)

    visit(source.tree.body, "")
    return found


def _hit(before: Source, after: Source, rule: Rule, claim: Claim, now: Claim | None) -> Hit:
    node: ast.AST = now.node if now is not None else _home(after.tree, claim.scope)
    written = after.written(node) if now is not None else ""
    return Hit(path=after.path, span=after.span(node), rule=rule, expression=written, name=claim.kind,
               scope=claim.scope, form=now.form if now is not None else claim.form, use=Use.CALL,
               before=before.written(claim.node))


def _home(tree: ast.Module, scope: str) -> ast.AST:
    """The innermost part of a qualified name that is still there, the file when there is none."""
    home: ast.AST = tree
    for name in scope.split("."):
        inner = next((each for each in getattr(home, "body", ()) if getattr(each, "name", None) == name), None)
        if inner is None:
            break
        home = inner
    return home
