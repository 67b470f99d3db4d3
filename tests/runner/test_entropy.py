"""Ambient reads in the cell: each is named with its place and refuses the bit, however it is spelled; its seeded or
injected twin is nobody's business. All in the real sandbox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from oracle_rules.worker import Worker

from .bench import Pair, judge

# name -> (what `f` does, reason code or None)
READS: dict[str, tuple[str, str | None]] = {
    "time_time": ("import time\ndef f(): time.time()", "entropy_clock"),
    "time_alias": ("from time import time as t\ndef f(): t()", "entropy_clock"),
    "time_default_argument": ("import time\ndef f(now=time.time): now()", "entropy_clock"),
    "time_getattr": ("import time\ndef f(): getattr(time, 'mono' + 'tonic')()", "entropy_clock"),
    "time_class_attribute": ("import time\nclass C:\n    now = time.perf_counter\ndef f(): C.now()", "entropy_clock"),
    "time_decorator": ("import time\ndef stamp(g):\n    def h(): time.process_time(); return g()\n    return h\n@stamp\ndef f(): pass",
                       "entropy_clock"),
    "time_at_import": ("import time\nSTART = time.time()\ndef f(): pass", "entropy_clock"),
    "time_dynamic_import": ("def f(): __import__('time').time_ns()", "entropy_clock"),
    "time_partial": ("import functools, time\ng = functools.partial(time.time)\ndef f(): g()", "entropy_clock"),
    "time_map": ("import time\ndef f(): list(map(time.sleep, [0]))", "entropy_clock"),
    "time_sleep": ("import time\ndef f(): time.sleep(0.001)", "entropy_clock"),
    "time_localtime": ("import time\ndef f(): time.localtime()", "entropy_clock"),
    "time_strftime": ("import time\ndef f(): time.strftime('%Y')", "entropy_clock"),
    "time_gmtime_given": ("import time\ndef f(): time.gmtime(0), time.strftime('%Y', time.gmtime(0)), time.asctime(time.gmtime(0))", None),
    "datetime_now": ("import datetime\ndef f(): datetime.datetime.now()", "entropy_clock"),
    "datetime_alias": ("from datetime import datetime as d\nnow = d.now\ndef f(): now(None)", "entropy_clock"),
    "datetime_subclass": ("import datetime\nclass D(datetime.datetime): pass\ndef f(): assert type(D.now()) is D", "entropy_clock"),
    "date_today": ("import datetime\ndef f(): datetime.date.today()", "entropy_clock"),
    "datetime_given": ("import datetime\ndef f(): datetime.datetime.fromtimestamp(0, datetime.timezone.utc)", None),
    "reloaded_time": ("import importlib, time\ndef f(): importlib.reload(time).time()", "entropy_clock"),
    "time_again": ("import sys\ndef f():\n    del sys.modules['time']\n    import time\n    time.time()", "entropy_clock"),
    "random_again": ("import sys\ndef f():\n    del sys.modules['random']\n    import random\n    random.random()", "entropy_random"),
    "random_reloaded": ("import importlib, random\ndef f(): importlib.reload(random).random()", "entropy_random"),
    "random_below": ("import _random\ndef f(): _random.Random().random()", "entropy_random"),
    "random_base": ("import random\ndef f(): random.Random.__base__().random()", "entropy_random"),
    "random_below_seeded": ("import _random\ndef f(): assert _random.Random(5).random() == 0.6229016948897019", None),
    "create_builtin": ("import _imp, sys\ndef f(): _imp.create_builtin(sys.modules['time'].__spec__).time()", "entropy_clock"),
    "uuid_again": ("import sys\ndef f():\n    del sys.modules['uuid']\n    import uuid\n    uuid.uuid4()", "entropy_uuid"),
    "subinterpreter": ("def f():\n    try: import _xxsubinterpreters\n    except ImportError: pass", "entropy_native"),
    "file_times": ("import os\ndef f():\n    open('/tmp/x', 'w').close()\n    s = os.stat('/tmp/x')\n    e = next(os.scandir('/tmp')).stat()\n"
                   "    assert s.st_mtime == s.st_ctime_ns == s[8] == e.st_mtime == 0 and s.st_size == 0 and s.st_uid == 65534", None),
    "inodes": ("import os\ndef f():\n    a, b = os.stat(__file__), os.stat('/tmp')\n    assert (a.st_ino, a.st_dev) == (os.stat(__file__).st_ino, 1)\n"
               "    assert a.st_ino != b.st_ino and a.st_ino < 10000 and a.st_nlink == 1 and b.st_size == 0\n"
               "    assert os.path.samefile('/tmp', '/tmp/') and not os.path.samefile('/tmp', '/')", None),
    "listings": ("import os\ndef f():\n    for n in 'cab': open('/tmp/' + n, 'w').close()\n"
                 "    with os.scandir('/tmp') as found: assert [e.name for e in found if len(e.name) == 1] == ['a', 'b', 'c']\n"
                 "    assert [n for n in os.listdir('/tmp') if len(n) == 1] == ['a', 'b', 'c']\n"
                 "    assert next(os.walk('/tmp'))[2][:1] == ['a']", None),
    "sqlite": ("def f():\n    import sqlite3", "entropy_native"),
    "profiler": ("def f():\n    import cProfile", "entropy_native"),
    "program_below": ("def f():\n    from multiprocessing import util\n    try: util.spawnv_passfds(b'/python/bin/python3', [b'x'], [])\n"
                      "    except (OSError, AttributeError): pass", "entropy_host"),
    "forged_file_name": ("exec(compile('import time\\ndef f(): time.time()', '/python/lib/python3.11/logging/__init__.py', 'exec'))",
                         "entropy_clock"),
    "forged_runtime_name": ("exec(compile('import time\\ndef f(): time.time()', '/runtime/_oracle_runtime/runner/cell.py', 'exec'))",
                            "entropy_clock"),
    "forged_importer_name": ("exec(compile('import time\\ndef f(): time.time()', '<frozen importlib._bootstrap>', 'exec'))",
                             "entropy_clock"),
    "forged_dependency_name": ("exec(compile('import time\\ndef f(): time.time()', '/deps/x.py', 'exec'))", "entropy_clock"),
    "urandom": ("import os\ndef f(): os.urandom(4)", "entropy_urandom"),
    "getrandom": ("import os\ndef f(): os.getrandom(4)", "entropy_urandom"),
    "posix_urandom": ("import posix\ndef f(): posix.urandom(4)", "entropy_urandom"),
    "secrets": ("import secrets\ndef f(): secrets.token_hex(4)", "entropy_urandom"),
    "system_random": ("import random\ndef f(): random.SystemRandom().random()", "entropy_urandom"),
    "uuid4": ("import uuid\ndef f(): uuid.uuid4()", "entropy_uuid"),
    "uuid1": ("from uuid import uuid1 as u\ndef f(): u()", "entropy_uuid"),
    "uuid5": ("import uuid\ndef f(): assert str(uuid.uuid5(uuid.NAMESPACE_DNS, 'a.test')) == 'b05bd09e-4df4-5e34-b9ab-f3d1f6a9d1bd' or True", None),
    "random_module": ("import random\ndef f(): random.random()", "entropy_random"),
    "random_choice": ("from random import choice\ndef f(): choice([1])", "entropy_random"),
    "random_unseeded": ("import random\ndef f(): random.Random().random()", "entropy_random"),
    "random_seed_none": ("import random\ndef f(): random.seed()", "entropy_random"),
    "random_seeded": ("import random\ndef f(): assert random.Random(5).random() == 0.6229016948897019", None),
    "random_seeded_module": ("import random\ndef f():\n    random.seed(5)\n    assert random.random() == 0.6229016948897019", None),
    "hash_of_text": ("def f(): hash('x')", "entropy_hash"),
    "hash_of_tuple": ("h = hash\ndef f(): h((1, 'x'))", "entropy_hash"),
    "hash_in_dunder": ("class K:\n    def __hash__(self): return hash('x')\ndef f(): {K()}", None),
    "hash_of_number": ("def f(): hash(7)", None),
    "environment": ("import os\ndef f(): os.environ.get('USER')", "entropy_env"),
    "environment_in": ("import os\ndef f(): 'CI' in os.environ", "entropy_env"),
    "environment_getenv": ("from os import getenv as g\ndef f(): g('USER', 'x')", "entropy_env"),
    "environment_all": ("import os\ndef f(): dict(os.environ)", "entropy_env"),
    "environment_bytes": ("import os\ndef f(): os.environb.get(b'USER')", "entropy_env"),
    "environment_declared": ("import os\ndef f(): assert os.environ['TZ'] == 'UTC'", None),
    "environment_own": ("import os\ndef f():\n    os.environ['MINE'] = '1'\n    assert os.environ['MINE'] == '1'", None),
    "pid": ("import os\ndef f(): os.getpid()", "entropy_host"),
    "cpu_count": ("import os\ndef f(): assert os.cpu_count() == 1", "entropy_host"),
    "uname": ("import os\ndef f(): os.uname()", "entropy_host"),
    "platform": ("import platform\ndef f(): assert (platform.node(), platform.release()) == ('oracle', '0')", None),
    "rusage": ("import resource\ndef f(): assert resource.getrusage(resource.RUSAGE_SELF).ru_utime == 0", "entropy_host"),
    "disk": ("import os\ndef f(): os.statvfs('/')", "entropy_host"),
    "hostname": ("import socket\ndef f(): socket.gethostname()", "entropy_host"),
    "proc": ("def f():\n    try: open('/proc/self/status')\n    except OSError: pass", "entropy_host"),
    "dev_urandom": ("def f():\n    try: open('/dev/urandom', 'rb')\n    except OSError: pass", "entropy_host"),
    "dev_null": ("def f(): open('/dev/null').close()", None),
    "own_file": ("import tempfile\ndef f():\n    with tempfile.TemporaryFile() as t: t.write(b'x')", None),
    "subprocess": ("import subprocess\ndef f():\n    try: subprocess.run(['/bin/true'])\n    except OSError: pass", "entropy_host"),
    "network": ("import socket\ndef f():\n    try: socket.socket()\n    except OSError: pass", "entropy_network"),
    "urlopen": ("import urllib.request\ndef f():\n    try: urllib.request.urlopen('http://a.test/')\n    except OSError: pass", "entropy_network"),
    "dns": ("import socket\ndef f():\n    try: socket.getaddrinfo('a.test', 80)\n    except OSError: pass", "entropy_network"),
    "dns_of_a_name": ("import socket\ndef f():\n    try: socket.gethostbyname('a.test')\n    except OSError: pass", "entropy_network"),
    "dns_of_an_address": ("import socket\ndef f():\n    try: socket.gethostbyaddr('10.0.0.1')\n    except OSError: pass", "entropy_network"),
    "unix_socket": ("import socket\ndef f():\n    try: socket.socket(socket.AF_UNIX).connect('/nobody')\n    except OSError: pass", None),
    "native": ("def f():\n    import ctypes\n    ctypes.CDLL(None).time(None)", "entropy_native"),
    "asyncio_runs": ("import asyncio\nasync def g(): return 3\ndef f(): assert asyncio.run(g()) == 3", None),
    "logging_is_incidental": ("import logging\ndef f(): logging.getLogger('x').warning('y')", None),
    "threads_wait": ("import threading\ndef f():\n    e = threading.Event(); t = threading.Thread(target=e.set); t.start(); e.wait(5); t.join()", None),
    "sorted_set": ("def f(): assert sorted({'b', 'a'}) == ['a', 'b']", None),
}
PAIRS = [Pair(name, code + "\n", f"from src.{name} import f\ndef hold(case):\n    f()\n    return True\n", reason)
         for name, (code, reason) in READS.items()]
ALLOWED = Pair("allowed", "import time\ndef f(): return time.time()\n",
               "from src.allowed import f\ndef hold(case):\n    return f() == case\n", cases=[1767225600.0], attributes='allow = ["clock"]')
ORACLE_READ = Pair("oracle_reads", "def f(): return 1\n",
                   "import time\nfrom src.oracle_reads import f\ndef hold(case):\n    return f() == 1 and time.time() > 0\n", "entropy_clock")


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Mapping[str, Any]]]:
    with Worker(tmp_path_factory.mktemp("cache"), jobs=2) as worker:
        yield judge([*PAIRS, ALLOWED, ORACLE_READ], worker)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_read(pair: Pair, verdicts: dict[str, Mapping[str, Any]]) -> None:
    seen = verdicts[pair.name]
    assert (seen["reason"], seen["bit"]) == (pair.reason, 0 if pair.reason else 1), (seen["detail"], seen["notes"])
    if pair.reason is not None and not pair.name.startswith("forged"):
        assert all(path == f"src/{pair.name}.py" and line > 0 for _, path, line, _ in seen["notes"]), seen["notes"]


def test_what_a_target_allows_is_pinned_and_passes(verdicts: dict[str, Mapping[str, Any]]) -> None:
    assert verdicts["allowed"]["bit"] == 1


def test_a_property_that_reads_the_clock_is_refused_too(verdicts: dict[str, Mapping[str, Any]]) -> None:
    assert verdicts["oracle_reads"]["reason"] == "entropy_clock"
    assert verdicts["oracle_reads"]["notes"][0][1:3] == ["properties/oracle_reads.py", 4]
