"""`score`: judges a patch, remembers what each target read, writes the reports."""

from __future__ import annotations

import argparse
from typing import Any

from .. import history
from ..errors import Exit
from ..evaluate import APART, Evaluation
from ..protocol import canonical
from ..record import Score, record
from ..report.text import text
from ..scm import Repository
from ..unreadable import Unreadable
from ..worker import Worker
from ..workspace import parent_side
from . import common, reports
from .interface import FORMATS, Output


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Scores and reports; the exit code is the decision's."""
    wanted = reports.formats(options.formats or ["text"], FORMATS)
    with common.repository(options) as found, common.worker(options) as worker:
        try:
            score = _score(options, output, found, worker)
        except Unreadable as error:
            words = [*(["--attribute"] if options.attribute else []), *(APART if options.require_assurance else ())]
            score = error.score([*words, *options.patterns],
                                author=common.author(options), demands=common.demands(options))
    output.clear()
    document = record(score)
    for form, place in wanted:
        reports.deliver(render(document, form, colour=place is None and output.colour), place, output)
    return score.decision.exit


def _score(options: argparse.Namespace, output: Output, found: Repository, worker: Worker) -> Score:
    subject = common.subject(options, found)
    evaluation = Evaluation(subject, worker, today=common.today(options), progress=output.progress,
                            author=common.author(options), secret=common.secret(options, found),
                            apart=options.require_assurance is not None)
    parent = parent_side(found, subject) if options.attribute else None
    score = evaluation.score(options.patterns, parent=parent)
    for plan in (row.plan for row in score.rows):
        history.remember(worker.cache_root, common.workspace_id(found), plan.label, plan.lane, plan.action,
                         plan.inputs)
    return score


def render(document: dict[str, Any], form: str, *, colour: bool) -> str:
    """A record in one of the formats."""
    if form == "json":
        return canonical.dumps(document).decode("ascii")
    return text(document, colour=colour)
