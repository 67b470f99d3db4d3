"""The freeze ledgers of a work tree: which it declares, what they say, which laws they break, how one is written.

The work tree's own declarations count here, since a person is at work in it; a score reads base's. Prints nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from ..artifacts.freezing.collection import check_matches, exclude, named_files, still_collected
from ..artifacts.freezing.laws import check_freeze
from ..artifacts.freezing.ledger import Ledger, parse_freeze
from ..artifacts.violation import Violation
from ..errors import UsageError
from ..label import Label
from ..loading import load_workspace
from ..loading.targets import Freeze, PropertyTest
from ..scm import Repository
from .rewriting import replace_regular

_DECLARE = 'declare one in a BUILD.bazel: oracle_freeze(name = "freeze", ledger = "freeze.json")'


class Ledgers:
    """The ledgers that a work tree declares. Raises UsageError where it declares none, or is no work tree."""

    def __init__(self, repository: Repository) -> None:
        if repository.top is None:
            raise UsageError("has no work tree", remedy="run this in a clone that has one")
        self._top = repository.top
        self._tree = repository.worktree()
        targets = load_workspace(self._tree).targets
        self._tests = [target for target in targets.values() if isinstance(target, PropertyTest)]
        self._labels = {target.ledger: label for label, target in targets.items() if isinstance(target, Freeze)}
        if not self._labels:
            raise UsageError("declares no freeze ledger", where=str(self._top), remedy=_DECLARE)

    def paths(self, wanted: str | None) -> tuple[str, ...]:
        """The ledger that is wanted, or all of them."""
        if wanted is None:
            return tuple(sorted(self._labels))
        if wanted not in self._labels:
            raise UsageError("is no declared freeze ledger", where=wanted,
                             remedy=f"give one of {', '.join(sorted(self._labels))}")
        return (wanted,)

    def only(self, wanted: str | None) -> str:
        """The ledger that is wanted, or the only one."""
        paths = self.paths(wanted)
        if len(paths) > 1:
            raise UsageError(f"there are {len(paths)} freeze ledgers", remedy=f"say --ledger {' or '.join(paths)}")
        return paths[0]

    def data(self, path: str) -> bytes | None:
        """The bytes of a ledger, None where it is declared and missing."""
        return self._tree.read(path) if path in self._tree.entries else None

    def read(self, path: str) -> Ledger:
        """A ledger. Raises IncompleteError when it can't be read."""
        return parse_freeze(self.data(path), path=path)

    def broken(self, ledger: Ledger, *, today: date) -> tuple[Violation, ...]:
        """Every law that this ledger breaks here on that day."""
        sources: Mapping[str, bytes] = {path: self._tree.read(path) for path in named_files(ledger)
                                        if path in self._tree.entries}
        own = self._labels[ledger.path]
        return (*check_freeze(ledger, today=today),
                *check_matches(ledger, {test.property_id for test in self._tests}, sources),
                *still_collected(ledger, self._collected(ledger, own)))

    def write(self, path: str, data: bytes) -> None:
        """Puts a ledger in the place of the old one."""
        replace_regular(self._top / path, data)

    def _collected(self, ledger: Ledger, own: Label) -> list[str]:
        """The property ids that a score would keep as far as this ledger is concerned."""
        taken = set(exclude([test.property_id for test in self._tests if test.freeze == own], ledger).frozen)
        return [test.property_id for test in self._tests if test.freeze != own or test.property_id not in taken]
