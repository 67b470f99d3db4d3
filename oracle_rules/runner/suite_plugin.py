"""Our pytest plugin: holds Hypothesis to the request's seed and settings, and tells node by node what happened.

A test's own `@settings` and `@seed` are base's, and give way all the same, so that every worker draws the same cases.
What is used of pytest and Hypothesis beyond their documentation is pinned by `tests/runner/test_conformance.py`.
Decides nothing.
"""

from __future__ import annotations

import functools
import linecache
from collections.abc import Generator
from typing import Any

import hypothesis
import pytest

from ..protocol import typed
from .transcript import Transcript

_LARGEST = 64 << 10  # of one case's arguments, as text
_PROFILE = "oracle_rules"


def locked(most: int) -> dict[str, Any]:
    """The settings that every property of a suite runs under."""
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate, hypothesis.Phase.target, hypothesis.Phase.shrink)
    return {"max_examples": most, "database": None, "deadline": None, "derandomize": False, "phases": phases,
            "print_blob": False, "report_multiple_bugs": False}


def told(settings: Any) -> dict[str, Any]:
    """The settings in force, as JSON."""
    return {"max_examples": settings.max_examples, "database": settings.database is not None,
            "deadline": settings.deadline is not None, "derandomize": settings.derandomize,
            "phases": sorted(phase.name for phase in settings.phases)}


class Watcher:
    """Watches one run."""

    def __init__(self, transcript: Transcript, *, seed: int, most: int, given: list[dict[str, Any]]) -> None:
        self._say, self._whole = transcript.say, transcript.whole
        self._seed = seed
        self._given = given
        self._names: frozenset[str] = frozenset()
        self._node = ""
        self._told: set[str] = set()
        self._wrapped: dict[int, Any] = {}
        forced = locked(most)
        hypothesis.settings.register_profile(_PROFILE, hypothesis.settings.get_profile("default"), **forced)
        hypothesis.settings.load_profile(_PROFILE)
        decorate = hypothesis.settings.__call__

        def call(settings: Any, test: Any) -> Any:
            # Slow is no word here: it hangs on the machine.
            health = {*settings.suppress_health_check, hypothesis.HealthCheck.too_slow}
            return decorate(hypothesis.settings(settings, **forced, suppress_health_check=tuple(health)), test)

        hypothesis.settings.__call__ = call  # type: ignore[method-assign, assignment]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: Any) -> None:
        """What could not be collected, or skipped itself while it was."""
        if report.outcome != "passed":
            text = str(report.longrepr[2] if type(report.longrepr) is tuple else report.longrepr)
            self._say("error" if report.outcome == "failed" else "skip", report.nodeid, _last(text))

    def pytest_deselected(self, items: Any) -> None:
        """Tests that somebody took out."""
        for item in items:
            self._say("deselected", item.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: Any) -> None:
        """The ids that will run; each property is held to the seed and wrapped."""
        ids = [item.nodeid for item in session.items]
        self._say("collected", ids)
        for number, case in enumerate(self._given):
            known = type(case) is dict and case.get("nodeid") in ids
            if not known or type(case.get("arguments")) not in (dict, type(None)):
                self._say("unfit", number, str(case)[:200])
                pytest.exit("a case is of no test here", returncode=2)
        for item in session.items:
            test = getattr(item.obj, "__func__", item.obj) if hasattr(item, "obj") else None
            if hypothesis.is_hypothesis_test(test):
                self._hold(test, item.nodeid)

    def _hold(self, test: Any, nodeid: str) -> None:
        hypothesis.seed(self._seed)(test)
        for case in reversed(self._given):
            if case["nodeid"] == nodeid and case["arguments"] is not None:
                hypothesis.example(**case["arguments"])(test)
        if id(test) in self._wrapped:
            return
        self._wrapped[id(test)] = test  # kept, so that no other object has its id
        body = test.hypothesis.inner_test

        @functools.wraps(body)
        def watched(*args: Any, **kwargs: Any) -> None:
            if self._node not in self._told:
                self._told.add(self._node)
                self._say("settings", self._node, told(hypothesis.settings()))
            self._whole("asked", self._node, self._arguments(kwargs))
            try:
                answer = body(*args, **kwargs)
            except BaseException as error:
                self._say("answered", self._node, "refused" if _is_refusal(error) else "raised")
                raise
            self._say("answered", self._node, "returned" if answer is None else "value")
            if answer is not None:
                raise TypeError(f"the test returned a {type(answer).__name__}; a test returns nothing")

        test.hypothesis.inner_test = watched

    def _arguments(self, kwargs: dict[str, Any]) -> str | None:
        """The drawn arguments as typed JSON; None where they are no plain data. Fixtures are none of them."""
        try:
            text = typed.text({name: value for name, value in kwargs.items() if name not in self._names})
        except (ValueError, RecursionError):
            return None
        return text if len(text) <= _LARGEST else None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: Any) -> Generator[None, Any, Any]:
        """One test, from beginning to end."""
        self._node = item.nodeid
        self._say("begin", item.nodeid)
        answer = yield
        self._say("done", item.nodeid)
        return answer

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: Any) -> Generator[None, Any, Any]:
        """Whether the test's own function returned, whatever its report says."""
        self._names = frozenset(pyfuncitem.funcargs)
        is_property = hypothesis.is_hypothesis_test(getattr(pyfuncitem, "obj", None))
        try:
            answer = yield
        except BaseException:
            self._say("called", self._node, "raised", is_property)
            raise
        self._say("called", self._node, "returned", is_property)
        return answer

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, Any]:
        """What pytest makes of one phase."""
        report = yield
        error = None if call.excinfo is None else call.excinfo.value
        broken = error is not None and type(error).__module__ == "hypothesis.errors"
        self._say("phase", item.nodeid, report.when, report.outcome, hasattr(report, "wasxfail"), broken,
                  "" if error is None else _described(error))
        return report

    def pytest_internalerror(self, excrepr: Any) -> None:
        """pytest itself broke."""
        self._say("broke", _last(str(excrepr)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: Any) -> None:
        """The end, as pytest sees it."""
        self._say("finish", int(exitstatus))


def _is_refusal(error: BaseException) -> bool:
    """Whether the candidate took a case back through Hypothesis (`assume`, `reject`), which no test would tell."""
    if type(error).__module__.partition(".")[0] != "hypothesis":
        return False
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith("/candidate/"):
            return True
        trace = trace.tb_next
    return False


def _described(error: BaseException) -> str:
    """Class and text of an exception, and the last line of the oracle's that it went through."""
    try:
        text = f"{type(error).__name__}: {str(error)[:300]}" if str(error) else type(error).__name__
    except BaseException:
        text = type(error).__name__
    trace, place = error.__traceback__, ""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.startswith("/oracle/"):
            line = linecache.getline(name, trace.tb_lineno).strip()
            place = f" at {name.removeprefix('/oracle/')}:{trace.tb_lineno}: {line}"
        trace = trace.tb_next
    return text + place


def _last(text: str) -> str:
    """The last line of a traceback that says what it was."""
    lines = [line.removeprefix("E").strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "Error" in line or "Exception" in line]
    return (errors or lines or [""])[-1]
