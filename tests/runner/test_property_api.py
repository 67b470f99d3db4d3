"""What a property may do with a candidate: each feature in the real sandbox, with the answer it has to get.

Longer than 400 lines because it is one table, judged in one score: cut up, each part would pay for a score of its own.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from oracle_rules.worker import Worker

from .bench import Pair, judge

MATHEMATICS = """
import hashlib, math
def digest():
    state, found = 1, hashlib.sha256()
    for _ in range(5000):
        state = state * 6364136223846793005 % 2**64
        x = state / 2**54 - 500
        for function in (math.sin, math.cos, math.tan, math.exp, math.atan):
            found.update(function(x if abs(x) < 600 else 1.0).hex().encode())
    return found.hexdigest()
"""
_TUNED = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"}


def _digest(environment: dict[str, str]) -> str:
    """What this machine's mathematics gives outside, with and without its fused instructions."""
    code = MATHEMATICS + "print(digest())"
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True, text=True).stdout.strip()


PAIRS = [
    Pair("plain_data", '''
import datetime, decimal, fractions, uuid, collections
def give():
    return [None, True, 7, 10**40, -0.0, 1.5, float("inf"), "é\\udc80", b"\\x00\\xff", bytearray(b"a"), (1, [2]),
            {"b": 1, "a": {2: None}}, {3, 1}, frozenset("x"), decimal.Decimal("1.10"), fractions.Fraction(1, 3),
            datetime.date(2024, 2, 29), datetime.time(1, 2, 3, 4), datetime.timedelta(days=-1, microseconds=5),
            datetime.datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=datetime.timezone.utc), uuid.UUID(int=5), range(1, 9, 2),
            slice(1, None, 2), 1 + 2j, ..., collections.OrderedDict(b=1, a=2), collections.deque([1, 2], 3)]
''', '''
import collections, datetime, decimal, fractions, math, uuid
from src.plain_data import give
WANT = [None, True, 7, 10**40, -0.0, 1.5, float("inf"), "é\\udc80", b"\\x00\\xff", bytearray(b"a"), (1, [2]),
        {"b": 1, "a": {2: None}}, {3, 1}, frozenset("x"), decimal.Decimal("1.10"), fractions.Fraction(1, 3),
        datetime.date(2024, 2, 29), datetime.time(1, 2, 3, 4), datetime.timedelta(days=-1, microseconds=5),
        datetime.datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=datetime.timezone.utc), uuid.UUID(int=5), range(1, 9, 2),
        slice(1, None, 2), 1 + 2j, ..., collections.OrderedDict(b=1, a=2), collections.deque([1, 2], 3)]
def hold(case):
    got = give()
    return got == WANT and [type(a) for a in got] == [type(b) for b in WANT] and list(got[11]) == ["b", "a"] \\
        and math.copysign(1, got[4]) == -1 and str(got[14]) == "1.10" and got[26].maxlen == 3
'''),
    Pair("plain_data_passed", '''
import decimal, datetime
def same(value):
    return repr(value)
''', '''
import datetime, decimal
from src.plain_data_passed import same
def hold(case):
    values = [1, "x", (1, 2), {"k": [b"v"]}, decimal.Decimal("NaN"), datetime.date(2020, 1, 1), {5}, case]
    return all(same(value) == repr(value) for value in values)
''', cases=[{"z": 1, "a": 2}]),
    Pair("typed_errors", '''
class Base(ValueError):
    def __init__(self, code):
        super().__init__(code, "more")
        self.code = code
class Empty(Base): pass
class Other(Exception): pass
def parse(text):
    if not text: raise Empty("empty")
    if text == "other": raise Other("o")
    if text == "key": raise KeyError("k")
    return text
''', '''
from src.typed_errors import Base, Empty, Other, parse
def caught(text):
    try:
        parse(text)
    except Empty as error:
        return ("empty", error.code, error.args, isinstance(error, ValueError), type(error) is Empty)
    except (Base, Other) as error:
        return ("other", str(error))
    except KeyError as error:
        return ("key", error.args)
def hold(case):
    return caught("") == ("empty", "empty", ("empty", "more"), True, True) and caught("other") == ("other", "o") \\
        and caught("key") == ("key", ("k",)) and issubclass(Empty, Base) and not issubclass(Other, Base)
'''),
    Pair("uncaught_error", "class Boom(Exception): pass\ndef f(): raise Boom('bad')\n",
         "from src.uncaught_error import f\ndef hold(case):\n    return f() is None\n", "candidate_raised",
         detail="Boom: bad at src/uncaught_error.py:2"),
    Pair("classes", '''
class Point:
    unit = "m"
    def __init__(self, x, y=0): self.x, self.y = x, y
    @property
    def norm(self): return abs(self.x) + abs(self.y)
    @classmethod
    def origin(cls): return cls(0)
    @staticmethod
    def name(): return "point"
    def move(self, *, by): self.x += by; return self
class Child(Point):
    def norm_twice(self): return self.norm * 2
def make(): return Child(3, 4)
''', '''
from src.classes import Child, Point, make
def hold(case):
    point = Point(1, y=2)
    same = point.move(by=2)
    point.y = 5
    made = make()
    return same is point and point.x == 3 and point.norm == 8 and Point.origin().x == 0 and Point.unit == "m" \\
        and Point.name() == "point" and isinstance(made, Point) and type(made) is Child and made.norm_twice() == 14 \\
        and type(made).__name__ == "Child" and not hasattr(made, "nothing")
'''),
    Pair("iteration", '''
def count(n):
    for i in range(n):
        got = yield i
        if got: yield got
    return "end"
class Seq:
    def __len__(self): return 3
    def __getitem__(self, i):
        if i >= 3: raise IndexError(i)
        return i * 10
class It:
    def __iter__(self): return iter([1, 2])
''', '''
from src.iteration import It, Seq, count
def hold(case):
    gen = count(2)
    first, sent, rest = next(gen), gen.send("hi"), None
    try:
        next(gen); next(gen)
    except StopIteration as stop:
        rest = stop.value
    seq = Seq()
    return list(count(3)) == [0, 1, 2] and (first, sent, rest) == (0, "hi", "end") and list(seq) == [0, 10, 20] \\
        and len(seq) == 3 and seq[2] == 20 and list(It()) == [1, 2] and sum(It()) == 3 and count(1).close() is None
'''),
    Pair("contexts", '''
import contextlib
log = []
class Guard:
    def __enter__(self): log.append("in"); return self
    def __exit__(self, kind, error, trace): log.append(kind.__name__ if kind else None); return kind is KeyError
@contextlib.contextmanager
def managed(n):
    log.append("start")
    yield n + 1
    log.append("stop")
''', '''
from src.contexts import Guard, managed
import src.contexts as module
def hold(case):
    with Guard():
        pass
    with Guard():
        raise KeyError("swallowed")
    with managed(1) as two:
        pass
    return two == 2 and module.log == ["in", None, "in", "KeyError", "start", "stop"]
'''),
    Pair("own_exceptions", '''
import contextlib
@contextlib.contextmanager
def managed(log):
    try:
        yield
    except ValueError as error:
        log(type(error).__name__)
        raise
    finally:
        log("end")
class Quiet:
    def __enter__(self): return self
    def __exit__(self, kind, error, trace): return issubclass(kind, LookupError)
def again(f):
    try:
        f()
    except Exception as error:
        kept = error
    raise kept
''', '''
from src.own_exceptions import Quiet, again, managed
class Mine(ValueError):
    def __init__(self, code, *, why):
        super().__init__(code)
        self.why = why
class Lost(KeyError): pass
def boom(): raise Mine("m", why="w")
def hold(case):
    log, mine = [], Mine(7, why="x")
    try:
        with managed(log.append):
            raise mine
    except Mine as caught:
        same = caught is mine and caught.why == "x"
    try:
        again(boom)
    except Mine as caught:
        same = same and caught.why == "w"
    with Quiet():
        raise Lost("k")
    return same and log == ["Mine", "end"]
'''),
    Pair("coroutines", '''
async def inner(n): return n * 2
async def outer(n): return await inner(n) + 1
''', '''
import asyncio
from src.coroutines import outer
def hold(case):
    task = outer(3)
    try:
        task.send(None)
    except StopIteration as stop:
        by_hand = stop.value
    return by_hand == 7 and asyncio.run(outer(4)) == 9
'''),
    Pair("callbacks", '''
def apply(f, items): return [f(item) for item in items]
def twice(f): return lambda x: f(f(x))
def rescue(f):
    try: return f()
    except ValueError as error: return "rescued " + str(error)
def consume(items): return sum(items)
''', '''
from src.callbacks import apply, consume, rescue, twice
def boom(): raise ValueError("no")
def hold(case):
    seen = []
    def note(x): seen.append(x); return x + 1
    return apply(note, [1, 2]) == [2, 3] and seen == [1, 2] and twice(note)(5) == 7 and rescue(boom) == "rescued no" \\
        and consume(iter([1, 2, 3])) == 6 and consume(x for x in (4, 5)) == 9
'''),
    Pair("structural", '''
import dataclasses, collections, enum, typing
@dataclasses.dataclass
class Box:
    a: int
    b: list = dataclasses.field(default_factory=list)
    @property
    def total(self): return self.a + sum(self.b)
Pair = collections.namedtuple("Pair", "left right")
class Row(typing.NamedTuple):
    name: str
    n: int = 2
class Colour(enum.Enum):
    RED = 1
    BLUE = 2
class Level(enum.IntEnum):
    LOW = 1
def box(n): return Box(n, [1])
def red(): return Colour.RED
def low(): return Level.LOW
''', '''
from src.structural import Box, Colour, Level, Pair, Row, box, low, red
def hold(case):
    made = box(2)
    made.b = [5]
    pair, row = Pair(1, "r"), Row("n")
    return made == Box(2, [5]) and made != Box(2, [1]) and made.total == 7 and pair == (1, "r") and pair.left == 1 \\
        and isinstance(pair, tuple) and row == ("n", 2) and row.name == "n" and red() is Colour.RED \\
        and red() == Colour.RED and red() != Colour.BLUE and red().value == 1 and red().name == "RED" \\
        and [c.name for c in Colour] == ["RED", "BLUE"] and Colour["BLUE"] is Colour.BLUE and low() == 1 \\
        and isinstance(low(), int) and low().name == "LOW" and len(Colour) == 2
'''),
    Pair("dataclass_tools", '''
import dataclasses
@dataclasses.dataclass(frozen=True, order=True)
class Item:
    name: str
    n: int = 1
@dataclasses.dataclass
class Open:
    n: int
''', '''
import copy, dataclasses
from src.dataclass_tools import Item, Open
def refused(action):
    try:
        action()
    except TypeError as error:
        return "candidate" in str(error) or "unhashable" in str(error)
    return False
def hold(case):
    item = Item("a", 2)
    match item:
        case Item(name="a", n=two):
            pass
    return dataclasses.is_dataclass(item) and dataclasses.asdict(item)["n"] == 2 and two == 2 \\
        and dataclasses.replace(item, n=3) == Item("a", 3) and Item("a", 1) < item and len({item, Item("a", 2)}) == 1 \\
        and [field.name for field in dataclasses.fields(Item)][:2] == ["name", "n"] \\
        and refused(lambda: copy.deepcopy(Open(1))) and refused(lambda: hash(Open(1)))
'''),
    Pair("in_place", '''
def fill(items, table, raw, seen):
    items.append(4); items[0][0] = 9; table["new"] = [1]; del table["old"]; raw[0] = 255; seen.add(7)
def leave(items): return sorted(items)
''', '''
from src.in_place import fill, leave
def hold(case):
    inner = [1]
    items, table, raw, seen = [inner], {"old": 1}, bytearray(b"a"), {1}
    fill(items, table, raw, seen)
    kept = [3, 1]
    return items == [[9], 4] and items[0] is inner and table == {"new": [1]} and raw == bytearray(b"\\xff") \\
        and seen == {1, 7} and leave(kept) == [1, 3] and kept == [3, 1]
'''),
    Pair("data_subclasses", '''
class Name(str):
    def shout(self): return self.upper() + "!"
class Table(dict):
    def first(self): return next(iter(self))
def name(): return Name("ann")
def table(): return Table(a=1)
''', '''
from src.data_subclasses import Name, name, table
def hold(case):
    got, rows = name(), table()
    return got == "ann" and isinstance(got, str) and type(got) is Name and got.shout() == "ANN!" and rows == {"a": 1} \\
        and rows.first() == "a" and got + "x" == "annx"
'''),
    Pair("modules", "from src.modules_helper import VALUE\nfrom . import modules_helper\n", '''
import src.modules as module
from src import modules_helper
from src.modules_helper import VALUE, change
def hold(case):
    before = module.VALUE
    change()
    return before == VALUE == 1 and modules_helper.STATE == [1] and module.modules_helper.VALUE == 1
''', files={"src/modules_helper.py": "VALUE = 1\nSTATE = []\ndef change(): STATE.append(1)\n"}),
    Pair("oracle_helpers", "def f(): return 3\n",
         "from properties.helper_of_ours import WANT\nfrom src.oracle_helpers import f\ndef hold(case):\n    return f() == WANT\n",
         attributes='deps = ["properties/helper_of_ours.py"]', files={"properties/helper_of_ours.py": "WANT = 3\n"}),
    Pair("seams", '''
def stamp(seams): return (seams.now().isoformat(), seams.new_id(), seams.now().isoformat())
def poll(clock, transport):
    clock.sleep(2)
    return transport.fetch("https://a.test/", "q")
''', '''
from oracle_seams import FakeClock, FakeTransport, pinned_seams
from src.seams import poll, stamp
ROW = {"url": "https://a.test/", "request_body": "q", "response_status": 200, "response_body": "r"}
def hold(case):
    clock, transport = FakeClock("2026-01-01T00:00:00+00:00"), FakeTransport([ROW])
    answer = poll(clock, transport)
    clock.advance_ms(500)
    return answer == (200, b"r") and clock.slept == (2,) and clock.now().isoformat() == "2026-01-01T00:00:02.500000+00:00" \\
        and transport.seen == (("https://a.test/", b"q"),) and stamp(pinned_seams("2026-01-01T00:00:00+00:00")) == (
            "2026-01-01T00:00:00+00:00", "id-000001", "2026-01-01T00:00:01+00:00")
'''),
    Pair("documents", '''
import dataclasses, decimal, enum
class Colour(enum.Enum):
    RED = 1
@dataclasses.dataclass
class Row:
    id: str
    total: decimal.Decimal
    colour: Colour
def report(seams): return {"rows": {seams.new_id(): Row(seams.new_id(), decimal.Decimal("1.00"), Colour.RED)}, "tags": {"b", "a"}}
''', '''
from oracle_seams import dumps, load_fixture, pinned_seams
from src.documents import report
NOISE = {"rows.*~": "id", "rows.*.id": "id"}
WANT = ('{"rows":{"<id:1>":{"$dataclass":["src.documents:Row",{"colour":{"$enum":["src.documents:Colour","RED",1]},'
        '"id":"<id:2>","total":{"$decimal":"1.00"}}]}},"tags":{"$set":["a","b"]}}')
def hold(case):
    return dumps(report(pinned_seams("2026-01-01T00:00:00+00:00")), noise=NOISE) == WANT
'''),
    Pair("documents_that_hide", "import dataclasses\n@dataclasses.dataclass\nclass M:\n    n: int = dataclasses.field(compare=False)\n"
         "def f(): return M(5)\n", "from oracle_seams import canon\nfrom src.documents_that_hide import f\n"
         "def hold(case):\n    return bool(canon(f()))\n", "property_failed", detail="left out of its comparisons"),
    *(Pair(f"documents_of_a_{base}", f"import collections, dataclasses, datetime, fractions\n@dataclasses.dataclass(init=False)\n"
           f"class M({module}.{base}):\n    n: int = 1\ndef f(): return M({args})\n",
           f"from oracle_seams import canon\nfrom src.documents_of_a_{base} import f\n"
           "def hold(case):\n    return bool(canon(f()))\n", "property_failed", detail=detail)
      for module, base, args, detail in (
          ("collections", "deque", "[1]", "left out of its comparisons"),
          ("fractions", "Fraction", "1, 3", "left out of its comparisons"),
          ("datetime", "date", "2026, 1, 1", "has no canonical form"))),
    Pair("unpinned_url", "def go(t):\n    try: t.fetch('https://b.test/', '')\n    except Exception: pass\n    return 1\n",
         "from oracle_seams import FakeTransport\nfrom src.unpinned_url import go\ndef hold(case):\n    return go(FakeTransport([])) == 1\n",
         "transport_unpinned"),
    Pair("unpinned_and_uncaught", "def go(t): return t.fetch('https://b.test/', '')\n",
         "from oracle_seams import FakeTransport\nfrom src.unpinned_and_uncaught import go\n"
         "def hold(case):\n    return go(FakeTransport([])) == 1\n", "transport_unpinned", detail="https://b.test/"),
    Pair("drifting_body", "def go(t):\n    try: t.fetch('https://b.test/', 'other')\n    except Exception: pass\n    return 1\n",
         "from oracle_seams import FakeTransport\nfrom src.drifting_body import go\ndef hold(case):\n    return go(FakeTransport("
         "[{'url': 'https://b.test/', 'request_body': 'q', 'response_status': 200, 'response_body': ''}])) == 1\n",
         "transport_drift"),
    Pair("hold_false", "def f(): return 1\n", "from src.hold_false import f\ndef hold(case):\n    return f() == case\n",
         "property_failed", cases=[1, 2]),
    Pair("hold_asserts", "def f(): return 1\n", "from src.hold_asserts import f\ndef hold(case):\n    assert f() == 2, 'not two'\n    return True\n",
         "property_failed", detail="not two"),
    Pair("hold_truthy", "def f(): return 1\n", "from src.hold_truthy import f\ndef hold(case):\n    return f()\n",
         "property_failed", detail="what the candidate gave, of type int"),
    Pair("hold_none", "x = 1\n", "import src.hold_none\ndef hold(case):\n    pass\n", "oracle_error", detail="NoneType"),
    Pair("hold_own_error", "x = 1\n", "import src.hold_own_error\ndef hold(case):\n    return case['nope']\n", "oracle_error",
         detail="properties/hold_own_error.py:3"),
    Pair("hold_exits", "x = 1\n", "import src.hold_exits\ndef hold(case):\n    raise SystemExit(0)\n", "oracle_error"),
    Pair("hold_async", "x = 1\n", "import src.hold_async\nasync def hold(case):\n    return True\n", "oracle_error",
         detail="coroutine"),
    Pair("no_hold", "x = 1\n", "import src.no_hold\ndef holds(case):\n    return True\n", "property_broken", detail="defines no function hold"),
    Pair("bad_property", "x = 1\n", "def hold(case) return True\n", "property_broken", detail="SyntaxError"),
    Pair("bad_candidate", "def f( return\n", "from src.bad_candidate import f\ndef hold(case):\n    return True\n", "import_failed",
         detail="SyntaxError"),
    Pair("missing_name", "x = 1\n", "from src.missing_name import y\ndef hold(case):\n    return True\n", "import_failed",
         detail="src.missing_name has no name 'y'"),
    Pair("changed_later", "def lazily(items):\n    found = sorted(items)\n    items.clear()\n    yield from found\n"
         "def refuse(items):\n    items.pop()\n    raise ValueError('no')\nclass Box:\n    def __init__(self, items): self.items = items\n"
         "    def add(self): self.items.append(9)\n",
         "from src.changed_later import Box, lazily, refuse\ndef hold(case):\n    one, two, three = [2, 1], [1, 2], []\n"
         "    got = list(lazily(one))\n    try:\n        refuse(two)\n    except ValueError:\n        pass\n"
         "    Box(three).add()\n    return got == [1, 2] and one == [] and two == [1] and three == [9]\n"),
    Pair("kept_later", "def lazily(items):\n    yield from sorted(items)\ndef refuse(items):\n    raise ValueError('no')\n",
         "from src.kept_later import lazily, refuse\ndef hold(case):\n    one, two = [2, 1], [1, 2]\n    got = list(lazily(one))\n"
         "    try:\n        refuse(two)\n    except ValueError:\n        pass\n    return got == [1, 2] and one == [2, 1] and two == [1, 2]\n"),
    Pair("lying_methods", "import datetime, decimal\nclass D(decimal.Decimal):\n    def quantize(self, *a): return self\n"
         "class S(str):\n    def replace(self, *a): return 'right'\n    def __str__(self): return 'right'\n    def __bool__(self): return True\n"
         "class T(datetime.datetime):\n    def utcoffset(self): return datetime.timedelta(0)\n"
         "def f(): return D('0.004'), S(''), T(2026, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=5)))\n",
         "import datetime, decimal\nfrom src.lying_methods import f\ndef hold(case):\n    d, s, t = f()\n"
         "    return d.quantize(decimal.Decimal('0.01')) == decimal.Decimal('0.00') and s.replace('a', 'b') == '' and str(s) == '' \\\n"
         "        and not s and t.utcoffset() == datetime.timedelta(hours=5)\n"),
    Pair("fields_left_out", "import dataclasses\n@dataclasses.dataclass\nclass M:\n    n: int = dataclasses.field(compare=False)\n"
         "def parse(text): return M(0)\n", "from src.fields_left_out import M, parse\ndef hold(case):\n    return parse('5') == M(5)\n",
         "candidate_comparison"),
    Pair("fields_emptied", "import dataclasses\n@dataclasses.dataclass\nclass M:\n    n: int\nM.__dataclass_fields__ = {}\n"
         "def parse(text): return M(0)\n", "from src.fields_emptied import M, parse\ndef hold(case):\n    return parse('5') == M(5)\n",
         "candidate_comparison"),
    Pair("too_many_notes", "\n".join(["import time", "def f():", *["    time.time()"] * 1001, "    return Y()", "class Y:",
         "    def __eq__(self, other): return True", "    __hash__ = None", ""]),
         "from src.too_many_notes import f\ndef hold(case):\n    return f() == 5\n", "harness_read", attributes='allow = ["clock"]'),
    Pair("split_surrogates", "def f(): raise ValueError('\\ud83d' + '\\ude00')\n",
         "from src.split_surrogates import f\ndef hold(case):\n    return f() == 1\n", "candidate_raised", detail="\\ud83d\\ude00"),
    Pair("module_level", "UNITS = None\n", "from src.module_level import UNITS\nKNOWN = sorted(UNITS)\ndef hold(case):\n    return True\n",
         "property_failed", detail="while it was loaded"),
    Pair("shifted", "class V:\n    def __rshift__(self, other): return 5\ndef f(): return V()\n",
         "from src.shifted import f\ndef hold(case):\n    return f() >> 3 == 5\n", "candidate_comparison"),
    Pair("own_comparison", "class T:\n    def __eq__(self, other): return True\n    __hash__ = None\ndef f(): return T()\n",
         "from src.own_comparison import f\ndef hold(case):\n    return f() == 5\n", "candidate_comparison"),
    Pair("own_comparison_allowed", "class V:\n    def __init__(s, n): s.n = n\n    def __lt__(s, o): return s.n < o.n\n"
         "    def __eq__(s, o): return s.n == o.n\n", "from src.own_comparison_allowed import V\ndef hold(case):\n"
         "    return V(1) < V(2) and V(1) == V(1)\n", attributes='allow = ["comparison"]'),
    Pair("fresh_cells", "n = []\ndef f():\n    n.append(1)\n    return len(n)\n",
         "from src.fresh_cells import f\ndef hold(case):\n    return f() == 1\n", cases=[1, 2, 3], attributes="fresh_cell = True"),
    Pair("shared_cell", "n = []\ndef f():\n    n.append(1)\n    return len(n)\n",
         "from src.shared_cell import f\ndef hold(case):\n    return f() == case\n", cases=[1, 2, 3]),
    Pair("plain_mathematics", MATHEMATICS, "from src.plain_mathematics import digest\n"
         "def hold(case):\n    return digest() == case\n", cases=[_digest(_TUNED)]),
    Pair("environment", "import os\ndef f(): return os.environ['APP_SEED'], os.environ['TZ']\n",
         "from src.environment import f\ndef hold(case):\n    return f() == ('7', 'UTC')\n", attributes='env = {"APP_SEED": "7"}'),
]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Mapping[str, Any]]]:
    with Worker(tmp_path_factory.mktemp("cache"), jobs=2) as worker:
        yield judge(PAIRS, worker)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_feature(pair: Pair, verdicts: dict[str, Mapping[str, Any]]) -> None:
    seen = verdicts[pair.name]
    assert (seen["reason"], seen["bit"]) == (pair.reason, 0 if pair.reason else 1), seen["detail"]
    assert pair.detail in seen["detail"]
    if pair.reason is None:
        assert seen["held"] == len(pair.cases)


def test_the_first_broken_case_is_the_counterexample(verdicts: dict[str, Mapping[str, Any]]) -> None:
    assert verdicts["hold_false"]["counterexample"] == {"index": 1, "case": 2}
    assert verdicts["hold_false"]["held"] == 1


def test_fused_instructions_would_have_made_a_difference() -> None:
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    assert (_digest({}) != _digest(_TUNED)) == ("fma" in flags)
