"""The arguments of one rule call, checked against the schema. Knows nothing of labels, files or Starlark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oracle_rules.loading.problem import Problem, suggestion
from oracle_rules.loading.schema import REFUSED, Attribute, Kind, Rule


def check(rule: Rule, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The value of every attribute of the rule, defaults filled in; Problem for anything that does not fit.

    None means absent, as in Bazel. Lists come back as tuples, dictionaries as tuples of pairs sorted by key.
    """
    for key in arguments:
        if key != "name" and key not in rule.attributes and key not in rule.ignored:
            raise _unknown(rule, key)
    found = {}
    for name, attribute in rule.attributes.items():
        value = arguments.get(name)
        if value is not None:
            found[name] = _value(rule, attribute, value)
        elif attribute.mandatory:
            raise Problem(
                f"{rule.name} has no '{name}', which is mandatory",
                remedy=f"add {name} = …: {attribute.kind.value}, {attribute.doc}",
            )
        else:
            found[name] = attribute.default
    return found


def check_name(rule: str, arguments: Mapping[str, Any]) -> str:
    """The mandatory `name`."""
    name = arguments.get("name")
    if name is None:
        raise Problem(f"{rule} has no 'name', which is mandatory", remedy='add name = "…"')
    if type(name) is not str:
        raise _mismatch(rule, "name", "a string", name)
    return name


def _unknown(rule: Rule, key: str) -> Problem:
    if key in REFUSED:
        reason, remedy = REFUSED[key]
        return Problem(f"{rule.name} has no attribute '{key}': {reason}", remedy=remedy, attribute=key)
    names = ["name", *rule.attributes]
    remedy = suggestion(key, [*names, *rule.ignored], otherwise=f"it has {', '.join(names)}")
    return Problem(f"{rule.name} has no attribute '{key}'", remedy=remedy, attribute=key)


def _value(rule: Rule, attribute: Attribute, value: Any) -> Any:
    kind = attribute.kind
    if kind in (Kind.STRING, Kind.FILE, Kind.TARGET) and type(value) is str:
        return value
    if kind in (Kind.STRINGS, Kind.FILES, Kind.TARGETS) and type(value) is list:
        return tuple(_choice(rule, attribute, item) for item in value)
    if kind is Kind.BOOLEAN and (type(value) is bool or type(value) is int and value in (0, 1)):
        return bool(value)
    if kind is Kind.INTEGER and type(value) is int:
        return _bounded(rule, attribute, value)
    if kind is Kind.STRING_MAP and type(value) is dict:
        for key, item in value.items():
            if type(key) is not str or type(item) is not str:
                raise _mismatch(rule.name, attribute.name, kind.value, item if type(key) is str else key)
        return tuple(sorted(value.items()))
    raise _mismatch(rule.name, attribute.name, kind.value, value)


def _choice(rule: Rule, attribute: Attribute, item: Any) -> str:
    if type(item) is not str:
        raise _mismatch(rule.name, attribute.name, attribute.kind.value, item)
    if attribute.choices and item not in attribute.choices:
        raise Problem(
            f"'{item}' is not a value of '{attribute.name}' of {rule.name}",
            remedy=suggestion(item, attribute.choices, otherwise=f"it may hold {', '.join(attribute.choices)}"),
            attribute=attribute.name,
            value=item,
        )
    return item


def _bounded(rule: Rule, attribute: Attribute, value: int) -> int:
    if attribute.least < attribute.most and not attribute.least <= value <= attribute.most:
        raise Problem(
            f"'{attribute.name}' of {rule.name} is out of range",
            remedy=f"give {attribute.least} to {attribute.most}",
            attribute=attribute.name,
        )
    return value


_SPOKEN = {
    str: "a string",
    int: "an integer",
    bool: "a boolean",
    list: "a list",
    dict: "a dictionary",
    float: "a float",
}


def _mismatch(rule: str, attribute: str, wanted: str, value: Any) -> Problem:
    given = _SPOKEN.get(type(value), "None" if value is None else "another value")
    return Problem(
        f"'{attribute}' of {rule} must be {wanted}, this holds {given}",
        remedy=f"give {wanted}",
        attribute=attribute,
        value=value if type(value) is str else "",
    )
