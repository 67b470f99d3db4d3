"""`journal strength`: which small faults in what a property runs it sees, and which it lets through."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import Exit, NothingError, UsageError
from ..gate.visible import visible
from ..keeping.journals import Journals
from ..mutation.measured import KILLED, SURVIVED, UNDECIDED, Measured, Tried
from ..protocol import canonical
from ..strength import strength
from . import common
from .interface import Output

SCHEMA = "oracle_rules/strength/v1"


def run_action(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0 when it was measured, whatever survives; 1 when the property is red without any fault."""
    if options.most < 1 or options.seconds < 1:
        raise UsageError("--most and --seconds are 1 or more", remedy="leave them out, or give a larger number")
    with common.repository(options) as repository, common.worker(options) as worker:
        test = Journals(repository).test(options.property_id)
        taken = strength(repository, worker, test, head=options.head, most=options.most, seconds=options.seconds,
                         today=common.today(options), progress=output.progress)
    output.clear()
    for finding in taken.refused:
        output.out(f"{finding.code} {visible(finding.subject)}: {visible(finding.detail)}\n"
                   f"    {visible(finding.remedy)}\n")
    measured = taken.measured
    if measured is None:
        return Exit.REFUSED
    if measured.broken is not None:
        return _broken(test.property_id, measured, measured.broken, taken.commit, output)
    if not measured.tried:
        raise NothingError(f"{test.property_id} runs nothing of the candidate into which a fault could be put",
                           where=", ".join(map(visible, measured.unread)) or taken.commit[:12],
                           remedy="see docs/strength.md for the faults that there are")
    if options.format == "json":
        document = _document(test.property_id, str(test.label), measured, taken.commit)
        output.out(canonical.dumps(document).decode("ascii"))
    else:
        output.out("".join(f"{line}\n" for line in _lines(test.property_id, measured, taken.commit)))
    return Exit.ACCEPT


def _broken(property_id: str, measured: Measured, verdict: Mapping[str, Any], commit: str, output: Output) -> Exit:
    output.out(f"{property_id} does not hold on {commit[:12]}: {verdict['reason']}: {visible(verdict['detail'])}\n"
               f"to see it: `oracle-rules replay {measured.action}`\n"
               "what is red already sees no fault; measure it where it holds: --head REV\n")
    return Exit.FALSIFIED


def _document(property_id: str, label: str, measured: Measured, commit: str) -> dict[str, Any]:
    return {"schema": SCHEMA, "property_id": property_id, "label": label, "commit": commit,
            "cases": measured.cases, "lines": measured.lines, "places": measured.places,
            "unread": list(measured.unread), "total": len(measured.tried),
            **{outcome: measured.count(outcome) for outcome in (KILLED, SURVIVED, UNDECIDED)},
            "mutants": [{"path": each.mutant.path, "line": each.mutant.line, "operator": each.mutant.operator,
                         "before": each.mutant.before, "after": each.mutant.after, "outcome": each.outcome,
                         "reason": each.reason, "detail": each.detail, "action": each.action,
                         "diff": each.mutant.diff} for each in _ordered(measured)]}


def _lines(property_id: str, measured: Measured, commit: str) -> Iterator[str]:
    tried = _ordered(measured)
    for each in (each for each in tried if each.outcome == SURVIVED):
        yield f"survived {_named(each)}"
        yield from (f"    {visible(line)}" for line in each.mutant.diff.splitlines())
        yield f"    to see it: `oracle-rules replay {each.action}`"
    for each in (each for each in tried if each.outcome == UNDECIDED):
        yield f"undecided {_named(each)}: {each.reason}: {visible(each.detail)}"
        yield f"    to see it: `oracle-rules replay {each.action}`"
    run = "all its lines, since a suite's can't be told apart" if measured.lines is None else (
        f"{sum(measured.lines.values())} lines of {len(measured.lines)} files that it runs")
    yield (f"{property_id} on {commit[:12]}: killed {measured.count(KILLED)}/{len(tried)}, "
           f"{measured.count(SURVIVED)} survived, {measured.count(UNDECIDED)} undecided")
    yield f"{len(tried)} of {measured.places} faults were tried, in {run}"
    for path in measured.unread:
        yield f"no fault was put into {visible(path)}, which it runs and which can't be read as Python here"


def _named(each: Tried) -> str:
    mutant = each.mutant
    return f"{visible(mutant.path)}:{mutant.line} {mutant.operator}: {_short(mutant.before)} -> {_short(mutant.after)}"


def _short(text: str) -> str:
    shown = visible(" ".join(text.split()))
    return f"`{shown if len(shown) <= 60 else f'{shown[:57]}...'}`"


def _ordered(measured: Measured) -> list[Tried]:
    return sorted(measured.tried, key=lambda each: (each.mutant.path, each.mutant.line, each.mutant.operator,
                                                    each.mutant.before, each.mutant.after))
