"""What a pytest log says of its tests, whatever form it came in. Knows no classes.

One id that both passed and failed in one run has failed: pytest reports a test whose teardown errs as PASSED and as
ERROR.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

# Outcomes by what they say of the test.
RED, GREEN = frozenset({"FAILED", "ERROR"}), frozenset({"PASSED"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A test that failed. `lines` are those of its first section, verbatim; else its message in the summary.

    `red` counts the runs of the log in which it failed, `runs` those in which the log shows it at all. `exact` is false
    where the node id is put together from a class name of JUnit. `head` has the lines of the runs in which it was red
    before their tests, `green_head` those of the runs in which it was green.
    """

    nodeid: str
    exact: bool
    outcomes: tuple[str, ...]
    lines: tuple[str, ...] = field(repr=False)
    red: int
    runs: int
    head: tuple[str, ...] = field(repr=False)
    green_head: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """Failures in the order in which the log names them."""

    failures: tuple[Failure, ...]
    tests: int


@dataclass(slots=True, kw_only=True)
class Run:
    """One run in the making: outcomes by node id, and the sections of what failed."""

    outcomes: dict[str, list[str]] = field(default_factory=dict)
    sections: dict[str, list[str]] = field(default_factory=dict)
    messages: dict[str, str] = field(default_factory=dict)
    guessed: set[str] = field(default_factory=set)
    head: list[str] = field(default_factory=list)

    def saw(self, nodeid: str, outcome: str) -> None:
        """Notes an outcome, each once."""
        held = self.outcomes.setdefault(nodeid, [])
        if outcome not in held:
            held.append(outcome)


def log_of(runs: Sequence[Run]) -> Log:
    """All the runs of a log together."""
    names = dict.fromkeys(name for run in runs for name in run.outcomes)
    found = []
    for name in names:
        seen = [run for run in runs if {*run.outcomes.get(name, ())} & (RED | GREEN)]
        red = [run for run in seen if {*run.outcomes[name]} & RED]
        if red:
            outcomes = dict.fromkeys(outcome for run in seen for outcome in run.outcomes[name])
            told = [run.sections[name] for run in red if name in run.sections]
            told += [[run.messages[name]] for run in red if name in run.messages]
            found.append(Failure(nodeid=name, outcomes=tuple(outcomes),
                                 exact=all(name not in run.guessed for run in seen),
                                 lines=tuple(next(iter(told), ())), red=len(red), runs=len(seen),
                                 head=_heads(red), green_head=_heads([run for run in seen if run not in red])))
    return Log(failures=tuple(found), tests=len(names))


def _heads(runs: Sequence[Run]) -> tuple[str, ...]:
    return tuple(line for run in runs for line in run.head)
