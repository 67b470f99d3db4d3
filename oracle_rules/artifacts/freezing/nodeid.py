"""Node ids of pytest as exact names: what is one, what it names, and whether a source holds that.

A node id that stands for more than one test, or for none tomorrow, may not be frozen. Knows nothing of ledgers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from ... import relpath

_ADDRESS = re.compile(r"0x[0-9a-f]{6,}", re.IGNORECASE)
# Classes of other files that bring no test with them.
_WITHOUT_TESTS = frozenset({"object", "TestCase", "IsolatedAsyncioTestCase", "ABC", "Generic", "Protocol"})
_GLOB = re.compile(r"[*?{}\[\]]")


def problem(nodeid: str) -> str | None:
    """Why this is not the exact id of one test, or None if it is."""
    path, names, parameters = split(nodeid)
    if not names:
        return "names no test: there is no ::"
    if not path.endswith(".py"):
        return "names no Python file before ::"
    if _GLOB.search(path) or any(_GLOB.search(name) for name in names):
        return "is a pattern"
    wrong = relpath.problem(path)
    if wrong:
        return f"has a path that {wrong}"
    if not all(name.isidentifier() for name in names):
        return "names no class or function after ::"
    if _ADDRESS.search(parameters):
        return "has an address among its parameters, which no second run has"
    return None


def split(nodeid: str) -> tuple[str, tuple[str, ...], str]:
    """Path, the names after it, and the parameters without their brackets; no names where there is no `::`."""
    plain, bracket, rest = nodeid.partition("[")
    if bracket and rest.endswith("]") and "::" in plain:
        parameters = rest[:-1]
    else:
        plain, parameters = nodeid, ""
    path, *names = plain.split("::")
    return path, tuple(names), parameters


def defines(source: bytes, names: Sequence[str]) -> bool:
    """Whether a file's source binds the test of these names. Raises ValueError where it is no Python.

    A name that comes from elsewhere is believed: `import *`, an imported class, a base class of another file.
    """
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError("is no Python") from error
    return _within(body, tuple(names), body, frozenset())


def _within(body: Sequence[ast.stmt], names: tuple[str, ...], top: Sequence[ast.stmt], seen: frozenset[str]) -> bool:
    bound = [node for node in _statements(body) if names[0] in _binds(node) or "*" in _binds(node)]
    if not bound:
        return False
    if len(names) == 1:
        return any(not isinstance(node, ast.ClassDef) for node in bound)
    return any(not isinstance(node, ast.ClassDef) and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
               or isinstance(node, ast.ClassDef) and _in_class(node, names[1:], top, seen) for node in bound)


def _in_class(node: ast.ClassDef, names: tuple[str, ...], top: Sequence[ast.stmt], seen: frozenset[str]) -> bool:
    """In the class itself or in one of its bases; a base that this file doesn't define is believed."""
    if _within(node.body, names, top, seen):
        return True
    for base in node.bases:
        name = _last_name(base)
        if name in seen:
            continue
        own = [item for item in _statements(top) if isinstance(item, ast.ClassDef) and item.name == name]
        if not own and name in _WITHOUT_TESTS:
            continue
        if not own or any(_in_class(item, names, top, seen | {name}) for item in own):
            return True
    return False


def _last_name(base: ast.expr) -> str:
    """`TestCase` of `unittest.TestCase`, `Generic` of `Generic[T]`; empty for what has no name."""
    while isinstance(base, ast.Subscript):
        base = base.value
    return base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body, those in its branches too, but not those of functions and classes."""
    for node in body:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for _, value in ast.iter_fields(node):
                for item in value if isinstance(value, list) else ():
                    if isinstance(item, ast.stmt):
                        yield from _statements([item])
                    elif isinstance(item, (ast.ExceptHandler, ast.match_case)):
                        yield from _statements(item.body)


def _binds(node: ast.stmt) -> set[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {item.id for target in targets for item in ast.walk(target) if isinstance(item, ast.Name)}
