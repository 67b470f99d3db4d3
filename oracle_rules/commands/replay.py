"""`replay`: runs one Action again from the cache alone, and says whether the verdict is the stored one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from .. import history
from ..digest import Digest
from ..errors import Exit, UsageError
from ..gate.codes import lookup
from ..protocol import canonical, layout
from . import common
from .interface import Output

if TYPE_CHECKING:
    from ..reapi.messages import ActionResult


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0 for a verdict with bit 1, the exit code of its reason for bit 0, 7 when it is not the stored verdict."""
    with common.worker(options) as worker:
        action = _action(options, worker.cache_root)
        if worker.cache.content.get(action) is None:
            raise UsageError("is no Action in this cache", where=str(action),
                             remedy="score the patch first, or give the --cache-dir that it was scored with")
        stored = worker.lookup(action)
        [(_, result)] = list(worker.execute([action]))
        names = [layout.name(item.path) for item in result.output_files]
        name = layout.VERDICT if layout.VERDICT in names else names[0]
        digest, data = worker.output(result, name)
        before = None if stored is None else _stored(stored, name)
    output.out(data.decode("ascii"))
    if before is not None and before != digest:
        output.err(f"differs from the stored result: stored {before}, now {digest}")
        return Exit.UNTRUSTED
    output.err(f"{name} {digest}: " + ("nothing was stored to compare with" if before is None else "as stored"))
    reason = canonical.loads(data).get("reason")
    return Exit.ACCEPT if reason is None else lookup(reason).exit


def _stored(stored: ActionResult, name: str) -> Digest | str:
    """The digest of the stored output, or what is stored in its place."""
    found = [item.digest for item in stored.output_files if layout.name(item.path) == name]
    return found[0] if found else f"no {name}"


def _action(options: argparse.Namespace, root: Path) -> Digest:
    if not options.action.startswith("//"):
        try:
            return Digest.parse(options.action)
        except ValueError as error:
            remedy = "give HASH/SIZE as score prints it, or a label such as //:name"
            raise UsageError(str(error), remedy=remedy) from None
    label = common.label(options.action)
    with common.repository(options) as found:
        runs = history.recall(root, common.workspace_id(found), label, common.LANE)
    if not runs:
        raise UsageError("has not been scored here", where=label, remedy="run `oracle-rules score` first")
    return Digest.parse(runs[0].action)
