import itertools


def pairs(names):
    return list(itertools.combinations(set(names), 2))  # hit: set-order


def pairs_sorted(names):
    return list(itertools.combinations(sorted(set(names)), 2))  # none


def mapped(names):
    return list(map(str.upper, set(names)))  # hit: set-order


def mapped_sorted(names):
    return sorted(map(str.upper, set(names)))  # none


def joined(names):
    return "".join(name[0] for name in set(names))  # hit: set-order


def zipped(names, numbers):
    return dict(zip(set(names), numbers))  # hit: set-order
