import time

now = time.time  # hit: clock
now = lambda: 0


def stamp():
    return now()  # hit: clock


def fixed():
    now = lambda: 1
    return now()  # none
