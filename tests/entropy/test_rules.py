"""The table: total, without rows that nothing reaches, and each row is missed when it is gone."""

from __future__ import annotations

import pytest

from oracle_rules.entropy import scan
from oracle_rules.entropy.conditions import CONDITIONS
from oracle_rules.entropy.hit import Category
from oracle_rules.entropy.rules import BY_ID, HOT, RULES
from oracle_rules.gate.codes import CATALOGUE

# For each row a source that it, and no other row, must find, and one beside it that nothing may find.
WITNESSES: dict[str, tuple[str, str]] = {
    "sleep": ("import time\ntime.sleep(1)", "import time\ntime.struct_time"),
    "clock-read": ("import datetime\ndatetime.datetime.now()", "import datetime\ndatetime.datetime(2020, 1, 1)"),
    "clock-timer": ("from time import perf_counter\nperf_counter()", "def perf_counter(): ...\nperf_counter()"),
    "clock-default": ("import time\ntime.localtime()", "import time\ntime.localtime(0)"),
    "clock-strftime": ("import time\ntime.strftime('%H')", "import time\ntime.strftime('%H', when)"),
    "timezone": ("from datetime import datetime\ndatetime.fromtimestamp(0)",
                 "from datetime import datetime, UTC\ndatetime.fromtimestamp(0, UTC)"),
    "timezone-local": ("def f(when):\n    return when.astimezone()", "def f(when, tz):\n    return when.astimezone(tz)"),
    "timezone-name": ("import time\ntime.tzname", "import time\ntime.struct_time"),
    "uuid": ("import uuid\nuuid.uuid1()", "import uuid\nuuid.uuid5(uuid.NAMESPACE_DNS, 'x')"),
    "secrets": ("import os\nos.urandom(3)", "import secrets\nsecrets.compare_digest(a, b)"),
    "random-system": ("import random\nrandom.SystemRandom()", "import random\nrandom.Random(1)"),
    "random-unseeded": ("import random\nrandom.Random()", "import random\nrandom.Random(0)"),
    "random-global": ("import random\nrandom.seed(1)", "import random\ndef f(r: random.Random):\n    r.seed(1)"),
    "set-order": ("x = list({a, b})", "x = sorted({a, b})"),
    "set-tie": ("sorted({a, b}, key=len)", "sorted({a, b}, key=name)"),
    "folder-order": ("import os\nx(os.listdir())", "import os\nx(sorted(os.listdir()))"),
    "key-order": ("import json\njson.dumps(x)", "import json\njson.dumps(x, sort_keys=True)"),
    "key-order-orjson": ("import orjson\norjson.dumps(x)", "import orjson\norjson.dumps(x, option=orjson.OPT_SORT_KEYS)"),
    "hash": ("hash(x)", "class A:\n    def __hash__(self):\n        return hash(self.x)"),
    "id": ("print(id(x))", "id(x) in seen"),
    "default-repr": ("object.__repr__(x)", "repr(x)"),
    "environ": ("import os\nos.environ['X']", "environ['X']"),
    "cwd": ("import os\nos.getcwd()", "getcwd()"),
    "locale": ("import locale\nlocale.localeconv()", "import locale\nlocale.LC_ALL"),
    "interpreter": ("import sys\nsys.argv", "import sys\nsys.maxsize"),
    "host": ("import platform\nplatform.node()", "import platform\nplatform.python_version()"),
    "temporary": ("import tempfile\ntempfile.mkdtemp()", "import tempfiles\ntempfiles.mkdtemp()"),
    "resolve": ("import socket\nsocket.gethostbyname('x')", "import socket\nsocket.inet_aton('1.2.3.4')"),
    "network": ("import http.client\nhttp.client.HTTPConnection('x')", "from http import HTTPStatus\nHTTPStatus(200)"),
    "thread": ("import threading\nthreading.Thread()", "import threading\nthreading.Lock()"),
    "process": ("import subprocess\nsubprocess.run([])", "import subprocess\nsubprocess.CalledProcessError"),
    "native": ("import ctypes\nctypes.CDLL(None)", "import ctypes\nctypes.c_int"),
    "evade-import": ("import importlib\nimportlib.import_module(x)", "import importlib\nimportlib.import_module('json')"),
    "evade-modules": ("import sys\nsys.modules[x]", "import sys\nsys.modules['json']"),
    "evade-globals": ("globals()[x]", "globals()['x']"),
    "evade-code": ("exec(x)", "import re\nre.compile(x)"),
    "evade-getattr": ("import datetime\ngetattr(datetime.date, x)", "getattr(y, x)"),
    "evade-dict": ("import time\ntime.__dict__", "import json\njson.__dict__"),
    "evade-module": ("import time\nf(time)", "import time\nhasattr(time, 'x')"),
    "evade-star": ("from time import *", "from math import *"),
    "unreadable": ("x = (", "x = ()"),
}  # fmt: skip


def rules(source: str) -> set[str]:
    return {hit.rule.id for hit in scan.scan_source(source, "x.py").hits}


def test_every_row_has_a_witness() -> None:
    assert list(WITNESSES) == [rule.id for rule in RULES]


@pytest.mark.parametrize("rule", WITNESSES)
def test_a_row_finds_what_it_is_for_and_leaves_what_stands_beside_it(rule: str) -> None:
    found, left = WITNESSES[rule]
    assert rules(found) == {rule}
    assert rules(left) == set()


@pytest.mark.parametrize("rule", [rule.id for rule in RULES if rule.names])
def test_a_row_that_is_gone_is_missed(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "RULES", tuple(row for row in RULES if row.id != rule))
    exact, wild = scan._index()
    monkeypatch.setattr(scan, "_EXACT", exact)
    monkeypatch.setattr(scan, "_WILD", wild)
    assert rule not in rules(WITNESSES[rule][0])


def test_rows_speak_of_codes_and_conditions_that_exist_and_of_two_categories() -> None:
    assert len(BY_ID) == len(RULES)
    for rule in RULES:
        assert rule.code in CATALOGUE and int(CATALOGUE[rule.code].exit) == 4, rule.id
        assert rule.when in CONDITIONS and rule.category in Category, rule.id
        assert rule.says and rule.seam and not rule.says.endswith(".") and not rule.seam.endswith("."), rule.id
    assert {rule.when for rule in RULES} == set(CONDITIONS)
    assert len(Category) == 2
    assert {rule.category for rule in RULES} == set(Category)


def test_no_name_stands_in_two_rows_that_could_fire_at_once() -> None:
    """Two rows of one name must differ in kind, or the second would never be reached."""
    seen: dict[str, str] = {}
    for rule in RULES:
        for name in rule.names:
            assert seen.setdefault(name, rule.id) == rule.id or BY_ID[seen[name]].when != "always", name


@pytest.mark.parametrize("name", sorted({name for rule in RULES if rule.when == "always" for name in rule.names
                                         if name[0] not in "?*" and "(" not in name and not name.startswith("builtins")
                                         and not name.endswith(("*", "__dict__", "__getattribute__"))}))
def test_every_name_is_found_under_an_alias(name: str) -> None:
    module, _, last = name.rpartition(".")
    found = scan.scan_source(f"from {module} import {last} as q\nq()", "x.py").hits
    assert name in {rule_name for hit in found for rule_name in hit.rule.names}, name


def test_modules_that_matter_are_not_handed_around() -> None:
    for module in HOT:
        assert rules(f"import {module} as q\nf(q)") == {"evade-module"}, module
