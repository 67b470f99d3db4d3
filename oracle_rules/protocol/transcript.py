"""Reads the transcript of a suite, line by line, against its grammar. Pure: knows neither processes nor pytest.

Each line is one thing that happened, as `runner/suite_plugin.py` tells it. The process that it comes out of is shared
with the candidate, so a line that has no place where it stands makes the whole transcript worth nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import canonical

PHASES = ("setup", "call", "teardown")
# Kind of a line to the types of its facts.
_GRAMMAR: dict[str, tuple[tuple[type, ...], ...]] = {
    "start": (), "note": ((str,), (str,), (int,), (str,)), "error": ((str,), (str,)), "skip": ((str,), (str,)),
    "deselected": ((str,),), "collected": ((list,),), "unfit": ((int,), (str,)), "begin": ((str,),),
    "settings": ((str,), (dict,)), "asked": ((str,), (str, type(None))), "answered": ((str,), (str,)),
    "called": ((str,), (str,), (bool,)), "phase": ((str,), (str,), (str,), (bool,), (bool,), (str,)),
    "done": ((str,),), "broke": ((str,),), "finish": ((int,),), "end": ((int,),)}
_WITHIN = ("settings", "asked", "answered", "called", "phase", "done")


class Forged(ValueError):
    """A transcript that our plugin did not write."""


@dataclass(slots=True, kw_only=True)
class Node:
    """What is told of one test: its phases as (when, outcome, xfail, harness, detail), and of a property its cases."""

    phases: list[tuple[str, str, bool, bool, str]] = field(default_factory=list)
    called: list[tuple[str, bool]] = field(default_factory=list)
    asked: list[str | None] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    settings: list[dict[str, Any]] = field(default_factory=list)
    done: bool = False

    def failed(self, when: str, outcome: str = "failed") -> str | None:
        """The detail of the first phase of that name with that outcome; None where there is none."""
        return next((text for at, how, xfail, _, text in self.phases if (at, how, xfail) == (when, outcome, False)),
                    None)


@dataclass(slots=True, kw_only=True)
class Told:
    """A whole transcript, taken apart."""

    collected: list[str] | None = None
    errors: list[tuple[str, str]] = field(default_factory=list)
    skips: list[tuple[str, str]] = field(default_factory=list)
    deselected: list[str] = field(default_factory=list)
    unfit: list[str] = field(default_factory=list)
    broke: list[str] = field(default_factory=list)
    notes: list[list[Any]] = field(default_factory=list)
    nodes: dict[str, Node] = field(default_factory=dict)
    finish: int | None = None
    end: int | None = None
    forged: str = ""


def read(transcript: bytes) -> Told:
    """The transcript, taken apart up to where it breaks the grammar, if it does."""
    told = Told()
    lines = transcript.split(b"\n")
    try:
        if lines.pop():
            raise Forged("its last line has no end")
        current = ""
        for number, line in enumerate(lines, 1):
            current = _take(told, _parsed(line, number), current, number)
    except Forged as error:
        told.forged = str(error)
    return told


def _parsed(line: bytes, number: int) -> list[Any]:
    try:
        found = canonical.loads(line)
    except ValueError as error:
        raise Forged(f"line {number}: {error}") from None
    shape = _GRAMMAR.get(found[0]) if type(found) is list and found and type(found[0]) is str else None
    if shape is None or len(found) != len(shape) + 1:
        raise Forged(f"line {number} is none of ours")
    if any(type(fact) not in kinds for fact, kinds in zip(found[1:], shape, strict=True)):
        raise Forged(f"line {number}: a fact of another type")
    return list(found)


def _take(told: Told, line: list[Any], current: str, number: int) -> str:
    """Takes in one line; gives the test that is open after it."""
    kind, facts = line[0], line[1:]
    if (number == 1) != (kind == "start") or told.end is not None or told.finish is not None and kind not in (
            "end", "note", "broke"):
        raise Forged(f"line {number}: {kind} at the wrong place")
    if kind in ("error", "skip", "note"):
        {"error": told.errors, "skip": told.skips, "note": told.notes}[kind].append(  # type: ignore[attr-defined]
            facts if kind == "note" else tuple(facts))
    elif kind in ("deselected", "broke"):
        (told.deselected if kind == "deselected" else told.broke).append(facts[0])
    elif kind == "unfit":
        told.unfit.append(facts[1])
    elif kind == "collected":
        if told.collected is not None or any(type(name) is not str for name in facts[0]):
            raise Forged(f"line {number}: collected twice, or no ids")
        told.collected = facts[0]
    elif kind == "begin":
        if current or facts[0] in told.nodes or facts[0] not in (told.collected or ()):
            raise Forged(f"line {number}: {facts[0]} begins out of turn")
        told.nodes[facts[0]] = Node()
        return str(facts[0])
    elif kind in _WITHIN:
        if facts[0] != current:
            raise Forged(f"line {number}: {kind} of {facts[0]}, which is not running")
        return _within(told.nodes[current], kind, facts[1:], current)
    elif kind in ("finish", "end"):
        if kind == "end" and told.finish is None:
            raise Forged(f"line {number}: an end that pytest did not come to")
        setattr(told, kind, facts[0])
    return current


def _within(node: Node, kind: str, facts: list[Any], current: str) -> str:
    if kind == "done":
        node.done = True
        return ""
    if kind == "phase":
        node.phases.append((facts[0], facts[1], facts[2], facts[3], facts[4]))
    elif kind == "called":
        node.called.append((facts[0], facts[1]))
    else:
        lists: dict[str, list[Any]] = {"settings": node.settings, "asked": node.asked, "answered": node.answers}
        lists[kind].append(facts[0])
    return current
