"""`journal`: what was found on the parent and who locked it; each change is a row of the table of moves."""

from __future__ import annotations

import argparse
import datetime
import importlib
from collections.abc import Callable, Mapping
from typing import Any

from ..artifacts.journals import moves
from ..artifacts.journals.asked import frozen_on
from ..artifacts.journals.fields import utc
from ..artifacts.journals.journal import Journal, Tools
from ..artifacts.journals.laws import stale
from ..artifacts.journals.states import MOVES, NoMove, drawing
from ..errors import Exit, UsageError
from ..gate.visible import visible
from ..keeping.journals import Journals
from ..loading.targets import PropertyTest
from ..protocol import canonical
from . import common
from .interface import Output

COMMIT = "commit it as a change of its own"
_ELSEWHERE = {"hunt": "journal_hunt", "holdout": "journal_holdout", "commit": "journal_holdout",
              "verify": "journal_signed", "strength": "journal_strength"}
_COMMANDS = {
    "propose": "oracle-rules journal propose {id}", "hunt": "oracle-rules journal hunt {id} --seeds 1..20",
    "lock": 'oracle-rules journal lock {id} --owner "NAME"', "thaw": 'oracle-rules journal thaw {id} --owner "NAME"',
    "freeze": 'oracle-rules journal freeze {id} --seeds SEEDS --until MOMENT --owner "NAME"',
    "unlock": 'oracle-rules journal unlock {id} --owner "NAME" --why TEXT',
    "saw": "oracle-rules journal saw {id} --seeds SEEDS",
    "commit": "oracle-rules journal commit {id} --secret-file FILE",
}


def run(options: argparse.Namespace, output: Output) -> Exit:
    """One action of the verb; a move that is not there, or whose needs are not met, is exit 4 and writes nothing."""
    if options.action in _ELSEWHERE:
        action: Callable[[argparse.Namespace, Output], Exit] = importlib.import_module(
            f".{_ELSEWHERE[options.action]}", __package__).run_action
        return action(options, output)
    with common.repository(options) as found:
        kept = Journals(found)
        if options.action == "show":
            return _show(kept, options, output)
        if options.action == "propose":
            return _propose(kept, options, output, found.resolve(options.parent or "HEAD"))
        test = kept.test(options.property_id)
        return moved(lambda: _ACTIONS[options.action](kept, test, options), test, options, output)


def moved(act: Callable[[], str], test: PropertyTest, options: argparse.Namespace, output: Output) -> Exit:
    """Does a move and tells it; what stands in its way is told with what to do."""
    try:
        told = act()
    except NoMove as error:
        output.out(f"journal_move_unknown {test.property_id}: {visible(str(error))}\n")
        output.out(f"    see the table: `oracle-rules journal show {test.property_id}`\n")
    except moves.Unmet as error:
        output.out(f"{error.code} {test.property_id}: {visible(str(error))}\n    {visible(error.remedy)}\n")
    else:
        output.out(f"{visible(told)}; {COMMIT}\n")
        return Exit.ACCEPT
    output.err("nothing was written")
    return Exit.REFUSED


def seeds(text: str) -> tuple[int, ...]:
    """Seeds as `2,3,5` or `1..50`, each once, in the order given. Raises UsageError."""
    found: dict[int, None] = {}
    for part in text.split(","):
        first, dots, last = part.strip().partition("..")
        if not all(each.isascii() and each.isdigit() for each in ((first, last) if dots else (first,))):
            raise UsageError(f"--seeds {text!r} is no list of seeds", remedy="write 2,3,5 or 1..50")
        low, high = int(first), int(last) if dots else int(first)
        if not low <= high < 2**64 or high - low >= 10_000:
            raise UsageError(f"--seeds {part.strip()!r} names no seed, or too many", remedy="write 2,3,5 or 1..50")
        found.update(dict.fromkeys(range(low, high + 1)))
    return tuple(found)


def hunt_again(property_id: str, journal: Journal) -> str:
    """The command that hunts the seeds of a journal again."""
    known = ",".join(map(str, sorted(journal.known))) or "1..20"
    return f"oracle-rules journal hunt {property_id} --seeds {known}"


def why_stale(kept: Journals, test: PropertyTest, journal: Journal, options: argparse.Namespace) -> str | None:
    """Why the seeds of a journal are history on this worker."""
    if journal.tools is None and not journal.cases:
        return None
    with common.worker(options) as worker:
        return stale(journal, Tools(**worker.versions), kept.domain(test))


def _propose(kept: Journals, options: argparse.Namespace, output: Output, parent: str) -> Exit:
    test = kept.test(options.property_id)
    path = kept.path(test)
    if not 1 <= options.hold_out <= 100:
        raise UsageError(f"--hold-out {options.hold_out} is no number of seeds", remedy="give 1 to 100")
    if kept.find(test) is not None:
        raise UsageError("is there already", where=path,
                         remedy=f"see it: `oracle-rules journal show {test.property_id}`")
    kept.domain(test)
    kept.write(moves.propose(path, property_id=test.property_id, selector=str(test.label), parent_sha=parent,
                             held_out=options.hold_out))
    output.out(f"{path} is written; hunt next: `{_COMMANDS['hunt'].format(id=test.property_id)}`\n")
    if test.journal is None:
        inside = path.removeprefix(f"{test.label.package}/") if test.label.package else path
        output.out(f'add to {test.label} in its BUILD.bazel: journal = "{inside}",\n')
    return Exit.ACCEPT


def _lock(kept: Journals, test: PropertyTest, options: argparse.Namespace) -> str:
    journal = kept.read(test)
    again = hunt_again(test.property_id, journal)
    why = why_stale(kept, test, journal, options) if journal.cases else None
    locked = moves.lock(journal, owner=options.owner, stale=why, hunt=again)
    for broken in kept.broken(test, locked):
        raise moves.Unmet(broken.code, broken.detail, broken.remedy)
    signed = ""
    if options.key is not None:
        from .journal_signed import sign
        signed = sign(kept, locked, options.key)
    kept.write(locked)
    return f"{test.property_id} is locked by {options.owner}: {_hits(locked)}, {locked.held_out} held out{signed}"


def _freeze(kept: Journals, test: PropertyTest, options: argparse.Namespace) -> str:
    until = _moment(options.until)
    frozen = moves.freeze(kept.read(test), seeds=seeds(options.seeds), until=until, owner=options.owner,
                          today=common.today(options))
    kept.write(frozen)
    assert frozen.freeze is not None
    return f"seeds {_text(frozen.freeze.seeds)} of {test.property_id} are not asked before {until.date()} (UTC)"


def _thaw(kept: Journals, test: PropertyTest, options: argparse.Namespace) -> str:
    kept.write(moves.thaw(kept.read(test), owner=options.owner))
    return f"every replay seed of {test.property_id} is asked again"


def _unlock(kept: Journals, test: PropertyTest, options: argparse.Namespace) -> str:
    if not options.why.strip() or not options.why.isprintable():
        raise UsageError("--why says nothing that can be shown", remedy="say in one line what speaks against the lock")
    kept.write(moves.unlock(kept.read(test), owner=options.owner))
    return f"{test.property_id} is not asked by its journal any more ({options.why})"


def _saw(kept: Journals, test: PropertyTest, options: argparse.Namespace) -> str:
    given = seeds(options.seeds)
    kept.write(moves.saw(kept.read(test), seeds=given))
    return f"seeds {_text(given)} of {test.property_id} are replayed and never held out"


def _show(kept: Journals, options: argparse.Namespace, output: Output) -> Exit:
    tests = [test for test in kept.tests if test.journal is not None]
    if options.property_id is not None:
        tests = [kept.test(options.property_id)]
    today = common.today(options)
    found = [(test, journal) for test in tests if (journal := kept.find(test)) is not None]
    if options.property_id is not None and not found:
        kept.read(tests[0])
    told = [_told(kept, test, journal, options, today) for test, journal in found]
    if options.format == "json":
        output.out(canonical.dumps({"schema": "oracle_rules/journals/v1", "today": today.isoformat(),
                                    "journals": told}).decode("ascii"))
        return Exit.ACCEPT
    for each in told:
        output.out("".join(f"{visible(line)}\n" for line in _lines(each)))
    if not told:
        output.out("no target declares a journal; begin one: `oracle-rules journal propose ID`\n")
    return Exit.ACCEPT


def _told(kept: Journals, test: PropertyTest, journal: Journal, options: argparse.Namespace,
          today: datetime.date) -> dict[str, Any]:
    freeze = journal.freeze
    next_moves = dict.fromkeys(row.name for row in MOVES if row.before == journal.state and row.name in _COMMANDS)
    return {
        "id": journal.id, "label": str(test.label), "path": journal.path, "declared": test.journal is not None,
        "state": journal.state, "owner": journal.owner, "parent": journal.parent_sha, "hits": journal.hits,
        "seeds": list(journal.replayed), "cases": list(journal.cases), "noise": list(journal.noise),
        "seen": sorted(journal.known), "held_out": journal.held_out, "commitment": journal.commitment,
        "last_hit_at": journal.last_hit_at,
        "frozen": None if freeze is None else {
            "seeds": list(freeze.seeds), "until": freeze.until.isoformat(), "now": list(frozen_on(journal, today)),
            "days_left": (freeze.until.date() - today).days},
        "stale": why_stale(kept, test, journal, options),
        "broken": [each.detail for each in kept.broken(test, journal)],
        "hunt": hunt_again(test.property_id, journal),
        "next": [_COMMANDS[name].format(id=test.property_id) for name in next_moves]}


def _lines(told: dict[str, Any]) -> list[str]:
    lines = [f"{told['id']} ({told['path']}): {told['state']}"
             + (f", locked by {told['owner']}" if told["owner"] else "")
             + ("" if told["declared"] else "; no target declares it"),
             *(f"  {line}" for line in drawing(told["state"])),
             f"  parent {told['parent'][:12]}; {told['hits']} hits, the last on {told['last_hit_at'] or 'no day'}",
             f"  replay {_text(told['seeds']) or 'no seed'}; noise {_text(told['noise']) or 'none'}; "
             f"{len(told['seen'])} seen; {told['held_out']} held out"
             + (", by a secret" if told["commitment"] else "")]
    if told["frozen"] is not None:
        frozen = told["frozen"]
        left = f"{frozen['days_left']} days left" if frozen["now"] else "over: they block again"
        lines.append(f"  frozen {_text(frozen['seeds'])} until {frozen['until']}, {left}")
    lines += [f"  journal_unlawful: {detail}" for detail in told["broken"]]
    if told["stale"] is not None:
        lines += [f"  journal_stale: {told['stale']}", f"    {told['hunt']}"]
    return [*lines, *(f"  next: {command}" for command in told["next"])]


def _hits(journal: Journal) -> str:
    return "1 hit" if journal.hits == 1 else f"{journal.hits} hits"


def _text(numbers: Any) -> str:
    return ", ".join(map(str, numbers))


def _moment(text: str) -> datetime.datetime:
    found = utc(text)
    if found is None:
        raise UsageError(f"--until {text!r} is no moment with an offset", remedy="write it as 2026-12-31T00:00:00Z")
    return found


_ACTIONS: Mapping[str, Callable[[Journals, PropertyTest, argparse.Namespace], str]] = {
    "lock": _lock, "freeze": _freeze, "thaw": _thaw, "unlock": _unlock, "saw": _saw,
}
