try:
    from time import monotonic_ns as clock  # none
except ImportError:
    from time import time as clock  # none

try:
    import ujson as json
except ImportError:
    import json


def stamp():
    return clock()  # hit: clock


def encode(value):
    return json.dumps(value)  # hit: key-order
