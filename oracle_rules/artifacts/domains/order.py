"""Whether one domain holds all that another allows, decided field by field by a table; what it can't prove is refused.

"Locked" is what may not be lost, "live" what stands there now. The order is sound (what it calls no narrowing allows
every value of the locked domain), reflexive, transitive, and antisymmetric on canonical forms. It isn't complete: two
domains of which no row proves anything are not comparable, which is a narrowing as well.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...protocol import alphabets, canonical, typed
from . import floats
from .kinds import KINDS
from .member import contains
from .shape import Shape, to_json

Finder = Callable[[Any, Any, str], Iterator["Difference"]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One field in which live allows less: its path in the locked form, both values as text, the row that fired."""

    path: str
    locked: str
    live: str
    row: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One way to compare a field: `allows` answers whether live is not narrower."""

    name: str
    allows: Callable[[Any, Any], bool]
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Which kinds are compared how; `*` is any kind, `=` the locked one again. The first row that fits decides."""

    name: str
    locked: str
    live: str
    find: Finder
    meaning: str


@functools.lru_cache(maxsize=1 << 14)
def holds(live: Shape, locked: Shape) -> bool:
    """Whether live is proven to allow everything that locked allows.

    Answers are kept: unions within unions would ask the same again, a power of their depth.
    """
    return next(differences(locked, live), None) is None


def differences(locked: Shape, live: Shape, path: str = "domain") -> Iterator[Difference]:
    """Each field in which live is narrower than locked, or in which the table can't prove that it isn't."""
    for pair in PAIRS:
        if pair.locked in ("*", locked.kind) and (pair.live in ("*", live.kind) or
                                                  pair.live == "=" and locked.kind == live.kind):
            yield from pair.find(locked, live, path)
            return


def shown(value: Any) -> str:
    """A value of a field on one line, cut where it is long."""
    text = canonical.dumps(to_json(value)).decode("ascii").rstrip("\n")
    return text if len(text) <= 120 else text[:117] + "..."


def _alternatives(locked: Shape, live: Shape, path: str) -> Iterator[Difference]:
    kinds = [each.kind for each in locked["alternatives"]]
    for index, each in enumerate(locked["alternatives"]):
        # By kind, because the canonical form has an order of its own.
        number = f" {kinds[:index].count(each.kind) + 1}" if kinds.count(each.kind) > 1 else ""
        yield from differences(each, live, f"{path}.alternatives[{each.kind}{number}]")


def _values(locked: Shape, live: Shape, path: str) -> Iterator[Difference]:
    for index, text in enumerate(locked["values"]):
        if not contains(live, typed.read(text)):
            yield Difference(path=f"{path}.values[{index}]", locked=text, live="absent", row="values")


def _any_alternative(locked: Shape, live: Shape, path: str) -> Iterator[Difference]:
    if any(holds(each, locked) for each in live["alternatives"]):
        return
    alike = [each for each in live["alternatives"] if each.kind == locked.kind]
    if len(alike) == 1:
        yield from differences(locked, alike[0], path)
    else:
        yield Difference(path=path, locked=shown(locked), live=shown(live), row="alternatives")


def _fields(locked: Shape, live: Shape, path: str) -> Iterator[Difference]:
    for column in KINDS[locked.kind].columns:
        if not column.order:
            continue
        before, after = locked[column.name], live[column.name]
        below = NESTED.get(column.order)
        if below is not None:
            yield from below(before, after, f"{path}.{column.name}")
        elif not RULES[column.order].allows(before, after):
            yield Difference(path=f"{path}.{column.name}", locked=shown(before), live=shown(after), row=column.order)


def _each(locked: tuple[Shape, ...], live: tuple[Shape, ...], path: str) -> Iterator[Difference]:
    if len(locked) != len(live):
        yield Difference(path=path, locked=f"{len(locked)} items", live=f"{len(live)} items", row="each")
        return
    for index, (before, after) in enumerate(zip(locked, live, strict=True)):
        yield from differences(before, after, f"{path}[{index}]")


def _records(locked: Shape, live: Shape, path: str) -> Iterator[Difference]:
    sides = [(dict(side["required"]), dict(side["optional"])) for side in (locked, live)]
    (must, may), (must_now, may_now) = sides
    for key, each in sorted((must | may).items()):
        place = f"{path}.{'required' if key in must else 'optional'}.{key}"
        now = (must_now if key in must else {}) | may_now
        if key in now:
            yield from differences(each, now[key], place)
        else:
            state = "required" if key in must_now else "absent"
            yield Difference(path=place, locked=shown(each), live=state, row="members")
    for key in sorted(must_now.keys() - must.keys() - may.keys()):
        yield Difference(path=f"{path}.required.{key}", locked="absent", live=shown(must_now[key]), row="members")


def _apart(locked: Shape, live: Shape, path: str) -> Iterator[Difference]:
    yield Difference(path=f"{path}.kind", locked=locked.kind, live=live.kind, row="kind")


def _key(value: Any) -> Any:
    return floats.key(value) if type(value) is float else value


PAIRS = (
    Pair(name="one-of", locked="one_of", live="*", find=_alternatives,
         meaning="live holds each locked alternative"),
    Pair(name="values", locked="sampled", live="*", find=_values,
         meaning="each locked value is in the live domain"),
    Pair(name="alternative", locked="*", live="one_of", find=_any_alternative,
         meaning="one live alternative holds all of the locked domain"),
    Pair(name="members", locked="records", live="=", find=_records,
         meaning="a locked required key is required or optional, a locked optional key optional, no other key is "
                 "required, and each key's live domain holds its locked one"),
    Pair(name="fields", locked="*", live="=", find=_fields,
         meaning="field by field, each by the row of its order"),
    Pair(name="kind", locked="*", live="*", find=_apart,
         meaning="nothing proves that the one kind holds the other: refused"),
)

RULES: Mapping[str, Rule] = {rule.name: rule for rule in (
    Rule(name="low", meaning="the live bound is open, or not above the locked one",
         allows=lambda locked, live: live is None or locked is not None and _key(live) <= _key(locked)),
    Rule(name="high", meaning="the live bound is open, or not below the locked one",
         allows=lambda locked, live: live is None or locked is not None and _key(locked) <= _key(live)),
    Rule(name="at least", meaning="not less than the locked number", allows=lambda locked, live: locked <= live),
    Rule(name="allows", meaning="what the locked domain allows stays allowed",
         allows=lambda locked, live: live or not locked),
    Rule(name="demands", meaning="nothing more is demanded", allows=lambda locked, live: locked or not live),
    Rule(name="same", meaning="the same", allows=lambda locked, live: locked == live),
    Rule(name="open or same", meaning="open, or the same", allows=lambda locked, live: live is None or locked == live),
    Rule(name="superset", meaning="every locked code point is still there", allows=alphabets.within),
    Rule(name="floor", meaning="no floor was locked, or the live one is not lower",
         allows=lambda locked, live: locked is None or live is not None and locked <= live),
    Rule(name="pin", meaning="no corpus was pinned, or the same one is, or another one for a domain that was changed",
         allows=lambda locked, live: locked is None or live is not None),
    Rule(name="fewer", meaning="no filter that was not locked; one whose file says something else can't be compared, "
                               "and needs an acceptance_floor or the locked corpus beside it",
         allows=lambda locked, live: {str(each) for each in live} <= {str(each) for each in locked}),
)}

# Orders of fields that hold domains; members, values and alternatives are compared with their kind.
NESTED: Mapping[str, Finder] = {"domain": differences, "each": _each}
