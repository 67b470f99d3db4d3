import json
from functools import partial

canonical = partial(json.dumps, sort_keys=True, separators=(",", ":"))  # none
compact = partial(json.dumps, separators=(",", ":"))  # hit: key-order


def etag(value):
    return canonical(value)  # none


def encode(value, dumps=json.dumps):  # hit: key-order
    return dumps(value)


def with_options(value, **options):
    return json.dumps(value, **options)  # hit: key-order
