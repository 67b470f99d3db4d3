"""Reads what base's targets ask: their artifacts, checked, and what the gate and the artifacts' laws have to say.

Nothing is planned or run here: a finding means that no Action is made at all. Knows no cache, no worker and no verdict.
Longer than 300 lines because each kind of artifact is incomplete in a way of its own, and one class collects them all.
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from .. import workspace
from ..artifacts.domains.laws import check_filters, drawn_elsewhere, unlocked
from ..artifacts.domains.lock import LockedDomain, parse_domain_lock
from ..artifacts.freezing.collection import Debt, check_matches, debt, exclude, named_files, still_collected
from ..artifacts.freezing.laws import check_freeze
from ..artifacts.freezing.ledger import FreezeRow, Ledger, parse_freeze
from ..artifacts.profile import STANDARD, Profile, check_lock, declared_profile, parse_profile
from ..artifacts.seeds import parse_corpus
from ..artifacts.violation import Violation
from ..errors import IncompleteError, NothingError, TooLargeError
from ..gate.apart import hides
from ..gate.author import Author
from ..gate.codes import lookup
from ..gate.finding import Finding
from ..gate.lanes import Step, refused, unfit
from ..gate.review import from_violations, unusable
from ..label import Label
from ..lint.loads import unloadable
from ..lint.oracle import check_property
from ..loading import Workspace, targets
from ..loading.targets import Candidate, DomainLock, Fixtures, Freeze, PropertyTest
from ..scm import Tree
from ..workspace import Subject
from .fixtures import Held, read_fixtures
from .gating import Gating
from .journals import Remembered, remembered

Read = TypeVar("Read")
Decl = TypeVar("Decl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One property test with everything of base's that its Action needs, as bytes by workspace path."""

    test: PropertyTest
    cases: int
    oracle: Mapping[str, bytes] = field(repr=False)
    sources: tuple[str, ...]
    import_roots: tuple[str, ...]
    top_names: tuple[str, ...]
    domain: LockedDomain | None
    journal: Remembered | None = field(default=None, repr=False)
    profile: Profile
    requirements: tuple[str, bytes] | None = field(repr=False)

    @property
    def seeds(self) -> str:
        """The file of the committed cases; only a property has one, a suite does not."""
        assert self.test.seeds is not None
        return self.test.seeds


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenRow:
    """A row of a ledger as debt of that day, with the test that it takes out; None where it takes out none of these."""

    row: FreezeRow
    line: Debt
    today: datetime.date
    test: PropertyTest | None

    @property
    def property_id(self) -> str:
        """The property's id, empty for a row about a node id."""
        return self.row.property_id or ""


class Questions:
    """The questions of one subject; `findings` grows while they are read, each finding once."""

    def __init__(self, subject: Subject, *, standard: frozenset[str], today: datetime.date,
                 author: Author = Author.AGENT) -> None:
        self._subject = subject
        self._standard = standard
        self._today = today
        self._author = author
        self._gated: Gating | None = None
        self._found: dict[Finding, None] = dict.fromkeys(subject.untrusted)
        self._fixture_sets: dict[Label, Held | None] = {}
        self._frozen: list[FrozenRow] = []

    @property
    def frozen(self) -> tuple[FrozenRow, ...]:
        """The rows of the ledgers that the collected tests name, the most urgent of each ledger first."""
        return tuple(self._frozen)

    @property
    def day(self) -> datetime.date | None:
        """The day, where it is an input: a ledger is read, or signatures are asked for. None where none counts."""
        sides = (self._subject.declared, None if self._gated is None else self._gated.proposed)
        dated = any(isinstance(each, Freeze) or (isinstance(each, PropertyTest) and each.journal is not None)
                    for side in sides if side is not None for each in side.targets.values())
        return self._today if dated or self._subject.demands else None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What stands against asking, in the order in which it was found."""
        return tuple(self._found)

    @property
    def gated(self) -> Gating | None:
        """What the gate saw; None before it was asked."""
        return self._gated

    def gate(self) -> Gating:
        """Holds what differs between the sides against the gate's table, and a person's oracle against its laws."""
        self._gated = Gating(self._subject, author=self._author, today=self._today)
        self.add(self._gated.findings)
        if self._gated.proposed is not None:
            self.add(self._afterwards(self._gated.proposed))
        return self._gated

    def _afterwards(self, proposed: Workspace) -> tuple[Finding, ...]:
        """What a score would have against the proposed oracle once it is base, and has not against base's.

        What is said of a path already is not said again.
        """
        told = {finding.subject.partition(":")[0] for finding in self._found}
        now, later = (Questions(subject, standard=self._standard, today=self._today)._all()
                      for subject in (self._subject, self._subject.merged(proposed)))
        return unfit([found for found in later if found not in now and found.subject.partition(":")[0] not in told])

    def _all(self) -> tuple[Finding, ...]:
        """Every finding of every test."""
        try:
            for test in self.collect(self._subject.tests(()))[0]:
                self.ask(test)
                self.load(test)
        except NothingError as error:
            return refused([Step(subject="BUILD.bazel", sign="malformed", detail=str(error))])
        return self.findings

    def collect(self, tests: Sequence[PropertyTest]) -> tuple[tuple[PropertyTest, ...], tuple[str, ...]]:
        """What is left when the ledgers have taken out what they freeze, and the ids that they took.

        Laws are held on the ledgers that these tests name; no ledger of base may freeze a property that stays.
        """
        kept, frozen, ledgers = list(tests), set[str](), []
        named = {test.freeze for test in tests}
        for label, target in sorted(self._subject.declared.targets.items()):
            ledger = self._ledger(target) if isinstance(target, Freeze) else None
            if ledger is None:
                continue
            ledgers.append(ledger)
            if label in named and not (self._gated and self._gated.replaces(ledger.path)):
                self.add(from_violations(check_freeze(ledger, today=self._today)))
                self.add(from_violations(self._matches(ledger)))
            taken = exclude([test.property_id for test in kept if test.freeze == label], ledger).frozen
            if label in named:
                self._owe(ledger, [test for test in kept if test.freeze == label and test.property_id in taken])
            frozen.update(taken)
            kept = [test for test in kept if test.freeze != label or test.property_id not in taken]
        for ledger in ledgers:
            self.add(from_violations(still_collected(ledger, [test.property_id for test in kept])))
        return tuple(kept), tuple(sorted(frozen))

    def ask(self, test: PropertyTest) -> Question | None:
        """The question of one test, or None and findings when it can't be asked."""
        before, after = self._subject.candidate_of(test)
        if self._artifact(lambda: self._selects(before)) is None:
            return None
        names = workspace.import_names(before, self._standard)
        if self._subject.separate:
            self.add(hides(names, test.deps))
        needed = (test.property, *test.deps)
        cases = self._cases(test)
        sources = self._artifact(lambda: {path: self._needed(path) for path in needed})
        if test.selector is None:
            self.add(from_violations(drawn_elsewhere(sources or {})))
        fixtures, domain = self._fixtures(test), self._domain(test)
        journal = self._journal(test, domain)
        profile = self._artifact(lambda: self._profile(test, domain))
        wanted = before.requirements
        lock = None if wanted is None else self._artifact(lambda: self._needed(wanted))
        if cases is None or sources is None or fixtures is None or profile is None or not self._usable(after.srcs):
            return None
        if test.selector is None:
            self.add(from_violations(check_property(test.property, sources, candidate=frozenset(names),
                                                    fixtures=frozenset(fixtures), ids=self._ledger_ids(test))))
        if any(declared and not read for declared, read in (
                (test.domain_lock, domain), (test.journal, journal), (wanted, lock is not None))):
            return None
        return Question(
            test=test, cases=cases, oracle={**sources, **fixtures} | (
                {} if test.seeds is None else {test.seeds: self._needed(test.seeds)}),
            sources=tuple(path for path in after.srcs if path in self._subject.candidate.entries),
            import_roots=tuple(root or "." for root in before.import_roots),
            top_names=workspace.top_names(before), domain=domain, journal=journal, profile=profile,
            requirements=None if wanted is None or lock is None else (wanted, lock))

    def load(self, test: PropertyTest) -> None:
        """Finds a property that no run could load, for those who run nothing; where one runs, its verdict says so.

        One that a person's patch replaces is not asked about here: what takes its place is.
        """
        files = {path: data for path in (test.property, *test.deps) if (data := self._base(path)) is not None}
        replaced = self._gated is not None and any(map(self._gated.replaces, files))
        if test.property in files and not replaced and test.selector is None:
            self.add(from_violations(unloadable(test.property, files)))

    def ask_apart(self, test: PropertyTest) -> Question | Finding:
        """The question of one test, or why it can't be asked; leaves `findings` as they are."""
        kept, self._found = self._found, {}
        try:
            question = self.ask(test)
            return next(iter(self._found), None) or self._asked(question)
        finally:
            self._found = kept

    def _asked(self, question: Question | None) -> Question:
        assert question is not None  # what can't be asked has left a finding
        return question

    def too_large(self, error: TooLargeError) -> None:
        """A finding for sources of the candidate that are larger than an input may be."""
        code = lookup("output_limit")
        self.add([Finding(code=code.code, lane=code.lane, subject=error.where, row="source-too-large",
                           detail=error.detail, remedy=error.remedy, edits_oracle=False)])

    def _owe(self, ledger: Ledger, taken: Sequence[PropertyTest]) -> None:
        rows = {(row.id, row.thing): row for row in ledger.rows}
        for line in debt(ledger, self._today):
            row = rows[line.id, line.thing]
            tests = [test for test in taken if test.property_id == row.property_id]
            self._frozen += [FrozenRow(row=row, line=line, today=self._today, test=test) for test in tests or (None,)]

    def starved(self, violations: Iterable[Violation]) -> None:
        """Findings for drawn corpora that may not be asked."""
        self.add(from_violations(violations))

    def add(self, findings: Iterable[Finding]) -> None:
        """Further findings that stand against asking."""
        self._found.update(dict.fromkeys(findings))

    def _artifact(self, read: Callable[[], Read]) -> Read | None:
        """What a parser gives, or None and a finding when base's oracle is incomplete."""
        try:
            return read()
        except IncompleteError as error:
            code = IncompleteError.code
            self.add([Finding(code=code, lane=lookup(code).lane, subject=error.where, detail=error.detail,
                               row="oracle-incomplete", remedy=error.remedy, edits_oracle=False)])
            return None

    def _cases(self, test: PropertyTest) -> int | None:
        """How many cases, or tests of a suite, are committed; None and a finding where they can't be read."""
        path = test.seeds
        if path is None:
            return len(test.nodeids)
        seeds = self._artifact(lambda: parse_corpus(self._base(path), path=path))
        return None if seeds is None else len(seeds)

    def _base(self, path: str) -> bytes | None:
        return _read(self._subject.oracle, path)

    def _needed(self, path: str) -> bytes:
        data = self._base(path)
        if data is None:
            raise IncompleteError("is declared and missing", where=path, remedy="restore it in base")
        return data

    def _selects(self, before: Candidate) -> tuple[str, ...]:
        """The candidate's sources in base. What selects none there has no name that a property could import."""
        if not before.srcs:
            raise IncompleteError(f"oracle_candidate {before.label} selects no file in base",
                                  where=self._subject.declared.where(before.label),
                                  remedy="mend its srcs, or commit a first source to base")
        return before.srcs

    def _declared(self, label: Label, kind: type[Decl]) -> Decl:
        target = self._subject.target(label)
        assert isinstance(target, kind)  # loading has checked the rule of every label
        return target

    def _ledger(self, target: Freeze) -> Ledger | None:
        return self._artifact(lambda: parse_freeze(self._base(target.ledger), path=target.ledger))

    def _ledger_ids(self, test: PropertyTest) -> frozenset[str]:
        ledger = self._ledger(self._declared(test.freeze, Freeze)) if test.freeze is not None else None
        return ledger.ids if ledger is not None else frozenset()

    def _matches(self, ledger: Ledger) -> tuple[Violation, ...]:
        """The rows that freeze nothing; a test may stand beside the oracle, or in base of what is judged."""
        declared = {each.property_id for each in self._subject.declared.targets.values()
                    if isinstance(each, PropertyTest)}
        places = (self._subject.base, self._subject.oracle)  # what is read last counts
        sources = {path: data for place in places for path in named_files(ledger)
                   if (data := _read(place, path)) is not None}
        return check_matches(ledger, declared, sources)

    def _fixtures(self, test: PropertyTest) -> dict[str, bytes] | None:
        found: dict[str, bytes] = {}
        for label in test.fixtures:
            if label not in self._fixture_sets:
                target = self._declared(label, Fixtures)
                self._fixture_sets[label] = self._artifact(
                    functools.partial(read_fixtures, self._subject.oracle, target))
            held = self._fixture_sets[label]
            if held is None:
                return None
            known = {(finding.code, finding.subject) for finding in self._found}
            self.add(f for f in from_violations(held.violations) if (f.code, f.subject) not in known)
            found |= held.files
        return found

    def _domain(self, test: PropertyTest) -> LockedDomain | None:
        if test.domain_lock is None:
            return None
        path = self._declared(test.domain_lock, DomainLock).lock
        lock = self._artifact(lambda: parse_domain_lock(self._base(path), path=path, source=self._base))
        found = None if lock is None else lock.find(test.property_id)
        if lock is not None and found is None:
            self.add(from_violations([unlocked(path, test.property_id)]))
        return None if found is None else self._artifact(lambda: check_filters(found, test.deps))

    def _journal(self, test: PropertyTest, domain: LockedDomain | None) -> Remembered | None:
        path = test.journal
        if path is None or domain is None:
            return None
        found = self._artifact(lambda: remembered(self._subject.oracle, path, property_id=test.property_id,
                                                  domain=domain, suite=test.selector is not None))
        if found is not None and not (self._gated and self._gated.replaces(path)):
            self.add(from_violations(found.broken))
        return found

    def _profile(self, test: PropertyTest, domain: LockedDomain | None) -> Profile:
        """The profile that the test names; it may not contradict the test's lock."""
        if test.profile is None:
            return STANDARD
        target = self._declared(test.profile, targets.Profile)
        label, given = str(target.label), target.attributes
        found = declared_profile(given, label=label) if target.profile is None else parse_profile(
            self._base(target.profile), path=target.profile, label=label, attributes=given)
        if domain is not None:
            check_lock(found, property_id=test.property_id, max_examples=domain.max_examples, where=domain.path)
        return found

    def _usable(self, paths: Sequence[str]) -> bool:
        """Whether all of the candidate's paths can be inputs; a finding for each that can't."""
        problems = unusable(paths)
        self.add(problems)
        return not problems


def _read(tree: Tree, path: str) -> bytes | None:
    try:
        return tree.read(path)
    except KeyError:
        return None
