"""The laws of a journal, as rows: what it may not say, alone and beside what it names. Each broken one is a Violation.

Reading has settled its form. Needs the day for nothing: a freeze that is over asks its seeds again and breaks no law.
The older short shape can't say its owner and seen seeds, and is not held to laws about them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ..domains.lock import LockedDomain
from ..domains.member import contains
from ..freezing.persons import why_no_person
from ..violation import Violation
from . import holdout
from .journal import Journal, Tools, case_path, case_seed
from .outcomes import HIT, OUTCOMES
from .realised import Realised
from .states import FROZEN, LOCKED, PROPOSED

_HITS = {reason for row in OUTCOMES if row.outcome == HIT for reason in row.reasons}
_AGAIN = "let a person restore the journal, or hunt again: `oracle-rules journal hunt {id} --seeds 1..20`"
_RESTORE = "let a person restore the journal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What the laws look at; `cases` are the realised cases by path. Those of a `suite` are arguments of its tests."""

    journal: Journal
    property_id: str
    domain: LockedDomain | None
    cases: Mapping[str, Realised]
    suite: bool

    @property
    def locked(self) -> bool:
        """Whether a score asks it."""
        return self.journal.state in (LOCKED, FROZEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """One row: what is demanded, what finds the details that break it, and what to do; `short` shapes are exempt."""

    name: str
    says: str
    broken: Callable[[Held], Iterator[str]]
    remedy: str = _AGAIN
    short: bool = True


def _of_another(held: Held) -> Iterator[str]:
    if held.journal.id != held.property_id:
        yield f"is the journal of {held.journal.id}, not of {held.property_id}"


def _without_domain(held: Held) -> Iterator[str]:
    if held.domain is None:
        yield "its property has no locked domain that a seed could draw from"


def _hits(held: Held) -> Iterator[str]:
    if held.journal.hits != len(held.journal.cases):
        yield f"says {held.journal.hits} hits and has {len(held.journal.cases)} realised cases"


def _unseen(held: Held) -> Iterator[str]:
    journal = held.journal
    for seed in (*journal.seeds, *journal.noise, *map(case_seed, journal.cases)):
        if seed not in journal.seen:
            yield f"was asked seed {seed}, and `seen` does not say so"
            return


def _saw(held: Held) -> Iterator[str]:
    if held.journal.generator_saw and not held.journal.shown:
        yield "says that held-out seeds were seen, and not which"


def _none_left(held: Held) -> Iterator[str]:
    journal = held.journal
    seen = journal.known | ({held.domain.seed} if held.domain is not None else set())
    if journal.commitment is None and not holdout.enough(journal.held_out, seen=seen):
        yield f"has seen {len(seen)} seeds, too many to hold out {journal.held_out} without a secret"


def _without_hit(held: Held) -> Iterator[str]:
    if held.journal.state != PROPOSED and not held.journal.cases:
        yield f"is {held.journal.state} without a hit; what never hit is no evidence"
    if held.journal.state == PROPOSED and held.journal.cases:
        yield "is proposed, and has a hit"


def _owner(held: Held) -> Iterator[str]:
    owner = held.journal.owner
    why = "is missing" if owner is None else why_no_person(owner)
    if held.locked and why is not None:
        yield f"is {held.journal.state}, and its owner {why}"


def _without_end(held: Held) -> Iterator[str]:
    freeze = held.journal.freeze
    if held.journal.state == FROZEN and (freeze is None or not freeze.seeds):
        yield "is replay-frozen and says " + ("no seed and no end" if freeze is None else "no seed")


def _unstated(held: Held) -> Iterator[str]:
    if held.journal.freeze is not None and held.journal.state != FROZEN:
        yield f"freezes seeds, and its state is {held.journal.state}"


def _beyond(held: Held) -> Iterator[str]:
    freeze = held.journal.freeze
    for seed in () if freeze is None else sorted(set(freeze.seeds) - set(held.journal.seeds))[:1]:
        yield f"freezes seed {seed}, which is none of replay"


def _case_of_another(held: Held) -> Iterator[str]:
    for path, case in held.cases.items():
        if (case.id, case_path(held.journal.path, case.seed)) != (held.journal.id, path):
            yield f"{path} is of seed {case.seed} of {case.id}"


def _case_no_hit(held: Held) -> Iterator[str]:
    for path, case in held.cases.items():
        if case.reason not in _HITS:
            yield f"{path} was kept for {case.reason}, which is no hit"


def _case_outside(held: Held) -> Iterator[str]:
    for path, case in held.cases.items():
        mine = (case.id, case_path(held.journal.path, case.seed)) == (held.journal.id, path)
        if mine and not held.suite and held.domain is not None and not contains(held.domain.domain, case.value):
            yield f"{path} is no case of the locked domain"


LAWS: tuple[Law, ...] = (
    Law(name="journal-of-another", broken=_of_another, remedy=_RESTORE,
        says="It is the journal of the property that names it."),
    Law(name="journal-without-domain", broken=_without_domain, remedy="let a person lock the property's domain",
        says="Its property has a locked domain."),
    Law(name="journal-hits", broken=_hits, says="As many hits as realised cases."),
    Law(name="journal-unseen", broken=_unseen, short=False,
        remedy="let a person restore `seen`, or move the seed to replay: `oracle-rules journal saw {id} --seeds SEEDS`",
        says="Every seed of replay, of noise and of a realised case has been seen."),
    Law(name="journal-saw-unnamed", broken=_saw,
        remedy="let a person name the seeds: `oracle-rules journal saw {id} --seeds SEEDS`",
        says="Where the generator saw held-out seeds it is said which; they are replayed."),
    Law(name="journal-none-left", broken=_none_left,
        remedy="let a person hold out by a secret: `oracle-rules journal commit {id} --secret-file FILE`",
        says="Enough seeds that nobody has seen are left to hold out."),
    Law(name="journal-without-hit", broken=_without_hit,
        says="Nothing is hit, locked or frozen without a hit, and what is proposed has none."),
    Law(name="journal-owner", broken=_owner, short=False,
        remedy='let a person take the lock back: `oracle-rules journal unlock {id} --owner "NAME" --why TEXT`',
        says="A person answers for what is locked or frozen."),
    Law(name="journal-frozen-without-end", broken=_without_end, remedy=_RESTORE,
        says="What is replay-frozen says which seeds, and until when."),
    Law(name="journal-frozen-unstated", broken=_unstated, remedy=_RESTORE,
        says="Seeds are frozen in the state replay-frozen alone."),
    Law(name="journal-frozen-beyond-replay", broken=_beyond, remedy=_RESTORE,
        says="Only replay seeds are frozen; nothing that is held out ever is."),
    Law(name="journal-case-of-another", broken=_case_of_another, remedy="let a person restore the case",
        says="A realised case is of the property and of the seed that its path says."),
    Law(name="journal-case-no-hit", broken=_case_no_hit, remedy="let a person restore the case",
        says="A realised case was kept for a reason that is a hit; a limit that was reached is noise."),
    Law(name="journal-case-outside", broken=_case_outside, remedy="let a person restore the case, or the domain",
        says="A realised case is one of the locked domain, unless it is of a suite."),
)  # fmt: skip


def check_journal(journal: Journal, *, property_id: str, domain: LockedDomain | None,
                  cases: Mapping[str, Realised], suite: bool = False) -> tuple[Violation, ...]:
    """Every law that this journal breaks; `cases` are its realised cases by path.

    Those of a `suite` are arguments of its tests, drawn by their own strategies: no domain holds them.
    """
    held = Held(journal=journal, property_id=property_id, domain=domain, cases=cases, suite=suite)
    return tuple(Violation(code="journal_unlawful", subject=journal.path, detail=f"{journal.id}: {detail}",
                           remedy=law.remedy.format(id=property_id), row=law.name)
                 for law in LAWS if not (journal.short and not law.short) for detail in law.broken(held))


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
