"""The scopes of a syntax tree and everything they bind: where a name may get its value, and under which condition.

Values only. `outline.py` fills them in from a tree; `names.py` follows what is bound.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator
from dataclasses import dataclass, field

# Where a statement stands: the arms of if, loop, try and match around it, outermost first, within its scope.
Block = tuple[int, ...]
# Fields that hold text, numbers, contexts and operators. `value` of a constant is no node either.
_PLAIN = frozenset({"ctx", "op", "ops", "id", "attr", "arg", "kind", "type_comment", "level", "module", "conversion",
                    "simple", "is_async", "rest", "asname"})


class How(enum.Enum):
    """How a name gets its value."""

    IMPORT = "import"
    VALUE = "value"
    ITEM = "item"  # an element of what `value` gives, by a loop or by unpacking
    PARAMETER = "parameter"
    FUNCTION = "function"
    CLASS = "class"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Binding:
    """One way in which a name gets a value.

    `dotted` is what an import names; `value` the expression that is assigned, iterated, or None; `node` the statement
    or definition; `at` the place from which it holds; `own` the scope of a class, or for a method's first parameter
    the scope of its class; `index` the place of the name in the targets that an item is unpacked into.
    """

    how: How
    node: ast.AST
    at: tuple[int, int]
    block: Block
    dotted: str = ""
    value: ast.expr | None = None
    annotation: ast.expr | None = None
    own: Scope | None = None
    index: int | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class Scope:
    """A module, class, function or comprehension. `name` is its qualified name, empty for the module.

    `attributes` of a class hold what its methods assign to the attributes of their first parameter; `outer` the names
    that `global` and `nonlocal` take from elsewhere.
    """

    name: str
    node: ast.AST
    parent: Scope | None
    is_class: bool = False
    is_function: bool = False
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    attributes: dict[str, list[Binding]] = field(default_factory=dict)
    outer: dict[str, str] = field(default_factory=dict)

    @property
    def runs_at_import(self) -> bool:
        """Whether what stands here runs when the module is imported."""
        return not self.is_function and (self.parent is None or self.parent.runs_at_import)


@dataclass(slots=True, kw_only=True, eq=False)
class Outline:
    """A whole module: parents of nodes, places of expressions, scopes, loops, and modules imported with a star."""

    module: Scope
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    places: dict[ast.AST, tuple[Scope, Block]] = field(default_factory=dict)
    scopes: dict[ast.AST, Scope] = field(default_factory=dict)
    loops: set[int] = field(default_factory=set)
    stars: list[str] = field(default_factory=list)
    order: list[ast.AST] = field(default_factory=list)


def place(node: ast.AST) -> tuple[int, int]:
    """Line and byte column where the node begins; a node without a place begins before everything."""
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def end(node: ast.AST) -> tuple[int, int]:
    """Line and byte column just after the node."""
    return getattr(node, "end_lineno", None) or 0, getattr(node, "end_col_offset", None) or 0


def children(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The nodes directly below, with the field that each stands in; contexts and operators are left out."""
    for name in node._fields:
        if name not in _PLAIN:
            value = getattr(node, name, None)
            if type(value) is list:
                for item in value:
                    if isinstance(item, ast.AST):
                        yield name, item
            elif isinstance(value, ast.AST):
                yield name, value
