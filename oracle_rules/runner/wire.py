"""Length-prefixed JSON frames over one stream socket. Knows nothing of what the messages mean.

A frame is four bytes of big-endian length and that many bytes of JSON holding one array. The reader trusts nothing:
length, JSON syntax, nesting and the outermost shape are checked, and every deviation is a `WireError`.
"""

from __future__ import annotations

import json
import os
import threading
from typing import Any

MAX_FRAME = 16 << 20
_ENCODER = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"), check_circular=False)
_DECODER = json.JSONDecoder(parse_constant=lambda name: _refuse(name))
_read, _write = os.read, os.write


class WireError(Exception):
    """Bytes that are not a frame."""


class WireClosed(Exception):
    """The other side is gone."""


class Wire:
    """One end of the socket; `send` may be called by any thread, `receive` by one."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def send(self, message: list[Any]) -> None:
        """Writes one frame; raises WireClosed when nobody reads, WireError when it is too large."""
        body = _ENCODER.encode(message).encode("ascii")
        if len(body) > MAX_FRAME:
            raise WireError(f"a message of {len(body)} bytes, at most {MAX_FRAME} are sent")
        data = memoryview(len(body).to_bytes(4, "big") + body)
        with self._lock:
            try:
                while data:
                    data = data[_write(self._descriptor, data):]
            except OSError as error:
                raise WireClosed(str(error)) from None

    def receive(self) -> list[Any]:
        """Reads one frame; raises WireClosed at the end of the stream, WireError for anything malformed."""
        length = int.from_bytes(self._exactly(4, start=True), "big")
        if not 2 <= length <= MAX_FRAME:
            raise WireError(f"a frame of {length} bytes")
        try:
            message = _DECODER.decode(self._exactly(length).decode("ascii"))
        except (ValueError, RecursionError, MemoryError) as error:
            raise WireError(f"a frame that is not JSON: {type(error).__name__}") from None
        if type(message) is not list or not message or type(message[0]) is not str:
            raise WireError("a frame that is not a message")
        return message

    def abandon(self) -> None:
        """Lets go of the socket, for a copy of the process: only the original may speak for it, or luck decides."""
        descriptor, self._descriptor = self._descriptor, -1
        os.close(descriptor)

    def at_end(self) -> bool:
        """Whether the stream ends here; waits for the other side."""
        try:
            return not _read(self._descriptor, 1)
        except OSError:
            return True

    def _exactly(self, count: int, start: bool = False) -> bytes:
        parts: list[bytes] = []
        missing = count
        while missing:
            try:
                part = _read(self._descriptor, min(missing, 1 << 20))
            except OSError:
                part = b""
            if not part:
                if start and missing == count:
                    raise WireClosed("end of stream")
                raise WireError("a frame cut short") if parts else WireClosed("end of stream")
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)


def _refuse(name: str) -> None:
    raise ValueError(name)
