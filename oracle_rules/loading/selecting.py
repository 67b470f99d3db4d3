"""The two shapes of a property test: a property with its seeds, or a selector of an existing pytest suite. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from oracle_rules.loading.problem import Problem
from oracle_rules.loading.schema import RULES

_RULE = "oracle_property_test"
# What says nothing about a suite: it runs once, in one process.
_NOT_OF_SUITES = ("property", "seeds", "fresh_cell")


def shape(attributes: Mapping[str, Any]) -> Problem | None:
    """What is wrong with the mix of attributes; None where it is one of the two shapes."""
    if attributes["selector"] is None:
        for name in ("property", "seeds"):
            if attributes[name] is None:
                attribute = RULES[_RULE].attributes[name]
                return Problem(f"{_RULE} has no '{name}', which is mandatory",
                               remedy=f"add {name} = …: {attribute.kind.value}, {attribute.doc}; or give a selector")
        if attributes["nodeids"]:
            return Problem("'nodeids' are those of a 'selector', and there is none", attribute="nodeids",
                           remedy='give selector = "tests/test_x.py", or remove nodeids')
        return None
    for name in _NOT_OF_SUITES:
        if attributes[name]:
            return Problem(f"'{name}' does not go with 'selector': a suite brings its own cases", attribute=name,
                           remedy=f"remove {name}, or remove selector and give property and seeds")
    return None


def suite_ids(selector: str, given: Sequence[str]) -> tuple[str, ...] | Problem:
    """The ids that a selector (workspace path, `::` and a name) has to collect, in the order given."""
    path, _, rest = selector.partition("::")
    if not given and not rest:
        return Problem(f"'selector' names the whole file {path}, and no id says which tests there are in it",
                       attribute="selector", value=selector,
                       remedy=f'add nodeids = ["{path}::test_name", …], as pytest --collect-only -q prints them')
    ids = tuple(given) or (selector,)
    for name in ids:
        below = name.startswith((selector + "::", selector + "[")) and name.startswith(path + "::")
        if name != selector and not below:
            return Problem(f"'{name}' is no id that '{selector}' could collect", attribute="nodeids", value=name,
                           remedy="write ids from the top of the workspace, as pytest --collect-only -q prints them")
    if len({*ids}) != len(ids):
        return Problem("'nodeids' names one id twice", attribute="nodeids", remedy="name each id once")
    return ids
