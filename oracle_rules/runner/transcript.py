"""The transcript of a suite: one line of canonical JSON for each thing that happened, written to one descriptor.

Its grammar and what it adds up to are `protocol/suite.py`'s. Knows nothing of pytest.
"""

from __future__ import annotations

import os
import threading
from typing import Any

from ..protocol import canonical

_write, _close, _get_ident = os.write, os.close, threading.get_ident
_MOST = 2000  # characters of one text


class Transcript:
    """Writes lines; a child process that the code under judgement forks can't write to it by accident."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        os.register_at_fork(after_in_child=self._abandon)

    def say(self, kind: str, *facts: Any) -> None:
        """One line: a kind and its facts, all JSON; text is cut where it is long and made fit for every encoder."""
        data = memoryview(canonical.dumps([kind, *map(_plain, facts)]))
        while data:
            data = data[_write(self._descriptor, data):]

    def note(self, kind: str, path: str, line: int, what: str) -> None:
        """An ambient read, as `pins.py` reports it."""
        self.say("note", kind, path, line, what)

    def whole(self, kind: str, name: str, text: str | None) -> None:
        """A line whose text is not cut."""
        data = memoryview(canonical.dumps([kind, name, text]))
        while data:
            data = data[_write(self._descriptor, data):]

    def _abandon(self) -> None:
        _close(self._descriptor)


def _plain(fact: Any) -> Any:
    if type(fact) is str:
        return fact[:_MOST].encode("utf-8", "backslashreplace").decode("utf-8")
    return fact
