"""`freeze draft`: what a pytest log suggests for each failing test. Writes nothing; a person adds the row."""

from __future__ import annotations

import argparse
import shlex
from datetime import date
from typing import Any

from ..artifacts.freezing.draft import Proposal, document, propose
from ..artifacts.freezing.junit import read_junit
from ..artifacts.freezing.pytest_text import read_text
from ..errors import Exit, UsageError
from ..keeping.rewriting import read_regular
from ..protocol import canonical
from .interface import Output


def run_action(options: argparse.Namespace, output: Output, today: date) -> Exit:
    """Exit 0 whatever it proposes, 2 when the file is no log of pytest's."""
    data = read_regular(options.log)
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        log = read_junit(data, path=str(options.log))
    else:
        log = read_text(data.decode("utf-8-sig", "replace"))
    if not log.tests:
        raise UsageError("names no test", where=str(options.log),
                         remedy="give the output of pytest -rA, or the file of pytest --junit-xml")
    proposals = propose(log, today=today)
    if options.format == "json":
        output.out(canonical.dumps(document(proposals)).decode("ascii"))
        return Exit.ACCEPT
    for each in proposals:
        output.out(_shown(each))
    if not proposals:
        output.out(f"{log.tests} tests, none failed\n")
    return Exit.ACCEPT


def _shown(each: Proposal) -> str:
    lines = [each.nodeid, f"  class     {each.kind or 'unknown'}{f' (rule {each.rule})' if each.rule else ''}"]
    lines += [f"  evidence  {line}" for line in each.evidence]
    lines += [f"  note      {note}" for note in each.notes]
    if each.instead:
        lines.append(f"  not freezable: {each.instead}")
    if each.row is not None:
        lines += [f"  seam      {each.row['seam'] or 'unknown'}", f"  expires   {each.row['expires']}",
                  f"  asks for  {', '.join(each.lacks)}", f"  {_command(each.row)}"]
    return "".join("".join(char if char.isprintable() else ascii(char)[1:-1] for char in line) + "\n" for line in lines)


def _command(row: Any) -> str:
    """The command that adds the row, with capitals where a person has to say something."""
    words = ["oracle-rules", "freeze", "add"]
    for name, value in row.items():
        if name != "agent_may_extend":
            words += [f"--{name.replace('_', '-')}", name.upper() if value is None else str(value)]
    return shlex.join(words)
