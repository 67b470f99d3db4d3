"""The freeze lane: its laws, classes, shapes of ledgers, and the rules of drafts."""

from __future__ import annotations

from collections.abc import Mapping

from oracle_rules.artifacts.freezing.rules import RULES
from oracle_rules.artifacts.freezing.shapes import ASKS, SHAPES
from oracle_rules.artifacts.freezing.tables import KINDS, LAWS

from .markdown import code as _code
from .markdown import table


def _freeze_laws(_texts: Mapping[str, str]) -> str:
    """The laws of a ledger."""
    return table(("Row", "Code", "Law", "What to do"),
                 [(_code(law.name), _code(law.code), law.says, law.remedy.format(path="freeze.json")) for law in LAWS])


def _freeze_classes(_texts: Mapping[str, str]) -> str:
    """The closed set of classes."""
    rows = []
    for kind in KINDS:
        words = ", ".join(map(_code, kind.words)) or "none"
        rows.append((_code(kind.name), "yes" if kind.freezable else "no", kind.instead, words))
    return table(("Class", "Freezable", "What it needs, or what to do instead", "Words that quote it"), rows)


def _freeze_shapes(_texts: Mapping[str, str]) -> str:
    """The shapes that are imported."""
    return table(("Shape", "Told by", "What it is"),
                 [(_code(shape.name), f"the key {_code(shape.key)}" if shape.key else "nothing else", shape.says)
                  for shape in SHAPES])


def _freeze_asks(_texts: Mapping[str, str]) -> str:
    """What an import asks for."""
    return table(("Field", "Asked"), [(_code(ask.field), ask.question) for ask in ASKS])


def _freeze_rules(_texts: Mapping[str, str]) -> str:
    """How a draft finds its class."""
    return table(("Rule", "Class", "Seam", "When"),
                 [(_code(rule.name), _code(rule.kind), rule.seam or "asked for", rule.says) for rule in RULES])


PARTS = (_freeze_laws, _freeze_classes, _freeze_shapes, _freeze_asks, _freeze_rules)
