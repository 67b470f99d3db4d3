"""`gate`: what a patch touches and what base's artifacts break, as `score` would find it; nothing is run."""

from __future__ import annotations

import argparse
import sys

from ..errors import Exit
from ..gate.decide import decide
from ..gate.review import printable
from ..questions import Questions
from . import common
from .interface import Output


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Prints each finding; exits as `score` would for these findings alone, 0 when there is none."""
    with common.repository(options) as found:
        subject = common.subject(options, found)
        questions = Questions(subject, standard=sys.stdlib_module_names, today=common.today(options),
                              author=common.author(options))
        questions.gate()
        for test in questions.collect(subject.tests(options.patterns))[0]:
            questions.ask(test)
        findings = questions.findings
    for finding in findings:
        output.out(f"{finding.code} {printable(finding.subject)}: {printable(finding.detail)} [{finding.row}]\n")
    if not findings:
        output.out("the gate has nothing against this patch; it has not been judged\n")
    return decide(findings, ()).exit if findings else Exit.ACCEPT
