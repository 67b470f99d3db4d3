import json


def index(names):
    unique = set(names)
    return {name: len(name) for name in unique}  # none


def table(names):
    unique = set(names)
    lengths = {name: len(name) for name in unique}
    return list(lengths.items())  # hit: set-order


def text(names):
    unique = set(names)
    lengths = {name: len(name) for name in unique}
    return json.dumps(lengths, sort_keys=True)  # none
