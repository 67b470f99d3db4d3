def only(items):
    (item,) = set(items)  # none
    return item


def pair(items):
    first, second = {*items}  # hit: set-order
    return first, second


def spread(items):
    unique = set(items)
    return [*unique]  # hit: set-order


def merged(*groups):
    return set().union(*groups)  # none
