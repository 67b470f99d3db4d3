"""The oracle of the workspace that the suite patches: properties and their cases, by name. Knows no patch."""

from __future__ import annotations

PROPERTIES: dict[str, str] = {
    "parse": '''
from src.parser import ParseError, parse


def hold(case):
    try:
        found = parse(case["text"])
    except ParseError as error:
        return "refuse" in case and error.code == case["refuse"]
    return "refuse" not in case and found == case["expect"]
''',
    # The answer of a generated case is worked out here, since a domain lock has no expectations.
    "parse_total": '''
import re

from src.parser import ParseError, parse


def hold(case):
    text = case if isinstance(case, str) else case["text"]
    try:
        name, number = parse(text)
    except ParseError as error:
        return error.code in ("no_equals", "bad_name", "bad_number")
    head, _, tail = text.partition("=")
    return name == head and name.isidentifier() and type(number) is int and number == int(tail)
''',
    "account": '''
from decimal import Decimal

from src.account import Account, Overdrawn


def hold(case):
    account = Account()
    for verb, amount in case["steps"]:
        try:
            getattr(account, verb)(amount)
        except Overdrawn as refusal:
            if refusal.short != Decimal(case["short"]):
                return False
        else:
            if "short" in case and [verb, amount] == case["steps"][-1]:
                return False
    return account.balance == Decimal(case["balance"]) and len(account.log) == case["logged"]
''',
    "retry": '''
from src.retry import call


class Clock:
    def __init__(self):
        self.slept = []

    def sleep(self, seconds):
        self.slept.append(seconds)


class Transport:
    def __init__(self, exchanges):
        self.exchanges = exchanges
        self.asked = []

    def fetch(self, url):
        self.asked.append(url)
        return tuple(self.exchanges[len(self.asked) - 1])


def hold(case):
    clock, transport = Clock(), Transport(case["exchanges"])
    outcome = call(transport, clock, case["url"], case["attempts"])
    return (clock.slept == case["slept"] and transport.asked == [case["url"]] * (len(case["slept"]) + 1)
            and outcome.status == case["status"] and outcome.body == case["body"]
            and outcome.waited == sum(case["slept"]))
''',
    "order": '''
from src.order import arrange, is_sorted, smallest


def hold(case):
    asked = []

    def key(item):
        asked.append(item)
        return item[1]

    items = [list(item) for item in case["items"]]
    arrange(items, key)
    if items != case["sorted"]:
        return False
    if is_sorted([item[1] for item in items]) is not True or is_sorted([2, 1]) is not False:
        return False
    return smallest(items, key) == case["sorted"][0] and len(asked) >= len(items)
''',
    "shapes": '''
from src.shapes import Point, point, span


def hold(case):
    found = point(case["text"])
    if (found.x, found.y) != tuple(case["at"]) or found != Point(*case["at"]):
        return False
    moved = found.plus(Point(1, 1))
    return (moved.x, moved.y) == (case["at"][0] + 1, case["at"][1] + 1) \\
        and span(*case["find"]) == tuple(case["span"])
''',
    # Written in the ways that an exception of the candidate's could end early.
    "loops": '''
from src.parser import parse


def _first(text):
    found = parse(text)
    return (getattr(found, "first", None) or found[0]) == text.partition("=")[0]


def hold(case):
    return all(map(_first, case))
''',
    "truth": '''
from src.order import is_sorted


def hold(case):
    return is_sorted(case)
''',
    "stream": '''
from src.stream import lines


def hold(case):
    taken = []

    def chunks():
        for chunk in case["chunks"]:
            taken.append(chunk)
            yield chunk

    return list(lines(chunks())) == case["lines"] and taken == case["chunks"]
''',
}

SEEDS: dict[str, list[object]] = {
    "parse": [{"text": "a=1", "expect": ["a", 1]}, {"text": "size=-20", "expect": ["size", -20]},
              {"text": "nothing", "refuse": "no_equals"}, {"text": "9=9", "refuse": "bad_name"},
              {"text": "b=two", "refuse": "bad_number"}, {"text": "zeta=77", "expect": ["zeta", 77]}],
    "parse_total": [{"text": "a=1"}, {"text": "=4"}, {"text": "b=x"}],
    "account": [{"steps": [["put", "2.50"], ["put", "1.10"]], "balance": "3.60", "logged": 2},
                {"steps": [["put", "5"], ["take", "7.25"]], "short": "2.25", "balance": "5", "logged": 1}],
    "retry": [{"url": "https://api.test/a", "attempts": 3, "slept": [2.0], "status": 200, "body": "hello",
               "exchanges": [[503, {"retry-after": "2"}, ""], [200, {}, "hello"]]},
              {"url": "https://api.test/b", "attempts": 2, "slept": [1.0], "status": 503, "body": "later",
               "exchanges": [[503, {}, ""], [503, {}, "later"]]}],
    "order": [{"items": [["c", 3], ["a", 1], ["b", 2]], "sorted": [["a", 1], ["b", 2], ["c", 3]]},
              {"items": [["x", 1], ["y", 0]], "sorted": [["y", 0], ["x", 1]]}],
    "shapes": [{"text": "3,4", "at": [3, 4], "find": ["a needle", "needle"], "span": [2, 8]},
               {"text": "-1,0", "at": [-1, 0], "find": ["xyz", "yz"], "span": [1, 3]}],
    "loops": [["a=1", "b=2"]], "truth": [[1, 2], []],
    "stream": [{"chunks": ["a\nb", "c\n", "d"], "lines": ["a", "bc", "d"]}, {"chunks": ["\n"], "lines": [""]}],
}
