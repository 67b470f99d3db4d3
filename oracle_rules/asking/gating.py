"""Gates one subject: what differs between its sides, the table's rows for it, and a person's oracle against its laws.

Runs nothing and asks no property. Knows no target patterns and no ledger of base.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from .. import workspace
from ..gate.author import Author, Edit, allowed
from ..gate.codes import lookup
from ..gate.finding import Finding
from ..gate.lanes import Step
from ..gate.review import examine, forbidden, overlaps
from ..loading import Workspace
from ..workspace import Subject
from .fixtures import converted
from .proposal import Proposal


class Gating:
    """What the gate saw of one patch.

    `edits` is every change with the row that it fires, `admitted` those of a person that are held to the laws of the
    lanes, `steps` what these do to the oracle, `proposed` the declarations that they would leave (None without such
    changes, or when they can't be read), `findings` what stands against the patch.
    """

    def __init__(self, subject: Subject, *, author: Author, today: datetime.date) -> None:
        paths = workspace.oracle_paths(subject)
        self.edits: tuple[Edit, ...] = examine(subject.changes, paths, subject.link_targets())
        self.admitted = tuple(filter(allowed, self.edits)) if author is Author.HUMAN else ()
        self.steps: tuple[Step, ...] = ()
        self.proposed: Workspace | None = None
        found = [*forbidden(self.edits, author), *converted(subject.base, subject.candidate, paths.fixtures),
                 *overlaps(paths)]
        if author is Author.HUMAN and not subject.separate:
            proposal = Proposal(subject, self.admitted, today=today)
            self.steps, self.proposed = proposal.steps, proposal.declared
            found += proposal.findings
        self.findings: tuple[Finding, ...] = (*found, *_unselectable(subject))
        self._separate = subject.separate

    def replaces(self, path: str) -> bool:
        """Whether a person's patch brings another version of an artifact, which is held to the laws in place of base's.

        An expired row of a ledger could not be mended otherwise.
        """
        return not self._separate and any(edit.change.path == path for edit in self.admitted)


def _unselectable(subject: Subject) -> Iterator[Finding]:
    if subject.unselectable:
        code = lookup("import_failed")
        yield Finding(code=code.code, lane=code.lane, subject="", row="sources-unselectable", remedy=code.remedy,
                      detail=f"base's sources are not in the candidate: {subject.unselectable}", edits_oracle=False)
