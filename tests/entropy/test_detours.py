"""Detours around the table, and what only looks like one: each hit is one hit, each control beside it is none."""

from __future__ import annotations

import importlib
import types

import pytest

from oracle_rules.entropy import spelling
from oracle_rules.entropy.scan import scan_source

HITS = [
    ('clock-default', 'from email.utils import formatdate\ndef f(): return formatdate(usegmt=True)'),
    ('clock-default', 'from email.utils import formatdate\ndef f(): return formatdate(None, usegmt=True)'),
    ('clock-default', 'import email.utils\ndef f(): return email.utils.localtime(isdst=-1)'),
    ('clock-read', 'import datetime\nclass Day(datetime.date): pass\ndef f(): return Day.today()'),
    ('clock-read', 'import datetime\nclass Base(datetime.date): pass\nclass Day(Base):\n  @classmethod\n  def n(cls): return cls.today()'),
    ('random-unseeded', 'import random\nclass R(random.Random): pass\ndef f(): return R()'),
    ('clock-read', 'import calendar\ndef f(): return calendar.datetime.date.today()'),
    ('host', 'import posixpath\ndef f(): return posixpath.os.getpid()'),
    ('clock-read', 'import email.utils\ndef f(): return email.utils.time.time()'),
    ('random-unseeded', 'import random\ndef f():\n  r = random.Random(3)\n  r.seed()\n  return r'),
    ('random-unseeded', 'import random\ndef f(): return random.Random(3).seed()'),
    ('set-order', 'def f(x): return {n: i for i, n in enumerate(set(x))}'),
    ('set-order', 'def f(x): return dict(enumerate(set(x)))'),
    ('set-order', 'def f(x):\n  d={}\n  for i, n in enumerate(set(x)):\n    d[n]=i\n  return d'),
    ('set-order', "def f(x):\n  text=''\n  for n in set(x):\n    text = text + n\n  return text"),
    ('set-order', "def f(x):\n  text=''\n  for n in set(x):\n    text = text + n + ','\n  return text"),
    ('set-order', 'def f(x):\n  l=list(set(x))\n  a=l[0]\n  l.sort()\n  return a'),
    ('set-order', 'def f(x):\n  l=list(set(x))\n  a=l[:]\n  l.sort()\n  return a'),
    ('set-order', 'def f(x):\n  l=list(set(x))\n  l.sort(key=len)\n  return l'),
    ('set-order', 'def f(x):\n  l=[]\n  for n in set(x): l.append(n)\n  a=l[0]\n  l.sort()\n  return a'),
    ('key-order', 'import json\ndef f(x): return json.dumps([1, x])'),
    ('key-order', "import json\ndef f(x): return json.dumps({'a': x})"),
    ('key-order', "import json\ndef f(x): return json.dumps({**{'a': 1}, 'b':2})"),
    ('set-order', 'def f(x):\n  k=set(x)\n  return k.pop()'),
    ('set-order', 'def f(x):\n  k=set(x)\n  return len(k)==2 and k.pop()'),
]
NONE = [
    'from email.utils import formatdate\ndef f(t): return formatdate(t, usegmt=True)',
    'from email.utils import formatdate\ndef f(t): return formatdate(timeval=t)',
    'from email.utils import formatdate\ndef f(t): return formatdate(*t)',
    'def f(d,z): return d.astimezone(tz=z)',
    'import datetime\nclass Day(datetime.date):\n  @classmethod\n  def today(cls): return cls(1,1,1)\ndef f(): return Day.today()',
    'import datetime\nclass Day(datetime.date): pass\ndef f(): return Day(2026,1,1)',
    'import random\nclass R(random.Random): pass\ndef f(): return R(3)',
    'import random\nclass R(random.Random):\n  def __init__(self): super().__init__(3)\ndef f(): return R()',
    'class X(object): pass\ndef f(): return X.__name__, X()',
    'import random\ndef f(): return random.Random(3).seed(4)',
    'import datetime\ndef f(d): return d.time(), datetime.datetime.time, datetime.time(1)',
    'def f(x): return {n: i for i, n in enumerate(sorted(set(x)))}',
    'def f(x): return {n for _, n in enumerate(set(x))}',
    'def f(x):\n  t=0\n  for n in set(x):\n    t = t + n\n  return t',
    "def f(x):\n  text=''\n  for n in sorted(set(x)):\n    text = text + n\n  return text",
    'def f(x):\n  l=list(set(x))\n  l.sort()\n  return l[0], l[:]',
    'def f(x):\n  l=list(set(x))\n  l.sort(key=lambda n: (len(n), n))\n  return l',
    'def f(x):\n  l=[]\n  for n in set(x): l.append(n)\n  l.sort()\n  return l[0]',
    'import json\ndef f(): return json.dumps([1,2])',
    "import json\ndef f(): return json.dumps({'b': 1, 'a': [2, {'c': 'x'}]})",
    'def f(x):\n  k=set(x)\n  return len(k)==1 and k.pop()',
    'def f(x):\n  k=set(x)\n  if len(k) == 1:\n    return k.pop()',
    'def f(x):\n  k=set(x)\n  return k.pop() if len(k) == 1 else None',
]


@pytest.mark.parametrize(("rule", "text"), HITS)
def test_a_detour_is_one_hit(rule: str, text: str) -> None:
    assert [hit.rule.id for hit in scan_source(text, "a.py").hits] == [rule]


@pytest.mark.parametrize("text", NONE)
def test_what_looks_like_one_is_none(text: str) -> None:
    assert scan_source(text, "a.py").hits == ()


def test_what_a_module_is_said_to_carry_is_a_module() -> None:
    """Wherever a carrier has a name of that table, it is the module of that name."""

    seen = 0
    for carrier in (*spelling.CARRIERS, "calendar", "logging", "glob", "shutil", "plistlib", "http.cookiejar"):
        module = importlib.import_module(carrier)
        for name in spelling.CARRIED & set(vars(module)):
            assert isinstance(getattr(module, name), types.ModuleType), (carrier, name)
            assert spelling.join(carrier, name) == getattr(module, name).__name__.removeprefix("_"), (carrier, name)
            seen += 1
    assert seen > 30 and spelling.join("datetime", "time") == "datetime.time"


GUARD = 'if __name__ == "__main__":\n    main()\n'
CLOCK = "import time\n\n\ndef main():\n    return time.time()\n\n\n"


@pytest.mark.parametrize(("text", "hits"), [
    (CLOCK + GUARD, 0), (CLOCK + GUARD.replace('__name__ == "__main__"', '"__main__" == __name__'), 0), (CLOCK, 1),
    (CLOCK + "def f():\n    return main()\n\n\n" + GUARD, 1), (CLOCK + "G = {'main': 1}\n" + GUARD, 1),
    (CLOCK + GUARD.replace("==", "!="), 1), (CLOCK + "__name__ = '__main__'\n" + GUARD, 1),
    (CLOCK + "if True:\n    main()\n", 1), (CLOCK + GUARD + "else:\n    main()\n", 1),
    (CLOCK.replace("main()", "main(now=time.time())") + GUARD, 1), ("import functools\n" + CLOCK.replace(
        "def main", "@functools.cache\ndef main") + GUARD, 1),
    (CLOCK.replace("time.time()", "eval('1')") + GUARD, 1)])
def test_what_runs_as_a_program_alone_is_no_finding(text: str, hits: int) -> None:
    assert len(scan_source(text, "a.py").hits) == hits, text
