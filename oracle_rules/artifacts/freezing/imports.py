"""Reads the ledgers that people have into native rows, and says what each row lacks. Invents no value.

A row that has no id of its own is called as what it freezes. A value that the source doesn't give stays None; in the
native form that is a null, which `parse_freeze` refuses. Knows no day; laws are held on the finished ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import document
from ..document import Field
from .laws import quoted
from .ledger import CLASS_ALIASES, day, is_day
from .shapes import ACTIONS, ASKS, BUDGET, DAYS, FLAGS, ORDER, QUARANTINE, SHAPES, Shape
from .strict_yaml import read_yaml
from .tables import KINDS

_REMEDY = "an import reads: " + "; ".join(f"{shape.name}: {shape.says}" for shape in SHAPES)
_ANSWERS = "answers are {budget, rows: {id of the row: {field: value}}}; they fill what the import lacks"
_MOST = 1_000_000
_NEEDS = {kind.name: kind.needs for kind in KINDS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Native rows in the making: each has an id; a field that is not known is not there."""

    budget: int | None
    rows: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """One thing that a person has to say; `row` is empty for the ledger itself."""

    row: str
    field: str
    question: str


def read_foreign(data: bytes, *, path: str, shape: str = "") -> Draft:
    """A ledger of any shape; `shape` names it where its keys don't. Raises IncompleteError."""
    top = _read(data, path)
    found = _draft(top, next((row for row in SHAPES if row.name == shape), None) or _detected(top))
    for name, count in Counter(row["id"] for row in found.rows).items():
        if count > 1:
            top.fail(f"has {count} rows that are called {name!r}")
    return found


def _draft(top: Field, chosen: Shape) -> Draft:
    if chosen.name == "excluded":
        return _excluded(top)
    if chosen.name == "profile":
        return _profile(top)
    if chosen.name == "register":
        return Draft(budget=None, rows=tuple(_register_row(name, row, chosen) for name, row in top.members()))
    fields = top.closed((chosen.key,), ("budget",))
    return Draft(budget=_budget(fields), rows=tuple(_row(row, chosen) for row in fields[chosen.key].items()))


def answered(draft: Draft, data: bytes, *, path: str) -> Draft:
    """The draft with a person's answers. Raises IncompleteError for one that fits nothing, or that is given already."""
    fields = document.read(data, path=path, remedy=_ANSWERS).closed((), ("budget", "rows"))
    budget = _budget(fields)
    if "budget" in fields and draft.budget is not None and budget != draft.budget:
        fields["budget"].fail(f"is given as {draft.budget} in what is imported")
    rows = {row["id"]: dict(row) for row in draft.rows}
    for name, answer in fields["rows"].members() if "rows" in fields else ():
        if name not in rows:
            answer.fail(f"is no row of the import; its rows are {', '.join(rows) or 'none'}")
        for field, value in answer.closed((), ORDER[1:]).items():
            said = _value(field, value)
            if said is not None and rows[name].get(field, said) != said:
                value.fail(f"is given as {rows[name][field]!r} in what is imported")
            rows[name] |= {} if said is None else {field: said}
    return Draft(budget=draft.budget if budget is None else budget, rows=tuple(rows.values()))


def lacking(draft: Draft) -> tuple[Lack, ...]:
    """What a person has to be asked, in the order of the rows."""
    found = [] if draft.budget is not None else [Lack(row="", field=BUDGET.field, question=BUDGET.question)]
    for row in draft.rows:
        wanted = _wanted(row)
        found += [Lack(row=row["id"], field=ask.field, question=ask.question) for ask in ASKS if ask.field in wanted]
    return tuple(found)


def native(draft: Draft) -> dict[str, Any]:
    """The native document; null where a person is asked."""
    rows: list[dict[str, Any]] = []
    for row in draft.rows:
        full = {"agent_may_extend": False, **dict.fromkeys(_wanted(row)), **row}
        rows.append({name: full[name] for name in ORDER if name in full})
    return {"budget": draft.budget, "rows": rows}


def _wanted(row: Mapping[str, Any]) -> Sequence[str]:
    """The fields that the row lacks: those of every row, and what its class needs unless the evidence quotes it."""
    always = ("class", "seam", "evidence", "owner", "last_green", "expires")
    found = [] if "property" in row or "nodeid" in row else ["nodeid"]
    found += [name for name in always if name not in row]
    kind = CLASS_ALIASES.get(row.get("class", ""), row.get("class", ""))
    needs = _NEEDS.get(kind, "")
    if needs and needs not in row and not quoted(kind, row.get("evidence", "")):
        found.append(needs)
    return found


def _read(data: bytes, path: str) -> Field:
    """JSON where the name or the first character says so, else YAML."""
    if path.endswith(".json") or data.lstrip()[:1] in (b"{", b"["):
        return document.read(data, path=path, remedy=_REMEDY)
    return read_yaml(data, path=path, remedy=_REMEDY)


def _detected(top: Field) -> Shape:
    held = [name for name, _ in top.members()]
    shapes = [shape for shape in SHAPES if shape.key in held]
    if len(shapes) > 1:
        top.fail(f"could be {' or '.join(shape.name for shape in shapes)}; say which with --shape")
    if not shapes and not held:
        top.fail("holds nothing")
    return shapes[0] if shapes else SHAPES[-1]


def _excluded(top: Field) -> Draft:
    fields = top.closed(("excluded_property_ids",), ("reason",))
    reasons = dict(fields["reason"].members()) if "reason" in fields else {}
    rows: list[Mapping[str, Any]] = []
    for item in fields["excluded_property_ids"].items():
        name = item.words()
        given = {"evidence": reasons[name].words()} if name in reasons else {}
        rows.append({"id": name, "property": name, **given})
    for name in reasons.keys() - {row["id"] for row in rows}:
        reasons[name].fail("gives a reason for a property id that is not excluded")
    return Draft(budget=None, rows=tuple(rows))


def _profile(top: Field) -> Draft:
    """Only the list is ours; the rest of a profile is for `oracle_profile`."""
    fields = dict(top.members())
    if "freeze" not in fields:
        top.fail("has no 'freeze'")
    names = [item.words() for item in fields["freeze"].items()]
    return Draft(budget=None, rows=tuple({"id": name, **({"nodeid": name} if "::" in name else {})} for name in names))


def _register_row(name: str, row: Field, shape: Shape) -> Mapping[str, Any]:
    held = dict(row.members())
    for key in ACTIONS:
        if key in held and held[key].words().casefold() not in QUARANTINE:
            held[key].fail("allows more than quarantine")
    found = _fields(row, shape, ACTIONS)
    if found.setdefault("nodeid", name) != name:
        row.fail(f"is kept under another node id, {name!r}")
    return {"id": name, **found}


def _row(row: Field, shape: Shape) -> Mapping[str, Any]:
    found = _fields(row, shape, ())
    if "property" in found and "nodeid" in found:
        row.fail("needs exactly one of 'property' and 'nodeid'")
    name = found.pop("id", None) or found.get("property") or found.get("nodeid")
    if name is None:
        row.fail("has neither id, property nor nodeid: nobody can say what it freezes")
    return {"id": name, **found}


def _fields(row: Field, shape: Shape, more: tuple[str, ...]) -> dict[str, Any]:
    """Our fields of a row of theirs; what is null there is not known. Two of theirs may not say one of ours."""
    ours = dict(shape.fields)
    found: dict[str, Any] = {}
    for key, field in row.closed((), (*ours, *more)).items():
        name = ours.get(key, "")
        if shape.name == "register" and key == "last_green" and not is_day(field.value):
            name = "last_green_revision"
        value = _value(name, field) if name else None
        if value is not None and found.setdefault(name, value) != value:
            field.fail(f"says {name} a second time, and otherwise")
    return found


def _value(name: str, field: Field) -> Any:
    if field.value is None:
        return None
    if name in FLAGS:
        return field.flag()
    if name in DAYS:
        return day(field).isoformat()
    if type(field.value) is int and field.places is not None:
        return str(field.value)  # in YAML a revision of digits is still a text
    return field.words()


def _budget(fields: Mapping[str, Field]) -> int | None:
    given = fields.get("budget")
    return None if given is None or given.value is None else given.integer(0, _MOST)
