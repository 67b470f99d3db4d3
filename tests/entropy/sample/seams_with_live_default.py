import time as _time


class Clock:
    now = staticmethod(_time.time)  # hit: clock

    def stamp(self):
        return int(self.now())  # hit: clock


def measured(action, clock=_time.perf_counter):  # hit: clock
    before = clock()  # none
    action()
    return clock() - before  # none
