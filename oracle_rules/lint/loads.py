"""Whether a property can be loaded, as far as its text tells: it compiles, and something could define `hold`.

For those who run nothing: a run loads the file and sees more. Refuses only what no run could load. Knows no target.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping

from ..artifacts.violation import Violation
from ..entropy.hit import Span
from ..entropy.source import UnreadableError, parse
from .code import module_name

_REMEDY = "mend the file: it has to compile, and to define hold(case)"
# What can define a name that the text doesn't bind.
_HIDDEN = frozenset({"exec", "eval", "globals", "locals", "vars", "setattr", "__dict__", "__getattr__", "modules",
                     "__import__"})


def unloadable(path: str, files: Mapping[str, bytes]) -> tuple[Violation, ...]:
    """Why the property at `path` can't be loaded; empty when a run may load it.

    `files` are the property and every oracle file that it may import, by workspace path. Of the others only those count
    that an import in the property, or in one that it imports, always reaches.
    """
    found: dict[str, Violation] = {}
    trees: dict[str, ast.Module] = {}
    waiting = [path]
    while waiting:
        each = waiting.pop()
        if each in trees or each in found:
            continue
        try:
            trees[each] = _compiled(files[each], each)
        except UnreadableError as error:
            found[each] = _broken(f"{each}:{error.span.line}:{error.span.column}", error.says)
        else:
            waiting += _imported(trees[each], files)
    if path in trees and not _may_define(trees[path]):
        found[path] = _broken(path, "defines no function hold(case)")
    return tuple(found[each] for each in sorted(found))


def _broken(subject: str, detail: str) -> Violation:
    return Violation(code="property_broken", subject=subject, detail=detail, remedy=_REMEDY)


def _compiled(data: bytes, path: str) -> ast.Module:
    """The tree of what Python compiles, which is less than what it parses. Raises UnreadableError."""
    tree = parse(data, path).tree
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        line, column = max(error.lineno or 1, 1), max(error.offset or 1, 1)
        span = Span(line=line, column=column, end_line=line, end_column=column)
        raise UnreadableError(f"is no Python: {error.msg}", span) from None
    except (ValueError, RecursionError, MemoryError):
        span = Span(line=1, column=1, end_line=1, end_column=1)
        raise UnreadableError("is no Python that can be compiled", span) from None
    return tree


def _imported(tree: ast.Module, files: Mapping[str, bytes]) -> Iterator[str]:
    """The oracle's own files that an import at the top of a file names."""
    places = {module_name(path): path for path in files if path.endswith(".py")}
    for node in tree.body:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            names = [node.module]
        yield from (places[name] for name in names if name in places)


def _may_define(tree: ast.Module) -> bool:
    """Whether anything in the file could bind `hold` in it, to what can be called."""
    return any(_binds(node) for node in ast.walk(tree))


def _binds(node: ast.AST) -> bool:
    match node:
        case ast.FunctionDef(name="hold") | ast.AsyncFunctionDef(name="hold") | ast.ClassDef(name="hold"):
            return True
        case ast.Name(id="hold", ctx=ast.Store()) | ast.MatchAs(name="hold") | ast.MatchStar(name="hold"):
            return True
        case ast.alias(name=name, asname=called):
            return "hold" in (name, called) or name == "*"
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _HIDDEN
    return False
