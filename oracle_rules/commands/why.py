"""`why`: which inputs of a target differ from those of its last run."""

from __future__ import annotations

import argparse
import datetime

from .. import history
from ..errors import Exit, UsageError
from ..evaluate import Evaluation
from . import common
from .interface import Output


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Prints one line for each changed input, with the old and the new digest."""
    if not options.patterns:
        raise UsageError("no target is named", remedy="give a label, such as `oracle-rules why //:name`")
    with common.repository(options) as found, common.worker(options) as worker:
        subject = common.subject(options, found)
        today = datetime.date.max  # no freeze row is judged here
        evaluation = Evaluation(subject, worker, today=today, progress=output.progress)
        plans, frozen = evaluation.plan(options.patterns)
        for name in frozen:
            output.out(f"{name}: is frozen, so that it does not run\n")
        for plan in plans:
            runs = history.recall(worker.cache_root, common.workspace_id(found), plan.label, plan.lane)
            now = history.Run(action=str(plan.action), inputs={k: str(v) for k, v in plan.inputs.items()})
            output.out("\n".join(_lines(_named(plan.label, plan.lane), now, runs)) + "\n")
    return Exit.ACCEPT


def _named(label: str, lane: str) -> str:
    return label if lane == common.LANE else f"{label} ({lane})"


def _lines(label: str, now: history.Run, runs: list[history.Run]) -> list[str]:
    if not runs:
        return [f"{label}: has not run here; {len(now.inputs)} inputs, action {now.action}"]
    if runs[0].action != now.action:
        return [f"{label}: would run, its inputs changed since the last run", *_changes(runs[0], now)]
    if len(runs) == 1:
        return [f"{label}: the inputs are those of its only run here, action {now.action}"]
    return [f"{label}: the inputs are those of the last run; against the run before it", *_changes(runs[1], runs[0])]


def _changes(before: history.Run, after: history.Run) -> list[str]:
    found = history.difference(before.inputs, after.inputs)
    if not found:
        return ["  command or environment of the Action"]
    return [f"  {path}\n    {old}\n    {new}" for path, old, new in found]
