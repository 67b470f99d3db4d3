"""`gate`: the merge packet of a patch: what it touches, and what `score` would find against it; nothing is run."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ..asking.merge import Merge
from ..asking.questions import Questions
from ..errors import Exit
from ..gate.packet import document
from ..protocol import canonical
from ..report.packet_markdown import packet_markdown
from ..report.packet_text import packet_text
from . import common, reports
from .interface import PACKET_FORMATS, Output


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Writes the packet; exits as `score` would for its findings alone, 0 when there is none."""
    wanted = reports.formats(options.formats or ["text"], PACKET_FORMATS)
    author = common.author(options)
    with common.repository(options) as found:
        subject = common.subject(options, found)
        questions = Questions(subject, standard=sys.stdlib_module_names, today=common.today(options), author=author)
        gated = questions.gate()
        for test in questions.collect(subject.tests(options.patterns))[0]:
            questions.ask(test)
            questions.load(test)
        merge = Merge(subject, gated, questions.findings, author=author, need_people=options.require_codeowners)
        packet = document(merge.packet(_words(options), today=questions.day))
    for form, place in wanted:
        reports.deliver(render(packet, form), place, output)
    return Exit(packet["exit"])


def render(packet: dict[str, Any], form: str) -> str:
    """A packet in one of the formats."""
    if form == "json":
        return canonical.dumps(packet).decode("ascii")
    return packet_markdown(packet) if form == "markdown" else packet_text(packet)


def _words(options: argparse.Namespace) -> list[str]:
    """What the command that shows it again has to say beside the sides, the author and the day."""
    return [*(["--require-codeowners"] if options.require_codeowners else []), *options.patterns]
