"""The process that all sandboxes are forked from: fresh, single-threaded, and ignorant of every oracle artifact.

Started as a file by `client.py`; takes one request at a time from a socket, answers with endings or with what could
not be set up, and ends with whoever started it. Knows no file of the workspace and nothing of verdicts.

It is given a package of its own instead of importing ours: our `__init__` modules pull in what only the client needs,
and everything that is in memory here is copied into every sandbox's helpers.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    import importlib
    import types

    _package = types.ModuleType("oracle_sandbox")
    _package.__path__ = [__file__.rpartition("/")[0]]
    sys.modules["oracle_sandbox"] = _package
    importlib.import_module("oracle_sandbox.spawner").main(*map(int, sys.argv[1:]))
    raise SystemExit

import dataclasses
import functools
import gc
import json
import os
import signal
import socket
import struct
from typing import Any

from . import cgroups, descriptors, identity, libc, pins, seccomp, selfcheck, steps, supervise
from .crossing import process_from
from .request import Process

_LENGTH = struct.Struct("!Q")


def receive(channel: socket.socket) -> bytes | None:
    """One frame; None when the other side has closed."""
    head = _exactly(channel, _LENGTH.size)
    return None if head is None else _exactly(channel, _LENGTH.unpack(head)[0])


def _exactly(channel: socket.socket, size: int) -> bytes | None:
    data = bytearray()
    while len(data) < size:
        piece = channel.recv(min(size - len(data), 1 << 20))
        if not piece:
            return None
        data += piece
    return bytes(data)


def send(channel: socket.socket, tree: dict[str, Any], blobs: list[bytes]) -> None:
    """A frame of JSON, then one frame for each blob."""
    for frame in (json.dumps(tree).encode(), *blobs):
        channel.sendall(_LENGTH.pack(len(frame)))
        channel.sendall(frame)


@functools.lru_cache(maxsize=16)
def _filter(deny: tuple[str, ...]) -> bytes:
    return seccomp.encode(seccomp.assemble(os.uname().machine, deny))


def _start(process: Process, wire: int | None, hierarchy: cgroups.Hierarchy, index: int, cpu: int,
           probing: bool) -> supervise.Ward:  # fmt: skip
    """Fork one sandbox; it waits for the word before its program starts."""
    limits = process.limits
    group = None
    if hierarchy.version:
        total = limits.memory_bytes + sum(tmpfs.size_bytes for tmpfs in process.tmpfs)
        group = cgroups.Group(hierarchy, str(index), memory=total, tasks=limits.processes + 1)
    status, go, out, err = os.pipe(), os.pipe(), os.pipe(), os.pipe()
    result = os.pipe() if process.result_bytes else None
    spawner = os.getpid()
    code = _filter(process.deny)
    pid = os.fork()
    if pid == 0:
        ends = descriptors.Ends(stdout=out[1], stderr=err[1], status=status[1], go=go[0], wire=wire,
                                result=result[1] if result else None)  # fmt: skip
        program = selfcheck.execute if probing else steps.execute
        try:
            steps.sandbox(process, ends, spawner=spawner, code=code, cpu=cpu, program=program)
        finally:  # whatever happens, a child never comes back as a second spawner
            os._exit(1)
    for pipe in (status, out, err, result):
        if pipe:
            os.close(pipe[1])
    os.close(go[0])
    return supervise.Ward(process, pid, status[0], go[1], (out[0], err[0], result[0] if result else None), group)


def _serve(
    request: dict[str, Any], hierarchy: cgroups.Hierarchy, cpu: int, parent: int
) -> tuple[dict[str, Any], list[bytes]]:
    processes = [process_from(tree) for tree in request["processes"]]
    wires: dict[str, socket.socket] = {}
    for link in request["links"]:
        wires[link["a"]], wires[link["b"]] = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    wards: list[supervise.Ward] = []
    try:
        for index, process in enumerate(processes):
            wire = wires[process.name].fileno() if process.name in wires else None
            wards.append(_start(process, wire, hierarchy, index, cpu, request["probing"]))
    except BaseException:
        supervise.finish(wards)
        raise
    finally:
        for end in wires.values():
            end.close()
    try:
        endings = supervise.watch(wards, wall_ms=request["wall_ms"], primary=request["primary"], parent=parent)
    finally:
        for ward in wards:
            if ward.group:
                ward.group.remove()
    trees, blobs = [], []
    for ending in endings:
        trees.append({key: value for key, value in dataclasses.asdict(ending).items() if not isinstance(value, bytes)})
        blobs += [ending.stdout, ending.stderr, ending.result]
    return {"endings": trees}, blobs


def main(control: int, parent: int, cpu: int) -> None:
    """Serve until the other side of `control` closes. `parent` is who to die with, 0 if the socket alone decides."""
    if parent:
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            return
    libc.prctl(libc.PR_SET_CHILD_SUBREAPER, 1)
    pins.settle_signals()
    channel = socket.socket(fileno=control)
    hierarchy = cgroups.find()
    cgroups.sweep(hierarchy)
    cpu = os.getpid() if cpu < 0 else cpu
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        mode = identity.choose(os.getpid()).mode
    except OSError as error:
        send(channel, {"failed": "identity", "errno": error.errno, "text": str(error), "remedy": steps.WHO}, [])
        return
    send(channel, {"limits": hierarchy.title, "mode": mode}, [])
    while (frame := receive(channel)) is not None:
        try:
            answer, blobs = _serve(json.loads(frame), hierarchy, cpu, control)
        except supervise.ParentGone:
            return
        except supervise.Trouble as trouble:
            answer, blobs = trouble.tree, []
        except OSError as error:
            answer, blobs = {"failed": "spawner", "errno": error.errno, "text": str(error), "remedy": ""}, []
        send(channel, answer, blobs)
