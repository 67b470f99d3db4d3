"""`--explain CODE`: what a reason code means, from the table that decides."""

from __future__ import annotations

import difflib

from ..errors import Exit, UsageError
from ..gate.codes import CATALOGUE
from .interface import Output


def run(code: str, output: Output) -> Exit:
    """Prints the row of the catalogue; UsageError for a code that is not in it."""
    found = CATALOGUE.get(code)
    if found is None:
        near = difflib.get_close_matches(code, CATALOGUE, n=3)
        raise UsageError(f"there is no reason code {code!r}",
                         remedy=f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(CATALOGUE)}")
    output.out(f"{found.code}\n  {found.meaning}\n  {found.remedy}\n  lane {found.lane}, exit {int(found.exit)} "
               f"({found.exit.name.lower()})\n")
    return Exit.ACCEPT
