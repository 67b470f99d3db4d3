"""Domain locks: kinds, typed literals, and the order by which a domain is narrower."""

from __future__ import annotations

from collections.abc import Mapping

from oracle_rules.artifacts.domains.kinds import KINDS, ROW
from oracle_rules.artifacts.domains.order import NESTED, PAIRS, RULES
from oracle_rules.protocol.typed import TAGS

from .markdown import code as _code
from .markdown import table

_KINDS_OF_FIELDS = {
    "domain": "the live domain holds the locked one, by these same tables",
    "each": "as many as before, and each live one holds the locked one",
    "members": "see the row `members` below", "alternatives": "see the rows `one-of` and `alternative` below",
    "values": "see the row `values` below"}


def _domain_kinds(_texts: Mapping[str, str]) -> str:
    """The kinds of domain with their fields."""
    rows = []
    for kind in KINDS.values():
        meaning = kind.meaning + (f"; becomes {_code(kind.becomes)}" if kind.becomes else "")
        rows.append((_code(kind.name), "", meaning))
        rows += [("", _code(column.name), column.meaning) for column in kind.columns]
    return table(("Kind", "Field", "Meaning"), rows)


def _typed_literals(_texts: Mapping[str, str]) -> str:
    """The spellings of values that JSON has no word for."""
    return table(("Key", "Holds"), [(_code(tag), says) for tag, says in TAGS.items()])


def _domain_order(_texts: Mapping[str, str]) -> str:
    """Each order of a field, where it is used, and what it allows."""
    used: dict[str, list[str]] = {}
    for kind in (*KINDS.values(), ROW):
        for column in kind.columns:
            place = column.name if kind is ROW else f"{kind.name}.{column.name}"
            used.setdefault(column.order, []).append(place)
    meanings = {name: rule.meaning for name, rule in RULES.items()} | _KINDS_OF_FIELDS
    assert set(NESTED) <= set(_KINDS_OF_FIELDS)
    return table(("Order", "Fields", "Not narrower when"),
                 [(_code(name), ", ".join(map(_code, used[name])), meaning) for name, meaning in meanings.items()])


def _domain_pairs(_texts: Mapping[str, str]) -> str:
    """How two kinds are compared."""
    words = {"*": "any", "=": "the same"}
    return table(("Row", "Locked", "Live", "Not narrower when"),
                 [(_code(pair.name), words.get(pair.locked, _code(pair.locked)), words.get(pair.live, _code(pair.live)),
                   pair.meaning) for pair in PAIRS])


PARTS = (_domain_kinds, _typed_literals, _domain_order, _domain_pairs)
