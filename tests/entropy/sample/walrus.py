import os
import time


def wait_until(done):
    if (started := time.time()) and not done():  # hit: clock
        return started
    if (home := os.environ.get("HOME")):  # hit: environment
        return home
    return None


def nested():
    return [(t := time.time_ns) for _ in range(2)][0]()  # hit: clock
