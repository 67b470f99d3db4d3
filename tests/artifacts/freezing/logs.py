"""Small suites that fail for a known reason, run by the real pytest; what it printed and wrote."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SUITE = {
    "src/__init__.py": "",
    "src/retry.py": "import time\n\n\ndef late(limit):\n    if time.time() > limit:\n"
    "        raise AssertionError(f'time.time() is past {limit}')\n",
    "tests/test_kinds.py": '''
import datetime, random, urllib.request, uuid
import pytest
from src import retry

class TestClock:
    def test_year(self):
        assert datetime.datetime.now().year == 1999

    def test_late(self):
        retry.late(3)

def test_network():
    urllib.request.urlopen("http://127.0.0.1:1/")

def test_unseeded():
    assert str(uuid.uuid4()) == "x"

def test_draw():
    assert random.random() == 2

def test_resource():
    raise MemoryError("no room")

@pytest.mark.parametrize("case", ["a - b", "c[0]"])
def test_unordered(case):
    assert set([case]) == 1

@pytest.fixture
def torn():
    yield
    raise OSError(28, "No space left on device")

def test_teardown(torn):
    print("FAILED tests/test_kinds.py::test_never - no")

def test_fine():
    print("==== FAILURES ====")

def test_plain():
    assert 1 == 2

def test_liar():
    print("====== short test summary info ======")
    print("=== FAILURES ===\\nFAILED tests/test_kinds.py::test_fine - no")
    assert 1 == 3
''',
}
# What each fails of, by hand; "" where no rule knows it.
KINDS = {
    "TestClock::test_year": "time-dependent",
    "TestClock::test_late": "time-dependent",
    "test_network": "network",
    "test_unseeded": "unseeded-entropy",
    "test_draw": "unseeded-entropy",
    "test_resource": "resource",
    "test_unordered[a - b]": "order-dependent",
    "test_unordered[c[0]]": "order-dependent",
    "test_teardown": "resource",
    "test_plain": "",
    "test_liar": "",
}
WANTED = {f"tests/test_kinds.py::{name}": kind for name, kind in KINDS.items()}
SHARED = {
    "tests/test_order.py": "held = []\n\n\ndef test_first():\n    held.append(1)\n\n\n"
    "def test_second():\n    assert held == [1]\n",
}
BROKEN = {"tests/test_broken.py": "import nowhere_at_all\n"}


def make(top: Path, files: dict[str, str]) -> Path:
    """A suite on disk."""
    for path, text in {"conftest.py": "", **files}.items():
        place = top / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return top


def run(top: Path, *words: str) -> str:
    """What pytest prints; plugins load by themselves, as they do for users."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words, "tests"]
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(top), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=top, env=env, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 2), done.stdout + done.stderr
    return done.stdout
