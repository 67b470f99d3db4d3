"""Turns what the Starlark evaluator reports into an error with a place, the line it is about and what to do.

The rows of `_ROWS` are tried in order on the evaluator's message; the last takes anything. Of rules it knows the names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from oracle_rules.errors import OracleError
from oracle_rules.loading import position, prelude
from oracle_rules.loading.position import Source
from oracle_rules.loading.problem import Problem, suggestion
from oracle_rules.loading.schema import RULES

_LONGEST = 400


def located(report: str, problem: Problem | None, sources: Mapping[str, Source], default: Source) -> OracleError:
    """The error for a report; `problem` is what one of our own callables raised, if one did."""
    place = position.reported(report, sources, default)
    found = problem if problem is not None else _explain(_message(report, sources))
    place = position.narrowed(place, found.attribute, found.value)
    detail = found.detail
    if place.excerpt:
        detail += f", in `{place.excerpt}`"
    above = position.callers(report, sources, place)
    if above:
        detail += f" (called from {above[0]})"
    return found.kind(_printable(detail), where=_printable(str(place)), remedy=_printable(found.remedy))


def _message(report: str, sources: Mapping[str, Source]) -> str:
    start = report.find("error: ")
    text = report[start + len("error: ") :] if start >= 0 else report
    end = text.rfind("\n")
    for match in re.finditer(r"^ *--> \S+:\d+:\d+$", text, re.MULTILINE):
        end = match.start() - 1
    text = text[:end] if end > 0 else text
    for token, source in sources.items():
        text = text.replace(token, source.path)
    return text.removeprefix("StarlarkError: ").strip()


def _explain(message: str) -> Problem:
    for pattern, explain in _ROWS:
        match = pattern.match(message)
        if match:
            return explain(match)
    raise AssertionError("the last row matches everything")


def _undefined(match: re.Match[str]) -> Problem:
    name = match.group(1)
    if name in RULES:
        return Problem(f"name '{name}' is not defined", remedy=f'load it: load("//oracle_rules:defs.bzl", "{name}")')
    if name in prelude.BUILD_CALLS:
        return Problem(f"name '{name}' is not defined", remedy=f"in a .bzl file write native.{name}")
    if name in prelude.BZL_NAMES or name in prelude.BUILD_NAMES:
        kind = ".bzl" if name in prelude.BZL_NAMES else "BUILD"
        return Problem(f"name '{name}' is not defined here", remedy=f"it exists in {kind} files only")
    names = prelude.known_names() | set(RULES)
    return Problem(f"name '{name}' is not defined", remedy=suggestion(name, names, "load or define it first"))


def _no_symbol(match: re.Match[str]) -> Problem:
    name = match.group(1)
    near = re.search(r"did you mean `([^`]*)`", match.group())
    remedy = (
        f"did you mean {near.group(1)}?" if near else suggestion(name, RULES, "define it there or correct the name")
    )
    return Problem(f"the loaded file has no symbol '{name}'", remedy=remedy)


def _cut_expectations(match: re.Match[str]) -> Problem:
    return Problem(f"syntax error: {match.group(1)}", remedy="correct the syntax; Starlark is a small subset of Python")


def _row(pattern: str, detail: str, remedy: str) -> tuple[re.Pattern[str], Callable[[re.Match[str]], Problem]]:
    return re.compile(pattern, re.DOTALL), lambda match: Problem(match.expand(detail), remedy=remedy)


_ROWS: list[tuple[re.Pattern[str], Callable[[re.Match[str]], Problem]]] = [
    (re.compile(r"Variable `([^`]*)` not found"), _undefined),
    (re.compile(r"Module has no symbol `([^`]*)`.*", re.DOTALL), _no_symbol),
    (re.compile(r"Module symbol `([^`]*)` is not exported", re.DOTALL), _no_symbol),
    (re.compile(r"Parse error: (.*?)(?:, expected one of .*)?\Z", re.DOTALL), _cut_expectations),
    _row(
        r"Cannot import private symbol `([^`]*)`", r"'\1' is private to its file", "names that start with _ are private"
    ),
    _row(r"Evaluation cancelled", r"more than twenty million steps", "a BUILD file is a list of targets: loop less"),
    _row(r"Starlark call stack overflow", r"calls nest too deep", "Starlark has no recursion: use a loop"),
    _row(
        r"`(def|lambda)` is not allowed.*",
        r"\1 is not allowed in a BUILD file",
        "move it to a .bzl file beside this one and load it",
    ),
    _row(
        r"`(for|if)` cannot be used outside `def`.*",
        r"\1 is not allowed at the top of a file",
        "use a comprehension, or a function in a .bzl file",
    ),
    _row(
        r"Operation `serde::serialize` not supported on type `([^`]*)`",
        r"a value of type \1 cannot be given here",
        "give strings, numbers, booleans, lists or dictionaries",
    ),
    _row(
        r"Object of type `(?:function|python_callable_value)` has no attribute `([^`]*)`.*",
        r"a function has no '\1'",
        "if it comes from another rule set: those are read past, only their rules may be called",
    ),
    _row(r"fail: (.*)", r"fail: \1", "the workspace's own macro refuses this"),
    _row(r"(?:out of memory|AlignedSize.*|capacity overflow.*)", r"the evaluation runs out of memory", "build less"),
    _row(r"(.*)", r"\1", "correct the expression"),
]


def _printable(text: str) -> str:
    shown = "".join(
        char if char.isprintable() else " " if char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text
    )
    return shown if len(shown) <= 2 * _LONGEST else shown[: 2 * _LONGEST] + "…"
