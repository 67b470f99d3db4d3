"""What an expression names, through imports, aliases, attributes and the usual detours: the resolver.

    names = read(ast.parse(source))
    names.resolve(node)     "time.time", "builtins.set()", or None

A dotted name begins with a module, or with `builtins`; `()` after a name stands for what a call of it gives, so an
instance of `pathlib.Path` is `pathlib.Path()`, and text, lists and sets are `builtins.str()`, `builtins.set()`. Where
more than one value may reach an expression (an `if`, a `try`), `every` gives them all; where a name is rebound for
certain, only the last counts. Parameters are opaque unless they are annotated: what is handed in is the caller's.
Knows nothing of which names matter.
Longer than 300 lines because what a name, an attribute and a call give hangs on one another.
"""

from __future__ import annotations

import ast
import bisect
from collections.abc import Iterable

from . import spelling
from .outline import outline
from .scopes import Binding, Block, How, Outline, Scope, place

MOST = 8  # how many values of one expression are followed
_DEEP = 40  # how many steps one value is followed
_STEPS, _STEPS_A_NODE = 20_000, 10  # how many steps a module may take altogether: at least, and for each node
_DISPLAYS = {
    ast.List: "list", ast.ListComp: "list", ast.Set: "set", ast.SetComp: "set", ast.Dict: "dict", ast.DictComp: "dict",
    ast.JoinedStr: "str", ast.Tuple: "tuple", ast.GeneratorExp: "generator",
}  # fmt: skip
# Calls that give back one of their arguments: the name of what is called -> the place of that argument.
_THROUGH = {
    "builtins.staticmethod": 0, "builtins.classmethod": 0, "builtins.property": 0, "functools.cache": 0,
    "functools.lru_cache": 0, "typing.cast": 1, "copy.copy": 0, "copy.deepcopy": 0, "importlib.reload": 0,
    "functools.partial": 0, "functools.partialmethod": 0, "inspect.unwrap": 0,
}  # fmt: skip
_IMPORTERS = ("builtins.__import__", "importlib.import_module", "importlib.__import__")
_SET_OPERATORS = (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)
_SETS = frozenset({"builtins.set()", "builtins.frozenset()"})


class TangledError(Exception):
    """A module whose names refer to each other in more ways than are followed."""


def read(tree: ast.Module) -> Names:
    """The resolver of one module."""
    return Names(outline(tree))


class Names:
    """Answers about the expressions of one module; answers are kept, so the tree must not change."""

    def __init__(self, found: Outline) -> None:
        self.outline = found
        self._known: dict[ast.AST, tuple[str, ...]] = {}
        self._open: set[ast.AST] = set()
        # What hangs on a value that was not followed to its end is good for the question at hand and not kept.
        self._partial: dict[ast.AST, tuple[str, ...]] = {}
        self._cuts = 0
        self._steps = _STEPS + _STEPS_A_NODE * len(found.order)
        self._sorted: dict[tuple[Scope, str], tuple[list[Binding], list[tuple[int, int]]]] = {}

    def resolve(self, node: ast.AST) -> str | None:
        """The dotted name of what the expression gives, the first where there are several, None for the unknown."""
        found = self.every(node)
        return found[0] if found else None

    def every(self, node: ast.AST) -> tuple[str, ...]:
        """All dotted names that may reach the expression, at most MOST of them; empty for the unknown."""
        known = self._known.get(node)
        if known is None:
            known = self._partial.get(node)
        if known is not None:
            return known
        if node in self._open or len(self._open) > _DEEP:
            self._cuts += 1
            return ()
        before = self._cuts
        self.step()
        self._open.add(node)
        try:
            found = tuple(dict.fromkeys(name for name in self._names(node) if name))[:MOST]
        finally:
            self._open.discard(node)
        (self._known if self._cuts == before or not self._open else self._partial)[node] = found
        if not self._open:
            self._partial.clear()
        return found

    def step(self) -> None:
        """Counts one step; TangledError when there were too many for a module of this size."""
        self._steps -= 1
        if self._steps < 0:
            raise TangledError

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that directly holds this one."""
        return self.outline.parents.get(node)

    def scope(self, node: ast.AST) -> Scope:
        """The scope in which the node is evaluated (a default or a decorator: the one around its function)."""
        found = self.outline.places.get(node)
        return found[0] if found else self.outline.module

    def bindings(self, node: ast.Name) -> tuple[Binding, ...]:
        """What may give this name its value here; empty when nothing in the module binds it."""
        start, block = self.outline.places[node]
        scope: Scope | None = start
        found: list[Binding] = []
        while scope is not None:
            if scope.outer.get(node.id) == "global" and scope is not self.outline.module:
                scope = self.outline.module
            if node.id in scope.bindings and (scope is start or not scope.is_class):
                reaching, certain = self._reaching(node, scope, start, block)
                found += reaching
                if certain or reaching and scope.is_function:
                    break
            scope = scope.parent
        return tuple(found)

    def members(self, scope: Scope, name: str, depth: int = 0) -> tuple[Binding, ...]:
        """What gives an attribute of a class of this module its value, base classes of this module included."""
        found = (*scope.bindings.get(name, ()), *scope.attributes.get(name, ()))
        if found or depth > MOST or not isinstance(scope.node, ast.ClassDef):
            return found
        for base in scope.node.bases:
            if isinstance(base, ast.Name):
                for binding in self.bindings(base):
                    if binding.how is How.CLASS and binding.own is not None and binding.own is not scope:
                        found += self.members(binding.own, name, depth + 1)
        return found

    def attribute(self, node: ast.Attribute) -> tuple[Binding, ...]:
        """What gives `self.NAME`, `cls.NAME` or `Class.NAME` its value, for classes of this module."""
        base = node.value.func if isinstance(node.value, ast.Call) else node.value
        if not isinstance(base, ast.Name):
            return ()
        owners = [binding.own for binding in self.bindings(base) if binding.own is not None]
        return tuple(binding for owner in owners for binding in self.members(owner, node.attr))

    def annotated(self, annotation: ast.expr) -> tuple[str, ...]:
        """The instances that an annotation speaks of: `set[str] | None` gives `builtins.set()`."""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            return self._quoted(annotation.value)
        if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
            return (*self.annotated(annotation.left), *self.annotated(annotation.right))
        if isinstance(annotation, ast.Subscript):
            name = self.resolve(annotation.value)
            if name in ("typing.Optional", "typing.Final", "typing.ClassVar", "typing.Union", "typing.Annotated"):
                inner = annotation.slice
                return tuple(found for each in (inner.elts if isinstance(inner, ast.Tuple) else [inner])
                             for found in self.annotated(each))
            return (spelling.call(name),) if name else ()
        return tuple(spelling.call(name) for name in self.every(annotation) if name and not name.endswith("()"))

    def _quoted(self, text: str) -> tuple[str, ...]:
        """An annotation in quotes, by names that the module binds at its top."""
        try:
            inner = ast.parse(text.strip(), mode="eval").body if len(text) < spelling.LONGEST else None
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ()
        if inner is None or isinstance(inner, ast.Constant):
            return ()
        for below in ast.walk(inner):
            self.outline.places[below] = self.outline.module, (0,)
        return self.annotated(inner)

    def _reaching(self, node: ast.Name, scope: Scope, start: Scope, block: Block) -> tuple[list[Binding], bool]:
        """The bindings of one scope that may hold at the node, and whether one of them is sure to."""
        key = scope, node.id
        if key not in self._sorted:
            ordered = sorted(scope.bindings[node.id], key=lambda each: each.at)
            self._sorted[key] = ordered, [each.at for each in ordered]
        here, places = self._sorted[key]
        if scope is not start and not _runs_in(start, scope):
            return here, True  # asked for later, when any of them may be the last
        now = bisect.bisect_right(places, place(node))
        loops = {arm for arm in block if arm in self.outline.loops}
        found = [each for each in here[now:] if not loops.isdisjoint(each.block)] if loops else []
        for binding in reversed(here[:now]):
            found.append(binding)
            if binding.block == block[: len(binding.block)]:
                return found, True
        if not found and scope.is_function:
            return here, True
        return found, False

    def _names(self, node: ast.AST) -> Iterable[str]:
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.IfExp):
            return (*self.every(node.body), *self.every(node.orelse))
        if isinstance(node, ast.BoolOp):
            return tuple(name for value in node.values for name in self.every(value))
        if isinstance(node, (ast.NamedExpr, ast.Await)):
            return self.every(node.value)
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        if isinstance(node, ast.Constant):
            return (f"builtins.{type(node.value).__name__}()",)
        kind = _DISPLAYS.get(type(node))
        return (f"builtins.{kind}()",) if kind else ()

    def _name(self, node: ast.Name) -> Iterable[str]:
        found = self.bindings(node)
        parent = self.parent(node)
        if isinstance(parent, ast.Call) and parent.func is node and (made := self._makers(found)):
            return made
        if not found:
            stars = [spelling.join(spelling.imported(module), node.id) for module in self.outline.stars]
            return (*stars, spelling.proper(f"builtins.{node.id}") if node.id != "__builtins__" else "builtins")
        return tuple(name for binding in found for name in self.value(binding))

    def value(self, binding: Binding) -> tuple[str, ...]:
        """The dotted names that a binding gives."""
        found: tuple[str, ...] = ()
        if binding.how is How.IMPORT:
            return (spelling.imported(binding.dotted),)
        if binding.annotation is not None:
            found = tuple(name for name in self.annotated(binding.annotation) if name)
        if binding.how is How.VALUE and binding.value is not None:
            found += self.every(binding.value)
        return found

    def _attribute(self, node: ast.Attribute) -> Iterable[str]:
        members = self.attribute(node)
        own = tuple(name for binding in members for name in self.value(binding))
        if not members and isinstance(node.value, ast.Name):
            own = tuple(spelling.join(base, node.attr) for base in self._inherited(node.value))
        if node.attr == "__dict__":
            return tuple(f"{base}.__dict__" for base in self.every(node.value))
        return (*own, *(spelling.join(base, node.attr) for base in self.every(node.value)))

    def _makers(self, bindings: Iterable[Binding]) -> tuple[str, ...]:
        """What makes an instance of a class of this module that leaves it to a base from elsewhere."""
        return tuple(base for each in bindings if each.how is How.CLASS and each.own is not None
                     and not self.members(each.own, "__init__") and not self.members(each.own, "__new__")
                     for base in self._bases(each.own))

    def _inherited(self, node: ast.Name) -> tuple[str, ...]:
        """The bases from elsewhere of the class that a name is, or of which it is an instance (`self`, `cls`)."""
        found: tuple[str, ...] = ()
        for binding in self.bindings(node):
            if binding.own is not None:
                bases = self._bases(binding.own)
                found += bases if binding.how is How.CLASS else (*bases, *map(spelling.call, bases))
        return found

    def _bases(self, scope: Scope, depth: int = 0) -> tuple[str, ...]:
        """The dotted names of a class's bases, those of its bases in this module included."""
        if depth > MOST or not isinstance(scope.node, ast.ClassDef):
            return ()
        found: tuple[str, ...] = ()
        for base in scope.node.bases:
            own = [each.own for each in self.bindings(base) if each.how is How.CLASS and each.own is not scope
                   ] if isinstance(base, ast.Name) else []
            inner = tuple(name for each in own if each is not None for name in self._bases(each, depth + 1))
            found += inner or self.every(base)
        return tuple(name for name in dict.fromkeys(found) if name != "builtins.object")

    def _call(self, node: ast.Call) -> Iterable[str]:
        found: list[str] = []
        for name in self.every(node.func):
            first = node.args[0] if node.args else None
            if name in _IMPORTERS and (text := constant(first)):
                whole = spelling.imported(text)
                found.append(spelling.proper(text.partition(".")[0]) if name.endswith("__import__") else whole)
            elif name == "builtins.getattr" and len(node.args) > 1 and (text := constant(node.args[1])):
                found += [spelling.join(base, text) for base in self.every(node.args[0])]
            elif name == "builtins.vars" and first is not None:
                found += [f"{base}.__dict__" for base in self.every(first)]
            elif name in _THROUGH and len(node.args) > _THROUGH[name]:
                if len(node.args) + len(node.keywords) == _THROUGH[name] + 1:
                    found += self.every(node.args[_THROUGH[name]])
            else:
                found.append(spelling.call(name))
        return (*found, *self._answers(node.func))

    def _answers(self, function: ast.expr) -> Iterable[str]:
        """What a function of this module says that it gives."""
        if isinstance(function, ast.Name):
            found = self.bindings(function)
        else:
            found = self.attribute(function) if isinstance(function, ast.Attribute) else ()
        for binding in found:
            if isinstance(binding.node, ast.FunctionDef) and binding.node.returns is not None:
                yield from self.annotated(binding.node.returns)

    def _subscript(self, node: ast.Subscript) -> Iterable[str]:
        text = constant(node.slice)
        for base in self.every(node.value):
            if text and base == "sys.modules":
                yield spelling.imported(text)
            elif text and base.endswith(".__dict__"):
                yield spelling.join(base.removesuffix(".__dict__"), text)
            elif text and base in ("builtins.globals()", "builtins.locals()"):
                for binding in self.outline.module.bindings.get(text, ()):
                    yield from self.value(binding)

    def _operation(self, node: ast.BinOp) -> Iterable[str]:
        left = self.every(node.left)
        if isinstance(node.op, _SET_OPERATORS):
            right = self.every(node.right)
            if _SETS.intersection(left) or not isinstance(node.op, ast.Sub) and _SETS.intersection(right):
                return ("builtins.set()",)
            view = node.left.func.attr if isinstance(node.left, ast.Call) and isinstance(
                node.left.func, ast.Attribute) and not node.left.args else ""
            if view in ("keys", "items"):
                return ("builtins.set()",)
        if isinstance(node.op, ast.Div) and "pathlib.Path()" in left:
            return ("pathlib.Path()",)
        return tuple(name for name in left if name == "builtins.str()")


def constant(node: ast.AST | None) -> str:
    """The text of a literal; empty for everything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _runs_in(inner: Scope, outer: Scope) -> bool:
    """Whether the inner scope runs where it stands (a comprehension, a class body), not when it is called."""
    current: Scope | None = inner
    while current is not None and current is not outer:
        if current.is_function:
            return False
        current = current.parent
    return current is outer
