"""The freeze ledger: which properties and tests are known not to be evidence, who says so, and until when.

Two shapes are read: rows under a budget, which is the native one, and the short one that lists excluded property ids
with a reason each; `laws.py` refuses the short one until it is imported. Reading needs no date. A row about the node id
of an ordinary test freezes no property.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from ...digest import Digest
from .. import document
from ..document import Field

_REMEDY = (
    "a ledger is {budget, rows: [{id, property or nodeid, class, evidence, owner, expires, …}]}"
    "; write a value where null stands: an import leaves it for what a person has to say"
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)
_REQUIRED = ("id", "class", "evidence", "owner", "expires")
_OPTIONAL = ("nodeid", "property", "seam", "order", "skew", "last_green", "last_green_revision", "agent_may_extend")

# What teams write, and the class that it means. Any other word is kept as it stands.
CLASS_ALIASES = MappingProxyType({"clock": "time-dependent", "time": "time-dependent", "order": "order-dependent"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FreezeRow:
    """One frozen thing: exactly one of `property_id` and `nodeid` is set.

    `kind` is the ledger's `class` with its aliases resolved. `order` is an order that makes it red, `skew` a clock that
    does; both may be quoted in the evidence instead. `expires` is None only in the short shape. A text that the ledger
    leaves out is empty.
    """

    id: str
    property_id: str | None
    nodeid: str | None
    kind: str
    seam: str
    order: str
    skew: str
    evidence: str
    owner: str
    last_green: date | None
    last_green_revision: str
    expires: date | None
    agent_may_extend: bool

    @property
    def thing(self) -> str:
        """What is frozen: the property id, or the node id."""
        return self.property_id or self.nodeid or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """The rows in file order; `budget` is None only in the short shape, which has none."""

    path: str
    budget: int | None
    rows: tuple[FreezeRow, ...]
    digest: Digest

    @property
    def frozen_properties(self) -> frozenset[str]:
        """The property ids that must be absent from collection, expired rows included."""
        return frozenset(row.property_id for row in self.rows if row.property_id is not None)

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the rows: what a skip in place may name."""
        return frozenset(row.id for row in self.rows)

    @property
    def accounted(self) -> bool:
        """Whether the rows say class, owner and day at all; the short shape can't."""
        return self.budget is not None


def parse_freeze(data: bytes | None, *, path: str) -> Ledger:
    """Reads a ledger of either shape; None stands for one that is declared and missing. Raises IncompleteError."""
    top = document.read(data, path=path, remedy=_REMEDY)
    digest = Digest.of(data or b"")
    if "excluded_property_ids" in dict(top.members()):
        return Ledger(path=path, budget=None, rows=_short_rows(top), digest=digest)
    fields = top.closed(("budget", "rows"))
    rows = tuple(_row(row) for row in fields["rows"].items())
    return Ledger(path=path, budget=fields["budget"].integer(0, 1_000_000), rows=rows, digest=digest)


def _row(row: Field) -> FreezeRow:
    fields = row.closed(_REQUIRED, _OPTIONAL)
    if ("nodeid" in fields) == ("property" in fields):
        row.fail("needs exactly one of 'property' and 'nodeid'")
    kind = fields["class"].words()
    may_extend = fields["agent_may_extend"].flag() if "agent_may_extend" in fields else False
    return FreezeRow(
        id=fields["id"].words(),
        property_id=_optional_words(fields, "property") or None,
        nodeid=_optional_words(fields, "nodeid") or None,
        kind=CLASS_ALIASES.get(kind, kind),
        seam=_optional_words(fields, "seam"),
        order=_optional_words(fields, "order"),
        skew=_optional_words(fields, "skew"),
        evidence=fields["evidence"].words(),
        owner=fields["owner"].words(),
        last_green=day(fields["last_green"]) if "last_green" in fields else None,
        last_green_revision=_optional_words(fields, "last_green_revision"),
        expires=day(fields["expires"]),
        agent_may_extend=may_extend,
    )


def _short_rows(top: Field) -> tuple[FreezeRow, ...]:
    """The short shape: every excluded id needs its reason, and no reason may speak of another id."""
    fields = top.closed(("excluded_property_ids", "reason"))
    reasons = dict(fields["reason"].members())
    ids = [(item, item.words()) for item in fields["excluded_property_ids"].items()]
    for item, name in ids:
        if name not in reasons:
            item.fail(f"has no entry for {name!r} under 'reason': a property is not frozen in silence")
    for name, reason in reasons.items():
        if name not in {known for _, known in ids}:
            reason.fail("gives a reason for a property id that is not excluded")
    return tuple(_short_row(name, reasons[name].words()) for _, name in ids)


def _short_row(name: str, reason: str) -> FreezeRow:
    return FreezeRow(
        id=name, property_id=name, nodeid=None, kind="unclassified", seam="", order="", skew="", evidence=reason,
        owner="", last_green=None, last_green_revision="", expires=None, agent_may_extend=False,
    )  # fmt: skip


def _optional_words(fields: dict[str, Field], name: str) -> str:
    return fields[name].words() if name in fields else ""


def is_day(value: object) -> bool:
    """Whether the value is written as a day, of the calendar or not."""
    return isinstance(value, str) and _DATE.match(value) is not None


def day(field: Field) -> date:
    """A calendar day as YYYY-MM-DD; the other spellings of ISO 8601 are refused, people misread them."""
    text = field.words()
    if not is_day(text):
        field.fail(f"has to be a day written YYYY-MM-DD, this is {text!r}")
    try:
        return date.fromisoformat(text)
    except ValueError:
        field.fail(f"is not a day of the calendar: {text!r}")
