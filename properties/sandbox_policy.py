"""A profile moves the pins that it names and no other, however it spells them; what can't be pinned is refused by its
field."""

import json

from oracle_rules.analysis.policy import policy
from oracle_rules.artifacts.profile import parse_profile
from oracle_rules.errors import IncompleteError

FIXED = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "HOME": "/tmp", "TMPDIR": "/tmp"}


def hold(case):
    standard = policy()
    data = json.dumps(case["profile"], sort_keys=True).encode()
    try:
        profile = parse_profile(data, path="profile.json")
    except IncompleteError as error:
        field = case.get("refuse", "").strip()
        return field != "" and error.detail.startswith(field + ":") and error.where.startswith("profile.json:1:")
    if "refuse" in case:
        return False
    found = policy(profile)
    document = json.loads(found.data)
    before = json.loads(standard.data)
    environment = dict(found.environment)
    if document["environment"] != environment or document.keys() != before.keys() or document["network"] != "none":
        return False
    moved = {key: value for key, value in document.items() if before[key] != value and key != "environment"}
    wanted = dict(case["moved"])
    if "limits" in wanted:
        wanted["limits"] = {**before["limits"], **wanted["limits"]}
    if moved != wanted:
        return False
    folder = "/tmp/" + document["cache_dir"]
    pins = {**FIXED, "TZ": document["timezone"], "PYTHONHASHSEED": str(document["hash_seed"]), "CACHE_DIR": folder,
            "XDG_CACHE_HOME": folder}
    return environment == {**dict(standard.environment), **case.get("variables", {}), **pins}
