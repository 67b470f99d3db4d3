from time import *  # hit: evasion
from math import *  # none


def now():
    return monotonic()  # hit: clock


def root(x):
    return sqrt(x)  # none
