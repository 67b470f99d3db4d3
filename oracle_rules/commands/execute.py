"""`execute`: what build rules run in the execution root of a build tool. Each action reads files and writes files."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import Exit, IncompleteError
from ..protocol import canonical
from .interface import Output


def run(options: argparse.Namespace, output: Output) -> Exit:
    """Exit 0 when the output is written; what a verdict says is asked of `read` alone."""
    action: Callable[[argparse.Namespace, Output], Exit] = _ACTIONS[options.action]
    return action(options, output)


def _rooted(options: argparse.Namespace, _output: Output) -> Exit:
    from ..rooted import execute
    execute(Path.cwd(), options.action, options.request, options.policy)
    return Exit.ACCEPT


def _domain(options: argparse.Namespace, _output: Output) -> Exit:
    from ..artifacts.domains.lock import parse_domain_lock
    lock = parse_domain_lock(_read(options.lock), path=str(options.lock), source=lambda path: _read(Path(path)))
    found = lock.find(options.property_id)
    if found is None:
        raise IncompleteError(f"locks no domain of {options.property_id}", where=str(options.lock),
                              remedy="let a person add the row, or take domain_lock out of the target")
    options.output.write_bytes(canonical.dumps(found.request))
    return Exit.ACCEPT


def _policy(options: argparse.Namespace, _output: Output) -> Exit:
    from ..analysis.policy import policy
    from ..artifacts.profile import declared_profile, parse_profile
    attributes = json.loads(options.attributes)
    label = f":{options.output.name.removesuffix('.policy.json')}"
    profile = declared_profile(attributes, label=label) if options.profile is None else parse_profile(
        _read(options.profile), path=str(options.profile), label=label, attributes=attributes)
    options.output.write_bytes(policy(profile).data)
    return Exit.ACCEPT


def _verdict(options: argparse.Namespace, output: Output) -> Exit:
    """The bit, strictly: a verdict that is missing, malformed or of another target says nothing, and that is exit 3."""
    from ..protocol import verdict
    remedy = "build the target again; if that does not help, please report it"
    try:
        found = verdict.parse(canonical.loads(_read(options.verdict)))
    except ValueError as error:
        raise IncompleteError(str(error), where=str(options.verdict), remedy=remedy) from None
    if (found["target"], found["property_id"], found["lane"]) != (options.target, options.property_id, "replay"):
        raise IncompleteError("is the verdict of another target", where=str(options.verdict), remedy=remedy)
    if (row := _frozen(options)) is not None:
        output.out(f"frozen {options.target}: {row}; its bit is {found['bit']}, and no evidence\n")
        return Exit.ACCEPT
    output.out("".join(f"{line}\n" for line in _told(found)))
    return Exit.ACCEPT if found["bit"] == 1 else Exit.FALSIFIED


def _told(found: dict[str, Any]) -> list[str]:
    from ..gate.visible import visible
    if found["bit"] == 1:
        return [f"held {found['target']}: {found['held']} of {found['planned']} cases"]
    lines = [f"broken {found['target']}: {found['held']} of {found['planned']} cases",
             f"    {found['reason']}: {visible(found['detail'])}"]
    if (example := found["counterexample"]) is not None:
        case = canonical.dumps(example["case"]).decode("ascii").strip()
        lines.append(f"    case {example['index']}: {case if len(case) <= 400 else case[:397] + '...'}")
    return lines


def _frozen(options: argparse.Namespace) -> str | None:
    """Why the ledger takes the property out on that day; None where it does not."""
    if options.ledger is None:
        return None
    from ..artifacts.freezing.ledger import parse_freeze
    from .common import today
    ledger, day = parse_freeze(_read(options.ledger), path=str(options.ledger)), today(options)
    for row in ledger.rows:
        if row.property_id == options.property_id and row.expires is not None and day <= row.expires:
            return f"{row.id}, {row.owner}, until {row.expires}"
    return None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise IncompleteError(f"can't be read: {error.strerror}", where=str(path),
                              remedy="declare it as an input of the target") from None


_ACTIONS: dict[str, Callable[[argparse.Namespace, Output], Exit]] = {
    "judge": _rooted, "reach": _rooted, "suite": _rooted, "generate": _rooted, "domain": _domain, "policy": _policy,
    "read": _verdict}
