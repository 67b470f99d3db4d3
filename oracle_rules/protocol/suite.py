"""What the transcript of a suite adds up to. Pure: knows neither processes nor pytest.

The transcript comes out of a process that the candidate shares, so nothing in it is believed beyond its words: it has
to keep the grammar, name exactly the expected node ids, and say of each that its function returned and every phase
passed. The table is read from the top; the first row that fits decides. What fits none is held.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from . import canonical
from .transcript import PHASES, Node, Told, read

ARGUMENTS = "oracle_rules/arguments/v1"
SETTINGS = {"database": False, "deadline": False, "derandomize": False,
            "phases": ["explicit", "generate", "shrink", "target"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run: the request, its transcript, and how the process ended."""

    request: dict[str, Any]
    told: Told
    ending: tuple[str, int]
    tail: str

    @property
    def ids(self) -> list[str]:
        """The expected node ids, in their order."""
        found: list[str] = self.request["suite"]["nodeids"]
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of the table: the code that it gives, when it fits, and what it tells; None where it does not fit."""

    row: str
    code: str
    fits: Callable[[Run], tuple[str, str] | None]
    means: str


def _all(run: Run, text: str | None) -> tuple[str, str] | None:
    """Something of the whole run, of no test."""
    return None if text is None else ("", text)


def _each(run: Run, find: Callable[[Node], str | None]) -> tuple[str, str] | None:
    """The first expected test that it finds something of."""
    for name in run.ids:
        if (text := find(run.told.nodes.get(name, Node()))) is not None:
            return name, text
    return None


def _broke_off(run: Run) -> str | None:
    if run.told.end is not None:
        return None
    open_ = [name for name, node in run.told.nodes.items() if not node.done]
    where = f" during {open_[-1]}" if open_ else ""
    return f"the process {run.ending[0]} with {run.ending[1]}{where}, before the suite was done"


def _missing(run: Run) -> str | None:
    lost = [name for name in run.ids if name not in (run.told.collected or ())]
    return f"{', '.join(lost)}; collected were {', '.join(run.told.collected or ())}" if lost else None


def _extra(run: Run) -> str | None:
    more = [name for name in run.told.collected or () if name not in run.ids]
    return ", ".join(more) or None


def _unpinned(run: Run) -> Callable[[Node], str | None]:
    wanted = {**SETTINGS, "max_examples": run.request["suite"]["max_examples"]}

    def find(node: Node) -> str | None:
        wrong = [f"{name} is {seen.get(name)}" for seen in node.settings for name in wanted
                 if seen.get(name) != wanted[name]]
        if not node.settings and any(is_property for _, is_property in node.called):
            return "its settings are not told"
        return ", ".join(wrong) or None
    return find


def _skipped(node: Node) -> str | None:
    return next((text for at in PHASES if (text := node.failed(at, "skipped")) is not None), None)


def _expected_failure(outcome: str) -> Callable[[Node], str | None]:
    return lambda node: next((text for _, how, xfail, _, text in node.phases if xfail and how == outcome), None)


def _harness(node: Node) -> str | None:
    return next((text for at, how, _, harness, text in node.phases if (at, how, harness) == ("call", "failed", True)),
                None)


def _uncalled(node: Node) -> str | None:
    passed = any((at, how) == ("call", "passed") for at, how, _, _, _ in node.phases)
    returned = node.called and all(how == "returned" for how, _ in node.called)
    return "its function was not called, or did not return" if passed and not returned else None


def _no_cases(node: Node) -> str | None:
    asks = any(is_property for _, is_property in node.called)
    return f"{len(node.asked)} cases were asked and none held" if asks and "returned" not in node.answers else None


def _refused(node: Node) -> str | None:
    return f"one of {len(node.asked)} cases" if "refused" in node.answers else None


def _unfinished(node: Node) -> str | None:
    whole = node.done and {at for at, how, _, _, _ in node.phases if how == "passed"} == {*PHASES}
    return None if whole else "it did not run from beginning to end"


def _exit(run: Run) -> str | None:
    found = (run.told.finish, run.told.end, run.ending)
    return None if found == (0, 0, ("exited", 0)) else (
        f"every test passed, pytest ended with {run.told.finish} and {run.told.end}, and the process {run.ending[0]} "
        f"with {run.ending[1]}")


ROWS: tuple[Row, ...] = (
    Row(row="forged", code="protocol_violation", fits=lambda run: _all(run, run.told.forged or None),
        means="the transcript breaks the grammar"),
    Row(row="broke-off", code="candidate_exited", fits=lambda run: _all(run, _broke_off(run)),
        means="the process ended before the suite was done, with whatever status"),
    Row(row="collect-error", code="suite_collect_error",
        fits=lambda run: next(iter(run.told.errors), None), means="a file could not be collected"),
    Row(row="collect-skip", code="suite_skipped", fits=lambda run: next(iter(run.told.skips), None),
        means="a file skipped itself while it was collected"),
    Row(row="broke", code="suite_stopped", fits=lambda run: _all(run, next(iter(run.told.broke), None)),
        means="pytest itself broke"),
    Row(row="deselected", code="suite_deselected",
        fits=lambda run: _all(run, ", ".join(run.told.deselected) or None), means="a test was taken out"),
    Row(row="empty", code="suite_empty",
        fits=lambda run: None if run.told.collected else ("", "no test was collected"), means="nothing was collected"),
    Row(row="missing", code="suite_missing", fits=lambda run: _all(run, _missing(run)),
        means="an expected test was not collected"),
    Row(row="extra", code="suite_extra", fits=lambda run: _all(run, _extra(run)),
        means="a test was collected that is not expected"),
    Row(row="unfit", code="suite_case_unfit", fits=lambda run: _all(run, ", ".join(run.told.unfit) or None),
        means="a realised case is of a test that is not there"),
    Row(row="setup", code="suite_setup_error", fits=lambda run: _each(run, lambda node: node.failed("setup")),
        means="a fixture raised before the test"),
    Row(row="xfailed", code="suite_xfailed", fits=lambda run: _each(run, _expected_failure("skipped")),
        means="a test failed as it was expected to"),
    Row(row="xpassed", code="suite_xpassed", fits=lambda run: _each(run, _expected_failure("passed")),
        means="a test passed that was expected to fail"),
    Row(row="skipped", code="suite_skipped", fits=lambda run: _each(run, _skipped), means="a test was skipped"),
    Row(row="refused", code="property_failed", fits=lambda run: _each(run, _refused),
        means="the candidate took a case back that it was asked, through assume or reject"),
    Row(row="harness", code="oracle_error", fits=lambda run: _each(run, _harness),
        means="Hypothesis had something against the test itself"),
    Row(row="failed", code="property_failed", fits=lambda run: _each(run, lambda node: node.failed("call")),
        means="a test failed"),
    Row(row="teardown", code="suite_teardown_error", fits=lambda run: _each(run, lambda node: node.failed("teardown")),
        means="a fixture raised after the test"),
    Row(row="unfinished", code="suite_stopped", fits=lambda run: _each(run, _unfinished),
        means="the run was stopped before a test, or within it"),
    Row(row="uncalled", code="suite_unwatched", fits=lambda run: _each(run, _uncalled),
        means="a test is reported as passed, and its function did not return"),
    Row(row="no-cases", code="suite_no_cases", fits=lambda run: _each(run, _no_cases),
        means="a property was asked no case that it held for"),
    Row(row="unpinned", code="suite_unpinned", fits=lambda run: _each(run, _unpinned(run)),
        means="a property ran under other settings than the lock's"),
    Row(row="exit", code="suite_exit_differs", fits=lambda run: _all(run, _exit(run)),
        means="pytest's status, or that of the process, contradicts the transcript"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What one run gave: the observation that `verdict.py` takes, how the process ended, the recorded arguments."""

    observation: dict[str, Any]
    ending: tuple[str, int]
    arguments: tuple[tuple[str, str | None], ...]

    @property
    def held(self) -> bool:
        """Whether every expected test ran and passed."""
        return self.observation["code"] is None

    @classmethod
    def of(cls, request: dict[str, Any], transcript: bytes, ending: tuple[str, int], tail: str = "") -> Seen:
        """Reads a transcript; `ending` is how the process ended, `tail` the last line of its error output."""
        run = Run(request=request, told=read(transcript), ending=ending, tail=tail)
        name, code, detail = decide(run)
        nodes = run.told.nodes
        held = sum(1 for each in run.ids if _unfinished(nodes.get(each, Node())) is None)
        observation = {"planned": len(run.ids), "held": len(run.ids) if code is None else min(held, len(run.ids) - 1),
                       "code": code, "detail": detail[:2000], "counterexample": _example(run, name, code),
                       "notes": sorted(run.told.notes)}
        asked = tuple((each, text) for each in run.ids for text in nodes.get(each, Node()).asked)
        return cls(observation=observation, ending=ending, arguments=asked)


def decide(run: Run) -> tuple[str, str | None, str]:
    """The test that it is about (empty for the whole run), the code (None: held) and a sentence."""
    for row in ROWS:
        if (found := row.fits(run)) is not None:
            name, text = found
            about = f"{name}: " if name else ""
            return name, row.code, f"{row.means}: {about}{text}" if text else f"{row.means}: {name}"
    return "", None, ""


def _example(run: Run, name: str, code: str | None) -> dict[str, Any] | None:
    """The test that did not hold, with the arguments that it was asked last."""
    if code != "property_failed":
        return None
    asked = run.told.nodes[name].asked
    text = asked[-1] if asked else None
    try:
        case = None if text is None else canonical.loads(text.encode("utf-8"))
    except ValueError:
        case = None
    return {"index": run.ids.index(name), "case": {"arguments": case, "nodeid": name}, "typed": True}


def arguments(runs: Sequence[Seen]) -> bytes:
    """The recorded arguments of the runs as a document that can be asked again: `cases`, and how many are unwritten."""
    cases, unwritten = [], 0
    for name, text in (pair for run in runs for pair in run.arguments):
        try:
            value = None if text is None else canonical.loads(text.encode("utf-8"))
        except ValueError:
            value = None
        if type(value) is dict:
            cases.append({"arguments": value, "nodeid": name})
        else:
            unwritten += 1
    return canonical.dumps({"schema": ARGUMENTS, "cases": cases, "unwritten": unwritten})
