"""A record for a person at a terminal: what ran, what was replayed, why not, and the command that shows it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..protocol import canonical
from .blame import blame
from .debt import debt
from .journals import journals
from .printable import printable

Paint = Callable[[str, str], str]
_COLOURS = {"green": "32", "red": "31", "yellow": "33", "dim": "2", "bold": "1"}
_WORDS = {"accept": ("ACCEPT", "green"), "reject": ("REJECT", "red"), "refused": ("REFUSED", "red"),
          "incomplete": ("INCOMPLETE", "yellow"), "nothing": ("NOTHING TO SCORE", "yellow"),
          "untrusted": ("UNTRUSTED", "red")}
_SINCE = {"refused": "the gate stands in the way", "incomplete": "the oracle is not complete",
          "untrusted": "the oracle can't be trusted", "falsified": "there is nothing that could be asked"}
_ADMITTED = ("base's oracle was asked; the new one is admitted by holding on the trusted commit after the merge, and "
             "`oracle-rules gate` shows the change")
_ADVICE = {"accept": "the oracle replayed and held; human review is still required"}


def text(record: dict[str, Any], *, colour: bool = False) -> str:
    """The report; `colour` adds ANSI attributes, never meaning."""
    paint = _painter(colour)
    blocks = [[f"{paint('bold', 'base')}      {record['base'][:12]}",
               f"{paint('bold', 'candidate')} {record['candidate'][:12]}", *_oracle(record, paint)],
              _targets(record, paint), journals(record, paint), _reasons(record, paint), debt(record, paint),
              _ending(record, paint)]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _oracle(record: dict[str, Any], paint: Paint) -> list[str]:
    """Which oracle it is and who signed it; nothing when it is base's own, unsigned."""
    found = record["oracle"]
    if found["source"] == "base" and not found["signed_by"]:
        return []
    signed = f", signed by {', '.join(map(printable, found['signed_by']))}" if found["signed_by"] else ""
    return [f"{paint('bold', 'oracle')}    {found['commit'][:12]} ({found['source']}{signed})"]


def _targets(record: dict[str, Any], paint: Paint) -> list[str]:
    label, lane = (max([len(target[name]) for target in record["targets"]] or [0]) for name in ("label", "lane"))
    return [line for target in record["targets"] for line in _target(target, (label, lane), paint)]


def _reasons(record: dict[str, Any], paint: Paint) -> list[str]:
    lines = []
    for reason in record["reasons"]:
        if not _repeats(reason, record):
            subject, detail = printable(reason["subject"]), printable(reason["detail"])
            about = f" {subject}" if subject and subject != detail else ""
            lines.append(f"{paint('red', reason['code'])}{about}: {detail}")
            lines.append(paint("dim", f"    {printable(reason['remedy'])}"))
    edits = record["edits"]
    if edits:
        shown = ", ".join(printable(edit["path"]) for edit in edits[:8]) + (", ..." if len(edits) > 8 else "")
        lines.append(paint("yellow", f"the oracle is changed by a person ({len(edits)}): {shown}"))
        lines.append(paint("dim", f"    {_ADMITTED}"))
    return lines


def _ending(record: dict[str, Any], paint: Paint) -> list[str]:
    word, tone = _WORDS[record["decision"]]
    summary = record["summary"]
    executed = summary["targets"] - summary["cached"]
    counts = f"{summary['held']} held, {summary['falsified']} not; {executed} executed, {summary['cached']} replayed"
    lines = [f"{paint(tone, word)}  {counts if record['targets'] else _instead(record)}"]
    if record["decision"] != "accept" and not record["targets"]:
        lines.append(paint("dim", record["repro"]))
    if record["decision"] in _ADVICE:
        lines.append(paint("dim", _ADVICE[record["decision"]]))
    return lines


def _instead(record: dict[str, Any]) -> str:
    if record["row"] == "nothing":
        return "no property is left that counts"
    return f"nothing was run, since {_SINCE.get(record['row'], record['row'])}"


def _repeats(reason: dict[str, Any], record: dict[str, Any]) -> bool:
    """Whether a target's own lines say it already."""
    return any(reason["subject"] == target["label"] and reason["code"] in (target["reason"], "property_failed")
               for target in record["targets"])


def _target(target: dict[str, Any], widths: tuple[int, int], paint: Paint) -> list[str]:
    mark = paint("green", "held  ") if target["bit"] == 1 else paint("red", "broken")
    served = "executed" if target["served_from"] == "executed" else "replayed"
    held = f"{target['planned']}" if target["held"] is None else f"{target['held']}/{target['planned']}"
    asked = "cases" if target["assurance"] == "apart" else f"tests ({target['assurance']})"
    line = f"{mark} {printable(target['label']):<{widths[0]}}  {target['lane']:<{widths[1]}}  {served}  {held} {asked}"
    if target["change"] is not None:
        line += f"  {target['change']}"
    if target["bit"] == 1:
        return [line]
    found = [line, f"       {paint('red', target['reason'])}: {printable(target['detail'])}"]
    example = target["counterexample"]
    if example is not None:
        found.append(f"       case {example['index']}{_origin(target)}: {printable(_short(example['case']))}")
    found.append(paint("dim", f"       {target['repro']}"))
    return found + [paint("dim", f"       {line}") for line in blame(target)]


def _origin(target: dict[str, Any]) -> str:
    """Which corpus the case is of, where there is more than the committed one."""
    place = target["counterexample"]["index"]
    for part in target["corpora"] if len(target["corpora"]) > 1 else ():
        if place < part["cases"]:
            return f" ({part['name']})"
        place -= part["cases"]
    return ""


def _short(case: Any) -> str:
    shown = canonical.dumps(case).decode("ascii").strip()
    return shown if len(shown) <= 200 else shown[:197] + "..."


def _painter(colour: bool) -> Paint:
    return (lambda tone, value: f"\x1b[{_COLOURS[tone]}m{value}\x1b[0m") if colour else (lambda tone, value: value)
