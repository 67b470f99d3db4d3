"""Whoever starts it, a program sees the same: every observable we could think of, compared as bytes."""

from __future__ import annotations

import json

import pytest

from .walls import ENV, EVERYBODY, LIMITS, Somebody, program

OBSERVE = """
import os, sys, json, resource, socket, stat, signal, errno
seen = {}
seen["env"] = sorted(os.environ.items())
seen["ids"] = [os.getresuid(), os.getresgid(), os.getgroups(), os.getpid(), os.getppid(), os.getsid(0), os.getpgrp()]
seen["name"] = [os.uname().nodename, socket.gethostname()]
seen["cwd"] = os.getcwd()
tree = []
for folder, below, names in os.walk("/"):
    below.sort()
    if folder == "/usr":
        below.clear()
    for name in sorted(below + names):
        path = os.path.join(folder, name)
        found = os.lstat(path)
        tree.append([path, stat.filemode(found.st_mode), found.st_uid, found.st_gid])
    if folder == "/":
        below.remove("usr")
seen["tree"] = tree
seen["root"] = [stat.filemode(os.stat("/").st_mode), os.stat("/").st_uid, os.statvfs("/").f_flag]
seen["tmp"] = [os.statvfs("/tmp").f_flag, os.statvfs("/tmp").f_blocks, os.statvfs("/tmp").f_files]
seen["access"] = [os.access(path, mode) for path in ("/", "/tmp", "/usr", "/dev/null") for mode in (4, 2, 1)]
seen["cpus"] = [os.cpu_count(), len(os.sched_getaffinity(0))]
seen["umask"] = os.umask(0)
seen["limits"] = [resource.getrlimit(number) for number in range(16)]
seen["argv"] = sys.argv
seen["fds"] = []
for fd in range(1024):
    try:
        seen["fds"].append([fd, stat.S_IFMT(os.fstat(fd).st_mode)])
    except OSError:
        pass
seen["stdin"] = os.read(0, 10).decode()
seen["signals"] = [str(signal.getsignal(number)) for number in sorted(signal.valid_signals())]
seen["mask"] = sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
seen["addresses"] = [id(object()), id(seen), id(os), id(json.dumps), hash("text")]
def code(action):
    try:
        return repr(action())
    except (OSError, ValueError) as error:
        return repr(error)
seen["refused"] = [code(action) for action in (
    lambda: os.setuid(0), lambda: os.setuid(1), lambda: os.mkdir("/x"), lambda: os.chmod("/", 0o777),
    lambda: os.chown("/tmp", 0, 0), lambda: os.listdir("/proc"), lambda: os.listdir("/sys"),
    lambda: os.sched_setaffinity(0, [0]))]
json.dump(seen, sys.stdout, sort_keys=True)
"""


def observe(identity: str) -> bytes:
    with Somebody(identity) as somebody:
        (ending,) = somebody.run(program(OBSERVE))
    assert (ending.how, ending.code, ending.stderr) == ("exited", 0, b"")
    return ending.stdout


def test_two_runs_of_everybody_see_the_same_bytes() -> None:
    seen = [observe(identity) for identity in (*EVERYBODY, *EVERYBODY)]
    assert len(set(seen)) == 1, [json.loads(text) for text in seen]


@pytest.mark.parametrize(
    "change", [{"env": {**ENV, "X": "1"}}, {"hostname": "other"}, {"cwd": "/usr"}, {"limits": {"open_files": 63}}]
)
def test_the_observation_notices_a_change(change: dict[str, object], wall: Somebody) -> None:
    one, other = (wall.run(program(OBSERVE, **fields))[0].stdout for fields in ({}, change))  # type: ignore[arg-type]
    assert one
    assert one != other


def test_what_is_seen(wall: Somebody) -> None:
    seen = json.loads(wall.run(program(OBSERVE))[0].stdout)
    assert seen["env"] == sorted([list(row) for row in ENV.items()])
    assert seen["ids"] == [[65534] * 3, [65534] * 3, [], 2, 1, 2, 2]
    assert seen["name"] == ["oracle", "oracle"]
    assert [row[0] for row in seen["tree"]] == [
        "/bin", "/dev", "/lib", "/lib64", "/tmp", "/usr", "/dev/full", "/dev/null", "/dev/zero"
    ]  # fmt: skip
    assert seen["cpus"] == [1, 1]
    assert seen["umask"] == 0o022
    assert [fd for fd, _ in seen["fds"]] == [0, 1, 2]
    assert seen["stdin"] == ""
    assert seen["limits"][7] == [LIMITS["open_files"]] * 2
    assert seen["limits"][2] == [LIMITS["memory_bytes"]] * 2
    assert seen["tmp"][1] * 4096 == 1 << 20
    assert seen["tmp"][2] == 64
    assert all("Error" in text for text in seen["refused"][:2] + seen["refused"][2:7])
