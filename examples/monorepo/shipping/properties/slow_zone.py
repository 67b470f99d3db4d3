"""The first label of a process is the first."""

from shipping.rates import next_label


def hold(case):
    return [next_label() for _ in range(case)] == [f"P{number:04}" for number in range(1, case + 1)]
