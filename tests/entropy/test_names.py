"""What a name stands for, worked out by hand from Python's own rules of scope."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.entropy import names

# Source, in which the last call's callee is asked for -> what may reach it.
CASES: dict[str, tuple[str, set[str]]] = {
    "module": ("import time\ntime.time()", {"time.time"}),
    "import-as": ("import time as t\nt.monotonic()", {"time.monotonic"}),
    "from": ("from time import time\ntime()", {"time.time"}),
    "from-as": ("from datetime import datetime as dt\ndt.now()", {"datetime.datetime.now"}),
    "dotted-import": ("import os.path\nos.getpid()", {"os.getpid"}),
    "dotted-import-as": ("import os.path as p\np.abspath()", {"os.path.abspath"}),
    "assigned": ("import time\nclock = time.time\nclock()", {"time.time"}),
    "chain": ("import time\na = time\nb = a\nc = b.time\nc()", {"time.time"}),
    "unpacked": ("import time, random\na, b = time, random\nb.random()", {"random.random"}),
    "walrus": ("import time\nif (t := time.time):\n    t()", {"time.time"}),
    "static": ("import time\nclass A:\n    now = staticmethod(time.time)\nA.now()", {"time.time"}),
    "self": ("import time\nclass A:\n    now = time.time\n    def f(self):\n        self.now()", {"time.time"}),
    "self-assigned": (
        "import time\nclass A:\n    def __init__(me):\n        me.now = time.time\n    def f(self):\n        self.now()",
        {"time.time"},
    ),
    "inherited": (
        "import time\nclass A:\n    now = time.time\nclass B(A):\n    def f(self):\n        self.now()", {"time.time"}),
    "try": (
        "try:\n    from time import monotonic as now\nexcept ImportError:\n    from time import time as now\nnow()",
        {"time.monotonic", "time.time"},
    ),
    "if-expression": ("import time, random\n(time.time if x else random.random)()", {"time.time", "random.random"}),
    "partial-without-more": ("import time, functools\nfunctools.partial(time.time)()", {"time.time"}),
    "import-by-name": ("__import__('time').time()", {"time.time"}),
    "import-module": ("import importlib\nimportlib.import_module('os.path').abspath()", {"os.path.abspath"}),
    "getattr": ("import time\ngetattr(time, 'time')()", {"time.time"}),
    "dict": ("import time\nvars(time)['time']()", {"time.time"}),
    "modules": ("import sys\nsys.modules['time'].time()", {"time.time"}),
    "globals": ("import time\nglobals()['time'].time()", {"time.time"}),
    "carried": ("import logging\nlogging.time.time()", {"time.time"}),
    "inside": ("import posix\nposix.getpid()", {"os.getpid"}),
    "star": ("from time import *\nmonotonic()", {"time.monotonic", "builtins.monotonic"}),
    "builtin": ("hash()", {"builtins.hash"}),
    "instance": ("from pathlib import Path\np = Path('x') / 'y'\np.iterdir()", {"pathlib.Path().iterdir"}),
    "annotated": ("from pathlib import Path\ndef f(p: Path):\n    p.iterdir()", {"pathlib.Path().iterdir"}),
    "annotated-in-quotes": ("def f(p: 'set[str]'):\n    p.pop()", {"builtins.set().pop"}),
    "set-algebra": ("a = {1} | b\na.pop()", {"builtins.set().pop"}),
    "answer": ("def f() -> set[int]: ...\nf().pop()", {"builtins.set().pop"}),
    "loop-carried": ("import time\ndef f():\n    while x:\n        q()\n        q = time.time", {"time.time"}),
    "later": ("import time\ndef f():\n    return now()\nnow = time.time", {"time.time"}),
    # What must not be taken for the module.
    "local-package": ("from x import time\ntime.time()", {"x.time.time"}),
    "relative": ("from . import time\ntime.time()", {".time.time"}),
    "parameter": ("import time\ndef f(time):\n    time.time()", set()),
    "lambda-parameter": ("import time\nlambda time: time.time()", set()),
    "rebound": ("import time\ntime = 5\ntime.time()", {"builtins.int().time"}),
    "local-variable": ("import time\ndef f():\n    time = g()\n    time.time()", {"builtins.g().time"}),
    "loop-variable": ("import time\nfor time in x:\n    time.time()", set()),
    "deleted": ("import time\ndel time\ntime.time()", set()),
    "other-attribute": ("import time\nx.time.time()", {"builtins.x.time.time"}),
    "class-scope-is-skipped": ("time = object()\nclass A:\n    import time\n    def f(self):\n        time.time()",
                               {"builtins.object().time"}),
}  # fmt: skip


def every(source: str) -> set[str]:
    tree = ast.parse(source)
    last = max((node for node in ast.walk(tree) if isinstance(node, ast.Call)),
               key=lambda node: (node.end_lineno, node.end_col_offset, -node.col_offset))
    return set(names.read(tree).every(last.func))


@pytest.mark.parametrize("case", CASES)
def test_a_callee_is_what_python_would_call(case: str) -> None:
    source, expected = CASES[case]
    assert every(source) == expected


ALIASES = st.sampled_from(["t", "clock", "_x", "Ä", "time2", "os", "list"])
STEPS = st.lists(st.tuples(st.sampled_from(["{b} = {a}", "{b}: object = {a}", "({b}, _q) = ({a}, 1)", "if 1:\n    {b} = {a}",
                                            "with y:\n    {b} = {a}", "{b} = {a} or {a}", "{b} = staticmethod({a})"]),
                           ALIASES), max_size=6)


@given(start=st.sampled_from(["from time import monotonic as {b}", "import time\n{b} = time.monotonic",
                              "{b} = __import__('time').monotonic"]), first=ALIASES, steps=STEPS)
def test_any_chain_of_aliases_is_followed(start: str, first: str, steps: list[tuple[str, str]]) -> None:
    lines, name = [start.format(b=first)], first
    for form, alias in steps:
        lines.append(form.format(a=name, b=alias))
        name = alias
    assert "time.monotonic" in every("\n".join([*lines, f"{name}()"]))


@given(st.integers(min_value=1, max_value=3000))
def test_depth_never_ends_in_a_traceback(depth: int) -> None:
    tree = ast.Module(body=[ast.Expr(value=ast.Name(id="x", ctx=ast.Load()))], type_ignores=[])
    value: ast.expr = ast.Name(id="x", ctx=ast.Load())
    for _ in range(depth):
        value = ast.Attribute(value=value, attr="y", ctx=ast.Load())
    tree.body = [ast.Expr(value=value)]
    found = names.read(tree).every(value)
    assert found == (("builtins.x" + ".y" * depth,) if depth < 30 else found)
