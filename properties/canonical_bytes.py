"""A JSON value has one spelling, byte for byte, and only that spelling is canonical."""

import json

from oracle_rules.protocol import canonical


def same(left, right):
    """Equal as JSON: 1, 1.0 and true are three values, the order of keys is none."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def hold(case):
    data = case["bytes"].encode("ascii")
    if canonical.dumps(case["value"]) != data or not same(canonical.loads(data), case["value"]):
        return False
    others = [data[:-1], b" " + data, data + b"\n", data.replace(b"\\u", b"\\U"), data.replace(b":", b": ")]
    others = [other for other in others if other != data]
    return canonical.is_canonical(data) and not any(canonical.is_canonical(other) for other in others)
