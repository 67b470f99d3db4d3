"""Every text survives, as a value and as a key, and is spelled in ASCII on one line."""

import json

from oracle_rules.protocol import canonical


def hold(case):
    text = case if isinstance(case, str) else case["text"]
    data = canonical.dumps(text)
    if data != json.dumps(text, sort_keys=True).encode("ascii") + b"\n" or canonical.loads(data) != text:
        return False
    keyed = canonical.dumps({text: [text], text + "!": None})
    if canonical.loads(keyed) != {text: [text], text + "!": None}:
        return False
    return canonical.is_canonical(keyed) and keyed.count(b"\n") == 1 and keyed.isascii()
