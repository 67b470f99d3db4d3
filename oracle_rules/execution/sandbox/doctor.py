"""Proves each primitive of the sandbox on this host by using it, and says how to mend what is missing.

Sets up a real sandbox and asks `selfcheck.py`'s questions in it: a step that fails names itself, every later one was
not reached. Knows the order of the steps and prints nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass

from ...errors import Malfunction
from . import steps
from .client import Spawner, StepFailed
from .request import Limits, Process, Tmpfs

_LIMITS = Limits(
    wall_ms=20_000,
    cpu_seconds=10,
    memory_bytes=512 << 20,
    processes=8,
    file_bytes=64 << 20,
    open_files=64,
    output_bytes=1 << 20,
)
_REPORT = "this host breaks a promise of the sandbox that its steps could be taken; do not run candidates on it"
_CGROUPS = (
    "delegate a cgroup with the memory and pids controllers (systemd: Delegate=yes) to have the kernel account for"
    " memory; without one it is watched from outside"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """One primitive: whether it works here, what was seen, and what to do when it does not."""

    name: str
    ok: bool
    detail: str
    remedy: str


def _process() -> Process:
    return Process(
        name="probe", argv=(), env=(), cwd="/scratch", binds=(), limits=_LIMITS,
        tmpfs=(Tmpfs(target="/scratch", size_bytes=1 << 20, inodes=32),),
    )  # fmt: skip


def _taken(mode: str, failed: str | None, detail: str) -> Iterator[Probe]:
    """The steps of `mode` up to the one that failed, if any; those beyond count as missing."""
    reached = True
    names: set[str] = set()
    for step in (*steps.OUTER, *steps.INNER):
        if mode not in step.modes.split() or step.name in names:
            continue
        names.add(step.name)
        if step.name == failed:
            reached = False
            yield Probe(name=step.name, ok=False, detail=detail, remedy=step.remedy)
        elif reached:
            yield Probe(name=step.name, ok=True, detail="done", remedy="")
        else:
            yield Probe(name=step.name, ok=False, detail=f"not reached: {failed} failed", remedy="mend that first")


def probe() -> tuple[Probe, ...]:
    """Everything that `run` needs, tried in earnest; what is not ok here makes `run` raise."""
    found = [Probe(name="kernel", ok=True, detail=f"{os.uname().release} {os.uname().machine}", remedy="")]
    try:
        with Spawner() as spawner:
            found.append(Probe(name="spawner", ok=True, detail=f"started, mode {spawner.mode}", remedy=""))
            held = spawner.limits != "none"
            found.append(Probe(name="memory accounting", ok=True, detail=spawner.limits if held else "watched",
                               remedy="" if held else _CGROUPS))  # fmt: skip
            return (*found, *_probe(spawner))
    except Malfunction as trouble:
        return (*found, Probe(name="spawner", ok=False, detail=trouble.detail, remedy=trouble.remedy))


def _probe(spawner: Spawner) -> Iterator[Probe]:
    try:
        ending = spawner.probe(_process(), wall_ms=_LIMITS.wall_ms)
    except Malfunction as trouble:
        failed = trouble.step if isinstance(trouble, StepFailed) else "spawner"
        known = {step.name for step in (*steps.OUTER, *steps.INNER)}
        if failed not in known:
            yield Probe(name=failed, ok=False, detail=trouble.detail, remedy=trouble.remedy)
            failed = steps.OUTER[0].name
        yield from _taken(spawner.mode, failed, trouble.detail)
        return
    yield from _taken(spawner.mode, None, "")
    well = ending.how == "exited" and ending.code == 0
    yield Probe(name="namespace ends with its program", ok=well, detail=f"{ending.how} {ending.code}",
                remedy="" if well else _REPORT)  # fmt: skip
    if well:
        for name, wrong in json.loads(ending.stdout):
            yield Probe(name=name, ok=not wrong, detail=wrong or "as promised", remedy=_REPORT if wrong else "")
