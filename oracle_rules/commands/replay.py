"""`replay`: runs one Action again from the cache alone, and says whether the verdict is the stored one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .. import history
from ..digest import Digest
from ..errors import Exit, UsageError
from ..protocol import canonical
from . import common

if TYPE_CHECKING:
    from ..cli import Output


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0 for a verdict with bit 1, 1 for bit 0, 7 when it differs from the stored verdict."""
    with common.worker(options) as worker:
        action = _action(options, str(worker.cache_root))
        stored = worker.lookup(action)
        [(_, result)] = list(worker.execute([action]))
        path = result.output_files[0].path
        digest, data = worker.output(result, path)
        before = None if stored is None else worker.output(stored, path)[0]
    output.out(data.decode("ascii"))
    if before is not None and before != digest:
        output.err(f"differs from the stored result: stored {before}, now {digest}")
        return Exit.UNTRUSTED
    output.err(f"{path} {digest}: " + ("nothing was stored to compare with" if before is None else "as stored"))
    document = canonical.loads(data)
    return Exit.FALSIFIED if document.get("bit") == 0 else Exit.ACCEPT


def _action(options: argparse.Namespace, root: str) -> Digest:
    if not options.action.startswith("//"):
        try:
            return Digest.parse(options.action)
        except ValueError as error:
            raise UsageError(str(error), remedy="give HASH/SIZE as score prints it, or a label such as //:name") from None
    with common.repository(options) as found:
        from pathlib import Path
        runs = history.recall(Path(root), common.workspace_id(found), options.action)
    if not runs:
        raise UsageError("has not been scored here", where=options.action, remedy="run oracle-rules score first")
    return Digest.parse(runs[0].action)
