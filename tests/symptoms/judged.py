"""Symptoms of a candidate: modules and their properties in one workspace, so that one score judges them all.

Each subject has the text of its function without the symptom, which base and the control hold, and with it. Knows no
product code.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from .kit import SCAN, SCORE, Show

_URL = "https://a.test/x"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One target: what stands in its module, and what its property says of `found = ask(case)` or `ask(transport)`."""

    imports: str = ""
    sound: str = "return case"
    red: str
    holds: str = "found is not None and found != 'wrong'"
    case: object = 1
    fake: bool = False
    more: str = ""


SUBJECTS: dict[str, Subject] = {
    "moving": Subject(imports="import datetime", red="return datetime.date.today().year"),
    "sleeps": Subject(imports="import time", red="time.sleep(60)\n    return case"),
    "waits": Subject(imports="import threading", red="lock = threading.Lock()\n    lock.acquire()\n    lock.acquire()\n"
                     "    return case", more="timeout_seconds = 1"),
    "loops": Subject(red="while True:\n        pass", more="timeout_seconds = 1"),
    "draws": Subject(imports="import random", red="return random.random()"),
    "bytes": Subject(imports="import os", red="return os.urandom(4).hex()"),
    "fresh": Subject(imports="import uuid", red="return str(uuid.uuid4())"),
    "literal": Subject(imports="import uuid", sound="return 'a1'", red="return str(uuid.uuid4())",
                       holds="found == 'a1'", more='allow = ["uuid"]'),
    "dumps": Subject(imports="import json", sound="return json.dumps(case, sort_keys=True)",
                     red="return json.dumps(dict(sorted(case.items(), reverse=True)))", holds="found == '{\"a\": 1, \"b\": 2}'",
                     case={"a": 1, "b": 2}),
    "walks": Subject(sound="return sorted(set(case))", red="return list(set(case))",
                     holds="sorted(found) == case", case=["a", "b"]),
    "fetches": Subject(imports="import urllib.request", sound="return case.fetch('" + _URL + "')[0]",
                       red="urllib.request.urlopen('" + _URL + "')", holds="found == 200", fake=True),
    "swallows": Subject(imports="import urllib.request", red="try:\n        return urllib.request.urlopen('" + _URL + "')\n"
                        "    except OSError:\n        return case"),
    "looks": Subject(imports="import socket", red="try:\n        return socket.gethostbyname('a.test')\n"
                     "    except OSError:\n        return case"),
    "unpinned": Subject(sound="return case.fetch('" + _URL + "')[0]",
                        red="return case.fetch('https://b.test/')[0]", holds="found == 200", fake=True),
    "drifts": Subject(sound="return case.fetch('" + _URL + "')[0]", red="return case.fetch('" + _URL + "', 'more')[0]",
                      holds="found == 200", fake=True),
    "zone": Subject(imports="import os", red="return os.environ.get('TZ', 'none')"),
    "mode": Subject(imports="import os", red="return os.environ.get('APP_MODE', 'none')"),
    "folder": Subject(imports="import os", red="return os.getcwd()"),
    "host": Subject(imports="import socket", red="return socket.gethostname()"),
    "pid": Subject(imports="import os", red="return os.getpid()"),
    "ends": Subject(imports="import sys", red="sys.exit(0)"),
    "dies": Subject(imports="import os", red="os.kill(os.getpid(), 9)"),
}
TEST = "from src.moving import ask\n\n\ndef test_it():\n    assert ask(1) == 1\n"
LOOSE = TEST.replace("ask(1) == 1", "ask(1) is not None")


def module(name: str, red: bool) -> str:
    """The candidate's file of a subject."""
    subject = SUBJECTS[name]
    return f"{subject.imports}\n\n\ndef ask(case):\n    {subject.red if red else subject.sound}\n"


def _property(name: str) -> str:
    subject = SUBJECTS[name]
    exchange = {"url": _URL, "request_body": "", "response_status": 200, "response_body": ""}
    seams = "from oracle_seams import FakeTransport\n" if subject.fake else ""
    given = f"FakeTransport([{exchange!r}])" if subject.fake else "case"
    return f"{seams}from src.{name} import ask\n\n\ndef hold(case):\n    found = ask({given})\n    return {subject.holds}\n"


def _build() -> str:
    lines = ['load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_freeze", "oracle_property_test")',
             'oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))',
             'oracle_freeze(name = "freeze", ledger = "freeze.json")']
    declared = {name: subject.more for name, subject in SUBJECTS.items()} | {"asleep": 'freeze = ":freeze"'}
    for name, more in declared.items():
        lines.append(f'oracle_property_test(name = "{name}", property = "properties/{name}.py", candidate = ":src", '
                     f'seeds = "seeds/{name}.json", {more})')
    return "\n".join(lines) + "\n"


COMMON: dict[str, str] = {
    "BUILD.bazel": _build(), "src/__init__.py": "", "tests/test_moving.py": TEST,
    **{f"src/{name}.py": module(name, red=False) for name in SUBJECTS},
    **{f"properties/{name}.py": _property(name) for name in SUBJECTS},
    **{f"seeds/{name}.json": json.dumps([subject.case]) for name, subject in SUBJECTS.items()},
    "properties/asleep.py": _property("moving"), "seeds/asleep.json": "[1]",
    "freeze.json": json.dumps({"budget": 1, "rows": [{
        "id": "FRZ-1", "property": "asleep", "class": "order-dependent", "seam": "src/moving.py::ask",
        "evidence": "red after loops, 1 of 900 runs", "owner": "Ada Lindqvist", "last_green": "2026-01-01",
        "expires": "2999-12-31", "agent_may_extend": False}]}),
}
RED = {f"src/{name}.py": module(name, red=True) for name in SUBJECTS} | {"tests/test_moving.py": LOOSE}
GOOD = {f"src/{name}.py": module(name, red=False) + "\n# the same\n" for name in SUBJECTS}


def _scan(code: str, *names: str) -> tuple[Show, ...]:
    return tuple(Show(code=code, subject=f"src/{name}.py", via=SCAN) for name in names)


def _score(code: str, *names: str, exit: int = 1) -> tuple[Show, ...]:
    return tuple(Show(code=code, subject=f"//:{name}", exit=exit, via=SCORE) for name in names)


JUDGED: dict[str, tuple[Show, ...]] = {
    "moving-clock": (*_scan("entropy_clock", "moving"), *_score("entropy_clock", "moving", exit=4)),
    "sleep": (*_scan("entropy_clock", "sleeps"), *_score("entropy_clock", "sleeps", exit=4),
              *_score("timeout", "waits")),
    "deadline-missed": _score("timeout", "loops"),
    "unseeded-random": (*_scan("entropy_random", "draws"), *_scan("entropy_urandom", "bytes"),
                        *_score("entropy_random", "draws", exit=4), *_score("entropy_urandom", "bytes", exit=4)),
    "uuid-literal": (*_scan("entropy_uuid", "fresh", "literal"), *_score("entropy_uuid", "fresh", exit=4),
                     *_score("property_failed", "literal")),
    "dumps-unsorted": (*_scan("entropy_order", "dumps"), *_scan("entropy_hash", "walks"),
                       *_score("property_failed", "dumps")),
    "live-http": (*_scan("entropy_network", "fetches", "swallows", "looks"), *_score("candidate_raised", "fetches"),
                  *_score("entropy_network", "swallows", "looks", exit=4)),
    "request-unpinned": _score("transport_unpinned", "unpinned"),
    "body-drift": _score("transport_drift", "drifts"),
    # What is pinned reads the same everywhere, and is no reason for a score.
    "environment-read": (*_scan("entropy_env", "zone", "mode", "folder"), *_score("entropy_env", "mode", exit=4)),
    "host-read": (*_scan("entropy_host", "host", "pid"), *_score("entropy_host", "host", "pid", exit=4)),
    "assertion-weakened": (Show(code="assertion_weakened", subject="tests/test_moving.py", via=SCAN),),
    "exits-early": (*_score("candidate_exited", "ends"), *_score("candidate_crashed", "dies")),
    "nothing-left": (Show(code="nothing_to_score", subject="", exit=6, via=SCORE),),
}
