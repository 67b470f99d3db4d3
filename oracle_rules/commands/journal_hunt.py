"""`journal hunt`: judges what each seed draws on the parent, and keeps in the journal what became of it."""

from __future__ import annotations

import argparse

from .. import finds
from ..artifacts.journals import moves
from ..artifacts.journals.journal import Tools
from ..artifacts.journals.outcomes import HIT, MISS, MIXED, NOISE, STOP
from ..artifacts.journals.realised import Realised, parse_realised
from ..digest import Digest
from ..errors import Exit, IncompleteError, UsageError
from ..finds import Find
from ..gate.visible import visible
from ..hunting import Found, hunt
from ..keeping.journals import Journals
from ..loading.targets import PropertyTest
from . import common
from .interface import Output
from .journal import COMMIT, seeds


def run_action(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0 when a seed hit, 1 when none did; the journal is written in either case, but not with --dry-run."""
    wanted = seeds(options.seeds)
    if options.budget is not None and options.budget < 0:
        raise UsageError(f"--budget {options.budget} is no number of cases", remedy="give 0 or more")
    with common.repository(options) as repository, common.worker(options) as worker:
        kept = Journals(repository)
        test = kept.test(options.property_id)
        journal, domain = kept.read(test), kept.domain(test)
        found = hunt(repository, worker, test, wanted, parent=options.parent, path=kept.path(test),
                     today=common.today(options), budget=options.budget, progress=output.progress)
        output.clear()
        for finding in found.refused:
            output.out(f"{finding.code} {visible(finding.subject)}: {visible(finding.detail)}\n"
                       f"    {visible(finding.remedy)}\n")
        if found.refused:
            return Exit.REFUSED
        _tell(found, output)
        for each in (each for each in found.seeds if each.row.outcome == STOP):
            raise IncompleteError(f"{each.reason}: {each.detail}", where=test.property,
                                  remedy="mend the property, then hunt again; nothing was written")
        after = moves.hunted(
            journal, hits=_of(found, HIT), noise=_of(found, NOISE), missed=_of(found, MISS),
            mixed=sum(each.row is MIXED for each in found.seeds), parent_sha=found.parent_sha,
            tools=Tools(**worker.versions), domain=str(domain.fingerprint), today=common.today(options))
        others = [(each.case, each.action) for each in found.seeds
                  if each.case is not None and _differs(kept, each.case)]
        if not options.dry_run:
            kept.write(after, [each.case for each in found.seeds if each.case is not None])
            for case, action in others:
                finds.keep(worker.cache_root, common.workspace_id(repository), _find(test, case, action))
                output.out(f"seed {case.seed} has a case already, which stays; this one waits for a person: "
                           f"`oracle-rules promote {test.label}`\n")
    return _ending(test.property_id, found, after.state, options, output)


def _differs(kept: Journals, case: Realised) -> bool:
    """Whether another case of its seed is realised already, and stays."""
    data = kept.data(case.path)
    return data is not None and parse_realised(data, path=case.path).case != case.case


def _find(test: PropertyTest, case: Realised, action: Digest) -> Find:
    return Find(label=str(test.label), property_id=test.property_id, case=case.case, reason=case.reason,
                detail=case.detail, origin=f"seed {case.seed}", repro=f"oracle-rules replay {action}")


def _of(found: Found, outcome: str) -> list[int]:
    return [each.seed for each in found.seeds if each.row.outcome == outcome]


def _tell(found: Found, output: Output) -> None:
    width = max(len(str(each.seed)) for each in found.seeds)
    for each in found.seeds:
        said = "" if each.reason is None else f"  {each.reason}: {visible(each.detail)}"
        output.out(f"seed {each.seed:>{width}}  {each.row.outcome:<5} {each.row.name}  {each.drawn} cases{said}\n")
        if each.case is not None:
            output.out(f"     {each.case.path}: {_short(each.case.shown)}\n")
        if each.row.outcome != MISS:
            output.out(f"     to see it: oracle-rules replay {each.action}\n")


def _ending(property_id: str, found: Found, state: str, options: argparse.Namespace, output: Output) -> Exit:
    hits = _of(found, HIT)
    kept = "nothing is written" if options.dry_run else f"the journal is {state}; {COMMIT}"
    if hits:
        output.out(f"{len(hits)} of {len(found.seeds)} seeds hit on {found.parent_sha[:12]}; {kept}\n")
        output.out(f'next: `oracle-rules journal lock {property_id} --owner "NAME"`\n')
        return Exit.ACCEPT
    output.out(f"journal_zero_hit {property_id}: none of {len(found.seeds)} seeds falsifies it on "
               f"{found.parent_sha[:12]}; there it is dead, and shows nothing of a fix; {kept}\n")
    output.out("to see it again: "
               f"`oracle-rules journal hunt {property_id} --seeds {options.seeds} --parent {found.parent_sha}`\n")
    return Exit.FALSIFIED


def _short(text: str) -> str:
    return text if len(text) <= 200 else text[:197] + "..."
