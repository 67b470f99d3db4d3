import sys

if sys.platform == "win32":
    import time

    timer = time.perf_counter  # hit: clock
else:
    import time

    timer = time.time  # hit: clock


def now():
    return timer()  # hit: clock
