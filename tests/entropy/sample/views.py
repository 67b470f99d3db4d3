def changed(before, after):
    return [key for key in before.keys() & after.keys() if before[key] != after[key]]  # hit: set-order


def added(before, after):
    return sorted(after.keys() - before.keys())  # none


def in_order(mapping):
    return [key for key in mapping.keys()]  # none


def values(mapping):
    return list(mapping.values())  # none
