"""Class F: turning a fail into "flaky" or "our fault". A limit that the candidate reaches is the candidate's failure."""

from __future__ import annotations

from ..kit import Case
from .common import RED, run

_LIMITS = ("timeout", "memory_limit", "process_limit", "output_limit", "candidate_crashed", "candidate_exited",
           "candidate_raised", "property_failed", "protocol_violation", "entropy_host", "import_failed")
_RIGHT = "def parse(text):\n    return right(text)\n"


def _deny(name: str, kind: str, body: str, twin: str = _RIGHT, *codes: str, twice: bool = False) -> Case:
    return run(name, kind, body, twin, *(codes or _LIMITS), exits=RED, target="parse_quick", twice=twice)


CASES: tuple[Case, ...] = (
    _deny("spins", "F1", "def parse(text):\n    while wrong(text): pass\n", '''
        def parse(text):
            for _ in range(100000):
                pass
            return right(text)
        ''', "timeout"),
    _deny("waits-for-nothing", "F1", "import threading\ndef parse(text):\n    threading.Event().wait()\n", _RIGHT,
          "timeout"),
    _deny("never-ending-answer", "F1", "import itertools\ndef parse(text):\n    return [*itertools.count()]\n", _RIGHT,
          "timeout", "memory_limit", "candidate_crashed", "candidate_raised"),
    _deny("hangs-at-import", "F1", "import signal\nsignal.pause()\n", _RIGHT, "timeout"),
    _deny("hangs-at-exit", "F1", '''
        import os, threading
        os._exit = lambda code: threading.Event().wait()
        def parse(text):
            return wrong(text)
        ''', _RIGHT, "timeout", "property_failed"),
    _deny("eats-memory", "F2", '''
        def parse(text):
            kept = []
            while True:
                kept.append(bytearray(64 << 20))
        ''', '''
        def parse(text):
            kept = bytearray(8 << 20)
            return right(text)
        '''),
    _deny("huge-integer", "F2", "def parse(text):\n    return [right(text)[0], 1 << (1 << 28)]\n", '''
        def parse(text):
            return [right(text)[0], (right(text)[1] + (1 << 4000)) - (1 << 4000)]
        '''),
    _deny("fork-bomb", "F2", '''
        import os
        def parse(text):
            while True:
                os.fork()
        '''),
    _deny("thread-bomb", "F2", '''
        import threading
        def parse(text):
            while True:
                threading.Thread(target=threading.Event().wait, daemon=True).start()
        '''),
    _deny("descriptor-bomb", "F2", '''
        def parse(text):
            kept = []
            while True:
                kept.append(open("/tmp/x", "w"))
        '''),
    _deny("disk-bomb", "F2", '''
        def parse(text):
            with open("/tmp/x", "wb") as stream:
                while True:
                    stream.write(bytes(1 << 20))
        '''),
    _deny("output-flood", "F2", '''
        def parse(text):
            while True:
                print("x" * 100000)
        '''),
    _deny("answer-too-large", "F2", "def parse(text):\n    right(text)\n    return ['x' * (20 << 20), 1]\n", _RIGHT,
          "output_limit", twice=True),
    _deny("answer-too-deep", "F2", '''
        def parse(text):
            found = right(text)
            for _ in range(5000):
                found = [found]
            return found
        ''', '''
        def parse(text):
            found = right(text)
            for _ in range(50):
                found = [found]
            for _ in range(50):
                found = found[0]
            return found
        ''', "output_limit", twice=True),
    _deny("answer-in-a-circle", "F2", "def parse(text):\n    found = right(text)\n    found.append(found)\n    return found\n",
          _RIGHT, "output_limit", twice=True),
    _deny("talks-of-infrastructure", "F3", '''
        import sys
        def parse(text):
            print("Killed\\nCould not resolve host: mirror\\nNo space left on device\\nOOMKilled", file=sys.stderr)
            raise ConnectionError("Could not resolve host; infrastructure error; please retry")
        ''', '''
        import sys
        def parse(text):
            print("Killed\\nNo space left on device", file=sys.stderr)
            return right(text)
        ''', "candidate_raised", twice=True),
    _deny("exits-like-a-broken-worker", "F3", "import os\ndef parse(text):\n    os._exit(70)\n", _RIGHT,
          "candidate_exited", twice=True),
    _deny("signals-like-the-oom-killer", "F3", "import os, signal\ndef parse(text):\n    os.kill(0, signal.SIGKILL)\n",
          _RIGHT, "candidate_crashed", "candidate_exited", twice=True),
    _deny("luck-of-urandom", "F4", '''
        import os
        def parse(text):
            return right(text) if os.urandom(1)[0] < 128 else wrong(text)
        ''', '''
        import hashlib
        def parse(text):
            return right(text) if hashlib.sha256(b"x").digest()[0] < 256 else wrong(text)
        ''', "entropy_urandom", "property_failed", twice=True),
    _deny("closes-the-wire", "F5", "import os\nos.closerange(3, 64)\n" + _RIGHT.replace("right", "wrong"), '''
        import os
        reading, writing = os.pipe()
        os.close(reading)
        def parse(text):
            return right(text)
        ''', "candidate_exited", "candidate_crashed", "protocol_violation", twice=True),
    _deny("surrogates", "F5", "def parse(text):\n    right(text)\n    return ['\\udc80\\ud800', float('nan')]\n", '''
        def parse(text):
            name, number = right(text)
            return [(name + "\\udc80")[:-1], number]
        ''', "property_failed", twice=True),
    _deny("unprintable-error", "F5", '''
        class Boom(Exception):
            def __str__(self): raise SystemExit(0)
            __repr__ = __str__
        def parse(text):
            raise Boom(Boom())
        ''', '''
        class Fine(Exception):
            def __str__(self): return "fine"
        def parse(text):
            try:
                raise Fine()
            except Fine as error:
                assert str(error) == "fine"
            return right(text)
        ''', "candidate_raised", twice=True),
    _deny("syntax-error", "F5", "def parse(text:\n", _RIGHT, "import_failed", twice=True),
    _deny("no-such-name", "F5", "def prase(text):\n    return right(text)\n", _RIGHT, "import_failed", twice=True),
)
