"""What the caller of `canon` declares about fields: which are noise, and in which mappings the order is the contract.

A pattern is a path: names with dots between, `[3]` or `[*]` for items, `*` for any one name, `**` for any number of
steps, quotes around a name that holds other characters (`"a.b"`). `~` at the end stands for the keys of the mapping:
`orders.*~`. `?` at the end allows that nothing matches, and that a field that does is None. Items of sets are `[*]`
only, as are values whose keys are no text: `*`. Knows nothing of values but the forms of ids and timestamps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

# A step of a path: a name, an index, or no more than that there is an item or a key.
Step = str | int | None
Noise = Mapping[str, str | tuple[str, str]]
States = frozenset[tuple[int, int]]

ORDERED = "ordered"
# Ids of no digit but 0, or but F, are what programs write where there is none: they are no noise.
_ID = "|".join((
    r"(?P<id>(?![0-]+\Z)(?![fF-]+\Z)[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})",
    r"(?P<ulid>(?!0+\Z)[0-7][0-9A-HJKMNP-TV-Z]{25})",
    r"id-[0-9]{6,}",  # what pinned seams give where live ones give a UUID
))
_TS = (r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?P<between>[T ])(?:[01][0-9]|2[0-3]):[0-5][0-9]"
       r"(?P<seconds>:(?:[0-5][0-9]|60)(?:[.,][0-9]{1,9})?)?(?P<zone>Z|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9])?")
# What a kind of noise looks like when it is text; its token keeps which of the forms it is, and nothing else.
FORMS: Mapping[str, str] = {"id": _ID, "ts": _TS}
_SEGMENT = re.compile(r'(?P<any>\*\*)|(?P<one>\*)|\[(?P<index>\*|0|[1-9][0-9]*)\]|(?P<quoted>"(?:[^"\\]|\\.)*")'
                      r'|(?P<name>[^\s.\[\]"*~?]+)')


class _Segment(NamedTuple):
    """`kind` is any, one, item or exact; `step` is the exact one."""

    kind: str
    step: Step = None

    def takes(self, step: Step) -> bool:
        """Whether one step of a path is of this segment."""
        if self.kind == "exact":
            return type(step) is type(self.step) and step == self.step
        return self.kind != "item" or not isinstance(step, str)


class Declaration(NamedTuple):
    """One pattern; `kind` is `id`, `ts` or ORDERED, `form` what text of the kind has to look like."""

    pattern: str
    segments: tuple[_Segment, ...]
    of_keys: bool
    optional: bool
    kind: str
    form: re.Pattern[str] | None


class Declared:
    """All declarations of one call. `start` is where paths begin, `follow` goes one step down."""

    def __init__(self, noise: Noise, ordered: Iterable[str]) -> None:
        if isinstance(ordered, str):
            raise ValueError("ordered is a list of patterns, not one text")
        self._all = [_declaration(pattern, kind) for pattern, kind in noise.items()]
        self._all += [_declaration(pattern, ORDERED) for pattern in ordered]
        self.start = self._close({(number, 0) for number in range(len(self._all))})
        self._used: set[int] = set()

    def follow(self, states: States, step: Step) -> States:
        """Where the patterns stand after one more step."""
        found = set()
        for number, place in states:
            segments = self._all[number].segments
            if place < len(segments):
                if segments[place].kind == "any":
                    found.add((number, place))
                elif segments[place].takes(step):
                    found.add((number, place + 1))
        return self._close(found)

    def at(self, states: States, path: str, *, keys: bool, ordered: bool) -> Declaration | None:
        """The declaration of noise, or of order, that ends here; ValueError when two of them say different things."""
        ends = [number for number, place in states if place == len(self._all[number].segments)]
        ends = [number for number in ends
                if self._all[number].of_keys is keys and (self._all[number].kind == ORDERED) is ordered]
        self._used.update(ends)
        meanings = {(self._all[number].kind, self._all[number].form) for number in ends}
        if len(meanings) > 1:
            raise ValueError(f"{path}: {' and '.join(sorted(self._all[n].pattern for n in ends))} say different things")
        return min((self._all[number] for number in ends), key=lambda each: not each.optional, default=None)

    def finish(self) -> None:
        """Raises ValueError for a declaration that nothing matched."""
        unused = [each.pattern for number, each in enumerate(self._all)
                  if number not in self._used and not each.optional]
        if unused:
            raise ValueError(f"nothing in this document is at {', '.join(unused)}; mend the pattern, or end it with ? "
                             "if the field may be absent")

    def _close(self, states: set[tuple[int, int]]) -> States:
        """Adds what is reached by letting `**` stand for no step."""
        todo = list(states)
        while todo:
            number, place = todo.pop()
            segments = self._all[number].segments
            if place < len(segments) and segments[place].kind == "any" and (number, place + 1) not in states:
                states.add((number, place + 1))
                todo.append((number, place + 1))
        return frozenset(states)


def _declaration(pattern: str, kind: str | tuple[str, str]) -> Declaration:
    kind, form = (kind, FORMS.get(kind)) if isinstance(kind, str) else kind
    if kind != ORDERED and kind not in FORMS:
        raise ValueError(f"{pattern}: {kind!r} is no kind of noise; there are {', '.join(FORMS)}")
    rest = pattern
    optional = rest.endswith("?")
    rest = rest.removesuffix("?")
    of_keys = rest.endswith("~")
    rest = rest.removesuffix("~")
    segments = _segments(rest, pattern)
    return Declaration(pattern, segments, of_keys, optional, kind, re.compile(form) if form is not None else None)


def _segments(text: str, pattern: str) -> tuple[_Segment, ...]:
    found: list[_Segment] = []
    at = 0
    while at < len(text):
        if found and text[at] == ".":
            at += 1
        elif found and text[at] != "[":
            raise _malformed(pattern, at)
        match = _SEGMENT.match(text, at)
        if match is None:
            raise _malformed(pattern, at)
        found.append(_segment(match))
        at = match.end()
    if not found:
        raise _malformed(pattern, at)
    return tuple(found)


def _segment(match: re.Match[str]) -> _Segment:
    if match["any"]:
        return _Segment("any")
    if match["one"]:
        return _Segment("one")
    if match["index"]:
        return _Segment("item") if match["index"] == "*" else _Segment("exact", int(match["index"]))
    return _Segment("exact", json.loads(match["quoted"]) if match["quoted"] else match["name"])


def _malformed(pattern: str, at: int) -> ValueError:
    return ValueError(f"{pattern!r} is no path at character {at + 1}; write it like events[*].at or **.request_id")


def id_kind(match: re.Match[str]) -> str:
    """What kind of id matched: `ulid`, or `id` for a UUID, an id of seams, or a form of the caller's own."""
    kind = match.lastgroup if match.re.pattern == _ID else None
    return kind or "id"


def ts_token(match: re.Match[str]) -> str:
    """The token of a timestamp that matched. What is written between date and time, whether there are seconds, and the
    zone are no noise and stay; `<ts>` for a form of the caller's own."""
    if match.re.pattern != _TS:
        return "<ts>"
    clock = "hh:mm" if match["seconds"] is None else "hh:mm:ss"
    return f"<ts:YYYY-MM-DD{match['between']}{clock}{match['zone'] or ''}>"
