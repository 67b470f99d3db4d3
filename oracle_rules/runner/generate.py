"""Draws the cases of a locked domain, inside the wall and with no candidate near. Never imports a property.

Hypothesis looks for constants in imported local modules; this file runs from below a `site-packages` folder, where it
does not look, so a change of ours that is not a change of the stream does not move it. The rounds are seeded one after
another from the lock's seed until enough distinct cases are drawn.
"""

from __future__ import annotations

import hashlib
import json
import os
import string
import sys
from typing import Any

from ..protocol import canonical

MAX_ROUNDS = 20
ALPHABETS = {"printable": string.printable, "ascii": "".join(map(chr, range(128))), "letters": string.ascii_letters,
             "digits": string.digits, "latin-1": "".join(map(chr, range(256)))}
SCHEMA = "oracle_rules/corpus/v1"


def draw(domain: dict[str, Any]) -> dict[str, Any]:
    """The corpus of one domain: distinct cases in the order in which they were first drawn, and counts."""
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from hypothesis import strategies as st

    wanted = domain["max_examples"]
    alphabet = ALPHABETS.get(domain["alphabet"], domain["alphabet"])
    strategy = st.text(alphabet=alphabet, min_size=domain["min_size"], max_size=domain["max_size"])
    found: dict[str, Any] = {}
    drawn = 0
    for number in range(MAX_ROUNDS):
        def collect(case: Any) -> None:
            nonlocal drawn
            drawn += 1
            if len(found) < wanted:
                found.setdefault(json.dumps(case), case)

        run = given(strategy)(collect)
        run = settings(max_examples=wanted, database=None, deadline=None, derandomize=False, phases=[Phase.generate],
                       suppress_health_check=list(HealthCheck), print_blob=False)(run)
        seed(_round_seed(domain["seed"], number))(run)()
        if len(found) >= wanted:
            break
    return {"schema": SCHEMA, "cases": list(found.values()),
            "counts": {"drawn": drawn, "distinct": len(found), "wanted": wanted}}


def _round_seed(locked: int, number: int) -> int:
    if number == 0:
        return locked
    return int.from_bytes(hashlib.sha256(f"{locked}:{number}".encode()).digest()[:8], "big")


def main(result: int) -> None:
    """Reads the domain, draws, writes the corpus."""
    os.environ["HYPOTHESIS_NO_PLUGINS"] = "1"
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = "/tmp/hypothesis"
    sys.path.append("/generate/packages/site-packages")
    with open("/request/domain.json", "rb") as stream:
        domain = canonical.loads(stream.read())
    data = memoryview(canonical.dumps(draw(domain)))
    while data:
        data = data[os.write(result, data):]
    os._exit(0)
