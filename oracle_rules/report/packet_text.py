"""A merge packet for a person at a terminal: its parts in their order, what stands against the patch, and the command.

Drawn from the document alone. Whatever came out of the patch is spelled so that it can't steer the terminal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..gate.visible import visible

SHORT = 12
NOTHING = "the gate has nothing against this patch; it has not been judged"
# Forms of a change without lines, as a person reads them.
FORMS = {"binary": "not text", "large": "too large to be shown", "same": "the same bytes", "text": "", "laid-out":
         "JSON, laid out to a value a line"}


def packet_text(packet: dict[str, Any]) -> str:
    """The report, the decision and the command at its end."""
    parts = [("core: what says what is evidence", list(_core(packet))), ("oracle", list(_files(packet["rest"]))),
             ("fingerprints", list(_fingerprints(packet))), ("findings", list(_findings(packet))),
             ("allowed", list(_allowed(packet))), ("owners", list(protection(packet))),
             ("production", list(_files(packet["production"])))]
    blocks = [[f"base      {packet['base'][:SHORT]}", f"candidate {packet['candidate'][:SHORT]}",
               f"author    {packet['author']}", *(f"oracle    {line}" for line in oracle(packet))]]
    blocks += [[f"== {title} ==", *lines] for title, lines in parts if lines]
    blocks.append([*_ending(packet)])
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def oracle(packet: dict[str, Any]) -> list[str]:
    """Which oracle it is and who signed it, in one line; nothing when it is base's own, unsigned."""
    found = packet["oracle"]
    if found["source"] == "base" and not found["signed_by"]:
        return []
    where = "in base" if found["source"] == "base" else "of another repository"
    signed = f", signed by {', '.join(map(visible, found['signed_by']))}" if found["signed_by"] else ""
    return [f"{found['commit'][:SHORT]} {where}{signed}"]


def _core(packet: dict[str, Any]) -> Iterator[str]:
    for each in packet["core"]:
        if each["change"] is None:
            yield f"{each['kind']} {visible(each['path'])}: unchanged"
        else:
            yield from file_lines(each["change"], f"{each['kind']} ")


def _files(part: dict[str, Any]) -> Iterator[str]:
    for each in part["files"]:
        yield from file_lines(each)
    if part["cut"]:
        yield f"... and {part['cut']} more files"


def file_lines(each: dict[str, Any], kind: str = "") -> Iterator[str]:
    """One changed file: its path with the row, its digests, its diff."""
    yield f"{kind}{visible(each['path'])}: {visible(each['detail'])} [{each['row']}, by a person: {each['person']}]"
    yield f"    {digests(each)}"
    yield from (f"    {line}" for line in each["lines"])
    if each["cut_lines"]:
        yield f"    ... and {each['cut_lines']} more lines"


def digests(each: dict[str, Any]) -> str:
    """What the file was and is, and how it is shown."""
    sides = [_side(each[side]) for side in ("before", "after")]
    note = FORMS[each["form"]]
    return f"{sides[0]} -> {sides[1]}" + (f"; {note}" if note else "")


def _side(side: dict[str, Any] | None) -> str:
    if side is None:
        return "absent"
    return f"{side['mode']} sha256:{side['sha256']}" if side["sha256"] else f"{side['mode']} object {side['oid']}"


def _fingerprints(packet: dict[str, Any]) -> Iterator[str]:
    rows = packet["fingerprints"]["rows"]
    changed = [each for each in rows if each["before"] != each["after"]]
    for each in changed:
        sides = [each[side] or "none" for side in ("before", "after")]
        name = f"{each['kind']} {visible(each['subject'])}" if each["subject"] else each["kind"]
        yield f"{name}: {sides[0]} -> {sides[1]}"
    same, cut = len(rows) - len(changed), packet["fingerprints"]["cut"]
    yield f"{same} unchanged" + (f", and {cut} that are not compared here" if cut else "")


def _findings(packet: dict[str, Any]) -> Iterator[str]:
    for each in packet["findings"]["rows"]:
        subject = f" {visible(each['subject'])}" if each["subject"] else ""
        yield f"{each['code']}{subject}: {visible(each['detail'])} [{each['row']}]"
        yield f"    {visible(each['remedy'])}"
    if packet["findings"]["cut"]:
        yield f"... and {packet['findings']['cut']} more"


def _allowed(packet: dict[str, Any]) -> Iterator[str]:
    for each in packet["allowed"]["rows"]:
        yield f"{each['row']} {visible(each['path'])}: {visible(each['detail'])}; {each['why']}"
    if packet["allowed"]["cut"]:
        yield f"... and {packet['allowed']['cut']} more"


def protection(packet: dict[str, Any]) -> Iterator[str]:
    """Whose review the oracle needs, in a few lines."""
    found = packet["protection"]
    total = len(found["paths"]["rows"]) + found["paths"]["cut"]
    if found["codeowners"] is None:
        yield f"no CODEOWNERS beside the oracle: no person has to agree before any of {total} oracle paths changes"
        return
    yield f"{found['codeowners']}: {total - found['unowned']} of {total} oracle paths have an owner who is a person"
    without = [each["path"] for each in found["paths"]["rows"] if not each["people"]]
    if without:
        more = f", and {found['unowned'] - 20} more" if found["unowned"] > 20 else ""
        yield f"without one: {', '.join(map(visible, without[:20]))}{more}"
    yield from (f"line {each['line']} protects nothing: {visible(each['why'])}" for each in found["skipped"][:20])
    if found["others"]:
        yield f"not read, because {found['codeowners']} comes first: {', '.join(found['others'])}"


def _ending(packet: dict[str, Any]) -> Iterator[str]:
    count = len(packet["findings"]["rows"]) + packet["findings"]["cut"]
    if not count:
        yield NOTHING
    else:
        yield f"{packet['decision'].upper()}  {count} finding{'s' if count != 1 else ''}; nothing has been judged"
    yield packet["repro"]
