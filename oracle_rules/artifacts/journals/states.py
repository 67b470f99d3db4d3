"""The states of a journal and the moves between them, as one table. No other move exists.

`advance` follows a row; `reachable` says whether one state can follow another at all. Knows
nothing of seeds or of files.
"""

from __future__ import annotations

from dataclasses import dataclass

PROPOSED, HIT, LOCKED, FROZEN = "proposed", "hit", "locked", "replay-frozen"
STATES = (PROPOSED, HIT, LOCKED, FROZEN)
# Where nothing is yet.
NONE = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One row: what is done in which state, the state that it leads to, who does it, and what it asks for."""

    name: str
    before: str
    after: str
    person: bool
    needs: str


class NoMove(ValueError):
    """A move that the table does not have, with those that it has there."""


def _move(name: str, before: str, after: str, needs: str, *, person: bool = False) -> Move:
    return Move(name=name, before=before, after=after, person=person, needs=needs)


MOVES: tuple[Move, ...] = (
    _move("propose", NONE, PROPOSED, "a declared property with a locked domain"),
    _move("hunt", PROPOSED, HIT, "a seed that falsifies the property on the parent"),
    _move("miss", PROPOSED, PROPOSED, "no seed falsified the property on the parent"),
    _move("hunt", HIT, HIT, "a seed that falsifies the property on the parent"),
    _move("miss", HIT, HIT, "no further seed falsified the property on the parent"),
    _move("hunt", LOCKED, HIT, "a seed that falsifies the property on the parent; the lock is gone"),
    _move("hunt", FROZEN, HIT, "a seed that falsifies the property on the parent; lock and freeze are gone"),
    _move("miss", LOCKED, LOCKED, "no seed falsified the property on the parent; what was locked stays"),
    _move("miss", FROZEN, FROZEN, "no seed falsified the property on the parent; what was frozen stays"),
    _move("lock", HIT, LOCKED, "a hit, versions that are this worker's, and an owner", person=True),
    _move("freeze", LOCKED, FROZEN, "replay seeds that flake, a last day, and an owner", person=True),
    _move("freeze", FROZEN, FROZEN, "replay seeds that flake, a last day, and an owner", person=True),
    _move("thaw", FROZEN, LOCKED, "an owner", person=True),
    _move("unlock", LOCKED, HIT, "an owner and a reason", person=True),
    _move("unlock", FROZEN, HIT, "an owner and a reason", person=True),
    *(_move("saw", state, state, "seeds that the proposer saw", person=True) for state in STATES),
    *(_move("commit", state, state, "a secret that seeds are held out by", person=True) for state in STATES),
)


def advance(state: str, move: str) -> str:
    """The state after a move. Raises NoMove."""
    for row in MOVES:
        if (row.name, row.before) == (move, state):
            return row.after
    known = ", ".join(dict.fromkeys(row.name for row in MOVES if row.before == state))
    raise NoMove(f"a journal that is {state or 'not there'} has no move {move!r}; there are {known}")


def reachable(before: str, after: str) -> bool:
    """Whether moves, one or several or none, lead from one state to the other."""
    known = {before}
    while True:
        further = {row.after for row in MOVES if row.before in known} - known
        if not further:
            return after in known
        known |= further


def drawing(state: str) -> list[str]:
    """The table as lines for a terminal, the current state marked."""
    rows = [(row.before or "(none)", row.name, row.after, "person" if row.person else "", row.needs) for row in MOVES]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = []
    for row in rows:
        mark = ">" if row[0] == state else " "
        cells = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False))
        lines.append(f"{mark} {cells}  {row[4]}")
    return lines
