"""One hunt from a work tree: the oracle that is there, over the sources of a parent. Where deciding and doing meet.

Prints nothing and writes no file. Knows nothing of how a journal changes by what is found.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from .asking.questions import Questions
from .gate.finding import Finding
from .loading.targets import PropertyTest
from .scm import Repository
from .scoring.hunting import Hunt, Hunted
from .scoring.planning import Progress
from .shrinking.shrink import BUDGET
from .worker import Worker
from .workspace import open_parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a hunt found on which commit; `refused` says why nothing was hunted."""

    parent_sha: str
    seeds: tuple[Hunted, ...]
    refused: tuple[Finding, ...] = ()


def hunt(repository: Repository, worker: Worker, test: PropertyTest, seeds: Sequence[int], *, parent: str | None,
         path: str, today: datetime.date, budget: int | None, progress: Progress) -> Found:
    """Hunts these seeds; `path` is the journal's. Raises UsageError, IncompleteError and Malfunction."""
    subject = open_parent(repository, parent)
    questions = Questions(subject, standard=sys.stdlib_module_names, today=today)
    [known] = [each for each in subject.tests([str(test.label)]) if each.label == test.label]
    question = questions.ask(known)
    if question is None or questions.findings:
        return Found(parent_sha=subject.parent_id, seeds=(), refused=questions.findings)
    found = Hunt(worker, progress, question, parent_sha=subject.parent_id, side=subject.candidate).seeds(
        seeds, path=path, budget=BUDGET if budget is None else budget)
    return Found(parent_sha=subject.parent_id, seeds=tuple(found))
