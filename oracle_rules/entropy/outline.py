"""From a syntax tree to its scopes and bindings, in one pass without recursion, so that no depth ends in a traceback.

Knows nothing of what a value means.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .scopes import Binding, Block, How, Outline, Scope, children, end, place

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SPLITTING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.TryStar, ast.Match)
_BINDING = (ast.stmt, ast.NamedExpr, ast.withitem, ast.ExceptHandler, ast.pattern)
_ARMS = ("body", "orelse", "finalbody", "handlers", "cases")


def outline(tree: ast.Module) -> Outline:
    """Walks the tree once."""
    return _Walk(tree).run(tree)


class _Walk:
    def __init__(self, tree: ast.Module) -> None:
        self._found = Outline(module=Scope(name="", node=tree, parent=None))
        self._arms = 0
        self._stack: list[tuple[ast.AST, Scope, Block]] = []

    def run(self, tree: ast.Module) -> Outline:
        found = self._found
        found.scopes[tree] = found.module
        self._push(tree, tree.body, found.module, ())
        while self._stack:
            node, scope, block = self._stack.pop()
            found.order.append(node)
            found.places[node] = scope, block
            if isinstance(node, (ast.Name, ast.Constant)):
                continue
            if isinstance(node, _FUNCTIONS):
                self._function(node, scope, block)
            elif isinstance(node, ast.ClassDef):
                self._class(node, scope, block)
            elif isinstance(node, _COMPREHENSIONS):
                self._comprehension(node, scope, block)
            else:
                if isinstance(node, _BINDING):
                    self._bind(node, scope, block)
                self._descend(node, scope, block)
        return found

    def _push(self, parent: ast.AST, nodes: Sequence[ast.AST], scope: Scope, block: Block) -> None:
        for node in reversed(nodes):
            self._found.parents[node] = parent
            self._stack.append((node, scope, block))

    def _arm(self, block: Block, *, loop: bool = False) -> Block:
        self._arms += 1
        if loop:
            self._found.loops.add(self._arms)
        return (*block, self._arms)

    def _descend(self, node: ast.AST, scope: Scope, block: Block) -> None:
        """Arms of a compound statement are blocks of their own; `with` is none, because its body always runs."""
        split = isinstance(node, _SPLITTING)
        loop = isinstance(node, (ast.For, ast.AsyncFor, ast.While))
        arms: dict[str, Block] = {}
        for name, child in children(node):
            inner = block
            if split and name in _ARMS:
                if name not in arms or name in ("handlers", "cases"):
                    arms[name] = self._arm(block, loop=loop and name == "body")
                inner = arms[name]
            self._found.parents[child] = node
            self._stack.append((child, scope, inner))

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope, block: Block) -> None:
        given = node.args
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
        outside: list[ast.AST] = [*given.defaults, *filter(None, given.kw_defaults)]
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        made = self._scope(name, node, scope, function=True)
        if not isinstance(node, ast.Lambda):
            outside += [*node.decorator_list, *filter(None, [node.returns])]
            self._add(scope, node.name, How.FUNCTION, node, block, at=end(node))
            self._push(node, node.body, made, ())
        else:
            self._push(node, [node.body], made, ())
        for number, argument in enumerate(every):
            static = any(isinstance(each, ast.Name) and each.id == "staticmethod"
                         for each in getattr(node, "decorator_list", ()))
            own = scope if scope.is_class and number == 0 and not static else None
            self._add(made, argument.arg, How.PARAMETER, argument, (), at=(0, 0), annotation=argument.annotation,
                      own=own)
            if argument.annotation is not None:
                self._push(argument, [argument.annotation], scope, block)
        self._push(node, outside, scope, block)

    def _class(self, node: ast.ClassDef, scope: Scope, block: Block) -> None:
        made = self._scope(node.name, node, scope, is_class=True)
        self._add(scope, node.name, How.CLASS, node, block, at=end(node), own=made)
        self._push(node, node.body, made, ())
        outside: list[ast.AST] = [*node.decorator_list, *node.bases, *(each.value for each in node.keywords)]
        self._push(node, outside, scope, block)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: Scope, block: Block
    ) -> None:
        made = self._scope("", node, scope)
        for number, generator in enumerate(node.generators):
            self._target(generator.target, generator.iter, How.ITEM, generator, made, (), at=(0, 0))
            self._found.parents[generator] = node
            self._found.places[generator] = made, ()
            self._found.order.append(generator)
            self._push(generator, [generator.iter], made if number else scope, () if number else block)
            self._push(generator, [generator.target, *generator.ifs], made, ())
        elements: list[ast.AST] = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self._push(node, elements, made, ())

    def _scope(
        self, name: str, node: ast.AST, parent: Scope, *, is_class: bool = False, function: bool = False
    ) -> Scope:
        full = ".".join(filter(None, (parent.name, name)))
        made = Scope(name=full, node=node, parent=parent, is_class=is_class, is_function=function)
        self._found.scopes[node] = made
        return made

    def _bind(self, node: ast.AST, scope: Scope, block: Block) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                dotted = alias.name if alias.asname else alias.name.partition(".")[0]
                self._add(scope, alias.asname or dotted, How.IMPORT, node, block, at=end(node), dotted=dotted)
        elif isinstance(node, ast.ImportFrom):
            self._import_from(node, scope, block)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._target(target, node.value, How.VALUE, node, scope, block, at=end(node))
        elif isinstance(node, ast.AnnAssign):
            self._target(node.target, node.value, How.VALUE, node, scope, block, at=end(node), hint=node.annotation)
        elif isinstance(node, ast.NamedExpr):
            holder = scope
            while isinstance(holder.node, _COMPREHENSIONS) and holder.parent is not None:
                holder = holder.parent
            self._target(node.target, node.value, How.VALUE, node, holder, block, at=end(node))
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self._target(node.target, node.iter, How.ITEM, node, scope, block, at=end(node.iter))
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._target(node.optional_vars, node.context_expr, How.VALUE, node, scope, block,
                         at=end(node.optional_vars))
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            kind = "global" if isinstance(node, ast.Global) else "nonlocal"
            scope.outer.update(dict.fromkeys(node.names, kind))
        else:
            self._bind_other(node, scope, block)

    def _bind_other(self, node: ast.AST, scope: Scope, block: Block) -> None:
        """What rebinds a name to something that nobody follows."""
        names: list[str] = []
        if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            names = [node.name]
        elif isinstance(node, ast.MatchMapping) and node.rest:
            names = [node.rest]
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            return  # an alias that is added to stays what it may have been
        elif isinstance(node, ast.Delete):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        at = end(node) if isinstance(node, ast.Delete) else place(node)
        for name in names:
            self._add(scope, name, How.OTHER, node, block, at=at)

    def _import_from(self, node: ast.ImportFrom, scope: Scope, block: Block) -> None:
        base = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self._found.stars.append(base)
                continue
            dotted = base + alias.name if base.endswith(".") else f"{base}.{alias.name}"
            self._add(scope, alias.asname or alias.name, How.IMPORT, node, block, at=end(node), dotted=dotted)

    def _target(
        self, target: ast.expr, value: ast.expr | None, how: How, node: ast.AST, scope: Scope, block: Block, *,
        at: tuple[int, int], hint: ast.expr | None = None, index: int | None = None,
    ) -> None:
        todo = [(target, value, how, index)]
        while todo:
            each, given, manner, number = todo.pop()
            if isinstance(each, ast.Starred):
                todo.append((each.value, None, How.OTHER, None))
            elif isinstance(each, (ast.Tuple, ast.List)):
                todo += _unpacked(each, given, manner)
            elif isinstance(each, ast.Name):
                self._add(scope, each.id, manner, node, block, at=at, value=given, annotation=hint, index=number)
            elif isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
                owner = _owner(scope, each.value.id)
                if owner is not None:
                    made = Binding(how=manner, node=node, at=at, block=(0,), value=given, annotation=hint, index=number)
                    owner.attributes.setdefault(each.attr, []).append(made)

    def _add(
        self, scope: Scope, name: str, how: How, node: ast.AST, block: Block, *, at: tuple[int, int], dotted: str = "",
        value: ast.expr | None = None, annotation: ast.expr | None = None, own: Scope | None = None,
        index: int | None = None,
    ) -> None:
        if how is not How.PARAMETER and scope.outer.get(name) == "global":
            scope, block = self._found.module, (0,)
        made = Binding(how=how, node=node, at=at, block=block, dotted=dotted, value=value, annotation=annotation,
                       own=own, index=index)
        scope.bindings.setdefault(name, []).append(made)


def _unpacked(
    target: ast.Tuple | ast.List, value: ast.expr | None, how: How
) -> list[tuple[ast.expr, ast.expr | None, How, int | None]]:
    """Pairs each target with its own value where both sides are written out, otherwise with the whole."""
    starred = any(isinstance(each, ast.Starred) for each in target.elts)
    if how is How.VALUE and isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
        if not starred and not any(isinstance(each, ast.Starred) for each in value.elts):
            return [(each, given, How.VALUE, None) for each, given in zip(target.elts, value.elts, strict=True)]
    return [(each, value, How.ITEM, number) for number, each in enumerate(target.elts)]


def _owner(scope: Scope, name: str) -> Scope | None:
    """The class whose instance (or self) the name is, when it is the first parameter of a method around here."""
    current: Scope | None = scope
    while current is not None:
        for binding in current.bindings.get(name, ()):
            return binding.own if binding.how is How.PARAMETER else None
        current = current.parent
    return None
