"""The laws of a journal: what it may not say, alone and beside what it names. Each broken one is a Violation.

Reading has settled its form. Needs the day for nothing: a freeze that is over asks its seeds again and breaks no law.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..domains.lock import LockedDomain
from ..domains.member import contains
from ..freezing.persons import why_no_person
from ..violation import Violation
from .journal import Journal, Tools, case_path
from .realised import Realised
from .states import FROZEN, LOCKED

_MEND = "let a person restore the journal, or hunt again: `oracle-rules journal hunt {id} --seeds 1..20`"


def check_journal(journal: Journal, *, property_id: str, domain: LockedDomain | None,
                  cases: Mapping[str, Realised], suite: bool = False) -> tuple[Violation, ...]:
    """Every law that this journal breaks; `cases` are its realised cases by path.

    Those of a `suite` are arguments of its tests, drawn by their own strategies: no domain holds them.
    """
    return tuple(Violation(code="journal_unlawful", subject=journal.path, detail=f"{journal.id}: {detail}",
                           remedy=_MEND.format(id=property_id), row=row)
                 for row, detail in _problems(journal, property_id, domain, {} if suite else cases))


def _problems(journal: Journal, property_id: str, domain: LockedDomain | None,
              cases: Mapping[str, Realised]) -> Iterator[tuple[str, str]]:
    if journal.id != property_id:
        yield "journal-of-another", f"is the journal of {journal.id}, not of {property_id}"
    if domain is None:
        yield "journal-without-domain", "its property has no locked domain that a seed could draw from"
    if journal.hits != len(journal.cases):
        yield "journal-hits", f"says {journal.hits} hits and has {len(journal.cases)} realised cases"
    unhit = [path for path in journal.cases if path not in {case_path(journal.path, seed) for seed in journal.seeds}]
    if unhit and not journal.short:
        yield "journal-case-without-seed", f"{unhit[0]} is of no replay seed"
    if journal.state in (LOCKED, FROZEN) and not journal.cases:
        yield "journal-locked-without-hit", f"is {journal.state} without a hit; what never hit is no evidence"
    if journal.state in (LOCKED, FROZEN) and not journal.short:
        why = "is missing" if journal.owner is None else why_no_person(journal.owner)
        if why is not None:
            yield "journal-owner", f"is {journal.state}, and its owner {why}"
    yield from _frozen(journal)
    yield from _cases(journal, domain, cases)


def _frozen(journal: Journal) -> Iterator[tuple[str, str]]:
    if journal.state == FROZEN and journal.freeze is None:
        yield "journal-frozen-without-end", "is replay-frozen and says no seed and no end"
    if journal.freeze is not None:
        if journal.state != FROZEN:
            yield "journal-frozen-unstated", f"freezes seeds, and its state is {journal.state}"
        beyond = sorted(set(journal.freeze.seeds) - set(journal.seeds))
        if beyond:
            yield "journal-frozen-beyond-replay", f"freezes seed {beyond[0]}, which is none of replay"


def _cases(journal: Journal, domain: LockedDomain | None, cases: Mapping[str, Realised]) -> Iterator[tuple[str, str]]:
    for path, case in cases.items():
        if (case.id, case_path(journal.path, case.seed)) != (journal.id, path):
            yield "journal-case-of-another", f"{path} is of seed {case.seed} of {case.id}"
        elif domain is not None and not contains(domain.domain, case.value):
            yield "journal-case-outside", f"{path} is no case of the locked domain"


def stale(journal: Journal, tools: Tools, domain: LockedDomain) -> str | None:
    """Why the seeds of this journal are history and no search key; None when they draw what they drew."""
    if journal.tools is None:
        return "it does not say which versions its seeds were drawn with"
    for name, was in journal.tools.document.items():
        now = tools.document[name]
        if was != now:
            return f"its seeds were drawn with {name} {was}, this is {name} {now}"
    if journal.domain != str(domain.fingerprint):
        return "its seeds were drawn from another locked domain"
    return None
