"""`doctor`: proves each primitive of the sandbox here and says how to mend what is missing."""

from __future__ import annotations

import argparse

from ..errors import Exit
from ..execution.sandbox.doctor import probe
from ..protocol import canonical
from .interface import Output


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0 when everything that a score needs works, else 5."""
    found = probe()
    if "json" in (options.formats or []):
        rows = [{"name": item.name, "ok": item.ok, "detail": item.detail, "remedy": item.remedy} for item in found]
        output.out(canonical.dumps({"schema": "oracle_rules/doctor/v1", "probes": rows}).decode("ascii"))
    else:
        width = max(len(item.name) for item in found)
        for item in found:
            output.out(f"{'ok     ' if item.ok else 'MISSING'} {item.name:<{width}}  {item.detail}\n")
            if not item.ok:
                output.out(f"        {item.remedy}\n")
    return Exit.ACCEPT if all(item.ok for item in found) else Exit.MALFUNCTION
