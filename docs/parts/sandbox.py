"""What is pinned, denied and limited inside, and what a lock may name."""

from __future__ import annotations

import json
from collections.abc import Mapping

from oracle_rules.analysis import policy
from oracle_rules.artifacts import profile, variables
from oracle_rules.execution.sandbox import syscalls
from oracle_rules.execution.sandbox.steps import INNER, OUTER
from oracle_rules.protocol.alphabets import NAMED

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


def _profile_fields(_texts: Mapping[str, str]) -> str:
    """The fields of a determinism profile."""
    spelled = {setting: variable for variable, setting in variables.SPELLED.items()}
    rows = [(_code("profile"), "text", "the target's name", "", "the name that the record shows")]
    for row in profile.SETTINGS:
        also = [name for name in (row.other, f"env.{spelled[row.name]}" if row.name in spelled else "") if name]
        rows.append((_code(row.name), row.shape, _code(row.default) or "none", ", ".join(map(_code, also)), row.effect))
    rows.append((_code("freeze"), "a list", _code("[]"), "", "refused unless empty: a profile freezes nothing"))
    return table(("Field", "Value", "Standard", "Also spelled", "Effect"), rows)


def _limits(_texts: Mapping[str, str]) -> str:
    """The limits of a profile."""
    return table(("Limit", "Standard", "Least", "Counts"),
                 [(_code(row.name), str(row.standard), str(row.least), row.counts) for row in profile.LIMITS])


def _pinned_variables(_texts: Mapping[str, str]) -> str:
    """The variables that every process gets."""
    standard = policy.policy().environment
    return table(("Variable", "Standard value", "Moved by", "Why"),
                 [(_code(pin.name), _code(standard[pin.name]),
                   _code(next((name for name in ("tz", "hash_seed", "cache_dir") if f"{{{name}}}" in pin.value), ""))
                   or "nothing", pin.why) for pin in variables.PINS])


def _policy_document(_texts: Mapping[str, str]) -> str:
    """The standard policy, as it stands in every Action."""
    return "```json\n" + json.dumps(policy.policy().document, indent=1) + "\n```"


def _alphabets(_texts: Mapping[str, str]) -> str:
    """The names of alphabets that a domain lock may use."""
    return table(("Name", "Characters"), [(_code(name), str(len(text))) for name, text in NAMED.items()])


PARTS = (_sandbox_steps, _denied_calls, _profile_fields, _limits, _pinned_variables, _policy_document, _alphabets)
