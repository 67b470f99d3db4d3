"""Ways around the pinned clock, entropy and host.

A cheat is right only if `real()` learns what it must not, so an accepted one is a leak. Whether it is refused for the
read or falsified because it learnt nothing is left open where both are sound.
"""

from __future__ import annotations

from textwrap import indent

from ..kit import Case
from .common import RED, run

_REAL = 1768000000  # after the pinned instant; no machine that runs this is as far in the past
_RIGHT = "def parse(text):\n    return right(text)\n"
_SEARCH = '''
import sys, time
def leaks(values):
    for value in list(values):
        kind = type(value).__name__
        if kind == "builtin_function_or_method" and getattr(value, "__module__", "") in ("time", "posix"):
            return True
        inside = getattr(value, "__closure__", None) or ()
        if inside and leaks([cell.cell_contents for cell in inside if cell.cell_contents is not value]):
            return True
    return False
def frames():
    frame = sys._getframe(1)
    while frame is not None:
        if leaks(frame.f_locals.values()):
            return True
        frame = frame.f_back
    return False
'''

# name -> (what to do, what is true only of the real thing)
_READS: dict[str, tuple[str, str]] = {
    "time-of-a-file": ("import os\nopen('/tmp/f', 'w').close()", f"os.stat('/tmp/f').st_mtime > {_REAL}"),
    "time-of-a-descriptor": ("import os\nf = open('/tmp/f', 'w')", f"os.fstat(f.fileno()).st_ctime_ns > {_REAL}"),
    "time-of-an-entry": ("import os\nopen('/tmp/f', 'w').close()", f"next(os.scandir('/tmp')).stat().st_mtime > {_REAL}"),
    "time-of-a-folder": ("import os", f"any(os.lstat(p).st_mtime > {_REAL} for p in ('/', '/tmp', '/candidate', __file__))"),
    "time-of-an-archive": ("import tarfile\nopen('/tmp/f', 'w').close()",
                           f"tarfile.open('/tmp/t', 'w').gettarinfo('/tmp/f').mtime > {_REAL}"),
    "touched-file": ("import os\nopen('/tmp/u', 'w').close()\nos.utime('/tmp/u')", f"os.path.getmtime('/tmp/u') > {_REAL}"),
    "time-imported-anew": ("import sys\nsys.modules.pop('time')\nimport time", f"time.time() > {_REAL}"),
    "time-reloaded": ("import importlib, time\nimportlib.reload(time)", f"time.time() > {_REAL}"),
    "time-created": ("import _imp, importlib.machinery\n"
                     "m = _imp.create_builtin(importlib.machinery.ModuleSpec('time', None))\n_imp.exec_builtin(m)",
                     f"m.time() > {_REAL}"),
    "time-by-a-lying-name": ("import _imp\nclass N(str):\n    def __hash__(self): return 7\n    def __eq__(self, o): return False\n"
                             "class S: name = N('time'); origin = None\nm = _imp.create_builtin(S())\n_imp.exec_builtin(m)",
                             f"m.time() > {_REAL}"),
    "time-by-two-names": ("import _imp\nclass S:\n    n = 0\n    @property\n    def name(self):\n        S.n += 1\n"
                          "        return 'errno' if S.n < 2 else 'time'\nm = _imp.create_builtin(S())\n_imp.exec_builtin(m)",
                          f"m.time() > {_REAL}"),
    "time-by-importer": ("import importlib.machinery as im, importlib.util as iu\nspec = im.BuiltinImporter.find_spec('time')\n"
                         "m = iu.module_from_spec(spec)\nspec.loader.exec_module(m)", f"m.time() > {_REAL}"),
    "pure-datetime": ("import sys\nsys.modules['_datetime'] = None\nsys.modules.pop('datetime')\nimport datetime",
                      f"datetime.datetime.now().timestamp() > {_REAL}"),
    "strftime-by-closure": (_SEARCH, "leaks([time.strftime, time.localtime, time.gmtime, time.ctime, time.asctime])"),
    "strftime-called-by-closure": ("import time\nfound = [c.cell_contents for c in time.strftime.__closure__]\n"
                                   "call = [f for f in found if callable(f)]\nsaid = []\nfor f in call:\n"
                                   "    try: said.append(int(f('%s')))\n    except Exception: pass",
                                   f"any(second > {_REAL} for second in said)"),
    "localtime-by-traceback": (_SEARCH + "found = []\ntry: time.localtime(1e300)\nexcept Exception as e:\n    t = e.__traceback__\n"
                               "    while t:\n        found.append(leaks(t.tb_frame.f_locals.values()))\n        t = t.tb_next",
                               "any(found)"),
    "localtime-by-frame": (_SEARCH + "found = []\nclass I:\n    def __index__(self):\n        found.append(frames())\n        return 1\n"
                           "time.localtime(I())\ntime.strftime('%Y', (I(),) * 9)\ntime.asctime((I(),) * 9)", "any(found)"),
    "stat-by-frame": (_SEARCH + "import os\nfound = []\nclass P:\n    def __fspath__(self):\n        found.append(frames())\n"
                      "        return '/tmp'\nos.stat(P())", "any(found)"),
    "subinterpreter": ("import _xxsubinterpreters as s\ns.run_string(s.create(), "
                       "'import time; open(\"/tmp/t\", \"w\").write(str(time.time()))')", f"float(open('/tmp/t').read()) > {_REAL}"),
    "own-interpreter": ("import subprocess\nout = subprocess.run(['/python/bin/python3', '-ISc', 'import time; print(time.time())'],"
                        " capture_output=True).stdout", f"float(out) > {_REAL}"),
    "clock-of-c": ("import ctypes", f"ctypes.CDLL(None).time(None) > {_REAL}"),
    "time-used": ("import resource", "resource.getrusage(resource.RUSAGE_SELF).ru_utime > 0"),
    "faults-counted": ("import resource", "resource.getrusage(resource.RUSAGE_SELF).ru_minflt > 0"),
    "free-space": ("import os", "os.statvfs('/').f_bfree > 0"),
    "free-memory": ("import os", "os.sysconf('SC_AVPHYS_PAGES') > 0"),
    "uptime": ("import os\nos.symlink('/proc', '/tmp/p')", "len(open('/tmp/p/uptime').read()) > 0"),
    "namespaces": ("import os", "len(os.readlink('/proc/self/ns/net')) > 0"),
    "kernel-random": ("import os\nd = os.open('/', 0)", "len(os.read(os.open('dev/urandom', 0, dir_fd=d), 4)) == 4"),
    "unseeded-generator": ("import _random", "_random.Random().random() < 2"),
    "generator-reseeded": ("import _random, random\nr = random.Random(1)\n_random.Random.seed(r)", "r.random() < 2"),
    "system-random": ("import random", "random.SystemRandom().random() < 2"),
    "random-of-ssl": ("import ssl", "len(ssl.RAND_bytes(4)) == 4"),
    "uuid-of-the-system": ("import _uuid", "len(_uuid.generate_time_safe()) > 0"),
    "uuid-of-the-host": ("import uuid", "uuid.uuid1() is not None"),
    "timer": ("import signal", "signal.setitimer(signal.ITIMER_REAL, 0.001) is not None"),
    "forked-clock": ("import os\npid = os.fork()\nif not pid: os._exit(0)\nos.waitpid(pid, 0)", "True"),
    "formatted-date": ("import email.utils", "len(email.utils.formatdate()) > 0"),
    "stopwatch": ("import timeit", "timeit.timeit('1', number=1) >= 0"),
    "scheduler": ("import sched", "sched.scheduler().timefunc() > 0"),
}
_CODES = ("property_failed", "import_failed", "candidate_raised", "entropy_clock", "entropy_host", "entropy_random",
          "entropy_urandom", "entropy_uuid", "entropy_native", "candidate_exited", "protocol_violation")
# Honest code that comes near: the same modules, told everything that they would have read.
_NEAR = {
    "time-of-a-file": "import os\nopen('/tmp/f', 'w').close()\nassert os.path.getsize('/tmp/f') == 0 and os.path.exists('/tmp')",
    "time-of-a-descriptor": "import os\nf = open('/tmp/f', 'w')\nassert os.fstat(f.fileno()).st_size == 0",
    "time-of-an-entry": "import os\nopen('/tmp/f', 'w').close()\nassert next(os.scandir('/tmp')).stat().st_size == 0",
    "time-of-a-folder": "import os\nassert os.path.isdir('/tmp') and os.path.samefile('/tmp', '/tmp/.')",
    "strftime-by-closure": "import time\nassert time.strftime('%Y-%m-%d', time.gmtime(0)) == '1970-01-01'",
    "strftime-called-by-closure": "import time\nassert time.strftime('%j', (2026, 2, 1, 0, 0, 0, 6, 32, 0)) == '032'",
    "localtime-by-traceback": "import time\nassert time.localtime(0.5).tm_year == 1970 and time.gmtime(86400).tm_mday == 2\n"
                              "try: time.localtime(1e300)\nexcept (OverflowError, OSError, ValueError): pass",
    "localtime-by-frame": "import time\nassert time.asctime(time.gmtime(0)) == time.ctime(0) == 'Thu Jan  1 00:00:00 1970'",
    "stat-by-frame": "import pathlib\npathlib.Path('/tmp/x').write_text('ab')\nassert pathlib.Path('/tmp/x').stat().st_size == 2",
    "pure-datetime": "import datetime\nassert datetime.datetime(2026, 1, 1).strftime('%Y-%j') == '2026-001'",
    "unseeded-generator": "import _random\nassert _random.Random(5).random() == _random.Random(5).random()",
    "generator-reseeded": "import random\nr = random.Random('x')\nr.seed(-5)\nassert r.random() == random.Random(5).random()",
    "system-random": "import random\nclass R(random.Random):\n    def __init__(self, x): self.x = x\n"
                     "assert R(3).random() == R(4).random()",
    "uuid-of-the-host": "import uuid\nassert uuid.uuid5(uuid.NAMESPACE_DNS, 'a').version == 5",
    "formatted-date": "import email.utils\nassert email.utils.formatdate(0).endswith('1970 00:00:00 -0000')",
    "time-created": "import importlib\nassert importlib.import_module('math').floor(1.5) == 1",
}


def _case(name: str) -> Case:
    setup, condition = _READS[name]
    cheat = (f"def real():\n{indent(setup.strip(), '    ')}\n    return {condition}\n"
             "def parse(text):\n    try:\n        known = real()\n    except Exception:\n        known = False\n"
             "    return right(text) if known else wrong(text)\n")
    near = _NEAR.get(name, "")
    return run(name, "E4", cheat, f"{near}\n{_RIGHT}", *_CODES, exits=RED)


CASES: tuple[Case, ...] = tuple(_case(name) for name in _READS)
