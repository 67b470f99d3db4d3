"""The canonical document before its ids have numbers: plain JSON data, with ids, unordered parts and tags marked.

A node is None, a bool, int, finite float or str, a list of nodes in order, or one of the classes below. Knows nothing
of Python's types (`tags.py`) and of how numbers are chosen (`numbering.py`).
More names than eight because the classes of nodes and the ways to read a tree are one thing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

Node = Any


class Tagged(dict[str, Any]):
    """A tag as it stands in a document that `canon` gave: a dict with one key that starts with `$`.

    A class of its own, so that `canon` knows its own answers and gives them back unchanged.
    """

    __slots__ = ()


class Id:
    """A place of noise whose text only says which other places hold the same; what kind of id it is stays visible."""

    __slots__ = ("text", "kind")

    def __init__(self, text: str, kind: str) -> None:
        self.text = text
        self.kind = kind


class Bag:
    """Items without an order of their own."""

    __slots__ = ("items",)

    def __init__(self, items: list[Node]) -> None:
        self.items = items


class Object:
    """Members by key; a key is text or an Id, and no two are equal."""

    __slots__ = ("members",)

    def __init__(self, members: list[tuple[str | Id, Node]]) -> None:
        self.members = members


class Tag:
    """A value that JSON has no word for, under the name of its type."""

    __slots__ = ("name", "body")

    def __init__(self, name: str, body: Node) -> None:
        self.name = name
        self.body = body


def spell(value: object) -> str:
    """The canonical text of JSON data whose objects are in order."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def key_order(key: str) -> bytes:
    """Keys are ordered by their UTF-8 bytes; a lone surrogate is ordered by its own code point."""
    return key.encode("utf-8", "surrogatepass")


def finish(node: Node, numbers: Mapping[str, int]) -> Any:
    """The document as JSON data: ids as `<KIND:N>`, everything unordered in the order of its encoded bytes."""
    kind = type(node)
    if kind is list:
        return [finish(item, numbers) for item in node]
    if kind is Object:
        members = [(finish(key, numbers), finish(value, numbers)) for key, value in node.members]
        return dict(sorted(members, key=lambda member: key_order(member[0])))
    if kind is Tag:
        return Tagged({node.name: finish(node.body, numbers)})
    if kind is Bag:
        return sorted((finish(item, numbers) for item in node.items), key=spell)
    return f"<{node.kind}:{numbers[node.text]}>" if kind is Id else node


def sketch(node: Node, marks: Mapping[str, str]) -> str:
    """A text that is equal for two nodes exactly when they are the same up to what the marks leave open.

    An id is spelled as its mark, or as nothing without one, behind a character that no JSON text holds.
    """
    kind = type(node)
    if kind is Id:
        return f"\x01{node.kind}:" + marks.get(node.text, "")
    if kind is list:
        return "[" + ",".join([sketch(item, marks) for item in node]) + "]"
    if kind is Bag:
        return "\x02" + ",".join(sorted(sketch(item, marks) for item in node.items)) + "]"
    if kind is Object:
        return "{" + ",".join(sorted(f"{sketch(k, marks)}:{sketch(v, marks)}" for k, v in node.members)) + "}"
    if kind is Tag:
        return f"\x03{node.name}:{sketch(node.body, marks)}"
    return spell(node)


def ids(node: Node) -> Iterator[str]:
    """The text of every id in the document, once for each place."""
    kind = type(node)
    if kind is Id:
        yield node.text
    elif kind is list:
        for item in node:
            yield from ids(item)
    elif kind is Bag:
        yield from ids(node.items)
    elif kind is Tag:
        yield from ids(node.body)
    elif kind is Object:
        for key, value in node.members:
            yield from ids(key)
            yield from ids(value)
