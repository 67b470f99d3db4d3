"""`gate`: what a patch touches, held against the gate's table; nothing is run."""

from __future__ import annotations

import argparse

from ..errors import Exit
from ..gate.review import overlaps, printable, review
from ..workspace import oracle_paths
from . import common
from .interface import Output


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Prints each finding; exit 4 when the gate refuses, 0 when it has nothing to say."""
    with common.repository(options) as found:
        subject = common.subject(options, found)
        paths = oracle_paths(subject)
        findings = (*review(subject.changes, paths, subject.link_targets()), *overlaps(paths))
    for finding in findings:
        output.out(f"{finding.code} {printable(finding.subject)}: {printable(finding.detail)} [{finding.row}]\n")
    if not findings:
        output.out("the gate has nothing against this patch; it has not been judged\n")
    return Exit.REFUSED if findings else Exit.ACCEPT
