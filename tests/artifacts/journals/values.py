"""A journal and a realised case of the property `p`, as JSON to be changed field by field."""

from __future__ import annotations

import json
from typing import Any

from oracle_rules.artifacts.domains.lock import LockedDomain, parse_domain_lock
from oracle_rules.artifacts.journals.journal import Journal, parse_journal
from oracle_rules.artifacts.journals.realised import Realised, parse_realised

PATH = "oracles/p.json"
PARENT = "a" * 40
TOOLS = {"hypothesis": "6.170.17", "python": "3.11.7", "unicode": "14.0.0"}
ROW = {"domain": {"kind": "integers", "min": 0, "max": 9}, "max_examples": 5, "deadline_ms": 9, "seed": 1}


def domain(**more: Any) -> LockedDomain:
    """The locked row of `p`."""
    found = parse_domain_lock(json.dumps({"p": {**ROW, **more}}).encode(), path="domain_lock.json").find("p")
    assert found is not None
    return found


def document(**more: Any) -> dict[str, Any]:
    """A locked journal with two hits."""
    found: dict[str, Any] = {
        "schema": "oracle_rules/journal/v1", "id": "p", "selector": "//:p", "parent_sha": PARENT,
        "replay": {"seeds": [8, 21], "fixtures": ["oracles/p/8.json", "oracles/p/21.json"], "hits": 2,
                   "last_hit_at": "2026-01-05"},
        "seen": [2, 3, 8, 21], "noise": [3],
        "holdout": {"count": 3, "generator_saw": False, "commitment": None},
        "flake": {"replay_flakes": 0, "holdout_flakes": 0, "seeds": [], "freeze_replay_until": None},
        "tools": {**TOOLS, "domain": str(domain().fingerprint)}, "owner": "Ada Lindqvist", "state": "locked"}
    return found | more


def short(**more: Any) -> dict[str, Any]:
    """The older shape, whose held-out seeds stand in the file."""
    found: dict[str, Any] = {
        "id": "p", "selector": "tests/test_p.py::test_p", "parent_sha": PARENT,
        "replay": {"seeds": [8, 21], "fixtures": ["oracles/p/8.json"], "hits": 1,
                   "last_hit_at": "2026-01-05T00:00:00Z"},
        "holdout": {"seeds": [55, 89, 144], "generator_saw": False},
        "flake": {"replay_flakes": 0, "holdout_flakes": 0, "freeze_replay_until": None}, "state": "locked"}
    return found | more


def journal(given: dict[str, Any] | None = None, **more: Any) -> Journal:
    """The value of such a document."""
    return parse_journal(json.dumps((document() if given is None else given) | more).encode(), path=PATH)


def realised(seed: int = 8, **more: Any) -> Realised:
    """The realised case of a seed."""
    found = {"schema": "oracle_rules/realised/v1", "id": "p", "seed": seed, "case": 7, "reason": "property_failed",
             "detail": "hold answered False", "found": {"corpus": f"{'0' * 64}/9", "index": 3}, "parent_sha": PARENT,
             "tools": TOOLS}
    return parse_realised(json.dumps(found | more).encode(), path=f"oracles/p/{seed}.json")


def cases() -> dict[str, Realised]:
    """Those of the journal."""
    return {f"oracles/p/{seed}.json": realised(seed) for seed in (8, 21)}
