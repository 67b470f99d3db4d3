"""A changed domain names exactly the fields in which it is narrower; a wider one, and the same one, names none."""

import json

from oracle_rules.artifacts.domains.compare import compare_locks
from oracle_rules.artifacts.domains.lock import parse_domain_lock

ROW = {"max_examples": 10, "deadline_ms": 100, "seed": 3}


def lock(domain, row):
    data = json.dumps({"p": {"domain": domain, **ROW, **row}}, sort_keys=True).encode()
    return parse_domain_lock(data, path="domain_lock.json")


def hold(case):
    before = lock(case["locked"], {})
    after = lock(case["live"], case.get("row", {}))
    found = compare_locks(before, after)
    fields = sorted(each.field for each in found)
    if fields != sorted(case["narrower"]) or {each.code for each in found} - {"domain_narrowed"}:
        return False
    same = compare_locks(before, before) == () and compare_locks(after, after) == ()
    gone = compare_locks(before, None)
    return same and [(each.code, each.property_id) for each in gone] == [("domain_unlocked", "p")]
