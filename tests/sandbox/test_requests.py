"""The laws of a request, each with what it allows beside it."""

from __future__ import annotations

import os

import pytest

from oracle_rules.errors import Malfunction
from oracle_rules.execution.sandbox import Bind, Link, Process
from oracle_rules.execution.sandbox.check import check

from .walls import LIMITS, Somebody, program

WIRE = (Link(a="judge", b="cell"),)

REFUSED: dict[str, dict[str, object]] = {
    "the root of the host": {"binds": (Bind(source="/", target="/x"),)},
    "process files": {"binds": (Bind(source="/proc/self", target="/x"),)},
    "runtime sockets": {"binds": (Bind(source="/run/user", target="/x"),)},
    "devices": {"binds": (Bind(source="/dev", target="/x"),)},
    "a relative source": {"binds": (Bind(source="usr", target="/x"),)},
    "dots": {"binds": (Bind(source="/usr/../etc", target="/x"),)},
    "a target over proc": {"binds": (Bind(source="/usr", target="/proc"),)},
    "a target given twice": {"binds": (Bind(source="/usr/lib", target="/usr"),)},
    "a target below a link": {"links": (("/x", "/usr"),), "binds": (Bind(source="/usr", target="/x/y"),)},
    "no limit": {"limits": {"processes": 0}},
    "a relative program": {"argv": ("python3",)},
    "an unknown system call": {"deny": ("no_such_call",)},
    "a call that the set-up needs": {"deny": ("execve",)},
    "a NUL": {"argv": ("/usr/bin/true", "a\0b")},
    "an empty host name": {"hostname": ""},
    "a variable with an equals sign": {"env": {"A=B": "c"}},
}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_request_that_breaks_a_law_starts_nothing(name: str) -> None:
    with pytest.raises(Malfunction, match="bug of the caller"):
        check([program("", **REFUSED[name])], [], wall_ms=1000, primary=None)  # type: ignore[arg-type]


def test_a_request_that_keeps_the_laws_passes() -> None:
    check([program("", name="judge"), program("", name="cell")], WIRE, wall_ms=1, primary="judge")


@pytest.mark.parametrize(
    ("processes", "links"),
    [
        ((), ()),
        ((program(""), program("")), ()),
        ((program("", name="judge"),), WIRE),
        (tuple(program("", name=name) for name in ("judge", "cell", "c")), (*WIRE, Link(a="cell", b="c"))),
    ],
)
def test_links_and_names_have_to_fit(processes: tuple[Process, ...], links: tuple[Link, ...]) -> None:
    with pytest.raises(Malfunction):
        check(processes, links, wall_ms=1000, primary=None)


def test_further_calls_can_be_denied(wall: Somebody) -> None:
    code = (
        "import signal\ntry: signal.setitimer(signal.ITIMER_REAL, 9); print('set')\nexcept OSError as e: print(e.errno)"
    )
    assert wall.run(program(code))[0].stdout == b"set\n"
    assert wall.run(program(code, deny=("setitimer",)))[0].stdout == b"1\n"


def test_the_limits_used_here_are_below_the_machine() -> None:
    """The bombs of this room rely on it."""
    assert LIMITS["memory_bytes"] * 4 < os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
