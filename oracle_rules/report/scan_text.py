"""An inventory for people: each finding with its place, what it does, and what to put in its stead.

Values in, text out. Knows no terminal.
"""

from __future__ import annotations

from ..entropy.hit import Category, Hit, Rule, Use
from ..entropy.judge import Finding, Inventory
from .printable import printable

MOST = 120  # characters of what stood there before, which may be a whole table of cases
# How a source uses what it names, between the name and what it does; a call needs no word.
_USED = {Use.CALL: "", Use.REFERENCE: ", not called here,", Use.IMPORT_CALL: ", called at import,",
         Use.IMPORT_REFERENCE: ", bound at import,"}
_KINDS = {"silence": ("silences a test", "silence tests"),
          "assertion": ("makes a test say less", "make tests say less")}


def text(found: Inventory, *, colour: bool) -> str:
    """The report, one finding after the other, a summary at the end."""
    lines = [line for finding in found.findings for line in _finding(finding, colour=colour)]
    return "\n".join([*lines, *_summary(found)]) + "\n"


def says(hit: Hit) -> str:
    """One sentence about a hit, by its rule; without the full stop."""
    name = f" ({hit.name})" if hit.name and hit.name not in (hit.expression, f"builtins.{hit.expression}") else ""
    return printable(hit.rule.sentence.format(
        written=hit.expression, expression=f"{hit.expression}{name}{_USED[hit.use]}", before=_cut(hit.before or ""),
        form=hit.form, says=hit.rule.says))


def advice(rule: Rule) -> str:
    """What to do about a hit, with its category where it has one; without the full stop."""
    return rule.seam if rule.category is None else f"{rule.category.value}: {rule.seam}"


def place(hit: Hit) -> str:
    """`path:line:column`, as editors read it."""
    return f"{printable(hit.path)}:{hit.span.line}:{hit.span.column}"


def _finding(finding: Finding, *, colour: bool) -> list[str]:
    hit = finding.hit
    shown = place(hit)
    note = "" if finding.refuses else "note: "
    if colour:
        shown = f"\x1b[1m{shown}\x1b[0m"
    where = f" (in {printable(hit.scope)})" if hit.scope else ""
    return [f"{shown}: {note}{hit.rule.id}: {says(hit)}{where}", f"    {advice(hit.rule)}"]


def _summary(found: Inventory) -> list[str]:
    files = f"{found.files} file{'' if found.files == 1 else 's'}"
    if not found.findings:
        return [f"nothing found in {files}"]
    deciding = sum(finding.refuses for finding in found.findings)
    become, never = found.count(Category.FIXTURE), found.count(Category.NEVER)
    counts = [f"{become} become{'s' if become == 1 else ''} a fixture or seam", f"{never} must not run while scoring"]
    for kind, (one, more) in _KINDS.items():
        if number := found.of_kind(kind):
            counts.append(f"{number} {one if number == 1 else more}")
    lines = [f"{_plural(len(found.findings))} in {files}: {', '.join(counts)}"]
    if deciding != len(found.findings):
        lines.append(f"{deciding} of them refuse, the others are notes")
    return [*lines, f"again: {found.again}"] if found.again else lines


def _cut(text: str) -> str:
    return text if len(text) <= MOST else text[: MOST - 1] + "…"


def _plural(number: int) -> str:
    return f"{number} finding{'' if number == 1 else 's'}"
