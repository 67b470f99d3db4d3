"""`freeze import`: another shape of ledger to the native one. What it doesn't say is asked for, never made up."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from ..artifacts.freezing.imports import Draft, answered, lacking, native, read_foreign
from ..artifacts.freezing.laws import check_freeze
from ..artifacts.freezing.layout import render
from ..artifacts.freezing.ledger import parse_freeze
from ..artifacts.freezing.shapes import SHAPES
from ..errors import Exit, UsageError
from ..keeping.rewriting import read_regular, replace_regular
from .freeze import broken_laws
from .interface import Output


def run_action(options: argparse.Namespace, output: Output, today: date) -> Exit:
    """Writes the ledger, or a draft of it beside it: exit 3 when something is asked for, 4 when a law is broken."""
    names = [shape.name for shape in SHAPES]
    if options.shape and options.shape not in names:
        raise UsageError(f"--shape {options.shape!r} is unknown", remedy=f"say one of {', '.join(names)}")
    out: Path = options.out
    if not out.parent.is_dir():
        raise UsageError("is in no folder that is there", where=str(out),
                         remedy="make the folder, or give another --out")
    data = read_regular(options.file)
    if out.exists() and not any(each.exists() and each.samefile(options.file) for each in (out, _beside(out))):
        raise UsageError("is there already", where=str(out), remedy="remove it first, or give another --out")
    draft = read_foreign(data, path=str(options.file), shape=options.shape)
    if options.answers is not None:
        draft = answered(draft, read_regular(options.answers), path=str(options.answers))
    lacks = lacking(draft)
    if lacks:
        for lack in lacks:
            output.out(f"{lack.row or 'the ledger'} lacks {lack.field}: {lack.question}\n")
        return _drafted(draft, out, output, Exit.INCOMPLETE)
    data = render(native(draft))
    found = check_freeze(parse_freeze(data, path=str(out)), today=today)
    if found:
        broken_laws(found, output)
        return _drafted(draft, out, output, Exit.REFUSED)
    replace_regular(out, data)
    output.out(f"{out}: {len(draft.rows)} rows, every law of the rows is kept on {today}\n")
    output.err("hold it against the declarations: oracle-rules freeze check")
    return Exit.ACCEPT


def _drafted(draft: Draft, out: Path, output: Output, status: Exit) -> Exit:
    place = _beside(out)
    replace_regular(place, render(native(draft)))
    output.err(f"{out} was not written; mend {place}, then: oracle-rules freeze import {place} --out {out}")
    return status


def _beside(out: Path) -> Path:
    return out.with_name(f"{out.stem}.draft.json")
