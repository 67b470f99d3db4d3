"""What every file keeps to: its size, its words, its annotations. An exception says why at its head."""

from __future__ import annotations

import ast
import re

import pytest

from .sources import Module, documented, functions, modules, public

NAMES = sorted(modules())
MOST_LINES, USUAL_LINES, MOST_FUNCTION, MOST_PUBLIC, WIDTH = 400, 300, 40, 8, 120
# How a head says why its file is an exception.
WHY = re.compile(r"\b(?:Longer than 300 lines|More names than eight) because\b")


@pytest.fixture(params=NAMES)
def module(request: pytest.FixtureRequest) -> Module:
    """Each module in turn."""
    return modules()[request.param]


def head(module: Module) -> str:
    return " ".join((ast.get_docstring(module.tree) or "").split())


def test_a_file_opens_by_saying_what_it_is(module: Module) -> None:
    if module.text.strip():
        assert head(module).endswith((".", ":")) or "\n" in (ast.get_docstring(module.tree) or ""), module.path


def test_a_file_is_as_long_as_it_may_be(module: Module) -> None:
    lines = module.text.splitlines()
    assert len(lines) <= MOST_LINES, f"{module.path} has {len(lines)} lines"
    if len(lines) > USUAL_LINES:
        assert WHY.search(head(module)), f"{module.path} has {len(lines)} lines, and its head doesn't say why"
    wide = [number for number, line in enumerate(lines, 1) if len(line) > WIDTH]
    assert not wide, f"{module.path}: lines {wide} are wider than {WIDTH}"


def test_a_function_is_as_long_as_it_may_be(module: Module) -> None:
    for node in functions(module):
        length = (node.end_lineno or 0) - node.lineno + 1
        assert length <= MOST_FUNCTION, f"{module.path}:{node.lineno} {node.name} has {length} lines"


def test_a_module_offers_as_much_as_it_may(module: Module) -> None:
    offered = public(module)
    assert len(offered) <= MOST_PUBLIC or WHY.search(head(module)), f"{module.path} offers {offered}"


def test_what_is_public_says_what_it_is(module: Module) -> None:
    for node in documented(module):
        assert ast.get_docstring(node), f"{module.path}:{node.lineno} {node.name} has no docstring"


def test_every_argument_and_answer_is_annotated(module: Module) -> None:
    for node in functions(module):
        given = node.args
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
        bare = [item.arg for item in every if item.annotation is None and item.arg not in ("self", "cls", "mcs")]
        assert not bare, f"{module.path}:{node.lineno} {node.name}: {bare}"
        assert node.returns is not None, f"{module.path}:{node.lineno} {node.name} has no annotated answer"
