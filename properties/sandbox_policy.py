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
    wanted = dict(case["moved"])
    if "limits" in wanted:
        wanted["limits"] = {**before["limits"], **wanted["limits"]}
    if moved != wanted or document.keys() != before.keys() or (document["network"], document["timezone"]) != ("none", "UTC"):
        return False
    pins = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": str(document["hash_seed"])}
    environment = dict(found.environment)
    if any(environment.get(name) != value for name, value in pins.items()):
        return False
    return environment == {**dict(standard.environment), **case["profile"].get("env", {}), **pins}
