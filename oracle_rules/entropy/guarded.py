"""What runs only when a module is started as a program: under `if __name__ == "__main__":`, or called from there.

A score imports modules and starts none, so that such code can hang on whatever it likes. A function counts when each
place of its module that holds its name stands there; what other modules import is not seen. Knows nothing of rules.
"""

from __future__ import annotations

import ast

from .names import Names, constant


class Guarded:
    """The statements of one module that run only then."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._roots: set[ast.AST] | None = None

    def holds(self, node: ast.AST) -> bool:
        """Whether the node stands in such a statement."""
        if self._roots is None:
            self._roots = self._guards()
            if self._roots:
                self._reach(self._roots)
        return self._is_below(node, self._roots)

    def _is_below(self, node: ast.AST | None, roots: set[ast.AST]) -> bool:
        while node is not None and roots:
            if node in roots:
                return True
            node = self._names.parent(node)
        return False

    def _guards(self) -> set[ast.AST]:
        module = self._names.outline.module
        assert isinstance(module.node, ast.Module)
        if "__name__" in module.bindings:
            return set()
        return {below for each in module.node.body if isinstance(each, ast.If) and _asks(each.test)
                for below in each.body}

    def _reach(self, roots: set[ast.AST]) -> None:
        """Adds the bodies of functions that are named from there alone, until none is left."""
        uses: dict[str, list[ast.AST]] = {}
        for node in self._names.outline.order:
            name = node.id if isinstance(node, ast.Name) else constant(node)
            if name:
                uses.setdefault(name, []).append(node)
        left = {name: found[0].node for name, found in self._names.outline.module.bindings.items()
                if len(found) == 1 and isinstance(found[0].node, (ast.FunctionDef, ast.AsyncFunctionDef))
                and not found[0].node.decorator_list and name in uses}
        grown = True
        while grown:
            grown = False
            for name, function in list(left.items()):
                if all(self._is_below(use, roots) for use in uses[name]):
                    roots.update(function.body)
                    del left[name]
                    grown = True


def _asks(test: ast.expr) -> bool:
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq) or len(test.ops) != 1:
        return False
    sides = (test.left, test.comparators[0])
    return any(isinstance(each, ast.Name) and each.id == "__name__" for each in sides) and any(
        constant(each) == "__main__" for each in sides)
