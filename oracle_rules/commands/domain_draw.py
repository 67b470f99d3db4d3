"""`domain draw`: what the work tree's locked domains draw, counted, and the digest that a lock can pin."""

from __future__ import annotations

import argparse
from typing import Any

from ..artifacts.domains.lock import LockedDomain
from ..digest import Digest
from ..drawing import Drawn, draw, drawing_tests
from ..errors import Exit
from ..gate.decide import decide
from ..gate.review import printable
from ..keeping.locks import no_row
from ..protocol import canonical
from ..workspace import open_worktree
from . import common
from .interface import Output

_SHORT_OF_FLOOR = ("domain_starved", "domain_undrawable")


def run_action(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0 when each corpus is what its lock asks for, else as `score` would for the same locks."""
    with common.repository(options) as found, common.worker(options) as worker:
        subject = open_worktree(found)
        tests = drawing_tests(subject, options.property_id)
        if options.property_id is not None and not tests:
            raise no_row(options.property_id, [test.property_id for test in drawing_tests(subject, None)])
        drawn = draw(subject, worker, tests, output.progress)
    output.clear()
    if options.format == "json":
        output.out(canonical.dumps([_document(each) for each in drawn]).decode("ascii"))
    else:
        for each in drawn:
            output.out("".join(f"{line}\n" for line in _lines(each)))
    if not drawn:
        output.err("no target of the work tree draws from a locked domain")
        return Exit.NOTHING
    findings = [finding for each in drawn for finding in each.findings]
    return decide(findings, ()).exit if findings else Exit.ACCEPT


def _document(drawn: Drawn) -> dict[str, Any]:
    domain = drawn.domain
    return {
        "property_id": drawn.test.property_id,
        "label": str(drawn.test.label),
        "lock": None if domain is None else domain.path,
        "corpus": None if drawn.corpus is None else str(drawn.corpus),
        "pinned": None if domain is None else domain.corpus,
        "counts": None if drawn.counts is None else dict(drawn.counts),
        "floors": None
        if domain is None
        else {"acceptance": domain.acceptance_floor, "distinct": domain.distinct_floor, "met": _met(drawn)},
        "reasons": [
            {"code": each.code, "subject": each.subject, "detail": each.detail, "remedy": each.remedy}
            for each in drawn.findings
        ],
    }


def _met(drawn: Drawn) -> bool:
    return not any(each.code in _SHORT_OF_FLOOR for each in drawn.findings)


def _lines(drawn: Drawn) -> list[str]:
    lines = [f"{drawn.test.property_id}  {drawn.test.label}"]
    if drawn.domain is not None and drawn.counts is not None:
        counts = drawn.counts
        lines += [
            f"  lock      {printable(drawn.domain.path)}",
            f"  drawn     {counts['drawn']}, {counts['accepted']} accepted, {counts['distinct']} distinct of "
            f"{counts['wanted']} wanted",
        ]
        lines += [
            f"  filter    {printable(each['predicate'])} said yes {each['yes']} of {each['asked']} times"
            for each in counts["filters"]
        ]
        lines += [
            f"  floors    {_floors(drawn.domain, _met(drawn))}",
            f"  corpus    {_pin(drawn.domain, drawn.corpus)}",
        ]
    for finding in drawn.findings:
        lines += [
            f"  {finding.code} {printable(finding.subject)}: {printable(finding.detail)}",
            f"    {printable(finding.remedy)}",
        ]
    return lines


def _floors(domain: LockedDomain, met: bool) -> str:
    floors = {"acceptance": domain.acceptance_floor, "distinct": domain.distinct_floor}
    locked = [f"{name} {least}" for name, least in floors.items() if least is not None]
    return f"{', '.join(locked)}: {'met' if met else 'not met'}" if locked else "none locked"


def _pin(domain: LockedDomain, corpus: Digest | None) -> str:
    if corpus is None or domain.corpus is None:
        return "none" if corpus is None else f"{corpus}, not pinned"
    return f"{corpus}, {'as it is pinned' if domain.corpus == str(corpus) else f'but {domain.corpus} is pinned'}"
