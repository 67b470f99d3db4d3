from . import random, time
from .clock import now
from mylib.time import monotonic


def stamp():
    return time.time(), random.random()  # none


def tick():
    return now() + monotonic()  # none
