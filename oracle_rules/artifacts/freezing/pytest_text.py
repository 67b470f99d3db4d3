"""Reads the text that pytest prints: `-v`, `-rA`, the short summary, pytest-xdist, several runs one after the other.

What a test itself prints stands in sections and is never read as an outcome. Knows no classes.
"""

from __future__ import annotations

import re

from .failures import RED, Log, Run, log_of
from .nodeid import split

MOST_WIDTH = 4096  # characters of a line that are read
_WORDS = "PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|RERUN"
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_LAST = re.compile(rf" ({_WORDS})(?: \([^()]*\))?(?: +\[ *\d+%\])? *\Z")
_WORKER = re.compile(rf"\[gw\d+\] \[ *\d+%\] ({_WORDS}) (\S.*)\Z")
_END = re.compile(r"=* ?(?:no tests ran|\d+ [a-z]+(?:, \d+ [a-z]+)*) in \d+[\d.:]*s?\b.*\Z")
_SUMMARY = re.compile(rf"({_WORDS}) (\S.*)\Z")
_PHASE = re.compile(r"ERROR at (?:setup|teardown) of |ERROR collecting ")
_PLACE = re.compile(r"(\S+\.py):\d+: ")


def read_text(text: str) -> Log:
    """The log of a text. Whatever is not pytest's says nothing; `Log.tests` is 0 then."""
    reader = _Reader()
    for line in text.splitlines():
        reader.take(_COLOUR.sub("", line.rstrip("\r\n")))
    reader.finish()
    return log_of(reader.runs)


class _Reader:
    """Lines in, runs out."""

    def __init__(self) -> None:
        self.runs: list[Run] = [Run()]
        self._part = "head"
        self._titled = False
        self._bodies: list[tuple[str, str, list[str]]] = []

    def take(self, line: str) -> None:
        """One line without its colours."""
        if len(line) > MOST_WIDTH:
            line = line[:MOST_WIDTH]
        if _END.match(line):
            self._part = "ended"
        elif line[:3] == line[-3:] == "===" and self._turned(line.strip("=").strip()):
            self._titled = False
        elif self._part in ("FAILURES", "ERRORS"):
            self._body(line)
        elif self._part != "other":
            if self._part == "ended" and line:
                self._next_run()
            _line(line, self._part, self.runs[-1])

    def finish(self) -> None:
        """Gives what is left of the sections to their failures."""
        _assign(self._bodies, self.runs[-1])

    def _turned(self, title: str) -> bool:
        """Whether the title opens a part of pytest's; another one is a line like any."""
        if title == "test session starts" and self._part in ("head", "summary", "ended"):
            self._next_run()
            return True
        part = _PARTS.get(title.partition(" ")[0])
        if part is None or title.startswith("test session"):
            return False
        self._part = part
        return True

    def _next_run(self) -> None:
        self.finish()
        if self.runs[-1].outcomes:
            self.runs.append(Run())
        self._part = "head"

    def _body(self, line: str) -> None:
        title = line.strip("_")
        if line[:1] == line[-1:] == "_" and title[:1] == title[-1:] == " " and title.strip(" _"):
            self._bodies.append((self._part, title.strip(), []))
            self._titled = True
        elif self._titled:
            self._bodies[-1][2].append(line)


# The first word of a ruled line, and what follows it. Passes, warnings and the rest say nothing.
_PARTS = {"FAILURES": "FAILURES", "ERRORS": "ERRORS", "PASSES": "other", "warnings": "other", "short": "summary",
          "slowest": "other", "rerun": "other", "XFAILURES": "other", "XPASSES": "other"}


def _line(line: str, part: str, run: Run) -> None:
    """An outcome, or a line of the head."""
    if part == "summary":
        found = _SUMMARY.match(line)
        if found:
            name = _named(found[2], run)
            run.saw(name, found[1])
            message = found[2][len(name):].removeprefix(" - ")
            if message and found[1] in RED:
                run.messages.setdefault(name, message)
        return
    worker, last = _WORKER.match(line), _LAST.search(line)
    if worker:
        run.saw(worker[2].rstrip(), worker[1])
    elif last and "::" in line[: last.start()] and not line[0].isspace():
        run.saw(line[: last.start()].rstrip(), last[1])
    elif not run.outcomes and line:
        run.head.append(line)


def _named(rest: str, run: Run) -> str:
    """The node id of a summary line, `id` or `id - message`; parameters may hold ` - ` themselves."""
    cuts = [found.start() for found in re.finditer(" - ", rest)]
    heads = [rest[:cut] for cut in cuts] + [rest]
    for head in heads:
        if head in run.outcomes:
            return head
    return next((head for head in heads if head.count("[") <= head.count("]")), rest)


def _assign(bodies: list[tuple[str, str, list[str]]], run: Run) -> None:
    """Gives each section to the failure of the run that it is about; a title leaves the path out."""
    index: dict[str, list[str]] = {}
    for name, outcomes in run.outcomes.items():
        if {*outcomes} & RED:
            path, names, _ = split(name)
            title = ".".join(names) + name[len("::".join([path, *names])):] if names else path
            index.setdefault(title, []).append(name)
    taken: set[tuple[str, str]] = set()
    for part, title, lines in bodies:
        fitting = [name for name in index.get(_PHASE.sub("", title), ()) if (part, name) not in taken]
        paths = {found[1] for line in lines if (found := _PLACE.match(line))} if len(fitting) > 1 else set()
        chosen = next((each for each in fitting if split(each)[0] in paths), next(iter(fitting), None))
        if chosen is not None:
            taken.add((part, chosen))
            run.sections.setdefault(chosen, lines)
    bodies.clear()
