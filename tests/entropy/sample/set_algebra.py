from typing import FrozenSet


class Roles:
    granted: FrozenSet[str]

    def __init__(self, granted):
        self.granted = frozenset(granted)

    def missing(self, wanted: set[str]):
        return wanted - self.granted  # none

    def report(self, wanted: set[str]):
        return [f"missing {role}" for role in wanted - self.granted]  # hit: set-order

    def first(self):
        return next(iter(self.granted))  # hit: set-order

    def covers(self, wanted):
        return all(role in self.granted for role in wanted)  # none

    def longest(self):
        return max(len(role) for role in self.granted)  # none
