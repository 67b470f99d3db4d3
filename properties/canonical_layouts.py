"""Layout, order of keys and spelling of characters don't matter; any difference in value does."""

import json

from oracle_rules.protocol import canonical


def hold(case):
    same = [canonical.dumps(canonical.loads(text.encode("utf-8"))) for text in case["same"]]
    other = [canonical.dumps(canonical.loads(text.encode("utf-8"))) for text in case["other"]]
    if len(set(same)) != 1 or len({*same, *other}) != 1 + len(case["other"]):
        return False
    # A second implementation, good for texts whose keys are ASCII.
    for text, data in zip(case["same"] + case["other"], same + other):
        spelled = json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))
        if data != spelled.encode("ascii") + b"\n":
            return False
    return all(canonical.dumps(canonical.loads(data)) == data for data in same + other)
