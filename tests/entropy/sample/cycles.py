def depth(value, seen=()):
    if id(value) in seen:  # none
        raise ValueError("cycle")
    if isinstance(value, list):
        return 1 + max((depth(item, (*seen, id(value))) for item in value), default=0)  # none
    return 0


def memo(value, known):
    known[id(value)] = value  # none
    return value


def stale(value, cache={}):
    key = id(value)  # hit: identity
    if key not in cache:
        cache[key] = compute(value)
    return cache[key]


def compute(value):
    return value
