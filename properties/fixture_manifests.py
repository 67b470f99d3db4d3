"""Every fixture stands by its row and every row has its fixture; what is broken is named, and nothing else is shown."""

import hashlib
import json

from oracle_rules.artifacts.fixtures import check_fixtures, parse_manifest
from oracle_rules.digest import Digest
from oracle_rules.errors import IncompleteError

PATH = "fixtures/manifest.json"


def hold(case):
    rows = {name: dict(row) for name, row in case.get("rows", {}).items()}
    for row in rows.values():
        if "of" in row:
            row["sha256"] = hashlib.sha256(row.pop("of").encode("utf-8")).hexdigest()
        if "last" in row:
            row["sha256"] = row["sha256"][:-1] + row.pop("last")
    spellings = [case["text"]] if "text" in case else [
        json.dumps(rows, sort_keys=True), json.dumps({"files": rows}, indent=1, sort_keys=True)]
    return all(one(case, text.encode("utf-8")) for text in spellings)


def one(case, data):
    try:
        manifest = parse_manifest(data, path=PATH)
    except IncompleteError as error:
        return "refuse" in case and case["refuse"] in error.detail and error.where.startswith(PATH)
    if "refuse" in case:
        return False
    files = {path: Digest.of(text.encode("utf-8")) for path, text in case["files"].items()}
    found = check_fixtures(manifest, files)
    broken = [[violation.code, violation.subject] for violation in found.violations]
    return broken == case["broken"] and list(found.files) == case["shown"]
