"""`fixtures`: holds the declared fixtures of the work tree against their laws, or writes the manifest row of one.

Rows are a person's to write: an agent's patch that changes a fixture or a manifest is refused whatever it says.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..artifacts.fixture_rows import Wish
from ..artifacts.violation import Violation
from ..asking.fixtures import check_tree, renewed
from ..errors import Exit, UsageError
from ..gate.codes import lookup
from ..gate.review import printable
from ..keeping.rewriting import replace_regular
from . import common, reports
from .interface import Output

HUMAN = "a manifest is a person's to change; a patch of an agent's that holds this change is refused"


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0 when every law is kept, and the exit code of the finding otherwise."""
    return _check(options, output) if options.action == "check" else _add(options, output)


def _check(options: argparse.Namespace, output: Output) -> Exit:
    """Exits as `score` would for these findings."""
    with common.repository(options) as found:
        count, findings = check_tree(found.worktree())
    return reports.laws(findings, f"{count} declared fixture{'' if count == 1 else 's'}, each as its row says", output)


def _add(options: argparse.Namespace, output: Output) -> Exit:
    for name in ("origin", "purpose"):
        text = getattr(options, name)
        if not text.strip() or any(ord(char) < 32 for char in text):
            raise UsageError(f"--{name} has to be one line that says something",
                             remedy="see `oracle-rules fixtures add --help`")
    wish = Wish(origin=options.origin, purpose=options.purpose, form=options.form,
                rewritable_by_agent=True if options.rewritable_by_agent else None)
    with common.repository(options) as found:
        if found.top is None:
            raise UsageError("a bare repository has no work tree", remedy="run this in a clone")
        path = _inside(options.file, found.top)
        answer = renewed(found.worktree(), path, wish)
        if isinstance(answer, Violation):
            output.out(f"{answer.code} {printable(path)}: {answer.detail}\n  {answer.remedy}\n")
            return lookup(answer.code).exit
        manifest, data = answer
        replace_regular(found.top / manifest, data)
    output.out(f"{manifest}: the row of {printable(path)} is written\n")
    output.err(HUMAN)
    return Exit.ACCEPT


def _inside(file: Path, top: Path) -> str:
    """The path of a file within the repository; its folders are resolved, the file itself is not followed."""
    place = file.parent.resolve() / file.name
    try:
        return place.relative_to(top.resolve()).as_posix()
    except ValueError:
        raise UsageError("is not in this repository", where=str(file), remedy="give --repository") from None
