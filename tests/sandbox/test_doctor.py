"""The doctor finds this host fit, finds what was broken on purpose, and says how to mend it."""

from __future__ import annotations

import os

import pytest

from oracle_rules.execution.sandbox import steps
from oracle_rules.execution.sandbox.cgroups import mounted, own_paths

from .walls import EVERYBODY, consult


@pytest.mark.parametrize("way", EVERYBODY)
def test_every_primitive_is_proven_here(way: str) -> None:
    found = consult(way)
    assert {name: text for name, (ok, *text) in found.items() if not ok} == {}
    mode = {"root": "root", "container": "shed"}.get(way, "user")
    assert {step.name for step in (*steps.OUTER, *steps.INNER) if mode in step.modes.split()} <= set(found)
    assert {"system call filter", "namespace ends with its program", "memory accounting", "tmpfs is capped"} <= set(
        found
    )
    assert f"mode {mode}" in found["spawner"][1]


# Each host lacks one thing, in a throw-away process or namespace.
@pytest.mark.parametrize(
    ("way", "step", "detail", "remedy"),
    [
        ("small stack", "limits", "inherited hard limit is 1048576", "ulimit"),
        ("no more namespaces", "namespaces", "errno 28", "user.max_user_namespaces"),
        *([("no other id", "spawner", "uid 0 cannot be shed", "CAP_SETUID")] if os.geteuid() == 0 else []),
    ],
)
def test_what_is_missing_is_named_with_its_remedy(way: str, step: str, detail: str, remedy: str) -> None:
    found = consult(way)
    ok, said, mend = found[step]
    assert not ok
    assert detail in said
    assert remedy in mend
    assert "exec" not in found or not found["exec"][0]


def test_a_step_names_its_remedy() -> None:
    for step in (*steps.OUTER, *steps.INNER):
        assert step.remedy
        assert set(step.modes.split()) <= {"root", "shed", "user"}


V1 = """\
30 24 0:26 / /sys/fs/cgroup ro,nosuid shared:9 - tmpfs tmpfs ro,mode=755
31 30 0:27 / /sys/fs/cgroup/unified rw,nosuid shared:10 - cgroup2 cgroup2 rw
33 30 0:29 / /sys/fs/cgroup/memory rw,nosuid shared:15 - cgroup cgroup rw,memory
34 30 0:30 /docker/abc /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:16 - cgroup cgroup rw,cpu,cpuacct
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (V1, [("/sys/fs/cgroup/unified", "/", {"v2"}), ("/sys/fs/cgroup/memory", "/", {"rw", "memory"}),
              ("/sys/fs/cgroup/cpu,cpuacct", "/docker/abc", {"rw", "cpu", "cpuacct"})]),
        ("30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n", [("/sys/fs/cgroup", "/", {"v2"})]),
        ("22 1 8:1 / / rw - ext4 /dev/sda1 rw\n", []),
    ],
)  # fmt: skip
def test_cgroup_mounts_are_read(text: str, expected: list[tuple[str, str, set[str]]]) -> None:
    assert [(point, root, set(names)) for point, root, names in mounted(text)] == expected


def test_own_paths_are_read() -> None:
    text = "9:memory:/a/b\n4:cpu,cpuacct:/c\n1:name=systemd:/x\n0::/user.slice\n"
    assert own_paths(text) == {
        "memory": "/a/b", "cpu": "/c", "cpuacct": "/c", "name=systemd": "/x", "v2": "/user.slice"
    }  # fmt: skip
