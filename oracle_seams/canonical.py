"""One canonical document for any value of data: what properties and fixtures compare.

    canon(order, noise={"**.request_id": "id", "events[*].at": "ts"}, ordered=["headers"])

`dumps` is injective: two values with the same text are the same value with the same types, but for what was declared
as noise. It does not depend on the hash seed, on the order in which dicts and sets were filled, or on the machine.
Compare texts, not documents: to Python `1 == 1.0 == True`, and `0.0 == -0.0`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from .numbering import numbers
from .patterns import Declared, Noise
from .tags import Reader
from .tree import finish, spell

_NONE: Mapping[str, str] = MappingProxyType({})


def canon(value: Any, *, noise: Noise = _NONE, ordered: Iterable[str] = ()) -> Any:
    """The canonical document of a value, as JSON data. Plain JSON data gives itself, and so does such a document.

    `noise` maps patterns (see `patterns.py`) to `id` or `ts`, or to one of these and a regular expression of the text;
    an id becomes `<id:1>`, the same for the same id, a timestamp `<ts>`. `ordered` lists the mappings whose order is
    their contract. TypeError for a type without a canonical form; ValueError for noise that is not of its form, a
    pattern that matches nothing, a value that holds itself or is nested over 200 deep, and ids that cannot be numbered.
    """
    declared = Declared(noise, ordered)
    tree = Reader(declared).read(value)
    declared.finish()
    return finish(tree, numbers(tree))


def dumps(value: Any, *, noise: Noise = _NONE, ordered: Iterable[str] = ()) -> str:
    """The document as one line of ASCII without a line feed: the canonical JSON of `oracle-rules canon`."""
    return spell(canon(value, noise=noise, ordered=ordered))
