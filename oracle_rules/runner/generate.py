"""Draws the cases of a locked domain, inside the wall and with no candidate near. Never imports a property.

Hypothesis looks for constants in imported local modules; this file runs from below a `site-packages` folder, where it
does not look, so a change of ours that is not a change of the stream does not move it. The rounds are seeded one after
another from the lock's seed until enough distinct cases are drawn. Settings are ours alone: no database, no deadline,
no health check, no shrinking, and neither a profile nor a variable of the host has a say.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from ..protocol import alphabets, canonical, corpus, typed

MAX_ROUNDS = 20


def draw_short(domain: dict[str, Any]) -> dict[str, Any]:
    """The corpus of a domain in the short form: texts, distinct, in the order in which they were first drawn."""
    from hypothesis import strategies as st

    wanted = domain["max_examples"]
    alphabet = alphabets.NAMED.get(domain["alphabet"], domain["alphabet"])
    strategy = st.text(alphabet=alphabet, min_size=domain["min_size"], max_size=domain["max_size"])
    found: dict[str, Any] = {}
    drawn = 0

    def collect(case: Any) -> None:
        nonlocal drawn
        drawn += 1
        if len(found) < wanted:
            found.setdefault(json.dumps(case), case)

    _rounds(strategy, collect, lambda: len(found) >= wanted, wanted, domain["seed"])
    return {"schema": corpus.PLAIN, "cases": list(found.values()),
            "counts": {"drawn": drawn, "distinct": len(found), "wanted": wanted}}


def draw(request: dict[str, Any], policy: dict[str, Any]) -> dict[str, Any]:
    """The corpus of a general domain: typed cases that pass each filter, distinct, in the order of their drawing."""
    from hypothesis.errors import InvalidArgument, Unsatisfiable

    from . import strategies
    from .filters import Broken, Filters

    wanted = request["max_examples"]
    found: dict[str, None] = {}
    drawn = accepted = 0
    broken: list[str] = []

    def collect(case: Any) -> None:
        nonlocal drawn, accepted
        if broken or len(found) >= wanted:
            return
        line = typed.text(case)
        drawn += 1
        try:
            passed = filters.accept(line)
        except Broken as problem:
            # Kept rather than raised: Hypothesis would look for a simpler case that raises as well.
            broken.append(str(problem))
            return
        if passed:
            accepted += 1
            found.setdefault(line)

    try:
        strategy = strategies.build(request["domain"])
        filters = Filters(request["filters"], policy)
        _rounds(strategy, collect, lambda: bool(broken) or len(found) >= wanted, wanted, request["seed"])
    except (Broken, InvalidArgument, Unsatisfiable) as problem:
        broken.append(str(problem).partition("\n")[0] or type(problem).__name__)
    if broken:
        return corpus.failed(broken[0][:2000])
    problem_document = None if found else {"limit": "", "detail": f"none of {drawn} drawn cases passed the filters"}
    counts = {"drawn": drawn, "accepted": accepted, "distinct": len(found), "wanted": wanted, "filters": filters.counts}
    return {"schema": corpus.TYPED, "cases": [canonical.loads(line.encode("ascii")) for line in found],
            "counts": counts, "problem": problem_document}


def sift(request: dict[str, Any], policy: dict[str, Any]) -> dict[str, Any]:
    """Those of the given cases, typed JSON, that pass every filter, as a corpus, in their order."""
    from .filters import Broken, Filters

    lines = [canonical.dumps(case).decode("ascii").rstrip("\n") for case in request["cases"]]
    try:
        filters = Filters(request["filters"], policy)
        kept = [line for line in lines if filters.accept(line)]
    except Broken as problem:
        return corpus.failed(str(problem)[:2000])
    counts = {"drawn": len(lines), "accepted": len(kept), "distinct": len(kept), "wanted": len(lines),
              "filters": filters.counts}
    return {"schema": corpus.TYPED, "cases": [canonical.loads(line.encode("ascii")) for line in kept], "counts": counts,
            "problem": None if kept else {"limit": "", "detail": f"none of {len(lines)} cases passed the filters"}}


def _rounds(strategy: Any, collect: Callable[[Any], None], done: Callable[[], bool], wanted: int, start: int) -> None:
    """Draws round after round until it is done, each round from a seed of its own."""
    from hypothesis import HealthCheck, Phase, given, seed, settings

    for number in range(MAX_ROUNDS):
        # A function of its own for each round: a strategy's test may be wrapped once.
        run = given(strategy)(lambda case: collect(case))  # type: ignore[no-untyped-call]
        run = settings(max_examples=wanted, database=None, deadline=None, derandomize=False, phases=[Phase.generate],
                       suppress_health_check=list(HealthCheck), print_blob=False)(run)
        seed(_round_seed(start, number))(run)()
        if done():
            return


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
        request = canonical.loads(stream.read())
    with open("/request/policy.json", "rb") as stream:
        policy = canonical.loads(stream.read())
    if "cases" in request:
        drawn = sift(request, policy)
    else:
        drawn = draw(request, policy) if "domain" in request else draw_short(request)
    data = memoryview(canonical.dumps(drawn))
    while data:
        data = data[os.write(result, data):]
    os._exit(0)
