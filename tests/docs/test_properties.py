"""What the page on properties says does not work: it happens as the page says, and what it advises works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from oracle_rules.worker import Worker
from tests.runner.bench import Pair, judge

PAIRS = [
    Pair("own_tuple", "def f(p): return p.x\n", "import collections\nfrom src.own_tuple import f\n"
         "P = collections.namedtuple('P', 'x y')\ndef hold(case):\n    return f(P(1, 2)) == 1\n", "candidate_raised"),
    Pair("own_dataclass", "def f(p): return p.x\n", "import dataclasses\nfrom src.own_dataclass import f\n"
         "@dataclasses.dataclass\nclass P:\n    x: int\ndef hold(case):\n    return f(P(1)) == 1\n", "candidate_raised"),
    Pair("its_dataclass", "import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\ndef f(p): return p.x\n",
         "import dataclasses\nfrom src.its_dataclass import P, f\ndef hold(case):\n"
         "    return f(P(1)) == 1 and dataclasses.asdict(P(2)) == {'x': 2}\n"),
    Pair("inherits", "class B:\n    def go(self): return self.step()\ndef run(b): return b.go()\n",
         "from src.inherits import B, run\nclass C(B):\n    def step(self): return 1\n"
         "def hold(case):\n    return run(C()) == 1\n", "candidate_raised"),
    Pair("passes_a_function", "def run(step): return step()\n",
         "from src.passes_a_function import run\ndef hold(case):\n    return run(lambda: 1) == 1\n"),
    Pair("changes_a_copy", "L = [1]\ndef f(): return L\n",
         "from src.changes_a_copy import f\ndef hold(case):\n    f().append(2)\n    return f() == [1]\n"),
    Pair("copies", "class B: pass\n",
         "import copy\nfrom src.copies import B\ndef hold(case):\n    return copy.deepcopy(B()) is not None\n",
         "property_failed", detail="let the candidate make the copy"),
    Pair("path", "import pathlib\ndef f(): return pathlib.PurePosixPath('a/b')\n",
         "import pathlib\nfrom src.path import f\ndef hold(case):\n    return f() == pathlib.PurePosixPath('a/b')\n",
         "property_failed"),
    Pair("path_text", "import pathlib\ndef f(): return pathlib.PurePosixPath('a/b')\n",
         "from src.path_text import f\ndef hold(case):\n    return str(f()) == 'a/b'\n"),
    Pair("own_clock", "def f(): return 1\n",
         "import time\nfrom src.own_clock import f\ndef hold(case):\n    return f() == 1 and time.time() > 0\n",
         "entropy_clock", detail="properties/own_clock.py:4"),
    Pair("own_clock_allowed", "def f(): return 1\n",
         "import time\nfrom src.own_clock_allowed import f\ndef hold(case):\n    return f() == 1 and time.time() > 0\n",
         attributes='allow = ["clock"]'),
    Pair("foreign_zone", "import datetime\nclass Z(datetime.tzinfo):\n    def utcoffset(self, when): return None\n"
         "def f(): return datetime.datetime(2026, 1, 1, tzinfo=Z())\n",
         "from src.foreign_zone import f\ndef hold(case):\n    return f() is not None\n", "protocol_violation"),
    Pair("pins_are_seen", "import os\ndef f(): return os.environ['TZ'], os.environ['LANG']\n",
         "from src.pins_are_seen import f\ndef hold(case):\n    return f() == ('UTC', 'C.UTF-8')\n"),
]  # fmt: skip


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Mapping[str, Any]]]:
    with Worker(tmp_path_factory.mktemp("cache"), jobs=2) as worker:
        yield judge(PAIRS, worker)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_it_happens_as_the_page_says(pair: Pair, verdicts: Mapping[str, Mapping[str, Any]]) -> None:
    seen = verdicts[pair.name]
    assert (seen["reason"], seen["bit"]) == (pair.reason, 0 if pair.reason else 1), seen["detail"]
    assert pair.detail in seen["detail"]
