"""`journal holdout|commit`: what is held out, derived again for an audit, and the commitment to a secret."""

from __future__ import annotations

import argparse
import re

from ..artifacts.journals import holdout, moves
from ..errors import Exit, UsageError
from ..keeping.journals import Journals
from . import common
from .interface import Output
from .journal import COMMIT

_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z", re.ASCII)


def run_action(options: argparse.Namespace, output: Output) -> Exit:
    """Shows seeds or a commitment, or writes the commitment into the journal."""
    with common.repository(options) as found:
        kept = Journals(found)
        test = kept.test(options.property_id)
        secret = common.secret(options, found)
        journal = kept.read(test)
        if options.action == "commit":
            assert secret is not None  # the grammar asks for the file
            kept.write(moves.commit(journal, commitment=holdout.commitment(secret)))
            output.out(f"{journal.path} holds out by the secret that {holdout.commitment(secret)} commits to; "
                       f"{COMMIT}\n")
            return Exit.ACCEPT
        if options.commit:
            if secret is None:
                raise UsageError("--commit needs the secret", remedy="give --secret-file FILE")
            output.out(f"{holdout.commitment(secret)}\n")
            return Exit.ACCEPT
        seen = {*journal.known, kept.domain(test).seed}
        parent = _id(options.parent, "--parent")
        if secret is None:
            if not holdout.enough(journal.held_out, seen=seen):
                raise UsageError(f"has seen too many seeds to hold out {journal.held_out} without a secret",
                                 where=journal.path,
                                 remedy=f"oracle-rules journal commit {journal.id} --secret-file FILE")
            derived = holdout.from_parent(parent, journal.held_out, seen=seen)
        else:
            derived = holdout.from_secret(secret, parent_sha=parent, patch_tree=_id(options.tree, "--tree"),
                                          property_id=journal.id, wanted=journal.held_out, seen=seen)
        output.out(",".join(map(str, derived)) + "\n")
        output.err("whoever proposes properties or patches and sees these seeds has seen them: `oracle-rules journal "
                   f"saw {journal.id} --seeds SEEDS`")
        return Exit.ACCEPT


def _id(text: str | None, option: str) -> str:
    if text is None or not _ID.match(text):
        raise UsageError(f"{option} has to be a whole id, as a record has it", remedy="copy it from the record")
    return text
