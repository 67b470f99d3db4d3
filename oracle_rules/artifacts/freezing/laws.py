"""Holds a ledger against the laws of `tables.py`: one short predicate for each kind of law, a violation for each row.

A predicate answers None where the law is kept, and else what is wrong. The day is an argument. Knows nothing of targets
beyond their property ids; `matching.py` knows what a node id leads to.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import date

from ..violation import Violation
from ..words import look_alike
from .ledger import FreezeRow, Ledger
from .nodeid import problem
from .persons import why_no_person
from .tables import KINDS, LAWS, NO_EVIDENCE, NO_SEAM, Law

_WORD = re.compile(r"\w+")
_NUMBER = r"\b(\d[\d,]{0,11})"
_COUNT = re.compile(rf"{_NUMBER}\s?(?:of|in|out of|/)\s?(?:the )?(?:last )?{_NUMBER} (?:[\w-]+ ){{0,3}}?"
                    r"(?:runs?|builds?|jobs?|attempts?)\b", re.IGNORECASE)
_KINDS = {kind.name: kind for kind in KINDS}
_Check = Callable[[FreezeRow, Law, date], str | None]


def check_freeze(ledger: Ledger, *, today: date) -> tuple[Violation, ...]:
    """Every law that the ledger breaks by itself on that day, ordered by code and place.

    A row of the short shape breaks one law alone, that it can't be held to the others.
    """
    found = [violation(ledger, law, detail) for law in LAWS if law.scope == "ledger"
             for detail in LEDGER_CHECKS[law.check](ledger, law)]
    if ledger.accounted:
        found += [violation(ledger, law, f"{place(index, row, law.field)}: {detail}")
                  for index, row in enumerate(ledger.rows) for law in LAWS if law.scope == "row"
                  if (detail := ROW_CHECKS[law.check](row, law, today)) is not None]
    return tuple(sorted(found))


def violation(ledger: Ledger, law: Law, detail: str) -> Violation:
    """A broken law as a value; it names the law."""
    return Violation(code=law.code, subject=ledger.path, detail=detail, row=law.name,
                     remedy=law.remedy.format(path=ledger.path))


def place(index: int, row: FreezeRow, field: str) -> str:
    """Where in the ledger: `rows[0].owner (FZ-014)`."""
    return f"rows[{index}].{field} ({row.id})"


def quoted(kind: str, evidence: str) -> bool:
    """Whether the evidence stands for the class's field: it counts runs, and uses one of the words of the class."""
    known = _KINDS.get(kind)
    return known is not None and bool(_counts(evidence)) and bool(set(_words(evidence)) & set(known.words))


def _accounted(ledger: Ledger, _law: Law) -> Iterator[str]:
    if ledger.rows and not ledger.accounted:
        names = ", ".join(row.id for row in ledger.rows)
        yield f"excludes {names} without class, owner and day, so that no law can be held"


def _budget(ledger: Ledger, _law: Law) -> Iterator[str]:
    if ledger.budget is not None and len(ledger.rows) > ledger.budget:
        yield f"{len(ledger.rows)} rows, the budget is {ledger.budget}"


def _repeated(ledger: Ledger, law: Law) -> Iterator[str]:
    names: dict[str, str] = {}
    counted: Counter[str] = Counter()
    for row in ledger.rows if ledger.accounted else ():
        name = row.id if law.about == "id" else row.thing
        names.setdefault(_fold(name), name)
        counted[_fold(name)] += 1
    for folded, count in counted.items():
        if count > 1:
            yield f"{names[folded]!r} stands in {count} rows"


def _inexact(row: FreezeRow, _law: Law, _today: date) -> str | None:
    found = problem(row.nodeid) if row.nodeid is not None else None
    return f"{row.nodeid!r} {found}" if found else None


def _unknown_class(row: FreezeRow, _law: Law, _today: date) -> str | None:
    return None if row.kind in _KINDS else f"{row.kind!r} is none of {', '.join(_KINDS)}"


def _unfreezable_class(row: FreezeRow, _law: Law, _today: date) -> str | None:
    kind = _KINDS.get(row.kind)
    return f"{row.kind} is not freezable: {kind.instead}" if kind and not kind.freezable else None


def _unreproduced(row: FreezeRow, law: Law, _today: date) -> str | None:
    """A class whose field is empty, and whose evidence quotes nothing in its place."""
    kind = _KINDS.get(row.kind)
    if kind is None or kind.needs != law.about or quoted(row.kind, row.evidence):
        return None
    if not _empty(getattr(row, law.about)):
        return None
    return f"{row.kind} without {law.about}, and the evidence doesn't quote one (N of M runs, and how)"


def _says_nothing(row: FreezeRow, _law: Law, _today: date) -> str | None:
    own = set(_words(f"{row.id} {row.thing} {row.kind} {row.owner}"))
    said = set(_words(row.evidence)) - own - NO_EVIDENCE
    return None if len(said) >= 3 else f"{row.evidence!r} says nothing that could be checked"


def _never_varies(row: FreezeRow, _law: Law, _today: date) -> str | None:
    for red, runs in _counts(row.evidence):
        if not 0 < red < runs:
            return f"{red} of {runs} runs is no flake"
    return None


def _unknown_seam(row: FreezeRow, _law: Law, _today: date) -> str | None:
    return f"is {row.seam or 'left out'!r}" if _empty(row.seam) else None


def _no_person(row: FreezeRow, _law: Law, _today: date) -> str | None:
    why = why_no_person(row.owner)
    return f"{row.owner!r} {why}" if why else None


def _never_green(row: FreezeRow, _law: Law, _today: date) -> str | None:
    return "is left out" if row.last_green is None else None


def _future(row: FreezeRow, _law: Law, today: date) -> str | None:
    return f"{row.last_green} is after {today}" if row.last_green is not None and row.last_green > today else None


def _crossed(row: FreezeRow, _law: Law, _today: date) -> str | None:
    if row.expires is None or row.last_green is None or row.expires >= row.last_green:
        return None
    return f"{row.expires} is before last_green {row.last_green}"


def _expired(row: FreezeRow, _law: Law, today: date) -> str | None:
    """A row is good through the day that it names."""
    return f"{row.thing} expired on {row.expires}" if row.expires is not None and row.expires < today else None


def _extendable(row: FreezeRow, _law: Law, _today: date) -> str | None:
    return "is true" if row.agent_may_extend else None


def _counts(evidence: str) -> list[tuple[int, int]]:
    """Every `N of M runs` of an evidence, whatever kind of runs."""
    return [(int(red.replace(",", "")), int(runs.replace(",", ""))) for red, runs in _COUNT.findall(evidence)]


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _empty(text: str) -> bool:
    """Whether this stands for a seam, an order or a skew without saying one."""
    return all(word in NO_SEAM for word in _words(look_alike(text)))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


LEDGER_CHECKS: Mapping[str, Callable[[Ledger, Law], Iterator[str]]] = {
    "accounted": _accounted, "budget": _budget, "repeated": _repeated,
}
ROW_CHECKS: Mapping[str, _Check] = {
    "inexact": _inexact, "unknown_class": _unknown_class, "unfreezable_class": _unfreezable_class,
    "unreproduced": _unreproduced, "says_nothing": _says_nothing, "never_varies": _never_varies,
    "unknown_seam": _unknown_seam, "no_person": _no_person, "never_green": _never_green, "future": _future,
    "crossed": _crossed, "expired": _expired, "extendable": _extendable,
}
