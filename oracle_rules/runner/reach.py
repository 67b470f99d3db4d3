"""Which lines of the candidate were run: a tracer for the cell of one kind of Action, where nothing else is asked.

What is traced are lines of files below one folder; everything else costs a call of the tracer and no more.
"""

from __future__ import annotations

import sys
import threading
from types import FrameType
from typing import Any


class Reach:
    """Traces from `start` on, in this thread and in those that begin later."""

    def __init__(self, root: str) -> None:
        self._root = f"{root}/"
        self._lines: dict[str, set[int]] = {}

    def start(self) -> None:
        """Begins; there is no end but that of the process."""
        threading.settrace(self._called)
        sys.settrace(self._called)

    def lines(self) -> list[list[Any]]:
        """Path below the folder and the numbers of its lines, both in order."""
        return [[path.removeprefix(self._root), sorted(lines)] for path, lines in sorted(self._lines.items())]

    def _called(self, frame: FrameType, _event: str, _value: Any) -> Any:
        path = frame.f_code.co_filename
        if not path.startswith(self._root):
            return None
        add = self._lines.setdefault(path, set()).add

        def line(frame: FrameType, event: str, _value: Any) -> Any:
            if event == "line":
                add(frame.f_lineno)
            return line
        return line
