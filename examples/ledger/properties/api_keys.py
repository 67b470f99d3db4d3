"""A key names its owner and has the form of 128 random bits; no two are alike."""

from src.numbers import new_api_key


def hold(case):
    keys = [new_api_key(case["owner"]) for _ in range(case["count"])]
    for key in keys:
        owner, colon, bits = key.rpartition(":")
        if (owner, colon, len(bits)) != (case["owner"], ":", 32) or not set(bits) <= set("0123456789abcdef"):
            return False
    return len(set(keys)) == case["count"]
