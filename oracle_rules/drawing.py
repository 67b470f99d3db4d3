"""What the locked domains of a work tree draw, as a score of it would draw them: where deciding and doing meet.

Asks the cache first. Judges no property and prints nothing.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .artifacts.domains.drawn import check_corpus, counted
from .artifacts.domains.lock import LockedDomain
from .asking.questions import Question, Questions
from .digest import Digest
from .errors import UsageError
from .gate.finding import Finding
from .gate.review import from_violations
from .loading.targets import PropertyTest
from .scoring.planning import Planner, Progress
from .worker import Worker
from .workspace import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What one target drew; `findings` says why it may not be asked. `corpus` is None where there is no case."""

    test: PropertyTest
    domain: LockedDomain | None = None
    corpus: Digest | None = None
    counts: Mapping[str, Any] | None = None
    findings: tuple[Finding, ...] = ()


def drawing_tests(subject: Subject, property_id: str | None) -> tuple[PropertyTest, ...]:
    """The targets that draw from a lock, of one property or of all. Raises UsageError for one that is a suite."""
    locked = [each for each in subject.tests(()) if each.domain_lock is not None]
    for test in locked:
        if test.selector is not None and test.property_id == property_id:
            raise UsageError("is a suite, which draws by itself while it runs", where=property_id,
                             remedy="score it; the second output of its Action says what was asked")
    return tuple(test for test in locked if test.selector is None and property_id in (None, test.property_id))


def draw(subject: Subject, worker: Worker, tests: tuple[PropertyTest, ...], progress: Progress) -> list[Drawn]:
    """The corpus of each, or why it has none, in their order."""
    # No day counts: neither a ledger nor what a journal asks is looked at.
    questions = Questions(subject, standard=sys.stdlib_module_names, today=datetime.date.min)
    asked = {test: questions.ask_apart(test) for test in tests}
    ready = {test: each for test, each in asked.items() if isinstance(each, Question)}
    corpora = dict(zip(ready, Planner(worker, progress).drawn(list(ready.values())), strict=True))
    found = []
    for test, each in asked.items():
        if isinstance(each, Finding):
            found.append(Drawn(test=test, findings=(each,)))
            continue
        assert each.domain is not None  # its target names a lock, and the lock has a row for it
        data, document = corpora[test]
        digest = Digest.of(data)
        found.append(
            Drawn(
                test=test,
                domain=each.domain,
                corpus=digest if document["cases"] else None,
                counts=counted(document),
                findings=from_violations(check_corpus(each.domain, document, digest)),
            )
        )
    return found
