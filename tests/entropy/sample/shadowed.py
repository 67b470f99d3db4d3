import random
import time


def run(time):
    return time.time()  # none


def roll(random):
    return random.random()  # none


def elapsed(samples):
    time = sum(samples)
    return time  # none


def both():
    class time:
        @staticmethod
        def time():
            return 0

    return time.time()  # none
