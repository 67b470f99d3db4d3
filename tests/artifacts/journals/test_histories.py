"""Any history of moves: each journal in it keeps the laws, reads back as it was written, and may follow the one before."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from oracle_rules.artifacts.journals import moves
from oracle_rules.artifacts.journals.asked import asks
from oracle_rules.artifacts.journals.journal import Journal, Tools, case_seed, parse_journal
from oracle_rules.artifacts.journals.laws import check_journal
from oracle_rules.artifacts.journals.states import NoMove
from oracle_rules.gate.journal_lane import Kept, compare
from oracle_rules.gate.lanes import row_of

from .values import PATH, TOOLS, domain, realised

TODAY = datetime.date(2026, 1, 10)
ADA = "Ada Lindqvist"
SEEDS = st.integers(0, 9)
SOME = st.sets(SEEDS, max_size=3)
VERSIONS = st.sampled_from(["6.170.17", "6.170.18"])
PARENTS = st.sampled_from(["a" * 40, "b" * 40])


class Histories(RuleBasedStateMachine):
    """A journal, the versions of today, and what may be said of every journal that verbs write.

    The model beside it: `found`, every seed that ever hit, and `asked`, every seed that was ever named.
    """

    journal: Journal
    before: Journal | None
    version = "6.170.17"

    @initialize()
    def begin(self) -> None:
        self.before, self.found, self.asked = None, set[int](), set[int]()
        self.journal = moves.propose(PATH, property_id="p", selector="//:p", parent_sha="a" * 40, held_out=3)

    def go(self, after: Journal) -> None:
        self.before, self.journal = self.journal, after

    def attempt(self, act: Any, *states: str) -> None:
        """The move, which is there in exactly these states; what it asks for may be missing."""
        try:
            after = act()
        except NoMove:
            assert self.journal.state not in states
        except moves.Unmet:
            assert self.journal.state in states or not self.journal.cases
        else:
            assert self.journal.state in states
            self.go(after)

    @rule(version=VERSIONS)
    def bump(self, version: str) -> None:
        self.version = version

    @rule(hits=SOME, noise=SOME, missed=SOME, parent=PARENTS, locked=st.sampled_from([1, 2]))
    def hunt(self, hits: set[int], noise: set[int], missed: set[int], parent: str, locked: int) -> None:
        noise, missed = noise - hits, missed - hits - noise
        self.found |= hits
        self.asked |= hits | noise | missed
        was = self.journal
        self.go(moves.hunted(was, hits=sorted(hits), noise=sorted(noise), missed=sorted(missed), mixed=0,
                             parent_sha=parent, tools=Tools(**{**TOOLS, "hypothesis": self.version}),
                             domain=str(domain(max_examples=locked).fingerprint), today=TODAY))
        assert self.journal.state == ("hit" if hits else was.state) and hits <= set(self.journal.seeds)

    @rule(old=st.booleans(), owner=st.sampled_from([ADA, "ci-bot", ""]))
    def lock(self, old: bool, owner: str) -> None:
        was = self.journal
        self.attempt(lambda: moves.lock(was, owner=owner, stale="old" if old else None, hunt="h"), "hit")
        assert (self.journal is not was) == (was.state == "hit" and not old and owner == ADA)

    @rule(seeds=st.sets(SEEDS, max_size=2), day=st.integers(1, 28))
    def freeze(self, seeds: set[int], day: int) -> None:
        until = datetime.datetime(2026, 1, day, tzinfo=datetime.UTC)
        self.attempt(lambda: moves.freeze(self.journal, seeds=sorted(seeds), until=until, owner=ADA, today=TODAY),
                     "locked", "replay-frozen")

    @rule()
    def thaw(self) -> None:
        self.attempt(lambda: moves.thaw(self.journal, owner=ADA), "replay-frozen")

    @rule()
    def unlock(self) -> None:
        self.attempt(lambda: moves.unlock(self.journal, owner=ADA), "locked", "replay-frozen")

    @rule(seeds=st.sets(SEEDS, min_size=1, max_size=2))
    def saw(self, seeds: set[int]) -> None:
        self.asked |= seeds
        self.attempt(lambda: moves.saw(self.journal, seeds=sorted(seeds)), "proposed", "hit", "locked", "replay-frozen")
        assert seeds <= set(self.journal.replayed)

    @rule(commitment=st.sampled_from(["b" * 64, "c" * 64]))
    def commit(self, commitment: str) -> None:
        self.attempt(lambda: moves.commit(self.journal, commitment=commitment),
                     "proposed", "hit", "locked", "replay-frozen")

    @invariant()
    def keeps_the_laws(self) -> None:
        held = {path: realised(case_seed(path)) for path in self.journal.cases}
        assert check_journal(self.journal, property_id="p", domain=domain(), cases=held) == ()

    @invariant()
    def is_what_was_found(self) -> None:
        assert {case_seed(path) for path in self.journal.cases} == self.found
        assert self.journal.known == self.asked and set(self.journal.seeds) <= self.asked
        assert self.journal.state == "proposed" or self.found

    @invariant()
    def reads_back(self) -> None:
        again = parse_journal(self.journal.data, path=PATH)
        assert again.data == self.journal.data
        assert replace(again, noise=self.journal.noise, seen=self.journal.seen) == self.journal

    @invariant()
    def may_follow_what_was_before(self) -> None:
        before = None if self.before is None else _kept(self.before)
        assert [step for step in compare(PATH, before, _kept(self.journal)) if row_of(step).code is not None] == []

    @precondition(lambda self: self.journal.state in ("locked", "replay-frozen"))
    @invariant()
    def every_replay_seed_is_asked_or_frozen_and_every_case_is_asked(self) -> None:
        found = asks(self.journal, stale=False, today=TODAY)
        assert {*found.seeds, *found.frozen} == set(self.journal.replayed) and found.cases == self.journal.cases
        assert found.held_out == 3


def _kept(journal: Journal) -> Kept:
    return Kept(journal=journal, cases={path: realised(case_seed(path)).data for path in journal.cases})


TestHistories = Histories.TestCase
TestHistories.settings = settings(max_examples=60, stateful_step_count=15, deadline=None, derandomize=True)
