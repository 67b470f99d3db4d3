"""What is pinned, denied and limited inside, and what a lock may name."""

from __future__ import annotations

import json
from collections.abc import Mapping

from oracle_rules.analysis import policy
from oracle_rules.execution.sandbox import syscalls
from oracle_rules.execution.sandbox.steps import INNER, OUTER
from oracle_rules.runner.generate import ALPHABETS

from .markdown import code as _code
from .markdown import table


def _sandbox_steps(_texts: Mapping[str, str]) -> str:
    """The steps that make a sandbox, in order."""
    modes = {"root shed user": "anybody"}
    rows = [(_code(step.name), modes.get(step.modes, step.modes.replace(" ", " or ")), step.remedy)
            for step in (*OUTER, *INNER)]
    return table(("Step", "When started as", "If this host refuses"), rows)


def _denied_calls(_texts: Mapping[str, str]) -> str:
    """The system calls that the filter refuses."""
    kinds = {"eperm": "refused with EPERM", "enosys": "answered ENOSYS", "empty": "answered with nothing in it",
             "arg": "decided by an argument"}
    rows = [(text, ", ".join(sorted(_code(name) for name, row in syscalls.ROWS.items() if row[2] == kind)))
            for kind, text in kinds.items()]
    return table(("Answer", "Calls"), rows)


def _limits(_texts: Mapping[str, str]) -> str:
    """The standard limits of a profile."""
    given = policy.policy().document["limits"]
    return table(("Limit", "Standard value"), [(_code(name), str(value)) for name, value in given.items()])


def _pinned_variables(_texts: Mapping[str, str]) -> str:
    """The variables that every process gets."""
    return table(("Variable", "Value"), [(_code(name), _code(value))
                                         for name, value in sorted(policy.policy().environment.items())])


def _policy_document(_texts: Mapping[str, str]) -> str:
    """The standard policy, as it stands in every Action."""
    return "```json\n" + json.dumps(policy.policy().document, indent=1) + "\n```"


def _alphabets(_texts: Mapping[str, str]) -> str:
    """The names of alphabets that a domain lock may use."""
    return table(("Name", "Characters"), [(_code(name), str(len(text))) for name, text in ALPHABETS.items()])


PARTS = (_sandbox_steps, _denied_calls, _limits, _pinned_variables, _policy_document, _alphabets)
