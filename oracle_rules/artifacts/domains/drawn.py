"""What a drawn corpus has to add up to for its locked row: floors, pin, and that there is any case at all. Pure.

The counts are those of the generator's own wrappers. Knows nothing of how a corpus was come by.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...digest import Digest
from ..violation import Violation
from .lock import LockedDomain

_CODES = {
    "domain_undrawable": "let a person mend the domain or the filter; to draw again: `oracle-rules domain draw {id}`",
    "domain_starved": "let a person mend the filters or widen the domain until enough cases pass; to see the "
                      "counts: `oracle-rules domain draw {id}`",
    "corpus_drift": "restore what the drawing hangs on (domain, filters, versions), or let a person pin {digest}",
}


def counted(document: dict[str, Any]) -> dict[str, Any]:
    """The counts of a corpus in one shape, whichever form its domain has: the short form has no filter to say no."""
    counts = document["counts"]
    return {**counts, "accepted": counts.get("accepted", counts["drawn"]), "filters": counts.get("filters", [])}


def check_corpus(locked: LockedDomain, document: dict[str, Any], digest: Digest) -> tuple[Violation, ...]:
    """Why this corpus may not be asked; empty when it may. `digest` is that of the document's bytes."""
    return tuple(
        Violation(code=code, subject=locked.path, detail=f"{locked.property_id}: {detail}",
                  remedy=_CODES[code].format(id=locked.property_id, digest=digest))
        for code, detail in _problems(locked, document, digest))


def _problems(locked: LockedDomain, document: dict[str, Any], digest: Digest) -> Iterator[tuple[str, str]]:
    problem, counts = document.get("problem"), counted(document)
    if problem is not None:
        code = "domain_starved" if counts["drawn"] else "domain_undrawable"
        yield code, problem["detail"]
        return
    drawn, accepted, distinct = counts["drawn"], counts["accepted"], counts["distinct"]
    if locked.acceptance_floor is not None and accepted < locked.acceptance_floor * drawn:
        yield "domain_starved", (f"{accepted} of {drawn} drawn cases pass the filters, the locked share is "
                                 f"{locked.acceptance_floor}{_asked(counts)}")
    if locked.distinct_floor is not None and distinct < locked.distinct_floor:
        yield "domain_starved", f"{distinct} distinct cases were drawn, the locked floor is {locked.distinct_floor}"
    if locked.corpus is not None and locked.corpus != str(digest):
        yield "corpus_drift", f"the lock pins the corpus {locked.corpus}, {digest} was drawn"


def _asked(counts: dict[str, Any]) -> str:
    parts = [f"{each['predicate']} said yes {each['yes']} of {each['asked']} times" for each in counts["filters"]]
    return f" ({', '.join(parts)})" if parts else ""
