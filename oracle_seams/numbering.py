"""Gives the ids of a document numbers that hang on where the ids stand, never on what they are.

Two documents that differ only in the ids themselves, one for one, get the same numbers. The order of a list is a place;
that of a set, or of keys that are ids, is not. So the problem is that of bringing a graph into a canonical form:

1. Ids in ordered places are numbered in the order of the document. Each number may tell apart items of a set that
   looked alike before; this goes on until nothing new is told apart.
2. What is left stands only among items that look alike. Each id is described by the document with that id marked
   (colour refinement), until the descriptions split no further.
3. Ids that still share a description either can be exchanged without changing the document (which is tried out), and
   then any order gives the same document; or each of them is taken first in turn, and the least document is kept.

The answer is exact whenever there is one. Step 3 is exponential in the worst case, so it has a budget: a document that
needs more is refused with ValueError and never numbered by a guess. What it costs hangs a little on the ids themselves,
so near the bound a refusal may; the numbers never do. Knows nothing of types and patterns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from .tree import Bag, Id, Node, Object, Tag, ids, key_order, sketch

# In characters that are written while ids are told apart: a second or two.
BUDGET = 30_000_000


def numbers(tree: Node) -> dict[str, int]:
    """A number from 1 for each id, by first appearance in the document as it is sorted with ids known by their place.

    Raises ValueError when the ids cannot be told apart within the budget.
    """
    every = set(ids(tree))
    if not every:
        return {}
    order = _Order(tree)
    settled = order.settle()
    if len(settled) < len(every):
        settled = _Search(tree).best({text: settled.get(text, len(settled)) for text in sorted(every)})
    return {text: number for number, text in enumerate(order.appearances(_marks(settled)), 1)}


def _marks(labels: Mapping[str, int]) -> dict[str, str]:
    return {text: f"{number:09d}" for text, number in labels.items()}


class _Order:
    """Step 1: the order of the document, as far as it is known without knowing the ids."""

    def __init__(self, tree: Node) -> None:
        self._tree = tree
        self._totals = Counter(ids(tree))

    def settle(self) -> dict[str, int]:
        """The ids that their places tell apart, numbered from 0."""
        found: dict[str, int] = {}
        while len(found) < len(self._totals):
            fresh = [text for text in self.appearances(_marks(found)) if text not in found]
            if not fresh:
                break
            found |= {text: len(found) + place for place, text in enumerate(fresh)}
        return found

    def appearances(self, marks: Mapping[str, str]) -> list[str]:
        """The ids in the order of the document, each once, without those in items that cannot be ordered yet."""
        return list(dict.fromkeys(self._walk(self._tree, marks)))

    def _walk(self, node: Node, marks: Mapping[str, str]) -> Iterator[str]:
        kind = type(node)
        if kind is Id:
            yield node.text
        elif kind is list:
            for item in node:
                yield from self._walk(item, marks)
        elif kind is Tag:
            yield from self._walk(node.body, marks)
        elif kind is Bag:
            yield from self._unordered([(b"", item) for item in node.items], marks)
        elif kind is Object and all(isinstance(key, str) for key, _ in node.members):
            for _, value in sorted(node.members, key=lambda member: key_order(member[0])):
                yield from self._walk(value, marks)
        elif kind is Object:
            yield from self._unordered([(key_order(key), value) if isinstance(key, str) else (b"\x01", [key, value])
                                        for key, value in node.members], marks)

    def _unordered(self, items: list[tuple[bytes, Node]], marks: Mapping[str, str]) -> Iterator[str]:
        """Items by what is known of them: their key, their text up to unknown ids, how many are just the same."""
        same: dict[tuple[bytes, str], list[Node]] = {}
        for place, item in items:
            own = list(ids(item))
            if own:
                same.setdefault((place, sketch(item, {text: text for text in own})), []).append(item)
        alike: dict[tuple[bytes, str, int], list[Node]] = {}
        for (place, _), equal in same.items():
            alike.setdefault((place, sketch(equal[0], marks), len(equal)), []).append(equal[0])
        for (_, _, count), group in sorted(alike.items(), key=lambda row: row[0]):
            if len(group) > 1:
                group = self._exchangeable(group, count, marks)
            for item in group:
                yield from self._walk(item, marks)

    def _exchangeable(self, group: list[Node], count: int, marks: Mapping[str, str]) -> list[Node]:
        """Items that look alike, in order, when no unknown id of one is anywhere else; otherwise none of them.

        Such items are ordered by what they are with ids of their own numbering. Where that is equal, one may stand for
        the other, and so their order does not matter.
        """
        shown = []
        for item in group:
            own = Counter(text for text in ids(item) if text not in marks)
            first = [text for text in dict.fromkeys(self._walk(item, marks)) if text in own]
            if len(first) < len(own) or any(amount * count != self._totals[text] for text, amount in own.items()):
                return []
            local = {text: marks[text] for text in ids(item) if text in marks}
            shown.append((sketch(item, {**local, **{text: f"own {n}" for n, text in enumerate(first)}}), item))
        return [item for _, item in sorted(shown, key=lambda row: row[0])]


class _Search:
    """Steps 2 and 3. Labels are numbers without gaps; ids with the same one are not told apart yet."""

    def __init__(self, tree: Node) -> None:
        self._tree = tree
        self._left = BUDGET

    def best(self, labels: dict[str, int]) -> dict[str, int]:
        """Labels that are all different."""
        labels = self._refine(labels)
        while group := _first_group(labels):
            if all(self._exchangeable(labels, group[0], other) for other in group[1:]):
                # Every exchange with the first is possible, hence every order: any one gives the same document.
                order = {text: (labels[text], 1 + group.index(text) if text in group else 0) for text in labels}
                labels = self._refine(_dense(order))
            else:
                branches = [self.best(self._taken(labels, text)) for text in group]
                return min(branches, key=lambda found: self._write(_marks(found)))
        return labels

    def _refine(self, labels: dict[str, int]) -> dict[str, int]:
        """Tells ids apart by the document in which one of them is marked, until that tells nothing more."""
        while True:
            sizes = Counter(labels.values())
            marks = _marks(labels)
            shown = {text: (label, self._write({**marks, text: "*"}) if sizes[label] > 1 else "")
                     for text, label in labels.items()}
            finer = _dense(shown)
            if len(set(finer.values())) == len(sizes):
                return labels
            labels = finer

    def _taken(self, labels: dict[str, int], first: str) -> dict[str, int]:
        """The labels once one id goes before those that share its label."""
        return self._refine(_dense({text: (label, int(text != first)) for text, label in labels.items()}))

    def _exchangeable(self, labels: dict[str, int], one: str, other: str) -> bool:
        """Whether exchanging the two, with whatever each of them determines, leaves the document as it is."""
        if self._same(labels, {one: other, other: one}):
            return True
        here, there = (_told_apart(self._taken(labels, text)) for text in (one, other))
        exchange: dict[str, str] = {}
        for label, text in here.items():
            partner = there.get(label)
            if partner is None or labels[partner] != labels[text]:
                return False
            if exchange.setdefault(text, partner) != partner or exchange.setdefault(partner, text) != text:
                return False
        if any(labels[text] == labels[one] and text not in (one, other) and text != partner
               for text, partner in exchange.items()):
            return False  # it moves more of the group than the two: then not every order is shown to be possible
        return self._same(labels, exchange)

    def _same(self, labels: Mapping[str, int], exchange: Mapping[str, str]) -> bool:
        """Whether the document is the same once these ids stand for one another."""
        own = _marks({text: place for place, text in enumerate(labels)})
        return self._write(own) == self._write({text: own[exchange.get(text, text)] for text in own})

    def _write(self, marks: Mapping[str, str]) -> str:
        found = sketch(self._tree, marks)
        self._left -= len(found)
        if self._left < 0:
            raise ValueError("the ids in sets or keys of this document look too much alike to be numbered; give "
                             "their items something that tells them apart, or keep them in a list")
        return found


def _first_group(labels: Mapping[str, int]) -> list[str]:
    """The ids that share the lowest label that is shared, or none."""
    lowest = min((label for label, size in Counter(labels.values()).items() if size > 1), default=None)
    return [text for text, label in labels.items() if label == lowest]


def _told_apart(labels: Mapping[str, int]) -> dict[int, str]:
    """The ids that have a label for themselves, by label."""
    sizes = Counter(labels.values())
    return {label: text for text, label in labels.items() if sizes[label] == 1}


def _dense(shown: Mapping[str, tuple[int, int | str]]) -> dict[str, int]:
    """Labels by the order of what is shown, equal where that is equal."""
    places = {row: place for place, row in enumerate(sorted(set(shown.values())))}
    return {text: places[row] for text, row in shown.items()}
