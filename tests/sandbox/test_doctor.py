"""The doctor finds this host fit, finds what was broken on purpose, and says how to mend it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import oracle_rules
from oracle_rules.execution.sandbox import steps
from oracle_rules.execution.sandbox.cgroups import mounted, own_paths
from oracle_rules.execution.sandbox.doctor import probe

from .walls import Somebody

ROOT = str(Path(oracle_rules.__file__).parents[1])


def test_every_primitive_is_proven_here(wall: Somebody) -> None:
    probes = (
        [(each.name, each.ok) for each in probe()]
        if wall._remote is None
        else [(each["name"], each["ok"]) for each in wall.ask("doctor")]
    )
    assert [name for name, ok in probes if not ok] == []
    names = {name for name, _ in probes}
    mode = "root" if wall.identity == "root" else "user"
    assert {step.name for step in (*steps.OUTER, *steps.INNER) if mode in step.modes.split()} <= names
    assert {"system call filter", "namespace ends with its program", "memory accounting", "tmpfs is capped"} <= names


# In a throw-away process: take a primitive away, then ask. RLIMIT_NOFILE's hard limit stands for any inherited cap.
BROKEN = {
    "limits": "resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, 1 << 20))",
    "namespaces": "open('/proc/sys/user/max_user_namespaces', 'w').write('0')",
}
ASK = """
import ctypes, json, os, resource, sys
sys.path.insert(0, {root!r})
from oracle_rules.execution.sandbox.doctor import probe
print(json.dumps([[each.name, each.ok, each.detail, each.remedy] for each in probe()]))
"""


def ask(before: str) -> dict[str, tuple[bool, str, str]]:
    import json

    code = "import os, resource\n" + before + ASK.format(root=ROOT)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name: (ok, detail, remedy) for name, ok, detail, remedy in json.loads(done.stdout)}


def test_an_inherited_limit_is_named(walls: dict[str, Somebody]) -> None:
    """An ordinary user cannot raise a hard limit: he is told which, and what to do."""
    drop = f"os.setgid(54321); os.setuid(54321)\n" if "root" in walls else ""
    healthy = ask("")
    assert all(ok for ok, _, _ in healthy.values())
    if not drop:
        sick = ask(BROKEN["limits"])
        assert not sick["limits"][0]


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
        ("30 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n", [("/sys/fs/cgroup", "/", {"v2"})]),
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
