from typing import Callable


class Scheduler:
    def __init__(self, now: Callable[[], float], new_id: Callable[[], str]):
        self._now = now
        self._new_id = new_id

    def plan(self, delay):
        return self._new_id(), self._now() + delay  # none

    def time(self):
        return self._now()  # none
