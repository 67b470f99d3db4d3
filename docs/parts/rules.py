"""The reference of rules and attributes."""

from __future__ import annotations

import json
from collections.abc import Mapping

from oracle_rules.loading import schema

from .markdown import code as _code
from .markdown import table


def _rules(_texts: Mapping[str, str]) -> str:
    """Every rule of ours with its attributes."""
    return "\n\n".join(_rule(rule) for rule in schema.RULES.values())


def _rule(rule: schema.Rule) -> str:
    rows = [(_code("name"), "a string", "required", "the target's name")]
    for each in rule.attributes.values():
        rows.append((_code(each.name), _kind(each), _default(each), each.doc))
    return f"### {rule.name}\n\n{rule.doc}\n\n" + table(("Attribute", "Value", "Default", "Meaning"), rows)


def _kind(each: schema.Attribute) -> str:
    text = each.kind.value
    if each.rules:
        text += " of rule " + " or ".join(map(_code, each.rules))
    if each.choices:
        text += ": " + ", ".join(map(_code, each.choices))
    if each.most:
        text += f" from {each.least} to {each.most}"
    return text


def _default(each: schema.Attribute) -> str:
    if each.mandatory:
        return "required"
    if each.default is None:
        return "none"
    shown = list(each.default) if isinstance(each.default, tuple) else each.default
    return _code("{}" if each.kind is schema.Kind.STRING_MAP else json.dumps(shown) if shown is not False else "False")


def _native_rules(_texts: Mapping[str, str]) -> str:
    """The native rules that are read."""
    rows = [(_code(rule.name), ", ".join(map(_code, rule.attributes)), rule.doc)
            for rule in schema.NATIVE_RULES.values()]
    return table(("Rule", "Attributes", "Meaning"), rows)


def _refused_attributes(_texts: Mapping[str, str]) -> str:
    """Attributes of Bazel's tests that are refused."""
    return table(("Attribute", "Why", "Do instead"),
                 [(_code(name), why, do) for name, (why, do) in schema.REFUSED.items()])


PARTS = (_rules, _native_rules, _refused_attributes)
