"""`canon`: says which JSON files are not in canonical form, or brings them into it. Knows nothing of fixtures' rows."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from ..artifacts.fixture_forms import lost_number, not_canonical
from ..digest import Digest
from ..errors import Exit, UsageError
from ..keeping.rewriting import read_regular, replace_regular
from ..protocol import canonical
from .interface import Output

_MEND = "mend it, then run this again; no file was written"


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0 when every file is, or now is, in canonical form; 4 for one that isn't; UsageError for what is no JSON.

    Nothing is written where a number would become another one: UsageError with its place.
    """
    read = [(place, read_regular(place)) for place in options.files]
    # Everything is read and parsed before anything is written: a mistyped name leaves no half-done work.
    wanted = [_canonical(place, data) if options.write else None for place, data in read]
    if not options.write:
        return _check(read, output)
    for (place, data), new in zip(read, wanted):
        if new is None or data in (new, new[:-1]):
            continue
        replace_regular(place, new)
        output.out(f"{place}: written; sha256 {Digest.of(new).hash}\n")
        output.err(f"if it is a fixture, a person renews its row: oracle-rules fixtures add {shlex.quote(str(place))} "
                   "--origin 'human: NAME' --purpose 'WHAT THE BYTES SHOW'")
    return Exit.ACCEPT


def _check(read: list[tuple[Path, bytes]], output: Output) -> Exit:
    worst = Exit.ACCEPT
    for place, data in read:
        problem = not_canonical(data)
        if problem is not None:
            where = f"{place}:{problem.line}:{problem.column}" if problem.line else f"{place}"
            output.out(f"{where}: fixture_not_canonical: {problem.detail}\n")
            worst = Exit.REFUSED
    return worst


def _canonical(place: Path, data: bytes) -> bytes:
    try:
        wanted = canonical.dumps(canonical.loads(data))
    except ValueError as error:
        raise UsageError(f"is not JSON: {error}", where=str(place), remedy=_MEND) from None
    lost = lost_number(data)
    if lost is not None:
        raise UsageError(lost.detail, where=f"{place}:{lost.line}:{lost.column}", remedy=_MEND)
    return wanted
