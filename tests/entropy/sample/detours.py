"""Names that are reached another way, and orders that get out another way."""

import calendar
import datetime
import json
import posixpath
import random
from email.utils import formatdate, localtime


class Day(datetime.date):
    def later(self):
        return self.today()  # hit: clock


class Stream(random.Random):
    pass


Short = Day


def stamps(moment):
    yield formatdate(usegmt=True)  # hit: clock
    yield formatdate(None, True)  # hit: clock
    yield formatdate(moment, usegmt=True)  # none
    yield localtime(isdst=-1)  # hit: clock
    yield localtime(moment, isdst=-1)  # none


def carried():
    return (
        calendar.datetime.date.today(),  # hit: clock
        posixpath.os.getpid(),  # hit: host
        Day.today(),  # hit: clock
        Short.today(),  # hit: clock
        Day(2026, 1, 1),  # none
    )


def streams():
    yield Stream()  # hit: random
    yield Stream(3)  # none
    made = random.Random(3)  # none
    made.seed()  # hit: random
    made.seed(4)  # none


def orders(names):
    numbers = {name: at for at, name in enumerate(set(names))}  # hit: set-order
    sure = {name: at for at, name in enumerate(sorted(set(names)))}  # none
    text = ""
    for name in set(names):  # hit: set-order
        text = text + name
    total = 0
    for name in set(names):  # none
        total = total + len(name)
    return numbers, sure, text, total


def sorts(names):
    early = list(set(names))  # hit: set-order
    first = early[0]
    early.sort()
    late = list(set(names))  # none
    late.sort()
    ties = list(set(names))  # hit: set-order
    ties.sort(key=len)
    kinds = set(map(type, names))
    only = len(kinds) == 1 and kinds.pop()  # none
    return first, late[0], ties, only


def written(value):
    return json.dumps([1, 2]), json.dumps({"b": 1, "a": [value]})  # hit: key-order


FIXED = json.dumps({"b": 1, "a": {"c": "x"}})  # none
