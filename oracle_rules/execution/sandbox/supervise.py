"""Watches over the sandboxes of one run: reads their pipes, keeps their limits, waits until nothing is left of them.

Lives in the spawner. Knows pipes, deadlines and exit statuses; knows nothing of how a sandbox is made.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import time
from collections.abc import Sequence
from typing import Any

from . import watchdog
from .cgroups import Group
from .request import Ending, How, Limits, Process

_CHUNK = 1 << 16
_TICK_SECONDS = 0.05
_SETUP_SECONDS = 20.0
_GRACE_SECONDS = 0.5
_DEATH_SECONDS = 60.0


class Trouble(Exception):
    """We failed, not the program: step, errno and remedy go to the caller, who makes a malfunction of it."""

    def __init__(self, step: str, text: str, remedy: str = "", code: int | None = None) -> None:
        super().__init__(text)
        self.tree = {"failed": step, "text": text, "remedy": remedy, "errno": code}


class ParentGone(Exception):
    """Whoever asked for the run has ended."""


class Stream:
    """What comes out of one pipe, up to a cap; what is beyond is read and dropped."""

    def __init__(self, fd: int, cap: int) -> None:
        self.fd, self.cap, self.data, self.overflow, self.open = fd, cap, bytearray(), False, True
        os.set_blocking(fd, False)

    def read(self) -> bool:
        """Take one piece; False when there is nothing (any more)."""
        try:
            piece = os.read(self.fd, _CHUNK)
        except BlockingIOError:
            return False
        if not piece:
            self.close()
            return False
        room = self.cap - len(self.data)
        self.overflow = self.overflow or len(piece) > room
        self.data += piece[:room]
        return True

    def drain(self) -> None:
        """Take what is left after everybody who could write has ended. Not "until end of file": a descriptor that
        was sent to the other side and never collected may still be open."""
        while not self.overflow and self.open and self.read():
            pass
        self.close()

    def close(self) -> None:
        """Take no more."""
        if self.open:
            self.open = False
            os.close(self.fd)


class Ward:
    """One sandbox under supervision."""

    def __init__(self, process: Process, pid: int, status: int, go: int, pipes: tuple[int, int, int | None],
                 group: Group | None) -> None:  # fmt: skip
        limits = process.limits
        self.process, self.pid, self.go, self.group = process, pid, go, group
        self.status = Stream(status, 1 << 20)
        self.stdout = Stream(pipes[0], limits.output_bytes)
        self.stderr = Stream(pipes[1], limits.output_bytes)
        self.result = Stream(pipes[2], process.result_bytes) if pipes[2] is not None else None
        self.init = 0
        self.init_handle = -1
        self.final: dict[str, Any] | None = None
        self.trouble: Trouble | None = None
        self.verdict: How | None = None
        self.started = self.ended = time.monotonic()
        self.deadline = self.started + _SETUP_SECONDS
        self.late: How = "timeout"

    def streams(self) -> list[Stream]:
        """What may still be read."""
        return [stream for stream in (self.status, self.stdout, self.stderr, self.result) if stream and stream.open]

    @property
    def done(self) -> bool:
        """All helpers have closed the status pipe: the namespace is empty and its outermost process is ending."""
        return not self.status.open

    def listen(self) -> None:
        """Read the status pipe and act on whole lines."""
        self.status.read()
        while b"\n" in self.status.data:
            line, _, rest = bytes(self.status.data).partition(b"\n")
            self.status.data[:] = rest
            message = json.loads(line)
            if "failed" in message:
                text, remedy = message["text"], message["remedy"]
                self.trouble = self.trouble or Trouble(message["failed"], text, remedy, message["errno"])
            elif "init" in message:
                self.init = message["init"]
                # Its parent has not collected it, so the number is still its own. On a full machine it may have failed
                # before we come to this; then it says so on the status pipe.
                with contextlib.suppress(ProcessLookupError):
                    self.init_handle = os.pidfd_open(self.init)
                    if self.group:
                        self.group.attach(self.init)
            elif "status" in message:
                self.final = message
                self.ended = time.monotonic()

    def release(self, wall_ms: int) -> None:
        """Let the program start, and its time."""
        self.started = time.monotonic()
        self.deadline = self.started + min(wall_ms, self.process.limits.wall_ms) / 1000
        with contextlib.suppress(BrokenPipeError):  # it failed meanwhile, and says so on the status pipe
            os.write(self.go, b"+")

    def kill(self) -> None:
        """End pid 1, and with it the namespace; before we know it, the process that was to make it: pid 1 then dies
        with its parent, or finds the go pipe closed if it was too young to have arranged for that."""
        self._close_go()
        with contextlib.suppress(ProcessLookupError):
            if self.init_handle >= 0:
                signal.pidfd_send_signal(self.init_handle, signal.SIGKILL)
            else:
                os.kill(self.pid, signal.SIGKILL)

    def _close_go(self) -> None:
        if self.go >= 0:
            os.close(self.go)
            self.go = -1

    def check(self, now: float) -> None:
        """Notice limits that were passed."""
        if self.verdict or self.final or self.done:
            return
        if self.stdout.overflow or self.stderr.overflow:
            self.verdict = "output_limit"
        elif self.init and self._memory_exceeded():
            self.verdict = "memory_limit"
        elif now >= self.deadline:
            self.verdict = self.late
        if self.verdict:
            self.ended = now
            self.kill()

    def _memory_exceeded(self) -> bool:
        if self.group and self.group.counts_memory:
            return self.group.out_of_memory()
        return watchdog.exceeds(self.init, self.process.limits.memory_bytes)

    def collect(self) -> None:
        """After `done`: take the remaining output and every trace out of the system."""
        os.waitpid(self.pid, 0)
        for stream in (self.stdout, self.stderr, self.result):
            if stream:
                stream.drain()
        if self.init_handle >= 0:
            os.close(self.init_handle)
        self._close_go()

    def ending(self) -> Ending:
        """How it ended, once everything is reaped and read."""
        how, code = self._how()
        final = self.final or {"cpu_ms": 0, "peak_kib": 0}
        return Ending(
            name=self.process.name, how=how, code=code, stdout=bytes(self.stdout.data),
            stderr=bytes(self.stderr.data), result=bytes(self.result.data) if self.result else b"",
            result_overflow=bool(self.result and self.result.overflow), cpu_ms=final["cpu_ms"],
            wall_ms=int((self.ended - self.started) * 1000), peak_kib=final["peak_kib"],
            memory_by="cgroup" if self.group and self.group.counts_memory else "watchdog",
        )  # fmt: skip

    def _how(self) -> tuple[How, int]:
        """Limits before the natural end: a flood that fits into the pipe after the end is still a flood."""
        if self.stdout.overflow or self.stderr.overflow:
            return "output_limit", signal.SIGKILL
        if self.group and self.group.out_of_memory():
            return "memory_limit", signal.SIGKILL
        if self.final is None:
            if self.verdict is None:
                raise Trouble("supervise", "pid 1 of the sandbox was killed from outside", "look for an OOM killer")
            return self.verdict, signal.SIGKILL
        status = self.final["status"]
        if not os.WIFSIGNALED(status):
            code = os.WEXITSTATUS(status)
            if code and self.group and self.group.refused_tasks():
                return "process_limit", code
            return "exited", code
        number = os.WTERMSIG(status)
        return ("timeout" if out_of_time(number, self.final["cpu_ms"], self.process.limits) else "signalled"), number


def out_of_time(number: int, cpu_ms: int, limits: Limits) -> bool:
    """Whether a signal that ended a program is the kernel's word that its CPU time is spent.

    The kernel holds the limit to whole ticks, and reports what the scheduler measured: on a full machine it strikes at
    less than nine tenths of what it reports. A program that sends itself the signal early has spent next to nothing.
    """
    return number in (signal.SIGXCPU, signal.SIGKILL) and cpu_ms >= limits.cpu_seconds * 500


def watch(wards: Sequence[Ward], *, wall_ms: int, primary: str | None, parent: int) -> tuple[Ending, ...]:
    """See every ward through to its end. Raises Trouble when one of them could not be set up."""
    try:
        _loop(wards, wall_ms, primary, parent)
    finally:
        finish(wards)
    for ward in wards:
        if ward.trouble:
            raise ward.trouble
    return tuple(ward.ending() for ward in wards)


def finish(wards: Sequence[Ward]) -> None:
    """End what is left, and return when nothing of it is running any more."""
    for ward in wards:
        ward.kill()
    for ward in wards:
        while not ward.done:
            ready, _, _ = select.select([ward.status.fd], [], [], _DEATH_SECONDS)
            if not ready:
                raise Trouble(
                    "supervise", "a killed sandbox does not end", "look for processes in uninterruptible sleep"
                )
            ward.listen()
        ward.collect()
    # A pid 1 whose parent was killed is ours now (we are the subreaper); every ward has been collected.
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _loop(wards: Sequence[Ward], wall_ms: int, primary: str | None, parent: int) -> None:
    released = False
    while not all(ward.done for ward in wards):
        if any(ward.trouble for ward in wards):
            return
        if not released and all(ward.init for ward in wards):
            released = True
            for ward in wards:
                ward.release(wall_ms)
        _pump(wards, parent)
        now = time.monotonic()
        for ward in wards:
            ward.check(now)
            if not released and ward.verdict:
                raise Trouble(
                    "set-up", f"not finished after {_SETUP_SECONDS:.0f} seconds", "look at the load of the host"
                )
            if ward.process.name == primary and (ward.done or ward.final):
                _dismiss([other for other in wards if other is not ward], now)


def _dismiss(wards: Sequence[Ward], now: float) -> None:
    """The primary has ended: the others get a short time to notice."""
    for ward in wards:
        if ward.late == "timeout":
            ward.late = "stopped"
            ward.deadline = min(ward.deadline, now + _GRACE_SECONDS)


def _pump(wards: Sequence[Ward], parent: int) -> None:
    """Wait for something to happen, a tick at most, and take it in."""
    now = time.monotonic()
    poller = select.poll()
    poller.register(parent, select.POLLHUP | select.POLLRDHUP)
    streams = {stream.fd: (ward, stream) for ward in wards for stream in ward.streams()}
    for fd in streams:
        poller.register(fd, select.POLLIN)
    nearest = min((ward.deadline for ward in wards if not ward.done and not ward.verdict), default=now + _TICK_SECONDS)
    seconds = max(0.0, min(_TICK_SECONDS, nearest - now))
    for fd, _ in poller.poll(seconds * 1000):
        if fd == parent:
            raise ParentGone
        ward, stream = streams[fd]
        if stream is ward.status:
            ward.listen()
        else:
            stream.read()
