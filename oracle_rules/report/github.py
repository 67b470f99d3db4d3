"""An inventory as annotations of GitHub's workflow commands. Values in, text out.

GitHub shows ten errors and ten notices a step; what is beyond is counted, not printed.
"""

from __future__ import annotations

from ..entropy.judge import Finding, Inventory
from .scan_text import says

MOST = 10


def commands(found: Inventory) -> str:
    """One command a line, errors first; a last notice says how many were cut."""
    lines = []
    for level, decides in (("error", True), ("notice", False)):
        every = [each for each in found.findings if each.refuses is decides]
        # The last notice is kept for the count of what was cut.
        most = MOST if decides else MOST - 1
        lines += [_command(level, each) for each in every[:most]]
        if len(every) > most:
            lines.append(f"::{level if not decides else 'notice'} title=oracle-rules::"
                         + data(f"{len(every) - most} more like these were cut; run `oracle-rules scan` for all"))
    return "".join(f"{line}\n" for line in lines)


def _command(level: str, finding: Finding) -> str:
    hit = finding.hit
    heading = hit.rule.category.value if hit.rule.category else hit.rule.says
    fields = {"file": hit.path, "line": hit.span.line, "endLine": hit.span.end_line, "col": hit.span.column,
              "endColumn": hit.span.end_column, "title": f"{hit.rule.id}: {heading}"}
    if hit.span.line != hit.span.end_line:
        del fields["col"], fields["endColumn"]  # GitHub takes columns on one line only
    shown = ",".join(f"{name}={value(str(given))}" for name, given in fields.items())
    return f"::{level} {shown}::{data(f'{says(hit)}. Instead: {hit.rule.seam}.')}"


def data(text: str) -> str:
    """The message of a command, escaped."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def value(text: str) -> str:
    """The value of a property of a command, escaped."""
    return data(text).replace(":", "%3A").replace(",", "%2C")
