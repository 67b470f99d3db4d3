import json


def body(payload):
    return json.dumps(payload)  # hit: key-order


def body_sorted(payload):
    return json.dumps(payload, sort_keys=True)  # none


def pretty(payload):
    return json.dumps(payload, indent=2, sort_keys=False)  # hit: key-order


def save(payload, file):
    json.dump(payload, file)  # hit: key-order


def quoted(text: str):
    return json.dumps("plain text")  # none
