"""`promote`: shows the smallest case that falsifies a target, and writes it into the seed corpus when a person says so.

Never runs by itself, and never writes without `--yes` and an owner.
"""

from __future__ import annotations

import argparse
import difflib
from typing import Any

from .. import finds
from ..artifacts.appending import Refused, with_case
from ..artifacts.freezing.persons import why_no_person
from ..errors import Exit, UsageError
from ..finds import Find
from ..gate.review import printable
from ..keeping.rewriting import read_regular, replace_regular
from ..promoting import Promotion
from ..protocol import canonical, typed
from ..scm import Repository
from ..worker import Worker
from . import common
from .interface import Output


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0 when a case is shown or written, or the list is; 6 when there is none; 4 when it may not be written."""
    owner = _owner(options)
    with common.repository(options) as found, common.worker(options) as worker:
        workspace = common.workspace_id(found)
        if options.list:
            return _list(worker, workspace, output)
        if options.label is None:
            raise UsageError("no target is named", remedy="`oracle-rules promote --list` shows what was found")
        if found.top is None:
            raise UsageError("has no work tree", remedy="run this in a clone that has one")
        label = common.label(options.label)
        promotion = Promotion(common.subject(options, found), worker, output.progress, today=common.today(options))
        question = promotion.question(label)
        new = promotion.counterexample(question, budget=options.budget)
        output.clear()
        if new is not None:
            output.out(f"{label}: {new.reason}: {printable(new.detail)}\n")
            output.out(f"  found     {_short(new.case)} ({new.origin})\n")
            output.out(f"  smallest  {_short(new.smallest)}" + (f" ({new.asked} cases asked)\n" if not new.why else
                                                               f"\n            not made smaller: {new.why}\n"))
            output.out(f"  to see it: {new.repro}\n")
            finds.keep(worker.cache_root, workspace, Find(
                label=label, property_id=new.property_id, case=new.smallest, reason=new.reason, detail=new.detail,
                origin=new.origin, repro=new.repro))
        waiting = [each for each in finds.kept(worker.cache_root, workspace) if each.label == label]
        chosen = _chosen(waiting, None if new is None else new.smallest, options)
        if chosen is None:
            output.out(f"{label} holds for every case that was asked, and nothing found earlier waits\n")
            return Exit.NOTHING
        return _promote(options, output, found, worker, (chosen, question.seeds, owner))


def _owner(options: argparse.Namespace) -> str | None:
    if not options.yes:
        if options.owner is not None:
            raise UsageError("--owner without --yes writes nothing", remedy="give both, or neither")
        return None
    why = "is missing" if options.owner is None else why_no_person(options.owner)
    if why is not None:
        raise UsageError(f"--owner {why}", remedy='name the person who answers for the case: --owner "NAME"')
    return str(options.owner)


def _chosen(waiting: list[Find], newest: Any, options: argparse.Namespace) -> Find | None:
    """The find that is named, the newest, or the only one; several are told apart by name."""
    if options.find is not None:
        for each in waiting:
            if each.name == options.find:
                return each
        raise UsageError("is no find of this target", where=options.find, remedy="see `oracle-rules promote --list`")
    for each in waiting:
        if newest is not None and each.case == newest:
            return each
    if len(waiting) > 1:
        names = ", ".join(each.name for each in waiting)
        raise UsageError(f"{len(waiting)} cases wait", where=waiting[0].label, remedy=f"say --find with one of {names}")
    return waiting[0] if waiting else None


def _promote(options: argparse.Namespace, output: Output, found: Repository, worker: Worker,
             about: tuple[Find, str, str | None]) -> Exit:
    find, path, owner = about
    assert found.top is not None
    place = found.top / path
    if place.parent.resolve() != found.top.resolve() / path.rpartition("/")[0]:
        raise UsageError("lies in a folder that is a link", where=printable(path), remedy="put the folder itself there")
    before = read_regular(place)
    try:
        plain = _plain(find.case)
        after = with_case(before, plain, path=path)
    except Refused as error:
        output.out(f"seed_duplicate {printable(path)}: {error}\n" if "already" in str(error) else f"{error}\n")
        return Exit.REFUSED
    lines = difflib.unified_diff(before.decode("utf-8").splitlines(keepends=True),
                                 after.decode("utf-8").splitlines(keepends=True), f"a/{path}", f"b/{path}")
    output.out("".join(line if line.endswith("\n") else line + "\n" for line in lines))
    if owner is None:
        output.out(f'to write it: oracle-rules promote {find.label} --find {find.name} --yes --owner "NAME"\n')
        return Exit.ACCEPT
    replace_regular(place, after)
    finds.forget(worker.cache_root, common.workspace_id(found), find)
    output.out(f"{printable(path)} is written for {owner}; commit it as a change of its own\n")
    return Exit.ACCEPT


def _plain(case: Any) -> Any:
    """The case as a seed corpus can hold it. Raises Refused for one that is more than JSON."""
    value = typed.decode(case)
    if not _is_json(value):
        raise Refused("this case is more than JSON (bytes, a tuple, a decimal, …), and a seed corpus is JSON; let the "
                      "property read a spelling of its own, or keep the case with a journal")
    return value


def _is_json(value: Any) -> bool:
    if type(value) is dict:
        return all(type(key) is str and _is_json(item) for key, item in value.items())
    if type(value) is list:
        return all(map(_is_json, value))
    try:
        canonical.dumps(value)
    except ValueError:
        return False
    return not (type(value) is str and any("\ud800" <= sign <= "\udfff" for sign in value))


def _list(worker: Worker, workspace: str, output: Output) -> Exit:
    waiting = list(finds.kept(worker.cache_root, workspace))
    for each in waiting:
        output.out(f"{each.name}  {each.label}  {each.reason}  {_short(each.case)}\n")
    if not waiting:
        output.out("nothing that was found waits to be promoted\n")
    return Exit.ACCEPT if waiting else Exit.NOTHING


def _short(case: Any) -> str:
    text = canonical.dumps(case).decode("ascii").strip()
    return text if len(text) <= 200 else text[:197] + "..."
