"""What is not JSON, or not JSON that everybody reads alike, is refused with the reason; its near neighbour is read."""

from oracle_rules.protocol import canonical

VALUES = {
    "nan": float("nan"),
    "infinity": float("inf"),
    "minus infinity": float("-inf"),
    "tuple": (1, 2),
    "bytes": b"x",
    "set": {1},
    "number as key": {1: "x"},
    "split pair": "\ud83d\ude00",
    "tuple inside": {"a": [(1,)]},
}


def refused(function, *args, says):
    try:
        function(*args)
    except ValueError as error:
        return says in str(error)
    return False


def hold(case):
    if "value" in case:
        return refused(canonical.dumps, VALUES[case["value"]], says=case["says"])
    if "nested" in case:
        nested = b"[" * case["nested"] + b"]" * case["nested"] + b"\n"
        if case["refused"] and not refused(canonical.loads, nested, says="nested deeper"):
            return False
        return canonical.is_canonical(nested) is not case["refused"]
    bad = bytes.fromhex(case["hex"]) if "hex" in case else case["text"].encode("utf-8")
    if not refused(canonical.loads, bad, says=case["says"]) or canonical.is_canonical(bad):
        return False
    good = case["near"].encode("utf-8")
    return canonical.loads(good) is not None and not refused(canonical.loads, good, says="")
