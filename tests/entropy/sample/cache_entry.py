import time


class Entry:
    def __init__(self, value, ttl):
        self.value = value
        self.deadline = time.monotonic() + ttl  # hit: clock

    def is_fresh(self):
        return time.monotonic() < self.deadline  # hit: clock

    def is_fresh_at(self, now):
        return now < self.deadline  # none
