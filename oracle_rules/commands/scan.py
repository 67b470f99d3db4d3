"""`scan`: what in sources hangs on the moment, the machine or chance; of paths, or new in a patch."""

from __future__ import annotations

import argparse
import shlex

from .. import __version__
from ..entropy.judge import Inventory
from ..errors import Exit, UsageError
from ..protocol import canonical
from ..report import github, sarif, scan_json, scan_text
from ..scanning import scan_diff, scan_paths
from ..workspace import open_subject
from . import common, reports
from .interface import Output

FORMATS = ("text", "json", "sarif", "github")


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0 without findings that refuse, 4 with some, 2 when the sources can't be had."""
    places = reports.formats(options.formats or ["text"], FORMATS)
    if options.diff is not None and options.paths:
        raise UsageError("--diff and PATHS exclude each other", remedy="give one of them")
    found = _paths(options, output) if options.diff is None else _diff(options, output)
    output.clear()
    for form, place in places:
        reports.deliver(render(found, form, colour=output.colour and place is None), place, output)
    return Exit.REFUSED if found.refuses else Exit.ACCEPT


def render(found: Inventory, form: str, *, colour: bool) -> str:
    """An inventory in one of the FORMATS."""
    if form == "json":
        return canonical.dumps(scan_json.document(found)).decode("ascii")
    if form == "sarif":
        return canonical.dumps(sarif.document(found, version=__version__)).decode("ascii")
    return github.commands(found) if form == "github" else scan_text.text(found, colour=colour)


def _paths(options: argparse.Namespace, output: Output) -> Inventory:
    again = shlex.join(["oracle-rules", "scan", *(options.paths or ["."])])
    return scan_paths(options.paths, output.progress, again=again)


def _diff(options: argparse.Namespace, output: Output) -> Inventory:
    base, dots, head = options.diff.partition("..")
    if not base or dots and (not head or head.startswith(".")):
        raise UsageError(f"--diff {options.diff!r} is no range",
                         remedy="write BASE..HEAD, or BASE alone for uncommitted work")
    with common.repository(options) as repository:
        subject = open_subject(repository, base=base, head=head or None, worktree=not dots)
        side = f"..{subject.candidate_id}" if dots else ""
        again = shlex.join(["oracle-rules", "scan", "--diff", f"{subject.base_id}{side}"])
        return scan_diff(subject, output.progress, again=again, parent=repository.tree(subject.parent_id))

