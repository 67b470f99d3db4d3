"""`explore`: draws fresh streams from locked domains for a while, and keeps what falsifies for a person to promote.

Seeds come from the machine's entropy and are printed, so that each find is seen again. Never touches a score: its lane
is in the key of all that it runs.
"""

from __future__ import annotations

import argparse
import os
import time

from .. import finds
from ..errors import Exit, UsageError
from ..finds import Find
from ..gate.review import printable
from ..promoting import Promotion
from ..protocol import canonical
from . import common
from .interface import Output


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0 when nothing was found, 1 when something was, 6 when no target has a locked domain."""
    if not 0 < options.seconds <= 86_400:
        raise UsageError(f"--seconds {options.seconds} is no budget", remedy="give 1 to 86400")
    with common.repository(options) as found, common.worker(options) as worker:
        subject = common.subject(options, found)
        promotion = Promotion(subject, worker, output.progress, today=common.today(options))
        questions = [promotion.question(str(test.label)) for test in subject.tests(options.patterns)
                     if test.domain_lock is not None]
        questions = [each for each in questions if each.domain is not None]
        if not questions:
            output.out("no target that is named has a locked domain to draw from\n")
            return Exit.NOTHING
        # A seed that is given is asked once for each target; fresh ones until the time is up.
        end = time.monotonic() + options.seconds
        count = hits = 0
        while count == 0 or (options.seed is None and time.monotonic() < end):
            for question in questions:
                seed = int.from_bytes(os.urandom(8), "big") if options.seed is None else options.seed
                case = promotion.explored(question, [seed])
                count += 1
                output.progress(f"{question.test.label} seed {seed}", count, 0)
                if case is not None:
                    hits += 1
                    output.clear()
                    finds.keep(worker.cache_root, common.workspace_id(found), Find(
                        label=case.label, property_id=case.property_id, case=case.smallest, reason=case.reason,
                        detail=case.detail, origin=case.origin, repro=case.repro))
                    output.out(f"{case.label} seed {seed}: {case.reason}: {printable(case.detail)}\n"
                               f"  {canonical.dumps(case.smallest).decode('ascii')[:300].strip()}\n"
                               f"  to promote it: oracle-rules promote {case.label}\n")
    output.clear()
    output.out(f"{count} streams, {hits} of them falsify a property; no score hangs on it\n")
    return Exit.FALSIFIED if hits else Exit.ACCEPT
