"""`score`: judges a patch, remembers what each target read, writes the reports."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from .. import history
from ..errors import Exit, UsageError
from ..evaluate import Evaluation
from ..protocol import canonical
from ..record import record
from ..report.text import text
from ..workspace import parent_side
from . import common
from .interface import FORMATS, Output


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Scores and reports; the exit code is the decision's."""
    wanted = _formats(options.formats or ["text"])
    with common.repository(options) as found, common.worker(options) as worker:
        subject = common.subject(options, found)
        evaluation = Evaluation(subject, worker, today=common.today(options), progress=output.progress,
                                author=common.author(options))
        parent = parent_side(found, subject) if options.attribute else None
        score = evaluation.score(options.patterns, parent=parent)
        for plan in (row.plan for row in score.rows):
            history.remember(worker.cache_root, common.workspace_id(found), plan.label, plan.action, plan.inputs)
    output.clear()
    document = record(score)
    for form, place in wanted:
        if place is None:
            output.out(render(document, form, colour=output.colour))
        else:
            common.write(place, render(document, form, colour=False))
    return score.decision.exit


def render(document: dict[str, Any], form: str, *, colour: bool) -> str:
    """A record in one of the formats."""
    if form == "json":
        return canonical.dumps(document).decode("ascii")
    return text(document, colour=colour)


def _formats(given: list[str]) -> list[tuple[str, Path | None]]:
    found: list[tuple[str, Path | None]] = []
    for item in given:
        form, equals, place = item.partition("=")
        if form not in FORMATS or equals and not place:
            raise UsageError(f"--format {item!r} is none of {', '.join(FORMATS)}", remedy="write FORMAT or FORMAT=FILE")
        found.append((form, Path(place) if place else None))
    if sum(place is None for _, place in found) > 1:
        raise UsageError("two formats would share stdout", remedy="give all but one a file: --format json=record.json")
    return found
