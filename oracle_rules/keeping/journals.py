"""The journal of one property of a work tree, as the verbs for people read and write it.

The work tree's own declarations count here, since a person is at work in it. A property whose target declares no
journal yet has it where the declaration would be. Prints nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import relpath
from ..artifacts.domains.lock import LockedDomain, parse_domain_lock
from ..artifacts.journals.journal import Journal, parse_journal
from ..artifacts.journals.laws import check_journal
from ..artifacts.journals.realised import Realised, parse_realised
from ..artifacts.violation import Violation
from ..errors import UsageError
from ..loading import load_workspace
from ..loading.targets import DomainLock, PropertyTest
from ..scm import Repository
from .rewriting import replace_regular


class Journals:
    """The journals of a work tree. Raises UsageError where there is no work tree."""

    def __init__(self, repository: Repository) -> None:
        if repository.top is None:
            raise UsageError("has no work tree", remedy="run this in a clone that has one")
        self._top = repository.top
        self.folders = repository.folders
        self.tree = repository.worktree()
        self._targets = load_workspace(self.tree).targets
        self.tests = tuple(each for each in self._targets.values() if isinstance(each, PropertyTest))

    def test(self, name: str) -> PropertyTest:
        """The test of a property id or of a label. Raises UsageError."""
        for test in self.tests:
            if name in (test.property_id, str(test.label)):
                return test
        known = ", ".join(sorted(test.property_id for test in self.tests)) or "none"
        raise UsageError("is no property of this work tree", where=name, remedy=f"give one of {known}")

    def path(self, test: PropertyTest) -> str:
        """Where the journal of a test is, or would be."""
        return test.journal or relpath.join(test.label.package, f"oracles/{test.property_id}.json")

    def domain(self, test: PropertyTest) -> LockedDomain:
        """The locked domain of a test. Raises UsageError where it has none, IncompleteError for one that is broken."""
        target = None if test.domain_lock is None else self._targets[test.domain_lock]
        if isinstance(target, DomainLock):
            lock = parse_domain_lock(self.data(target.lock), path=target.lock, source=self.data)
            found = lock.find(test.property_id)
            if found is not None:
                return found
        raise UsageError("has no locked domain that a seed could draw from", where=str(test.label),
                         remedy=f"lock a domain for {test.property_id} and let the target name its domain_lock")

    def find(self, test: PropertyTest) -> Journal | None:
        """The journal of a test; None where it has no file. Raises IncompleteError."""
        data = self.data(self.path(test))
        return None if data is None else parse_journal(data, path=self.path(test))

    def read(self, test: PropertyTest) -> Journal:
        """The same. Raises UsageError where it has no file."""
        found = self.find(test)
        if found is None:
            raise UsageError("has no journal", where=test.property_id,
                             remedy=f"begin one: `oracle-rules journal propose {test.property_id}`")
        return found

    def cases(self, journal: Journal) -> dict[str, Realised]:
        """The realised cases of a journal by path. Raises IncompleteError for one that is missing."""
        return {path: parse_realised(self.data(path), path=path) for path in journal.cases}

    def broken(self, test: PropertyTest, journal: Journal) -> tuple[Violation, ...]:
        """Every law that a journal breaks here."""
        return check_journal(journal, property_id=test.property_id, domain=self.domain(test),
                             cases=self.cases(journal), suite=test.selector is not None)

    def write(self, journal: Journal, cases: Sequence[Realised] = ()) -> None:
        """Writes the cases, and then the journal that names them: whoever is cut off leaves nothing that is half told.

        A case that has a file keeps it: what was realised stays.
        """
        for path, data in [*((case.path, case.data) for case in cases), (journal.path, journal.data)]:
            if path == journal.path or not (self._top / path).exists():
                self.put(path, data)

    def put(self, path: str, data: bytes) -> None:
        """Puts a file beside a journal."""
        (self._top / path).parent.mkdir(parents=True, exist_ok=True)
        replace_regular(self._top / path, data)

    def data(self, path: str) -> bytes | None:
        """The bytes of a file of the work tree; None where there is none."""
        try:
            return self.tree.read(path)
        except KeyError:
            return None
