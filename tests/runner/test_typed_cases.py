"""Each type of the typed language on its whole way: lock, Generate, corpus, judge, `hold`, the wire, the candidate.

One score. Expectations are written as Python, by hand, and as what the candidate says of the value that reaches it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oracle_rules.protocol import typed

from ..cli.kit import make, oracle

# Name to how a lock spells the value, the same value as Python, and what the candidate has to say of it.
LISTED: dict[str, tuple[Any, str, list[str]]] = {
    "none": (None, "None", ["NoneType", "None"]),
    "true": (True, "True", ["bool", "True"]),
    "one": (1, "1", ["int", "1"]),
    "large": (1 << 100, "1 << 100", ["int", "1267650600228229401496703205376"]),
    "least": (-(1 << 64), "-(1 << 64)", ["int", "-18446744073709551616"]),
    "whole": (1.0, "1.0", ["float", "1.0"]),
    "tenth": (0.1, "0.1", ["float", "0.1"]),
    "nan": ({"$float": "nan"}, "float('nan')", ["float", "nan"]),
    "infinity": ({"$float": "-inf"}, "float('-inf')", ["float", "-inf"]),
    "minus": ({"$float": "-0.0"}, "-0.0", ["float", "-0.0"]),
    "text": ("\u00e9\n", "chr(233) + chr(10)", ["str", "'\u00e9\\n'"]),
    "surrogate": ({"$text": [0xD800, 97]}, "chr(0xd800) + 'a'", ["str", r"'\ud800a'"]),
    "bytes": ({"$bytes": "00ff"}, "bytes([0, 255])", ["bytes", r"b'\x00\xff'"]),
    "decimal": ({"$decimal": "1.50"}, "Decimal('1.50')", ["Decimal", "Decimal('1.50')"]),
    "decimal_nan": ({"$decimal": "NaN"}, "Decimal('NaN')", ["Decimal", "Decimal('NaN')"]),
    "naive": ({"$datetime": "2026-01-31T08:00:00.000001"}, "datetime.datetime(2026, 1, 31, 8, 0, 0, 1)",
              ["datetime", "datetime.datetime(2026, 1, 31, 8, 0, 0, 1)"]),
    "aware": ({"$datetime": "2026-01-31T08:00:00+02:00"}, "datetime.datetime(2026, 1, 31, 8, 0, tzinfo=TWO)",
              ["datetime", "datetime.datetime(2026, 1, 31, 8, 0, "
               "tzinfo=datetime.timezone(datetime.timedelta(seconds=7200)))"]),
    "date": ({"$date": "2026-01-31"}, "datetime.date(2026, 1, 31)", ["date", "datetime.date(2026, 1, 31)"]),
    "tuple": ({"$tuple": [1, {"$tuple": []}]}, "(1, ())", ["tuple", "(1, ())"]),
    "list": ([1, [True, 1.0]], "[1, [True, 1.0]]", ["list", "[1, [True, 1.0]]"]),
    "set": ({"$set": [1, 2]}, "{1, 2}", ["set", "[1, 2]"]),
    "frozenset": ({"$frozenset": ["a", {"$bytes": "61"}]}, "frozenset(['a', b'a'])", ["frozenset", "['a', b'a']"]),
    "dict": ({"a": [None]}, "{'a': [None]}", ["dict", "{'a': [None]}"]),
    "keys": ({"$dict": [["$y", {"$tuple": [2]}], [1, "x"]]}, "{'$y': (2,), 1: 'x'}", ["dict", "{'$y': (2,), 1: 'x'}"]),
}  # fmt: skip
# Name to a value that Python calls equal to it, or that looks alike, and that is another one.
WRONG = {"true": "1", "one": "True", "whole": "1", "minus": "0.0", "decimal": "Decimal('1.5')",
         "set": "frozenset({1, 2})", "tuple": "[1, []]", "date": "datetime.datetime(2026, 1, 31)",
         "bytes": "bytearray([0, 255])", "large": "2.0 ** 100",
         "surrogate": "'?a'", "keys": "{'$y': (2,), True: 'x'}"}  # fmt: skip
# Those of which a property of its own claims it, and has to be red.
RED = ("one", "minus", "set")
SAME = '''"""What a case holds is this very value, of this very type; the candidate is handed the same one."""

import datetime
import struct
from decimal import Decimal

from src.told import back, told

TWO = datetime.timezone(datetime.timedelta(hours=2))


def same(one, other):
    if type(one) is not type(other):
        return False
    if type(one) is float:
        return (one != one and other != other) or struct.pack("d", one) == struct.pack("d", other)
    if type(one) in (list, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if type(one) in (set, frozenset):
        return len(one) == len(other) and all(any(same(a, b) for b in other) for a in one)
    if type(one) is dict:
        return same(list(one.items()), list(other.items()))
    if type(one) is Decimal:
        return one.as_tuple() == other.as_tuple()
    if type(one) is datetime.datetime:
        return one == other and one.tzinfo == other.tzinfo
    return one == other

'''
DRAWN: list[tuple[dict[str, Any], str]] = [
    ({"kind": "integers", "min": 1 << 64, "max": 1 << 90}, "type(value) is int and 1 << 64 <= value <= 1 << 90"),
    ({"kind": "floats", "min": None, "max": None, "exclude_min": False, "exclude_max": False, "allow_nan": True,
      "allow_infinity": True, "width": 64}, "type(value) is float"),
    ({"kind": "decimals", "min": "0", "max": "9", "places": 2, "allow_nan": False, "allow_infinity": False},
     "type(value) is Decimal and value.as_tuple().exponent == -2"),
    ({"kind": "text", "alphabet": {"characters": {"$text": [0xDC00]}}, "min_size": 1, "max_size": 3},
     "type(value) is str and {ord(sign) for sign in value} == {0xdc00}"),
    ({"kind": "binary", "min_size": 1, "max_size": 3}, "type(value) is bytes and 1 <= len(value) <= 3"),
    ({"kind": "datetimes", "min": "2026-01-01T00:00:00", "max": "2026-12-31T00:00:00", "offset": "+02:00"},
     "type(value) is datetime.datetime and value.tzinfo == TWO and value.year == 2026"),
    ({"kind": "dates", "min": "2026-01-01", "max": "2026-12-31"},
     "type(value) is datetime.date and value.year == 2026"),
    ({"kind": "lists", "elements": {"kind": "booleans"}, "min_size": 1, "max_size": 3, "unique": False},
     "type(value) is list and {type(each) for each in value} == {bool}"),
    ({"kind": "sets", "elements": {"kind": "integers", "min": 0, "max": 99}, "min_size": 2, "max_size": 3},
     "type(value) is set and {type(each) for each in value} == {int} and len(value) in (2, 3)"),
    ({"kind": "tuples", "elements": [{"kind": "none"}]}, "value == (None,) and type(value) is tuple"),
    ({"kind": "records", "required": {"a": {"kind": "none"}}, "optional": {"b": {"kind": "booleans"}}},
     "type(value) is dict and {'a'} <= set(value) <= {'a', 'b'} and value['a'] is None"),
]  # fmt: skip
TOLD = '''def told(value):
    shown = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
    return [type(value).__name__, repr(shown)]


def back(value):
    return value
'''


def listed(name: str) -> str:
    """A `hold` that says the wrong thing of one value; with a name that has none it says what is right of all."""
    known = {each: WRONG[each] if each == name else source for each, (_, source, _) in LISTED.items()}
    lines = [f"    {each!r}: {source}," for each, source in known.items()]
    others = "".join(f"    {each!r}: {source},\n" for each, source in WRONG.items() if each != name)
    said = {each: words for each, (_, _, words) in LISTED.items()}
    return (SAME + "\n\nKNOWN = {\n" + "\n".join(lines) + "\n}\nWRONG = {\n" + others + f"}}\nSAID = {said!r}\n" + """

def hold(case):
    if case == []:
        return back(case) == []
    assert sorted(case) == sorted(KNOWN)
    for name, value in case.items():
        assert same(value, KNOWN[name]), name
        assert name not in WRONG or not same(value, WRONG[name]), name
        assert told(value) == SAID[name], name
        assert same(back(value), value), name
    return True
""")


def drawn() -> str:
    """A `hold` about the type of what each kind draws."""
    checks = [f"    assert {check.replace('value', f'case[{number}]')}\n" for number, (_, check) in enumerate(DRAWN)]
    return (SAME + "\n\ndef hold(case):\n    if case == []:\n        return back(case) == []\n"
            + "".join(checks) + "    return same(back(case), case) and told(case)[0] == 'tuple'\n")


def files() -> dict[str, str]:
    """A workspace with a property that is right, one about what each kind draws, and those that are wrong."""
    constants = {name: {"kind": "constant", "value": spelled} for name, (spelled, _, _) in LISTED.items()}
    shared = {"max_examples": 1, "deadline_ms": 400, "seed": 5}
    row = {"domain": {"kind": "records", "required": constants, "optional": {}}, **shared}
    rows = {"right": row, **{f"wrong_{name}": row for name in RED}}
    rows["drawn"] = {**shared, "domain": {"kind": "tuples", "elements": [domain for domain, _ in DRAWN]},
                     "max_examples": 30, "distinct_floor": 30}
    holds = {"right": listed(""), "drawn": drawn(), **{f"wrong_{name}": listed(name) for name in RED}}
    build = ['load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_domain_lock",',
             '     "oracle_property_test")',
             'oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))',
             'oracle_domain_lock(name = "domains", lock = "domain_lock.json")']
    for name in holds:
        build.append(f'oracle_property_test(name = "{name}", property = "properties/{name}.py", candidate = ":src", '
                     f'seeds = "seeds/{name}.json", domain_lock = ":domains")')
    return {"BUILD.bazel": "\n".join(build) + "\n", "src/__init__.py": "", "src/told.py": TOLD,
            "domain_lock.json": json.dumps(rows), **{f"properties/{name}.py": text for name, text in holds.items()},
            **{f"seeds/{name}.json": "[[]]" for name in holds}}


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> dict[str, Any]:
    repo = make(tmp_path_factory.mktemp("typed") / "repo", files())
    ran = oracle("score", "--base", "main", "--head", "good", "--cache-dir", str(cache), "--format", "json",
                 cwd=repo.top)
    return {each["property_id"]: each for each in ran.record["targets"]}


def spelled_with(value: Any) -> Iterator[str]:
    """The tags that a spelling uses."""
    if type(value) is dict:
        yield from (key for key in value if key.startswith("$"))
        for each in value.values():
            yield from spelled_with(each)
    elif type(value) is list:
        for each in value:
            yield from spelled_with(each)


def test_every_tag_and_every_plain_type_is_listed() -> None:
    assert {tag for spelled, _, _ in LISTED.values() for tag in spelled_with(spelled)} == set(typed.TAGS)
    assert {type(spelled) for spelled, _, _ in LISTED.values()} == {type(None), bool, int, float, str, list, dict}


@pytest.mark.parametrize("name", ["right", "drawn"])
def test_hold_and_candidate_get_the_very_value(name: str, targets: dict[str, Any]) -> None:
    found = targets[name]
    assert (found["bit"], found["held"], found["planned"]) == (1, *(2 if name == "right" else 31,) * 2), found["detail"]


@pytest.mark.parametrize("name", RED)
def test_a_wrong_word_about_a_value_is_red(name: str, targets: dict[str, Any]) -> None:
    found = targets[f"wrong_{name}"]
    assert (found["bit"], found["reason"], found["counterexample"]["index"]) == (0, "property_failed", 1), found
    assert name in found["detail"]
