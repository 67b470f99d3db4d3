"""The lanes of a score: what each question asks in `replay`, and what a locked journal holds out in `holdout`.

Held-out seeds are derived here and stand in no record; what a record says of them is how many, by which scheme, and a
digest that whoever derives them again can compare. Knows no verdict.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ..artifacts.journals import holdout
from ..artifacts.journals.asked import Asks, asks
from ..artifacts.journals.journal import Journal, Tools
from ..artifacts.journals.laws import stale
from ..artifacts.journals.realised import as_corpus
from ..artifacts.violation import Violation
from ..asking.journals import Remembered
from ..asking.questions import Question
from ..digest import Digest
from ..gate.finding import Finding
from ..gate.review import from_violations
from ..protocol import canonical
from ..record import HOLDOUT, JournalLine
from ..workspace import Subject
from .planning import Asked, usual

_AGAIN = "let a person run `oracle-rules journal hunt {id} --seeds {seeds}`, then lock it again"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """A journal on the day of the score: what it asks, and why its seeds are history, where they are."""

    asks: Asks
    stale: str | None


class Lanes:
    """The lanes of one subject; `findings` are those that stand beside what was judged, `refused` stand in its way."""

    def __init__(self, subject: Subject, *, tools: Callable[[], Tools], secret: bytes | None,
                 today: datetime.date) -> None:
        self._subject = subject
        self._tools = tools
        self._secret = secret
        self._today = today
        self.lines: list[JournalLine] = []
        self.findings: list[Finding] = []
        self.refused: list[Finding] = []

    def asked(self, question: Question) -> Iterator[Asked]:
        """What a question asks, lane by lane."""
        ask, kept = usual(question), question.journal
        if kept is None or question.domain is None:
            yield ask
            return
        journal = kept.journal
        why = stale(journal, self._tools(), question.domain)
        found = asks(journal, stale=why is not None, today=self._today)
        if found.row.name == "stale":
            self.findings += from_violations([_stale(journal, str(why), question)])
        seeds = self._held_out(question, kept, found)
        self.lines.append(self._line(question, journal, _Standing(asks=found, stale=why), seeds))
        drawn = tuple(dict.fromkeys((*ask.seeds, *found.seeds)))
        yield replace(ask, given=as_corpus(kept.given(found.cases)) if found.cases else None, seeds=drawn)
        if seeds:
            yield Asked(question=question, lane=HOLDOUT, committed=False, seeds=seeds)

    def _held_out(self, question: Question, kept: Remembered, found: Asks) -> tuple[int, ...]:
        journal, domain = kept.journal, question.domain
        assert domain is not None
        if not found.held_out:
            return ()
        given = None if self._secret is None else holdout.commitment(self._secret)
        if journal.commitment is not None and journal.commitment != given:
            said = "none was given" if given is None else f"the one that was given is committed to as {given}"
            self.refused += from_violations([Violation(
                code="holdout_secret_missing", subject=journal.path,
                detail=f"{journal.id}: seeds are held out by the secret that {journal.commitment} commits to, {said}",
                remedy="score with --secret-file FILE, the file of that secret")])
            return ()
        seen = {*journal.known, domain.seed}
        if self._secret is None:
            return holdout.from_parent(self._subject.parent_id, found.held_out, seen=seen)
        return holdout.from_secret(self._secret, parent_sha=self._subject.parent_id, property_id=journal.id,
                                   patch_tree=self._subject.candidate.id, wanted=found.held_out, seen=seen)

    def _line(self, question: Question, journal: Journal, standing: _Standing, seeds: tuple[int, ...]) -> JournalLine:
        by_secret = self._secret is not None
        return JournalLine(
            label=str(question.test.label), property_id=journal.id, state=journal.state, row=standing.asks.row.name,
            stale=standing.stale, cases=len(standing.asks.cases), seeds=standing.asks.seeds,
            frozen=standing.asks.frozen,
            frozen_until=None if journal.freeze is None else journal.freeze.until.isoformat(), today=self._today,
            held_out=len(seeds), scheme=holdout.SECRET if by_secret else holdout.PARENT,
            commitment=None if self._secret is None else holdout.commitment(self._secret),
            drawn=Digest.of(canonical.dumps(list(seeds))))


def _stale(journal: Journal, why: str, question: Question) -> Violation:
    return Violation(code="journal_stale", subject=journal.path,
                     detail=f"{journal.id}: {why}; its {len(journal.cases)} realised cases were asked all the same",
                     remedy=_AGAIN.format(id=question.test.property_id,
                                          seeds=",".join(map(str, sorted(journal.known))) or "1..20"))
