"""`domain`: shows and draws locked domains, holds the work tree's locks to their laws, compares two states."""

from __future__ import annotations

import argparse
from typing import Any

from ..artifacts.domains.lock import LockedDomain
from ..errors import Exit
from ..gate.codes import lookup
from ..gate.review import printable
from ..keeping.locks import check_tree, compare_trees, no_row, read_locks, rows
from ..protocol import canonical
from . import common, reports
from .interface import Output


def run(options: argparse.Namespace, output: Output) -> Exit:
    """`show`, `draw` and `check` ask about the work tree, `compare` about two revisions."""
    if options.action == "draw":
        from .domain_draw import run_action
        return run_action(options, output)
    return {"show": _show, "check": _check, "compare": _compare}[options.action](options, output)


def _show(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0, and 2 for a property that no lock has."""
    with common.repository(options) as found:
        locks = read_locks(found.worktree())
    chosen = rows(locks, options.property_id)
    if options.property_id is not None and not chosen:
        raise no_row(options.property_id, [row.property_id for row in rows(locks, None)])
    if options.format == "json":
        output.out(canonical.dumps([_document(row) for row in chosen]).decode("ascii"))
    else:
        for row in chosen:
            shown = canonical.dumps(row.document).decode("ascii").rstrip("\n")
            output.out(f"{row.property_id}\n  lock         {printable(row.path)}\n  fingerprint  {row.fingerprint}\n"
                       f"  corpus       {row.corpus or 'not pinned'}\n  {shown}\n")
    return Exit.ACCEPT


def _document(row: LockedDomain) -> dict[str, Any]:
    return {"property_id": row.property_id, "lock": row.path, "fingerprint": row.fingerprint.as_json(),
            "canonical": row.document}


def _check(options: argparse.Namespace, output: Output) -> Exit:
    """Exits as `score` would for these findings; nothing is drawn."""
    with common.repository(options) as found:
        count, findings = check_tree(found.worktree())
    return reports.laws(findings, f"{count} locked domain{'' if count == 1 else 's'}, each as the laws want it", output)


def _compare(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 4 when a domain is narrower or gone at head, else 0."""
    with common.repository(options) as found:
        before = found.tree(found.resolve(options.base))
        after = found.worktree() if options.head is None else found.tree(found.resolve(options.head))
        narrowings, unproven = compare_trees(before, after)
    for each in narrowings:
        output.out(f"{each.code} {printable(str(each))} [{each.row}]\n  {lookup(each.code).remedy}\n")
    for line in unproven:
        output.out(f"not comparable {printable(line)}\n  read it: nothing proves what a predicate accepts\n")
    if not narrowings:
        output.out("no locked domain is narrower\n")
    return Exit.REFUSED if narrowings else Exit.ACCEPT
