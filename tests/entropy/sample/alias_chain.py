import time

a = time
b = a
tick = b.monotonic  # hit: clock


class Meter:
    read = tick  # hit: clock

    def value(self):
        return self.read()  # hit: clock


def later():
    clock = tick  # hit: clock
    return clock()  # hit: clock
