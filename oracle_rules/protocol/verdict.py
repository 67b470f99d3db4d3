"""From what was observed to a verdict: one canonical document per target and lane, with its bit.

Pure: knows neither processes nor files. The table below is read from the top; the first row that fits decides, and the
verdict names it. A bit is 1 only for the last row; nothing that is not foreseen can be a pass.
"""

from __future__ import annotations

from typing import Any

SCHEMA = "oracle_rules/verdict/v1"
_KINDS = {"clock": "entropy_clock", "random": "entropy_random", "uuid": "entropy_uuid", "urandom": "entropy_urandom",
          "env": "entropy_env", "host": "entropy_host", "network": "entropy_network", "hash": "entropy_hash",
          "native": "entropy_native", "comparison": "candidate_comparison", "harness_read": "harness_read"}
_LIMITS = ("timeout", "output_limit", "memory_limit", "process_limit")

# (row, where the code comes from, what it means); `decide` follows this order.
ROWS: tuple[tuple[str, str], ...] = (
    ("limit", "a limit was reached by the candidate or while waiting for it"),
    ("killed", "the cell was ended by a signal"),
    ("observed", "the judge saw the property falsified, or the candidate break off or break the protocol"),
    ("short", "fewer cases held than were planned"),
    ("unclean", "every case held, but the cell did not end cleanly"),
    ("ambient", "every case held, but something was read or compared that makes the bit worth nothing"),
    ("held", "the complete positive transcript"),
)


class InvalidVerdict(ValueError):
    """Bytes that are not a verdict."""


def decide(request: dict[str, Any], seen: dict[str, Any] | None, cell: tuple[str, int], waiting: str,
           seconds: int | None = None) -> dict[str, Any]:
    """The verdict.

    `request` is what was asked, `seen` the judge's observation or None if it left none, `cell` how the cell ended (the
    words of the sandbox's endings and a status or signal), `waiting` how the judge itself ended, `seconds` the time
    limit, for the words alone.
    """
    row, code, detail = _row(request, seen, cell, waiting)
    if code == "timeout" and seconds is not None:
        detail = f"the time limit of {seconds} s was reached"
    notes = [] if seen is None or row != "ambient" else seen["notes"]
    return {
        "schema": SCHEMA, "target": request["target"], "property_id": request["property_id"], "lane": request["lane"],
        "bit": 1 if row == "held" else 0, "row": row, "reason": code, "detail": detail,
        "planned": request["planned"], "held": 0 if seen is None else seen["held"],
        "counterexample": None if seen is None or row in ("held", "ambient") else seen["counterexample"],
        "assurance": "shared" if "suite" in request else "apart", "notes": notes,
    }


def _row(request: dict[str, Any], seen: dict[str, Any] | None, cell: tuple[str, int],
         waiting: str) -> tuple[str, str | None, str]:
    for how in (cell[0], waiting):
        if how in _LIMITS:
            return "limit", how, _limit_text(how)
    broke_off = seen is None or seen["code"] == "candidate_exited"
    if broke_off and cell[0] == "signalled":
        return "killed", "candidate_crashed", f"the candidate's process was ended by signal {cell[1]}"
    if seen is None:
        return "observed", "protocol_violation", "the judge could not take in what the candidate sent"
    if seen["code"] is not None:
        return "observed", seen["code"], seen["detail"]
    if seen["held"] != request["planned"] or seen["planned"] != request["planned"] or request["planned"] < 1:
        return "short", "transcript_incomplete", f"{seen['held']} of {request['planned']} cases were answered"
    if cell != ("exited", 0) or waiting != "exited":
        return "unclean", "transcript_incomplete", f"the cell {cell[0]} with {cell[1]} after the last case"
    refused = [note for note in seen["notes"] if note[0] not in request["allow"]]
    if refused:
        kind, path, line, what = refused[0]
        return "ambient", _KINDS.get(kind, "harness_read"), f"{what} at {path}:{line}" if line else f"{what} of {path}"
    return "held", None, ""


def _limit_text(how: str) -> str:
    return {"timeout": "the time limit was reached", "output_limit": "more output than allowed was written",
            "memory_limit": "more memory than allowed was used",
            "process_limit": "more processes than allowed were started"}[how]


def parse(document: Any) -> dict[str, Any]:
    """Checks the shape of a verdict strictly; raises InvalidVerdict naming the field."""
    if type(document) is not dict or document.get("schema") != SCHEMA:
        raise InvalidVerdict(f"schema: not {SCHEMA}")
    if set(document) != set(_FIELDS):
        raise InvalidVerdict(f"fields: {sorted(set(document) ^ set(_FIELDS))} missing or unknown")
    for name, kinds in _FIELDS.items():
        if type(document[name]) not in kinds:
            raise InvalidVerdict(f"{name}: of type {type(document[name]).__name__}")
    if document["bit"] not in (0, 1) or document["row"] not in dict(ROWS):
        raise InvalidVerdict("bit or row: out of range")
    if (document["bit"] == 1) != (document["row"] == "held") or (document["bit"] == 1) != (document["reason"] is None):
        raise InvalidVerdict("bit: contradicts row or reason")
    if document["bit"] == 1 and not 1 <= document["planned"] == document["held"]:
        raise InvalidVerdict("bit: a pass with an incomplete transcript")
    return document


_NONE = type(None)
_FIELDS: dict[str, tuple[type, ...]] = {
    "schema": (str,), "target": (str,), "property_id": (str,), "lane": (str,), "bit": (int,), "row": (str,),
    "reason": (str, _NONE), "detail": (str,), "planned": (int,), "held": (int,), "counterexample": (dict, _NONE),
    "assurance": (str,), "notes": (list,)}


def cacheable(verdict: dict[str, Any]) -> bool:
    """Whether a verdict may be stored: one that hangs on the machine's speed may not."""
    return bool(verdict["reason"] != "timeout")
