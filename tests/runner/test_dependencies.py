"""The candidate's locked third-party packages, as a PEX, inside the cell: built from the index, mounted read-only, last but
for the candidate on the path, and pinned without being reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle_rules.worker import Worker

from .bench import Pair, judge

LOCK = Path(__file__).parent.parent.parent / "requirements.lock"


def section(name: str) -> str:
    """One hashed requirement of our own lock, so that the index is asked for nothing that the tests do not install."""
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"{name}=="))
    found = [lines[start]]
    for line in lines[start + 1:]:
        if not line.startswith("    --hash"):
            break
        found.append(line)
    return "\n".join(found).rstrip(" \\") + "\n"


PAIR = Pair("uses_packages", '''
import sys
import iniconfig
import starlark

def read(text):
    return [section.name for section in iniconfig.IniConfig("x.ini", data=text)]

def places():
    return iniconfig.__file__, sys.path[-2:], type(starlark.Module()).__name__

def write():
    try:
        open("/deps/new.py", "w")
    except OSError as error:
        return type(error).__name__
''', '''
from src.uses_packages import places, read, write
def hold(case):
    where, path, native = places()
    return read(case) == ["a", "b"] and where == "/deps/iniconfig/__init__.py" and path == ["/deps", "/candidate"] \\
        and native == "Module" and write() == "OSError"
''', cases=["[a]\n[b]\n"])


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Worker:
    return Worker(tmp_path_factory.mktemp("cache"), jobs=1)


def test_locked_packages_are_importable_and_nothing_else_is(worker: Worker) -> None:
    lock = section("iniconfig") + section("starlark-pyo3") + section("typing-extensions")
    with worker:
        seen = judge([PAIR], worker, requirements=lock)["uses_packages"]
        assert (seen["bit"], seen["reason"]) == (1, None), seen["detail"]
        without = judge([PAIR], worker)["uses_packages"]
        assert without["reason"] == "import_failed" and "iniconfig" in without["detail"]


def test_an_unhashed_lock_is_refused_with_the_command_that_mends_it(worker: Worker) -> None:
    from oracle_rules.errors import UsageError
    with worker, pytest.raises(UsageError) as caught:
        judge([PAIR], worker, requirements="iniconfig==2.3.1\n")
    assert "requirements.lock" in str(caught.value) and "--generate-hashes" in str(caught.value)
