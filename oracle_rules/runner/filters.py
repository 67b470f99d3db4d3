"""Filter predicates of oracle files, as the generator asks them: counted by us, given a copy, believed only for a bool.

Counting is ours because a strategy's own `.filter` retries unseen: its statuses say 0.85 where half of the values pass.
A predicate that reads the clock, draws at random or raises is a problem of the oracle and ends the drawing.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from typing import Any

from ..protocol import typed
from . import pins

ORACLE = "/oracle"


class Broken(Exception):
    """A filter that can't be asked; the text says which, where and why."""


class Filter:
    """One predicate with its counts: how often it was asked, how often it said yes."""

    def __init__(self, path: str, name: str) -> None:
        self.title = f"{path}:{name}"
        self.asked = 0
        self.yes = 0
        self._predicate = _load(path, name, self.title)

    def accepts(self, line: str) -> bool:
        """What the predicate says of a case, given as its typed JSON. Raises Broken."""
        self.asked += 1
        try:
            # Read anew: what a predicate does to its argument can't reach the case that is kept.
            answer = self._predicate(typed.read(line))
        except BaseException as error:
            raise Broken(f"{self.title} raised {_said(error)} for {line[:200]}") from None
        if answer is not True and answer is not False:
            said = f"{self.title} answered {type(answer).__name__} for {line[:200]}"
            raise Broken(f"{said}; it has to answer True or False")
        self.yes += answer
        return bool(answer)

    @property
    def counts(self) -> dict[str, Any]:
        """The counts as the corpus tells them."""
        return {"predicate": self.title, "asked": self.asked, "yes": self.yes}


class Filters:
    """All filters of one domain: a case has to pass each, asked in order up to the first no."""

    def __init__(self, rows: Sequence[dict[str, str]], policy: dict[str, Any]) -> None:
        self._notes: list[str] = []
        if rows:
            options = {"clock_ns": policy["clock_ns"], "entropy": policy["entropy"], "cpus": policy["cpus"],
                       "environment": sorted(os.environ)}
            pins.install(options, self._note, candidate=ORACLE, dependencies="/generate/packages")
        self._rows = [Filter(row["path"], row["name"]) for row in rows]
        self._check()

    def accept(self, line: str) -> bool:
        """Whether a case, given as its typed JSON, passes. Raises Broken."""
        answer = all(each.accepts(line) for each in self._rows)
        self._check()
        return answer

    @property
    def counts(self) -> list[dict[str, Any]]:
        """The counts of each filter, in order."""
        return [each.counts for each in self._rows]

    def _note(self, kind: str, path: str, line: int, what: str) -> None:
        self._notes.append(f"{what} at {path}:{line}" if line else f"{what} of {path}")

    def _check(self) -> None:
        if self._notes:
            raise Broken(f"a filter reads what changes from run to run: {self._notes[0]}")


def _load(path: str, name: str, title: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"oracle_filter_{path}", f"{ORACLE}/{path}")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        advice = "a filter file imports the standard library alone"
        raise Broken(f"{path} cannot be loaded: {_said(error)}; {advice}") from None
    found = getattr(module, name, None)
    if not callable(found):
        raise Broken(f"{title}: the file has no function {name}")
    return found


def _said(error: BaseException) -> str:
    trace, place = error.__traceback__, ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(ORACLE + "/"):
            place = f" at {file.removeprefix(ORACLE + '/')}:{trace.tb_lineno}"
        trace = trace.tb_next
    try:
        text = str(error)[:300]
    except BaseException:
        text = "(no text)"
    return f"{type(error).__name__}: {text}{place}"
