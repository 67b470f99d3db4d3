"""The caller's side: starts a spawner, sends it requests, and turns what it could not set up into malfunctions.

Knows the socket and the frames; knows no kernel interface. Importing it starts nothing.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from ...errors import Malfunction
from .check import check
from .crossing import tree_of
from .request import Ending, Link, Process

_LENGTH = struct.Struct("!Q")
_LARGEST_FRAME = 1 << 32
_STOP_SECONDS = 10


class Spawner:
    """A live spawner, for many runs, one at a time; use several for runs at the same time.

    `cpu` chooses among the CPUs that we may use (None: spread by process id). The spawner ends with this process,
    also when that is killed: it watches its end of the socket.
    """

    def __init__(self, *, cpu: int | None = None) -> None:
        self._cpu = -1 if cpu is None else cpu
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None
        self.limits = ""
        self.mode = ""

    def __enter__(self) -> Self:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        # PDEATHSIG follows the *thread* that forks: only the main thread ends with the process.
        parent = os.getpid() if threading.current_thread() is threading.main_thread() else 0
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "spawner.py")
        command = [sys.executable, "-I", "-S", "-B", "-X", "utf8", script]
        kept = {"LD_LIBRARY_PATH": os.environ["LD_LIBRARY_PATH"]} if "LD_LIBRARY_PATH" in os.environ else {}
        try:
            with theirs:
                self._process = subprocess.Popen(
                    [*command, str(theirs.fileno()), str(parent), str(self._cpu)], pass_fds=(theirs.fileno(),),
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=kept, cwd="/",
                    start_new_session=True,
                )  # fmt: skip
        except OSError as error:
            ours.close()
            raise Malfunction(f"the spawner does not start: {error}", where="sandbox") from error
        self._channel = ours
        hello, _ = self._answer()
        if "failed" in hello:
            self.close()
            raise _malfunction(hello)
        self.limits, self.mode = hello["limits"], hello["mode"]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the spawner end, and wait for it; a run that another thread waits for ends at once, as a Malfunction."""
        if self._channel is not None:
            try:
                self._channel.shutdown(socket.SHUT_RDWR)  # closing alone would not wake that thread
            except OSError:
                pass
            self._channel.close()
            self._channel = None
        if self._process is not None:
            try:
                self._process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def run(self, processes: Sequence[Process], links: Sequence[Link] = (), *, wall_ms: int,
            primary: str | None = None) -> tuple[Ending, ...]:  # fmt: skip
        """Run `processes` together and say how each ended, in the order given. When `primary` ends, the others get a
        short time and are stopped. Raises Malfunction when any part of any sandbox could not be set up."""
        check(processes, links, wall_ms=wall_ms, primary=primary)
        return self._run(processes, links, wall_ms, primary, probing=False)

    def probe(self, process: Process, *, wall_ms: int) -> Ending:
        """Set up the sandbox of `process` and ask `selfcheck.py`'s questions in it instead of running its program."""
        check([process], [], wall_ms=wall_ms, primary=None, probing=True)
        return self._run([process], [], wall_ms, None, probing=True)[0]

    def _run(self, processes: Sequence[Process], links: Sequence[Link], wall_ms: int, primary: str | None, *,
             probing: bool) -> tuple[Ending, ...]:  # fmt: skip
        request = {
            "processes": [tree_of(process) for process in processes], "links": [tree_of(link) for link in links],
            "wall_ms": wall_ms, "primary": primary, "probing": probing,
        }  # fmt: skip
        frame = json.dumps(request).encode()
        with self._lock:
            if self._channel is None:
                raise Malfunction("the spawner is not running", where="sandbox", remedy="use it inside `with`")
            try:
                self._channel.sendall(_LENGTH.pack(len(frame)) + frame)
            except OSError as error:
                raise _gone() from error
            answer, blobs = self._answer()
        if "failed" in answer:
            raise _malfunction(answer)
        return tuple(
            Ending(**tree, stdout=blobs[3 * index], stderr=blobs[3 * index + 1], result=blobs[3 * index + 2])
            for index, tree in enumerate(answer["endings"])
        )

    def _answer(self) -> tuple[dict[str, Any], list[bytes]]:
        tree = json.loads(self._frame())
        return tree, [self._frame() for _ in range(3 * len(tree.get("endings", ())))]

    def _frame(self) -> bytes:
        size = _LENGTH.unpack(self._exactly(_LENGTH.size))[0]
        if size > _LARGEST_FRAME:
            raise _gone()
        return self._exactly(size)

    def _exactly(self, size: int) -> bytes:
        assert self._channel is not None
        data = bytearray()
        while len(data) < size:
            try:
                piece = self._channel.recv(min(size - len(data), 1 << 20))
            except OSError as error:
                raise _gone() from error
            if not piece:
                raise _gone()
            data += piece
        return bytes(data)


class StepFailed(Malfunction):
    """A malfunction that knows which step could not be taken."""

    step = ""


def _gone() -> Malfunction:
    return Malfunction("the spawner ended unexpectedly", where="sandbox", remedy="run `oracle-rules doctor`")


def _malfunction(answer: dict[str, Any]) -> Malfunction:
    number = f" (errno {answer['errno']})" if answer["errno"] else ""
    detail = f"step {answer['failed']} failed{number}: {answer['text']}"
    trouble = StepFailed(detail, where="sandbox", remedy=answer["remedy"])
    trouble.step = answer["failed"]
    return trouble


def run(processes: Sequence[Process], links: Sequence[Link] = (), *, wall_ms: int,
        primary: str | None = None) -> tuple[Ending, ...]:  # fmt: skip
    """`Spawner.run` with a spawner of its own."""
    with Spawner() as spawner:
        return spawner.run(processes, links, wall_ms=wall_ms, primary=primary)
