"""A pinned clock, entropy and environment for one process, and a report of every ambient read.

Installed before any code under judgement runs. Functions are replaced where they live, so an alias, a default argument
or `getattr` finds the pinned one. Each read is attributed to the nearest frame that is neither the standard library nor
a locked dependency: code under judgement is reported with file and line, a dependency just gets the pinned value.

A frame is what the read-only file it names compiles to, or it is the candidate's: a code object may claim any name.
What this is not: native code that the candidate loads can read a clock behind Python's back, which is why loading it is
itself reported (`native`). Kinds are the words of `allow` in a target: clock, random, uuid, urandom, env, host,
network, hash, native.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import CodeType, FrameType, FunctionType
from typing import Any

Note = Callable[[str, str, int, str], None]

# Standard modules whose own use of the clock or of random names is not the caller's: nothing of it reaches the caller.
INCIDENTAL = frozenset({"tempfile", "threading", "queue", "selectors", "asyncio", "concurrent", "sched", "importlib",
                        "linecache", "warnings", "logging"})
_IMPORTERS = {"_frozen_importlib": "<frozen importlib._bootstrap>", "zipimport": "<frozen zipimport>",
              "_frozen_importlib_external": "<frozen importlib._bootstrap_external>"}
_MAPPINGS = ("/os.py", "/_collections_abc.py", "<frozen os>", "<frozen _collections_abc>")
_open, _compile, _getframe, _CodeType = open, compile, sys._getframe, CodeType


class Genuine:
    """Tells whether a code object is what the file it names compiles to, or a part of the frozen importer."""

    def __init__(self) -> None:
        self._known: dict[str, list[CodeType]] = {}
        for module, frozen in _IMPORTERS.items():
            if module in sys.modules:
                self._known[frozen] = _codes([*vars(sys.modules[module]).values()])
        self._answers: dict[CodeType, bool] = {}

    def __call__(self, code: CodeType) -> bool:
        """Answers from the file itself, once for each code object."""
        answer = self._answers.get(code)
        if answer is None:
            answer = self._answers[code] = code in self._of_file(code.co_filename)
        return answer

    def _of_file(self, name: str) -> list[CodeType]:
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = []
            try:
                with _open(name, "rb") as stream:
                    pending = [_compile(stream.read(), name, "exec", dont_inherit=True)]
            except (OSError, ValueError, SyntaxError):
                pending = []
            found.extend(_codes(pending))
        return found


def _codes(pending: list[Any]) -> list[CodeType]:
    """Every code object in these values: functions, the functions of classes, and what is nested in them."""
    found: list[CodeType] = []
    seen: set[int] = set()
    while pending:
        item = pending.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if type(item) is _CodeType:
            found.append(item)
            pending.extend(item.co_consts)
        elif isinstance(item, (FunctionType, classmethod, staticmethod, property)):
            pending.extend(getattr(item, name, None) for name in ("__code__", "__func__", "fget", "fset"))
        elif isinstance(item, type) and item.__module__.startswith(("importlib", "_frozen", "zipimport")):
            pending.extend(vars(item).values())
    return found


class Attribution:
    """Finds out on whose behalf a pinned function was called, and reports it once per place."""

    def __init__(self, note: Note, candidate: str, dependencies: str) -> None:
        self._note = note
        self._candidate = candidate + "/"
        self._dependencies = dependencies + "/"
        self._standard = os.path.dirname(os.__file__) + "/"
        self._own = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + "/"
        self._genuine = Genuine()
        self._seen: set[tuple[str, str, int]] = set()
        self._busy = False

    def read(self, kind: str, what: str, *, direct: bool = False, depth: int = 2, imports: bool = False) -> None:
        """Reports a read of `kind`; with `direct` only when no standard module but a mapping's stands between, with
        `imports` also when the importer does."""
        if self._busy:
            return
        self._busy = True
        try:
            frame: FrameType | None = _getframe(depth)
            while frame is not None:
                step = self._classify(frame.f_code, direct)
                if imports and step == "exempt" and "importlib" in frame.f_code.co_filename:
                    step = "standard"
                if step == "exempt":
                    return
                if step == "foreign":
                    break
                if frame.f_code.co_filename.endswith("/uuid.py"):
                    kind = "uuid"
                frame = frame.f_back
            self._report(kind, frame, what)
        finally:
            self._busy = False

    def _classify(self, code: CodeType, direct: bool) -> str:
        """Whether a frame is "foreign" (code under judgement), "exempt" (ends the search) or "standard" (go on)."""
        name = code.co_filename
        if name.startswith((self._dependencies, self._own)):
            return "exempt" if self._genuine(code) else "foreign"
        if name in _IMPORTERS.values():
            return "exempt" if self._genuine(code) else "foreign"
        if name.startswith("<frozen "):
            return "exempt" if direct and name not in _MAPPINGS else "standard"
        if not name.startswith(self._standard) or not self._genuine(code):
            return "foreign"
        part = name[len(self._standard):].partition("/")[0].removesuffix(".py")
        return "exempt" if part in INCIDENTAL or direct and not name.endswith(_MAPPINGS) else "standard"

    def _report(self, kind: str, frame: FrameType | None, what: str) -> None:
        path, line = ("<unknown>", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)
        if (kind, path, line) not in self._seen:
            self._seen.add((kind, path, line))
            self._note(kind, path.removeprefix(self._candidate), line, what)


def install(options: dict[str, Any], note: Note, *, candidate: str, dependencies: str) -> None:
    """Pins this process.

    `options` holds `clock_ns` (nanoseconds since the epoch), `entropy` (hexadecimal key of the byte stream), `cpus` and
    `environment` (the names that may be read). Call once, before foreign code is imported.
    """
    from . import pin_clock, pin_entropy, pin_host

    reads = Attribution(note, candidate, dependencies)
    pin_clock.install(reads, options["clock_ns"])
    pin_entropy.install(reads, bytes.fromhex(options["entropy"]))
    pin_host.install(reads, frozenset(options["environment"]), options["cpus"])
