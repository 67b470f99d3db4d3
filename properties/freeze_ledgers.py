"""A ledger takes its properties out of the collection, and each of its laws is held on the given day."""

import json
from datetime import date

from oracle_rules.artifacts.freezing.collection import exclude, still_collected
from oracle_rules.artifacts.freezing.laws import check_freeze
from oracle_rules.artifacts.freezing.ledger import parse_freeze
from oracle_rules.errors import IncompleteError

ROW = {"id": "F-1", "property": "a", "class": "clock", "seam": "src/a.py::now", "owner": "Ada Lindqvist",
       "evidence": "went backwards under a clock step, 1 of 4000 runs", "last_green": "2026-11-01",
       "expires": "2027-01-31"}


def hold(case):
    document = case["ledger"]
    if "rows" in document:
        rows = [{**ROW, **row} for row in document["rows"]]
        document = {**document, "rows": [{k: v for k, v in row.items() if v is not None} for row in rows]}
    try:
        ledger = parse_freeze(json.dumps(document, sort_keys=True).encode(), path="freeze.json")
    except IncompleteError as error:
        return "refuse" in case and case["refuse"] in error.detail
    if "refuse" in case:
        return False
    broken = [violation.code for violation in check_freeze(ledger, today=date.fromisoformat(case["today"]))]
    if broken != case["broken"]:
        return False
    asked = case["asked"]
    taken = exclude(asked, ledger)
    kept, frozen = list(taken.kept), list(taken.frozen)
    if frozen != case["frozen"] or kept != [name for name in asked if name not in frozen]:
        return False
    left = [violation.code for violation in still_collected(ledger, kept)]
    both = [violation.code for violation in still_collected(ledger, asked)]
    return left == [] and both == ["freeze_still_collected"] * len(set(frozen))
