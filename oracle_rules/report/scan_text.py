"""An inventory for people: each finding with its place, what it does, and what to put in its stead.

Values in, text out. Knows no terminal.
"""

from __future__ import annotations

from ..entropy.hit import Category, Hit
from ..entropy.judge import Finding, Inventory
from .printable import printable


def text(found: Inventory, *, colour: bool) -> str:
    """The report, one finding after the other, a summary at the end."""
    lines = [line for finding in found.findings for line in _finding(finding, colour=colour)]
    return "\n".join([*lines, *_summary(found)]) + "\n"


def says(hit: Hit) -> str:
    """One sentence about a hit: what is written, what it is, what it does."""
    if not hit.expression:
        return printable(f"{hit.form}: this source {hit.rule.says}")
    name = f" ({hit.name})" if hit.name and hit.name not in (hit.expression, f"builtins.{hit.expression}") else ""
    before = f", where {hit.before} stood" if hit.before is not None else ""
    return printable(f"{hit.expression}{name} {hit.rule.says}, {hit.use.value}{before}")


def place(hit: Hit) -> str:
    """`path:line:column`, as editors read it."""
    return f"{printable(hit.path)}:{hit.span.line}:{hit.span.column}"


def _finding(finding: Finding, *, colour: bool) -> list[str]:
    hit = finding.hit
    shown = place(hit)
    note = "" if finding.refuses else "note: "
    if colour:
        shown = f"\x1b[1m{shown}\x1b[0m"
    where = f" in {printable(hit.scope)}" if hit.scope else ""
    return [f"{shown}: {note}{hit.rule.id}: {says(hit)}{where}", f"    {hit.rule.category.value}: {hit.rule.seam}"]


def _summary(found: Inventory) -> list[str]:
    files = f"{found.files} file{'' if found.files == 1 else 's'}"
    if not found.findings:
        return [f"nothing found in {files}"]
    deciding = sum(finding.refuses for finding in found.findings)
    become, never = found.count(Category.FIXTURE), found.count(Category.NEVER)
    counts = f"{become} become{'s' if become == 1 else ''} a fixture or seam, {never} must not run while scoring"
    lines = [f"{_plural(len(found.findings))} in {files}: {counts}"]
    if deciding != len(found.findings):
        lines.append(f"{deciding} of them refuse, the others are notes")
    return [*lines, f"again: {found.again}"] if found.again else lines


def _plural(number: int) -> str:
    return f"{number} finding{'' if number == 1 else 's'}"
