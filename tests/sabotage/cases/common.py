"""What the tables share: a parser whose right and wrong answers a patch may choose between."""

from __future__ import annotations

from textwrap import dedent

from ..kit import Case, Patch, source
from ..workspace import PARSER

_PRELUDE = dedent(PARSER).lstrip("\n").replace("def parse(", "def right(") + '''

def wrong(text):
    name, number = right(text)
    return [name, number + 1]


'''

RED = (1, 4)
FALSE = ("property_failed",)


def parser(body: str) -> Patch:
    """A patch of the parser, whose `parse` the body defines by means of `right` and `wrong`."""
    return source("parser", _PRELUDE + dedent(body).lstrip("\n"))


def plain(text: str = "return right(text)") -> Patch:
    """A right parser by the given statement."""
    return parser(f"def parse(text):\n    {text}\n")


def gate(name: str, kind: str, cheat: Patch, twin: Patch, *codes: str) -> Case:
    """A cheat that the gate has to refuse."""
    return Case(name=name, kind=kind, cheat=cheat, twin=twin, codes=codes, exits=(4,))


def run(name: str, kind: str, cheat: str, twin: str, *codes: str, exits: tuple[int, ...] = (1,), target: str = "parse",
        twice: bool = False) -> Case:
    """A cheat in the parser that has to be found by running it; by default a wrong answer that stays one."""
    return Case(name=name, kind=kind, cheat=parser(cheat), twin=parser(twin), codes=codes or FALSE, exits=exits,
                target=target, twice=twice)
