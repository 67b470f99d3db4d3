"""Canonical forms: listed values sorted, alternatives flattened and without what another one holds anyway.

Two spellings of one domain meet here, so that they have one fingerprint.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...protocol import typed
from .member import contains
from .order import holds
from .shape import Shape, make


def sampled(texts: Iterable[str]) -> Shape:
    """The listed values, given as typed JSON texts, each once, in one order."""
    return make("sampled", values=tuple(sorted(set(texts))))


def one_of(alternatives: Iterable[Shape]) -> Shape:
    """The union of domains; the domain itself where only one is left."""
    apart: dict[bytes, Shape] = {}
    values: set[str] = set()
    for each in _flat(alternatives):
        if each.kind == "sampled":
            values.update(each["values"])
        else:
            apart[each.key] = each
    kept = [each for each in apart.values()
            if not any(other != each and holds(other, each) for other in apart.values())]
    left = [text for text in values if not any(contains(each, typed.read(text)) for each in kept)]
    if left:
        kept.append(sampled(left))
    return kept[0] if len(kept) == 1 else make("one_of", alternatives=tuple(sorted(kept, key=lambda each: each.key)))


def _flat(alternatives: Iterable[Shape]) -> Iterable[Shape]:
    for each in alternatives:
        if each.kind == "one_of":
            yield from each["alternatives"]
        else:
            yield each
