"""Each escape of the table is tried in the sandbox, and without one to show that the attempt itself works."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from oracle_rules.execution.sandbox import Bind

from . import cases, kernel_cases
from .cases import PRELUDE, Case
from .walls import ENV, PYTHON, Somebody, program, readable_folder

MACHINE = os.uname().machine
CASES = {case.name: case for case in (*cases.table(MACHINE), *kernel_cases.table(MACHINE))}


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(readable_folder())
    (made / "file").write_text("input")
    yield made
    shutil.rmtree(made)


def text_of(case: Case, fields: dict[str, object], replaced: dict[str, str]) -> str:
    text = case.attempt
    for old, new in replaced.items():
        text = text.replace(old, new)
    for name, value in fields.items():
        text = text.replace("{" + name + "!r}", repr(value)).replace("{" + name + "}", str(value))
    return PRELUDE + text


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_wall_stops_it(name: str, wall: Somebody, folder: Path) -> None:
    case = CASES[name]
    if case.as_root and os.geteuid() != 0 and case.setting is not None:
        pytest.fail("this setting needs root: run the tests as root too")
    with case.setting(folder) if case.setting else nullcontext({}) as fields:
        bound = Bind(source=str(folder), target="/bound")
        (ending,) = wall.run(program(text_of(case, fields, {}), binds=(bound,)))
    assert (ending.stdout.decode().strip(), ending.stderr.decode()) == (case.inside, "")
    assert (ending.how, ending.code) == ("exited", 0)
    assert (folder / "file").read_text() == "input"
    assert not (folder / "new").exists()


@pytest.mark.parametrize("name", sorted(name for name, case in CASES.items() if not case.as_root or os.geteuid() == 0))
def test_it_would_work_without_a_wall(name: str, folder: Path) -> None:
    case = CASES[name]
    scratch = folder / "scratch"
    scratch.mkdir()
    with case.setting(folder) if case.setting else nullcontext({}) as fields:
        text = text_of(case, fields, {"/tmp": str(scratch), "/bound": str(folder)})
        done = subprocess.run([PYTHON, "-s", "-S", "-B", "-c", text], env=ENV, capture_output=True, text=True,
                              timeout=20, check=False, cwd=scratch)  # fmt: skip
    assert done.stdout.strip() in case.outside.split("|"), done.stderr


def test_inherited_descriptors_stay_outside(folder: Path) -> None:
    """The secret is open and inheritable before the spawner starts."""
    probe = """
import os
found = []
for fd in range(3, 1024):
    try: found.append(os.pread(fd, 100, 0))
    except OSError: pass
print(found)
"""
    (folder / "secret").write_text("secret")
    with open(folder / "secret") as secret:
        os.dup2(secret.fileno(), 700, inheritable=True)
        try:
            with Somebody("root" if os.geteuid() == 0 else "user") as somebody:
                (ending,) = somebody.run(program(probe))
            control = subprocess.run([PYTHON, "-c", probe], close_fds=False, capture_output=True, text=True, check=True)
        finally:
            os.close(700)
    assert ending.stdout == b"[]\n"
    assert "secret" in control.stdout


def test_the_environment_is_exactly_what_was_given(wall: Somebody) -> None:
    os.environ["WALL_SECRET"] = "secret"
    try:
        (ending,) = wall.run(program("import os; print(sorted(os.environb.items()))", env={"A": "b", **ENV}))
        control = subprocess.run([sys.executable, "-c", "import os; print(os.environ['WALL_SECRET'])"],
                                 capture_output=True, text=True, check=True)  # fmt: skip
    finally:
        del os.environ["WALL_SECRET"]
    assert ending.stdout == b"[(b'A', b'b'), (b'LC_ALL', b'C.UTF-8'), (b'PYTHONHASHSEED', b'0'), (b'TZ', b'UTC')]\n"
    assert control.stdout == "secret\n"
