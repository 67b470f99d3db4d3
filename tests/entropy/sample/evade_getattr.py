import time


def now(name="time"):
    return getattr(time, name)()  # hit: evasion


def now_literal():
    return getattr(time, "time")()  # hit: clock


def has():
    return hasattr(time, "time_ns")  # none


def table():
    return vars(time)  # hit: evasion


def inner():
    return time.__dict__["time"]()  # hit: evasion
