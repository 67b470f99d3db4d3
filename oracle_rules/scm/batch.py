"""Reads objects from one long-lived `git cat-file --batch`, and believes none of them before it is hashed.

Knows nothing of revisions, trees or files. Wants are sent in windows that fit into a pipe, so that neither side can
wait for the other for ever; silence longer than the limit ends the process. An object that is not what its id says
is an error of the repository (`UsageError`, exit 2), never a malfunction of ours: nobody may get away with a damaged
repository as an excuse.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from ..errors import Malfunction, TooLargeError, UsageError
from .git import Git, silent
from .objects import ObjectFormat, object_id

_WINDOW = 256
_CHUNK = 1024 * 1024
_ALTERNATES = "check .git/objects/info/alternates"  # the end of git's complaint about a folder that is not there
_FSCK = "see `git fsck`; fetch or clone the repository again"


class Absent(UsageError):
    """The object is nowhere in the repository, which is another thing than being damaged."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Want:
    """An object to read: what it may be, how big, and how an error names it."""

    oid: str
    kinds: tuple[str, ...]
    limit: int
    where: str


class Reader:
    """Objects of one repository. Any number of threads may ask; they take turns."""

    def __init__(self, git: Git, variables: Mapping[str, str], algorithm: ObjectFormat, absent: str) -> None:
        self._git = git
        self._variables = dict(variables)
        self._algorithm = algorithm
        self._absent = absent
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self._closed = False

    def fetch(self, wants: Sequence[Want], accept: Callable[[Want, str, bytes], None]) -> None:
        """Hands each object's kind and bytes to `accept`, in order. `accept` must not call back."""
        with self._lock:
            if self._closed:
                raise ValueError("this repository has been closed")
            try:
                for start in range(0, len(wants), _WINDOW):
                    window = wants[start : start + _WINDOW]
                    process = self._running()
                    process.send(b"".join(want.oid.encode("ascii") + b"\n" for want in window))
                    for want in window:
                        accept(want, *self._one(process, want))
            except BaseException:
                self._stop()  # answers may be left in the pipe; a new process starts clean
                raise

    def close(self) -> None:
        """Ends the process and refuses further work."""
        with self._lock:
            self._closed = True
            self._stop()

    def _one(self, process: _Process, want: Want) -> tuple[str, bytes]:
        words = process.line().split(b" ")
        if words[-1] == b"missing" and len(words) == 2:
            self._lacking(process, want)
        if len(words) != 3 or not words[2].isdigit() or words[0] != want.oid.encode("ascii"):
            raise Malfunction(f"git gave an answer that is none: {b' '.join(words)[:200]!r}", where=want.where)
        kind, size = words[1].decode("ascii", "backslashreplace"), int(words[2])
        if kind not in want.kinds:
            raise UsageError(
                f"object {want.oid} is a {kind}, not a {' or '.join(want.kinds)}", where=want.where, remedy=_FSCK
            )
        if size > want.limit:
            raise TooLargeError(
                f"this {kind} has {size} bytes, more than the {want.limit} that are read",
                where=want.where,
                remedy="keep it out of what is declared, or split it",
            )
        data = process.take(size)
        process.take(1)
        if object_id(kind, data, self._algorithm) != want.oid:
            raise UsageError(f"the bytes stored as {want.oid} are others", where=want.where, remedy=_FSCK)
        return kind, data

    def _lacking(self, process: _Process, want: Want) -> NoReturn:
        said = process.complaints()
        if said and _ALTERNATES not in said:
            raise UsageError(f"object {want.oid} is damaged: {said}", where=want.where, remedy=_FSCK)
        detail = f"object {want.oid} is not in the repository"
        raise Absent(f"{detail} ({said})" if said else detail, where=want.where, remedy=self._absent)

    def _running(self) -> _Process:
        if self._process is None or not self._process.is_ours():
            self._process = _Process(self._git, self._variables)
        return self._process

    def _stop(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None


class _Process:
    """One running `git cat-file --batch`."""

    def __init__(self, git: Git, variables: Mapping[str, str]) -> None:
        self._seconds = git.seconds
        self._errors = os.memfd_create("git-errors", os.MFD_CLOEXEC)
        self._buffer = bytearray()
        try:
            self._popen = subprocess.Popen(
                [git.binary, "--no-pager", "cat-file", "--batch"],
                env=git.environment(variables),
                cwd=git.home,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
            )
        except OSError as problem:
            os.close(self._errors)
            raise Malfunction(f"git could not be started: {problem.strerror}", where=git.binary) from None
        assert self._popen.stdin and self._popen.stdout
        self._stdin, self._stdout = self._popen.stdin, self._popen.stdout
        self._owner = os.getpid()
        self.end = weakref.finalize(self, _end, self._popen, self._errors, self._owner)

    def is_ours(self) -> bool:
        """Whether this process started it; a forked child shares the pipes and must not touch them."""
        return self._owner == os.getpid()

    def send(self, data: bytes) -> None:
        """Writes wants; if git is gone, reading the answers says why."""
        rest = memoryview(data)
        with contextlib.suppress(BrokenPipeError):
            while rest:
                rest = rest[self._stdin.write(rest) or 0 :]

    def line(self) -> bytes:
        """The next line, without its end."""
        while (end := self._buffer.find(b"\n")) < 0:
            self._fill()
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def take(self, size: int) -> bytes:
        """The next bytes."""
        while len(self._buffer) < size:
            self._fill()
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def complaints(self) -> str:
        """What git has written to its standard error so far, shortened."""
        return os.pread(self._errors, 600, 0).decode("utf-8", "backslashreplace").strip().replace("\n", "; ")

    def _fill(self) -> None:
        poll = select.poll()
        poll.register(self._stdout, select.POLLIN)
        if not poll.poll(self._seconds * 1000):
            raise silent(self._seconds)
        data = os.read(self._stdout.fileno(), _CHUNK)
        if not data:
            raise UsageError(f"git gave up reading an object: {self.complaints() or 'without a word'}", remedy=_FSCK)
        self._buffer += data


def _end(popen: subprocess.Popen[bytes], errors: int, owner: int) -> None:
    if os.getpid() != owner:
        return
    for stream in (popen.stdin, popen.stdout):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()
    popen.kill()  # it only reads; there is nothing it could leave half done
    popen.wait()
    os.close(errors)
