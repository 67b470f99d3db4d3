"""A domain lock names every bound; its fingerprint covers all of them and the name."""

import hashlib
import json

from oracle_rules.artifacts.domains.lock import parse_domain_lock
from oracle_rules.errors import IncompleteError

DOMAIN = {"min_size": 0, "max_size": 80, "alphabet": "printable", "max_examples": 200, "deadline_ms": 400, "seed": 7}


def fingerprint(name, domain):
    data = json.dumps({name: domain}, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    return hashlib.sha256(data).hexdigest()


def hold(case):
    domain = {key: value for key, value in {**DOMAIN, **case["change"]}.items() if value is not None}
    name = case.get("name", "parse")
    text = json.dumps({name: domain, "other": DOMAIN} if "refuse" not in case else {name: domain},
                      indent=2, sort_keys=True)
    try:
        lock = parse_domain_lock(text.encode(), path="domain_lock.json")
    except IncompleteError as error:
        return "refuse" in case and case["refuse"] in error.detail and error.where.startswith("domain_lock.json:")
    if "refuse" in case:
        return False
    found, other = lock.find(name), lock.find("other")
    if lock.find(name + "x") is not None or [each.property_id for each in lock.domains] != sorted([name, "other"]):
        return False
    if dict(found.short) != domain:
        return False
    return found.fingerprint.hash == fingerprint(name, domain) and other.fingerprint.hash == fingerprint("other", DOMAIN)
