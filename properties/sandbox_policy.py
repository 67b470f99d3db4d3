"""A profile moves the pins that it names and no other; what can't be pinned is refused by its field."""

import json

from oracle_rules.analysis.policy import policy
from oracle_rules.errors import UsageError


def hold(case):
    standard = policy(None)
    try:
        found = policy(case["profile"], where="profile.json")
    except UsageError as error:
        return "refuse" in case and error.detail.startswith(case["refuse"]) and error.where == "profile.json"
    if "refuse" in case:
        return False
    document = json.loads(found.data)
    before = json.loads(standard.data)
    moved = {key: value for key, value in document.items() if before[key] != value}
    if moved != case["moved"] or document.keys() != before.keys():
        return False
    if (document["network"], document["loopback"], document["aslr"], document["timezone"]) != (
            "none", "down", False, "UTC"):
        return False
    pins = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": str(document["hash_seed"])}
    return dict(found.environment) == {**case["profile"].get("env", {}), **pins}
