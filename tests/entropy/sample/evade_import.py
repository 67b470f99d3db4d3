import importlib
import sys


def now():
    return __import__("time").time()  # hit: clock


def by_name(name):
    return importlib.import_module(name)  # hit: evasion


def through_modules():
    return sys.modules["time"].time()  # hit: evasion


def plain():
    return importlib.import_module("decimal")  # none


def built(parts):
    return __import__("".join(parts))  # hit: evasion
