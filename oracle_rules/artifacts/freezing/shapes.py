"""The shapes that people keep freezes in, as data: what each looks like and which of its fields means which of ours.

`imports.py` reads by these rows and the documentation is drawn from them. Knows no laws.
"""

from __future__ import annotations

from dataclasses import dataclass

# The fields of a native row in the order in which they are written.
ORDER = (
    "id", "property", "nodeid", "class", "seam", "evidence", "order", "skew", "owner", "last_green",
    "last_green_revision", "expires", "agent_may_extend",
)  # fmt: skip
DAYS = ("last_green", "expires")
FLAGS = ("agent_may_extend",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """`key` tells the shape by a key of its top object; `fields` gives our field for each of its own."""

    name: str
    key: str
    says: str
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What is asked of a person where an import doesn't say it."""

    field: str
    question: str


_SAME = tuple((name, name) for name in ORDER)
SHAPES = (
    Shape(name="native", key="rows", says="`{budget, rows}` with nulls, as an import leaves it", fields=_SAME),
    Shape(name="excluded", key="excluded_property_ids", says="`{excluded_property_ids, reason}`, a reason by each id"),
    Shape(name="freezes", key="freezes", says="`budget` and `freezes` rows, YAML or JSON", fields=_SAME),
    Shape(name="profile", key="freeze", says="a profile with a plain `freeze` list"),
    Shape(name="register", key="", says="an object of rows by node id, YAML or JSON", fields=(
        *((name, name) for name in ORDER if name not in ("id", "property", "nodeid", "agent_may_extend")),
        ("last green revision", "last_green_revision"), ("last_green_rev", "last_green_revision"),
        ("suspected_seam", "seam"), ("suspected seam", "seam"), ("test_id", "nodeid"),
    )),
)  # fmt: skip
# A register may say what may be done, and that is one thing.
ACTIONS = ("action", "allowed_action", "allowed action")
QUARANTINE = ("quarantine", "quarantine only")

ASKS = (
    Ask(field="nodeid", question="the exact node id, as pytest --collect-only -q prints it, or property: the id of a "
        "property"),
    Ask(field="class", question="order-dependent or time-dependent; anything else is not freezable"),
    Ask(field="seam", question="the clock, map, id or transport that it comes through"),
    Ask(field="evidence", question="what was seen, and in how many of how many runs"),
    Ask(field="order", question="an order that makes it red"),
    Ask(field="skew", question="a clock that makes it red"),
    Ask(field="owner", question="the person who mends it"),
    Ask(field="last_green", question="the day on which it last passed, YYYY-MM-DD"),
    Ask(field="expires", question="the last day on which it may be frozen, YYYY-MM-DD"),
)  # fmt: skip
BUDGET = Ask(field="budget", question="the number of rows that you allow yourselves")
