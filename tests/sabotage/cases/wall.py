"""Class D: attacks on the judge that succeed when judge and candidate share a process."""

from __future__ import annotations

from ..kit import Case, source
from ..workspace import ACCOUNT, SHAPES
from .common import FALSE, RED, run

_RIGHT = "def parse(text):\n    return right(text)\n"
_LIAR = ("candidate_comparison", "property_failed")

_EXITS: tuple[tuple[str, str, str, str], ...] = (
    ("os-exit", "D3", "import os", "os._exit(0)"),
    ("sys-exit", "D4", "import sys", "sys.exit(0)"),
    ("system-exit-of-true", "D4", "import sys", "raise SystemExit(True)"),
    ("keyboard-interrupt", "D18", "import sys", "raise KeyboardInterrupt"),
    ("generator-exit", "D18", "import sys", "raise GeneratorExit"),
    ("own-base-exception", "D18", "class Gone(BaseException): pass", "raise Gone('away')"),
    ("skip-test", "D6", "import unittest", "raise unittest.SkipTest('later')"),
    ("pytest-exit-by-name", "D5", "class Exit(BaseException): returncode = 0\nExit.__module__ = '_pytest.outcomes'",
     "raise Exit()"),
    ("xfail-by-name", "D7", "class XFailed(BaseException): msg = ''\nXFailed.__module__ = '_pytest.outcomes'",
     "raise XFailed()"),
    ("skipped-by-name", "D6", "class Skipped(BaseException): msg = ''\nSkipped.__module__ = '_pytest.outcomes'",
     "raise Skipped()"),
    ("stop-test-by-name", "D9", "class StopTest(BaseException): testcounter = 1\n"
     "StopTest.__module__ = 'hypothesis.errors'", "raise StopTest()"),
    ("unsatisfied-by-name", "D8", "class UnsatisfiedAssumption(Exception): pass\n"
     "UnsatisfiedAssumption.__module__ = 'hypothesis.errors'", "raise UnsatisfiedAssumption()"),
    ("recursion-error", "D18", "import sys", "raise RecursionError('deep')"),
    ("memory-error", "D18", "import sys", "raise MemoryError()"),
    ("assertion-of-the-judge", "D12", "import builtins", "raise AssertionError('fine')"),
    ("stop-iteration", "D18", "import sys", "raise StopIteration(right(text))"),
    ("kill-itself", "D3", "import os, signal", "os.kill(os.getpid(), signal.SIGKILL)"),
    ("kill-everybody", "D15", "import os, signal", "os.kill(-1, signal.SIGKILL)"),
    ("segfault", "D3", "import faulthandler, signal, os", "signal.raise_signal(signal.SIGSEGV)"),
    ("exec-true", "D3", "import os", "os.execv('/python/bin/python3', ['python3', '-c', ''])"),
)
_ENDED = ("candidate_exited", "candidate_crashed", "candidate_raised", "entropy_host", "property_failed",
          "output_limit", "transcript_incomplete")


def _exit(name: str, kind: str, setup: str, leave: str) -> Case:
    cheat = f"{setup}\ndef parse(text):\n    if wrong(text):\n        {leave}\n"
    twin = f"{setup}\ndef parse(text):\n    found = right(text)\n    if found is None:\n        {leave}\n    return found\n"
    return run(name, kind, cheat, twin, *_ENDED, twice=kind == "D3")


_VALUES: tuple[tuple[str, str, str, str, str], ...] = (
    ("equal-to-everything", "D1", "class Same:\n    def __eq__(self, other): return True\n"
     "    def __ne__(self, other): return False\n    def __bool__(self): return True\n    __hash__ = None", "Same()",
     "class Same:\n    def __eq__(self, other): return True"),
    ("reflected-equality", "D1", "class Same(list):\n    def __eq__(self, other): return True", "Same(['x', 0])",
     "class Pair(list):\n    def __eq__(self, other): return list.__eq__(self, other)"),
    ("lying-int", "D2", "class Number(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__",
     "[right(text)[0], Number(0)]", "class Number(int):\n    pass"),
    ("lying-str", "D2", "class Text(str):\n    def __eq__(self, other): return True\n    __hash__ = str.__hash__",
     "[Text('no'), right(text)[1]]", "class Text(str):\n    pass"),
    ("metaclass-liar", "D22", "class Meta(type):\n    def __instancecheck__(cls, value): return True\n"
     "    def __eq__(cls, other): return True\n    __hash__ = type.__hash__\n"
     "class Same(metaclass=Meta):\n    def __eq__(self, other): return True", "Same()", "class Meta(type):\n    pass"),
    ("class-as-answer", "D1", "class Meta(type):\n    def __eq__(cls, other): return True\n    __hash__ = type.__hash__\n"
     "class Same(metaclass=Meta): pass", "Same", "class Meta(type):\n    pass"),
    ("forged-class", "D22", "class Same:\n    __class__ = property(lambda self: list)\n"
     "    def __eq__(self, other): return True", "Same()", "class Same:\n    pass"),
    ("reduce-runs-code", "D22", "class Boom:\n    def __reduce__(self): return (exit, (0,))\n"
     "    def __repr__(self): raise SystemExit(0)\n    __str__ = __format__ = __hash__ = __repr__", "Boom()",
     "class Quiet:\n    def __repr__(self): return 'Quiet()'"),
    ("not-implemented", "D1", "", "NotImplemented", ""),
    ("coroutine", "D1", "async def later(): return ['a', 1]", "later()", "async def later(): return 1"),
    ("mutable-default-of-everything", "D23", "seen = []", "seen.append(text) or seen", "seen = []"),
    ("fields-are-properties", "D1", "import dataclasses\n@dataclasses.dataclass\nclass Same:\n    x: int = 1\n"
     "    def __eq__(self, other): return True", "Same()",
     "import dataclasses\n@dataclasses.dataclass\nclass Right:\n    x: int = 1"),
    ("namedtuple-liar", "D1", "import collections\nclass Same(collections.namedtuple('S', 'a b')):\n"
     "    def __eq__(self, other): return True", "Same('no', 0)", "import collections\nS = collections.namedtuple('S', 'a b')"),
    ("enum-liar", "D1", "import enum\nclass Same(enum.Enum):\n    A = 1\n    def __eq__(self, other): return True",
     "Same.A", "import enum\nclass Kind(enum.Enum):\n    A = 1"),
    ("mock", "D1", "from unittest import mock", "mock.ANY", "from unittest import mock"),
    ("abc-registered", "D22", "import collections.abc\nclass Same:\n    def __len__(self): return 2\n"
     "    def __getitem__(self, index): return 0\n    def __eq__(self, other): return True\n"
     "collections.abc.Sequence.register(Same)\nParseError = ParseError", "Same()", "import collections.abc"),
)


def _value(name: str, kind: str, setup: str, answer: str, twin: str) -> Case:
    cheat = f"{setup}\ndef parse(text):\n    right(text)\n    return {answer}\n"
    return run(name, kind, cheat, f"{twin}\n{_RIGHT}", *_LIAR, exits=RED, twice=kind == "D1")


_PATCHES: tuple[tuple[str, str, str, str], ...] = (
    ("settings-profile", "D10", "import sys\nfor name in ('hypothesis', 'pytest', 'oracle_property'):\n"
     "    sys.modules.setdefault(name, sys)\nphases = max_examples = 1", "import sys"),
    ("patch-unittest", "D11", "import unittest\nunittest.TestResult.wasSuccessful = lambda self: True\n"
     "unittest.TestResult.addFailure = lambda *about: None", "import unittest"),
    ("assertion-becomes-skip", "D12", "import builtins, unittest\nbuiltins.AssertionError = unittest.SkipTest\n"
     "builtins.False_ = True", "import builtins"),
    ("builtins-replaced", "D13", "import builtins\nbuiltins.len = lambda value: 1\nbuiltins.type = lambda *a: list\n"
     "builtins.isinstance = lambda *a: True\nbuiltins.getattr = lambda *a: None\nbuiltins.sorted = lambda *a, **k: []",
     "import builtins\nlength = builtins.len"),
    ("json-replaced", "D13", "import json\njson.loads = json.dumps = lambda *a, **k: True\n"
     "json.JSONEncoder.encode = lambda *a: '[\"ok\",true,[],[]]'\njson.JSONDecoder.decode = lambda *a: ['ok', True]",
     "import json\ntext = json.dumps([1])"),
    ("frames-searched", "D14", "import sys\ndef search():\n    frame = sys._getframe()\n    while frame:\n"
     "        for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):\n"
     "            if isinstance(value, dict) and 'expect' in value: return value['expect']\n"
     "        frame = frame.f_back\nfound = search()",
     "import sys\nname = sys._getframe().f_code.co_name"),
    ("objects-searched", "D15", "import gc\nfor value in gc.get_objects():\n"
     "    if type(value) is dict and 'expect' in value: raise SystemExit(0)", "import gc\ncount = gc.isenabled()"),
    ("tracer", "D15", "import sys\ndef trace(frame, event, arg):\n    frame.f_trace_lines = False\n    return trace\n"
     "sys.settrace(trace)\nsys.setprofile(lambda *about: None)", "import sys\ntracer = sys.gettrace()"),
    ("summary-printed", "D20", "import sys\nfor stream in (sys.stdout, sys.stderr, sys.__stdout__):\n"
     "    print('{\"bit\": 1, \"decision\": \"accept\"}\\n1 passed in 0.01s', file=stream, flush=True)",
     "import sys\nprint('hello', file=sys.stderr)"),
    ("descriptors-written", "D20", "import os\nfor number in range(4, 64):\n    try: os.write(number, b'{\"bit\":1}')\n"
     "    except OSError: pass", "import os\nreading, writing = os.pipe()"),
    ("result-file", "D20", "import os\nfor name in ('/tmp/verdict.json', 'verdict.json', '/request/verdict.json'):\n"
     "    try: open(name, 'w').write('{\"bit\": 1}')\n    except OSError: pass",
     "import os\nwith open('/tmp/mine', 'w') as stream: stream.write('x')"),
    ("not-utf8-printed", "D21", "import os\nos.write(1, b'\\xff\\xfe\\x00' * 1000)\nos.write(2, b'\\xff' * 1000)",
     "import os\nos.write(1, b'plain')"),
    ("signal-handlers", "D19", "import signal\nfor number in range(1, 32):\n    try: signal.signal(number, lambda *a: None)\n"
     "    except (OSError, ValueError): pass\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))",
     "import signal\nsignal.signal(signal.SIGUSR1, lambda *about: None)"),
    ("thread-ends-later", "D17", "import os, threading\nlock = threading.Lock()\nlock.acquire()\n"
     "def later():\n    lock.acquire()\n    os._exit(0)\nthreading.Thread(target=later, daemon=True).start()\n"
     "old = wrong\ndef wrong(text):\n    lock.release()\n    return old(text)",
     "import threading\nmade = []\nthread = threading.Thread(target=made.append, args=(1,))\nthread.start()\nthread.join()"),
)


def _patch(name: str, kind: str, setup: str, twin: str) -> Case:
    cheat = f"{setup}\ndef parse(text):\n    return wrong(text)\n"
    codes = (*_ENDED, "protocol_violation", "import_failed", "harness_read")
    return run(name, kind, cheat, f"{twin}\n{_RIGHT}", *codes, exits=RED, twice=kind in ("D13", "D20"))


CASES: tuple[Case, ...] = (
    *[_exit(*row) for row in _EXITS], *[_value(*row) for row in _VALUES], *[_patch(*row) for row in _PATCHES],
    run("exit-at-import", "D3", "import os\nos._exit(0)\n", f"import os\n{_RIGHT}", "candidate_exited", "import_failed"),
    run("sys-exit-at-import", "D4", "import sys\nsys.exit(0)\n", f"import sys\n{_RIGHT}", "candidate_exited",
        "import_failed"),
    run("fork-and-forge", "D16", '''
        import os
        def parse(text):
            if os.fork():
                print("1 passed", flush=True)
                os._exit(0)
            return wrong(text)
        ''', _RIGHT, *_ENDED, "protocol_violation", exits=RED, twice=True),
    # The typed error is what the property excuses: a class that pretends to be it must not be excused.
    Case(name="error-by-name", kind="D22", exits=(1,), codes=("candidate_raised",), twin=source("account", ACCOUNT),
         target="account", cheat=source("account", ACCOUNT.replace("raise Overdrawn(-left)", '''raise type(
                "Overdrawn", (Exception,), {"short": -left, "__module__": __name__, "__qualname__": "Overdrawn"})()'''))),
    Case(name="error-with-lying-field", kind="D22", exits=RED, codes=_LIAR, target="account",
         twin=source("account", ACCOUNT), cheat=source("account", ACCOUNT.replace("Overdrawn(-left)", "Overdrawn(Any())") + '''
class Any:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
''')),
    Case(name="attribute-differs-each-time", kind="D22", exits=RED, codes=_LIAR, target="account",
         twin=source("account", ACCOUNT + "\n    @property\n    def size(self):\n        return len(self.log)\n"),
         cheat=source("account", '''
class Overdrawn(Exception): pass
class Account:
    def __getattr__(self, name):
        return lambda *about: None
    balance = property(lambda self: type("Any", (), {"__eq__": lambda self, other: True})())
    log = property(lambda self: [1, 2])
''')),
    Case(name="fields-lie", kind="D1", exits=RED, codes=FALSE, target="shapes", twin=source("shapes", SHAPES),
         cheat=source("shapes", SHAPES.replace("return Point(int(x), int(y))", "return Point(0, 0)").replace(
             "    def plus", '    def __eq__(self, other):\n        return True\n\n    __hash__ = None\n\n    def plus'))),
    Case(name="tuple-of-liars", kind="D2", exits=RED, codes=FALSE, target="shapes", twin=source("shapes", SHAPES),
         cheat=source("shapes", SHAPES.replace("return Span(start, start + len(word))", "return Any((0, 0))") + '''

class Any(Span):
    def __new__(cls, pair): return tuple.__new__(cls, pair)
    def __eq__(self, other): return True
    def __iter__(self): return iter((2, 8))
    def __getitem__(self, index): return (2, 8)[index]
''')),
    Case(name="argument-mutated", kind="D23", exits=(1,), codes=FALSE, target="order", cheat=source("order", '''
def arrange(items, key):
    del items[1:]
def smallest(items, key):
    return items[0]
def is_sorted(items):
    return True
'''), twin=source("order", '''
def arrange(items, key):
    ordered = sorted(items, key=key)
    items.clear()
    items.extend(ordered)
def smallest(items, key):
    return min(items, key=key)
def is_sorted(items):
    return items == sorted(items)
''')),
)
