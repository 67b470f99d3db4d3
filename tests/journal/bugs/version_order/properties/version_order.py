"""Of two pre-releases the one that the specification puts first is first."""

from src.version import key


def before(one, two):
    for left, right in zip(one, two):
        if left != right:
            if isinstance(left, int) and isinstance(right, int):
                return left < right
            return isinstance(left, int) if isinstance(left, int) != isinstance(right, int) else left < right
    return len(one) < len(two)


def hold(case):
    one, two = case
    left, right = (".".join(map(str, parts)) for parts in case)
    return (key(left) < key(right)) == before(one, two)
