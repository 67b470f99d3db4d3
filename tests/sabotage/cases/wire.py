"""Attacks on the wire, the cell's own code and the judge's stand-ins."""

from __future__ import annotations

from ..kit import Case, Patch
from ..workspace import ORDER, PARSER, SHAPES, STREAM
from .common import FALSE, RED, run

_RIGHT = "def parse(text):\n    return right(text)\n"
_WIRE = '''
import json, os
def send(*messages):
    for message in messages:
        data = message if type(message) is bytes else json.dumps(message).encode()
        os.write(3, len(data).to_bytes(4, "big") + data)
def described(**more):
    return [900, {"name": "X", "module": "m", "bases": [["kb", "object"]], "shape": "plain", "base": None, "special": [],
                  "members": [], "fields": [], "abcs": [], **more}]
'''
_BROKEN = ("protocol_violation", "candidate_exited", "candidate_raised", "property_failed", "harness_read", "output_limit",
           "timeout", "transcript_incomplete", "candidate_comparison")

# What the candidate writes to the judge by itself, before it gives a wrong answer.
_FRAMES: tuple[tuple[str, str, str], ...] = (
    ("true-in-advance", "D20", "send(['ok', True, [], []])"),
    ("true-and-goodbye", "D20", "send(['ok', True, [], []], ['bye']); os._exit(0)"),
    ("goodbye", "D20", "send(['bye'])"),
    ("greets-again", "D20", "send(['hello', 1])"),
    ("note-of-no-kind", "D20", "send(['note', 'held', '', 0, ''])"),
    ("malformed-note", "D21", "send(['note', 1])"),
    ("note-with-surrogates", "D21", "send(['note', '\\ud800', '\\x1b[2J', 1, '\\udc80'])"),
    ("changes-no-argument", "D21", "send(['ok', 1, [[7, 'x']], []])"),
    ("nested-too-deep", "D21", "send(b'[' * 100000 + b']' * 100000)"),
    ("endless-number", "D21", "send(b'[\"ok\",' + b'9' * 100000 + b',[],[]]')"),
    ("not-a-number", "D21", "send(b'[\"ok\",NaN,[],[]]')"),
    ("empty-frame", "D21", "os.write(3, bytes(4))"),
    ("frame-of-four-gigabytes", "D21", "os.write(3, b'\\xff' * 4)"),
    ("half-a-frame", "D21", "os.write(3, b'\\0\\0\\1\\0['); os._exit(0)"),
    ("short-message", "D21", "send(['bad'])"),
    ("object-never-lent", "D22", "send(['ok', ['j', 99], [], []])"),
    ("negative-object", "D22", "send(['jget', -1, 'fetch', []])"),
    ("object-by-text", "D22", "send(['jcall', 'x', '__call__', [], [], []])"),
    ("class-of-itself", "D22", "send(['ok', ['h', 9, ['k', 900]], [], [described(bases=[['k', 900]])]])"),
    ("class-of-classes", "D22",
     "send(['ok', ['h', 9, ['k', 900]], [], [described(bases=[['kb', 'type']], special=['__eq__'])]])"),
    ("comparison-as-member", "D22", "send(['ok', ['x', 9, ['k', 900], ['l', [1]]], [], "
     "[described(bases=[['kb', 'list']], base='list', members=['__eq__', '__len__', '__class__', '__iter__'])]])"),
    ("data-of-another-type", "D22",
     "send(['ok', ['x', 9, ['k', 900], 'a'], [], [described(bases=[['kb', 'list']], base='list')]])"),
    ("judge-exits", "D22", "send(['err', ['e', 9, ['kb', 'SystemExit'], [0], ''], []])"),
    ("judge-interrupted", "D22", "send(['err', ['e', 9, ['kb', 'KeyboardInterrupt'], [], ''], []])"),
    ("judge-asserts", "D22", "send(['err', ['e', 9, ['kb', 'AssertionError'], [], ''], []])"),
    ("empty-group", "D22", "send(['err', ['e', 9, ['kb', 'ExceptionGroup'], ['x', ['l', []]], ''], []])"),
    ("key-without-hash", "D22", "send(['ok', ['d', [[['l', []], 1]]], [], []])"),
    ("range-of-no-step", "D22", "send(['ok', ['r', 1, 2, 0], [], []])"),
    ("fraction-of-nothing", "D22", "send(['ok', ['F', 1, 0], [], []])"),
    ("longest-integer", "D22", "send(['ok', ['i', 'f' * 5000000], [], []])"),
    ("overflowing-duration", "D22", "send(['ok', ['td', 10 ** 18, 0, 0], [], []])"),
    ("invalid-moment", "D22", "send(['ok', ['dt', '2026-01-01', 7, None], [], []])"),
    ("module-as-answer", "D22", "send(['ok', ['m', 5, 'sys'], [], []])"),
)


def _frame(name: str, kind: str, sent: str) -> Case:
    cheat = f"{_WIRE}\ndef parse(text):\n    right(text)\n    {sent}\n    return wrong(text)\n"
    return run(name, kind, cheat, f"{_WIRE}\n{_RIGHT}", *_BROKEN, exits=RED)


def _stream(name: str, cheat: str, twin: str = STREAM) -> Case:
    return Case(name=name, kind="D23", exits=RED, codes=_BROKEN, target="stream", cheat=Patch(files={"src/stream.py": cheat}),
                twin=Patch(files={"src/stream.py": twin}), twice=True)


# A class of numbers or texts whose operators contradict the data it carries; the twin's operators agree with it.
_CALLS = '''
import asyncio
class Reader:
    def __init__(self, text):
        self.left = list(text)
    def __iter__(self):
        return self
    def __next__(self):
        if not self.left:
            raise StopIteration
        return self.left.pop(0)
'''

CASES: tuple[Case, ...] = (
    *[_frame(*row) for row in _FRAMES],
    run("serves-in-its-own-way", "D20", _WIRE + '''
def parse(text):
    right(text)
    send(["ok", True, [], []])
    while True:
        length = int.from_bytes(os.read(3, 4), "big")
        if json.loads(os.read(3, length))[0] == "bye":
            send(["bye"])
            os._exit(0)
        send(["ok", True, [], []])
''', f"{_WIRE}\n{_RIGHT}", twice=True),
    run("cell-rewritten", "D15", '''
        import gc, sys
        for name, module in list(sys.modules.items()):
            if name.startswith("_oracle_runtime"):
                for inner in list(vars(module)):
                    if not inner.startswith("__"):
                        setattr(module, inner, lambda *args, **kwargs: True)
        def parse(text):
            return wrong(text)
        ''', '''
        import sys
        COUNT = len(sys.modules)
        def parse(text):
            return right(text)
        ''', *_BROKEN, "import_failed", exits=RED),
    run("late-answers", "D17", '''
        import os, threading
        ready = threading.Event()
        def later():
            ready.wait()
            while True:
                os.write(3, b'\\0\\0\\0\\7["bye"]')
        threading.Thread(target=later, daemon=True).start()
        def parse(text):
            ready.set()
            return wrong(text)
        ''', '''
        import threading
        ready = threading.Event()
        threading.Thread(target=ready.wait, daemon=True).start()
        def parse(text):
            ready.set()
            return right(text)
        ''', *_BROKEN, exits=RED),
    run("answers-twice-after-fork", "D16", '''
        import os
        def parse(text):
            os.fork()
            return right(text)
        ''', _RIGHT, *_BROKEN, "entropy_host", exits=RED),
    # `StopIteration` from a plain call would end a property's map() or callback loop as if there were nothing left.
    Case(name="stop-iteration-from-a-call", kind="D18", exits=(1,), codes=("candidate_raised",), target="loops",
         cheat=Patch(files={"src/parser.py": PARSER + "\n\ndef parse(text):\n    raise StopIteration\n"}),
         twin=Patch(files={"src/parser.py": PARSER + _CALLS})),
    Case(name="stop-iteration-from-an-attribute", kind="D18", exits=(1,), codes=("candidate_raised",), target="loops",
         cheat=Patch(files={"src/parser.py": PARSER + '''

class Answer:
    @property
    def first(self):
        raise StopIteration
    def __getitem__(self, index):
        raise StopIteration


def parse(text):
    return Answer()
'''}), twin=Patch(files={"src/parser.py": PARSER + "\n\nclass Answer:\n    first = 1\n"})),
    # The property passes the candidate's answer through: that it is neither True nor False is the candidate's doing.
    Case(name="truthy-answer", kind="F5", exits=(1,), codes=FALSE, target="truth",
         cheat=Patch(files={"src/order.py": ORDER.replace("return all(", "return 1 if all(").replace(
             "items[1:]))", "items[1:])) else 0")}),
         twin=Patch(files={"src/order.py": ORDER + "\n\ndef one():\n    return 1\n"}), twice=True),
    Case(name="answer-that-is-nothing", kind="F5", exits=(1,), codes=FALSE, target="truth",
         cheat=Patch(files={"src/order.py": ORDER.replace("return all(", "return None or print(")}),
         twin=Patch(files={"src/order.py": ORDER.replace("return all(", "return not not all(")})),
    _stream("never-ending-stream", "def lines(chunks):\n    list(chunks)\n    while True:\n        yield 'a'\n"),
    _stream("length-of-a-liar", "class Lines(list):\n    def __len__(self):\n        return 1 << 62\n"
            "def lines(chunks):\n    return Lines(chunks)\n"),
    _stream("iterator-of-nothing", "class Lines:\n    def __iter__(self):\n        return self\n"
            "def lines(chunks):\n    return Lines()\n"),
    _stream("reads-the-inside-of-an-iterator", "def lines(chunks):\n    return chunks.gi_frame.f_back.f_locals['case']['lines']\n"),
    _stream("closes-the-iterator", "def lines(chunks):\n    chunks.close()\n    return []\n",
            "def lines(chunks):\n    rest = ''.join(chunks)\n    return iter(rest.splitlines())\n"),
    Case(name="callback-searched", kind="D14", exits=RED, codes=_BROKEN, target="order", twin=Patch(files={
        "src/order.py": ORDER}), cheat=Patch(files={"src/order.py": ORDER.replace("    items.sort(key=key)", """
    for name in ("__globals__", "__closure__", "__code__", "__self__", "gi_frame", "__class__", "__dict__", "__defaults__"):
        try:
            inside = getattr(key, name)
            items[:] = inside["case"]["sorted"]
            return
        except Exception:
            pass""")}), twice=True),
    Case(name="callback-from-a-thread", kind="D17", exits=RED, codes=_BROKEN, target="order", twin=Patch(files={
        "src/order.py": ORDER}), cheat=Patch(files={"src/order.py": "import threading\n" + ORDER.replace(
            "    items.sort(key=key)", """
    thread = threading.Thread(target=lambda: items.sort(key=key))
    thread.start()
    thread.join()""")})),
    Case(name="clock-is-rewritten", kind="D15", exits=RED, codes=_BROKEN, target="retry", cheat=Patch(files={
        "src/retry.py": """
class Outcome:
    status, body, waited = 200, "hello", 2.0
def call(transport, clock, url, attempts):
    clock.slept = [2.0]
    transport.asked.append(url)
    transport.asked.append(url)
    return Outcome()
"""}), twin=Patch(files={"src/retry.py": """
from collections import namedtuple
Outcome = namedtuple("Outcome", "status body waited")
def call(transport, clock, url, attempts):
    waited = 0.0
    for number in range(attempts):
        status, headers, body = transport.fetch(url=url)
        if status == 503 and number + 1 < attempts:
            seconds = float(headers.get("retry-after", 1))
            clock.sleep(seconds)
            waited += seconds
        else:
            return Outcome(status, body, waited)
"""}), twice=True),
    # Fields that are answered late, once the expectation has been built with the candidate's own class.
    Case(name="fields-answered-late", kind="D23", exits=RED, codes=_BROKEN, target="shapes", cheat=Patch(files={
        "src/shapes.py": SHAPES.replace("class Point:", "class Real:").replace("return Point(int(x), int(y))", "return Point()")
        + """

last = [0, 0]


class Point:
    def __init__(self, *at):
        last[:] = at or last

    x = property(lambda self: last[0])
    y = property(lambda self: last[1])

    def plus(self, other):
        return Point()

    def __eq__(self, other):
        return True
"""}), twin=Patch(files={"src/shapes.py": SHAPES})),
)
