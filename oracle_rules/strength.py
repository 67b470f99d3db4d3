"""One measure of a property's strength from a work tree: the oracle that is there, over the sources of a commit.

Where deciding and doing meet; prints nothing and writes no file.
"""

from __future__ import annotations

import datetime
import sys
from dataclasses import dataclass

from .artifacts.journals.journal import Tools
from .asking.questions import Questions
from .gate.finding import Finding
from .loading.targets import PropertyTest
from .mutation.measured import Measured
from .scm import Repository
from .scoring.lanes import Lanes
from .scoring.planning import Progress
from .scoring.strength import Strength
from .worker import Worker
from .workspace import open_parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What was measured on which commit; `refused` says why nothing was."""

    commit: str
    measured: Measured | None
    refused: tuple[Finding, ...] = ()


def strength(repository: Repository, worker: Worker, test: PropertyTest, *, head: str, most: int, seconds: int,
             today: datetime.date, progress: Progress) -> Taken:
    """Asks what `score` asks in its replay lane of mutants of that commit. Raises UsageError and IncompleteError."""
    subject = open_parent(repository, head)
    questions = Questions(subject, standard=sys.stdlib_module_names, today=today)
    [known] = [each for each in subject.tests([str(test.label)]) if each.label == test.label]
    question = questions.ask(known)
    if question is None or questions.findings:
        return Taken(commit=subject.parent_id, measured=None, refused=questions.findings)
    lanes = Lanes(subject, tools=lambda: Tools(**worker.versions), secret=None, today=today)
    asked = next(lanes.asked(question))
    found = Strength(worker, progress, asked, subject.candidate).measure(most=most, seconds=seconds)
    return Taken(commit=subject.parent_id, measured=found)
