import random
import time

SOURCES = {"clock": time.time, "chance": random.random}  # hit: clock, random


def sample(name):
    return SOURCES[name]()  # none


def indirect(modules=(time,)):  # hit: evasion
    return modules[0].time()


def mapped(values):
    return list(map(random.choice, values))  # hit: random
