"""What no run could load is refused, and nothing that a run does load: both are held against Python itself."""

from __future__ import annotations

import sys
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.lint.loads import unloadable

HOLD = "def hold(case):\n    return True\n"
BROKEN: dict[str, tuple[str | bytes, str]] = {
    "no colon": ("def hold(case)\n    return True\n", "properties/p.py:1:15"),
    "a return outside": (HOLD + "return 1\n", "properties/p.py:3:1"),
    "an await outside": (HOLD + "await x\n", "properties/p.py:3:1"),
    "no text": (HOLD.encode() + b"# \xff\n", "properties/p.py:3:3"),
    "a null byte": (HOLD + "\0", "properties/p.py:3:1"),
    "nothing": ("", "properties/p.py"),
    "no hold": ("x = 1\n", "properties/p.py"),
    "hold is read only": ("print(hold)\n", "properties/p.py"),
}
SOUND = {
    "a function": HOLD, "in a branch": "if True:\n    def hold(case):\n        return True\n",
    "bound": "def asked(case):\n    return True\n\n\nhold = asked\n", "a lambda": "hold = lambda case: True\n",
    "a loop": "for hold in [len]:\n    pass\n", "by name": "globals()['ho' + 'ld'] = len\n",
    "imported": "from math import floor as hold\n", "everything": "from operator import *\n\nhold = truth\n",
    "by exec": "exec('hold = len')\n", "latin-1": b"# -*- coding: latin-1 -*-\n# \xff\n" + HOLD.encode(),
    "a mark": b"\xef\xbb\xbf" + HOLD.encode(), "matched": "match len:\n    case hold:\n        pass\n",
}  # fmt: skip


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_loaded(name: str) -> None:
    text, place = BROKEN[name]
    [found] = unloadable("properties/p.py", {"properties/p.py": _bytes(text)})
    assert (found.code, found.subject) == ("property_broken", place)


@pytest.mark.parametrize("name", SOUND)
def test_what_python_loads_is_not_refused(name: str) -> None:
    data = _bytes(SOUND[name])
    module = types.ModuleType("p")
    exec(compile(data, "p.py", "exec"), module.__dict__)
    assert callable(module.__dict__["hold"])
    assert unloadable("properties/p.py", {"properties/p.py": data}) == ()


def test_files_that_an_import_reaches_count_and_others_do_not() -> None:
    files = {"properties/p.py": b"from properties.a import x\n" + HOLD.encode(),
             "properties/a.py": b"import properties.b\n", "properties/b.py": b"x = 1\n", "properties/c.py": b"(\n"}
    assert unloadable("properties/p.py", files) == ()
    [found] = unloadable("properties/p.py", files | {"properties/b.py": b"(\n"})
    assert found.subject.startswith("properties/b.py:1:")


@given(st.lists(st.sampled_from([HOLD, "hold = 1\n", "x = 1\n", "if x:\n", "    hold = x\n", "return\n", "del hold\n",
                                 "import hold\n", "class hold: pass\n", "(\n", "def f(): hold = 1\n"]), max_size=5))
def test_nothing_that_runs_and_defines_hold_is_refused(lines: list[str]) -> None:
    data = "".join(lines).encode()
    module = types.ModuleType("p")
    sys.modules["hold"] = types.ModuleType("hold")
    try:
        exec(compile(data, "p.py", "exec"), module.__dict__)
    except Exception:
        return
    finally:
        del sys.modules["hold"]
    if callable(module.__dict__.get("hold")):
        assert unloadable("p.py", {"p.py": data}) == ()
