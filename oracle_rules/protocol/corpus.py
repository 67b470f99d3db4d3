"""The corpus document that Generate writes: the drawn cases, how many were drawn for them, and why there are none.

Two forms: v1 holds plain texts of a domain in the short form, v2 holds typed cases of a general one (`typed.py`) and
counts of each filter. What a document adds up to is not decided here.
"""

from __future__ import annotations

from typing import Any

from . import canonical

PLAIN, TYPED = "oracle_rules/corpus/v1", "oracle_rules/corpus/v2"
# Problems that hang on the machine's speed or room: never stored.
LIMITS = ("timeout", "memory_limit", "output_limit", "process_limit")
_COUNTS = ("drawn", "distinct", "wanted")


class InvalidCorpus(ValueError):
    """Bytes that are no corpus document."""


def failed(detail: str, *, limit: str = "") -> dict[str, Any]:
    """The document of a drawing that gave no cases; `limit` names the limit that ended it."""
    return {"schema": TYPED, "cases": [], "problem": {"limit": limit, "detail": detail},
            "counts": {"drawn": 0, "accepted": 0, "distinct": 0, "wanted": 0, "filters": []}}


def parse(data: bytes) -> dict[str, Any]:
    """The document. Raises InvalidCorpus that names what is wrong."""
    try:
        found = canonical.loads(data)
    except ValueError as error:
        raise InvalidCorpus(str(error)) from None
    if type(found) is not dict or found.get("schema") not in (PLAIN, TYPED):
        raise InvalidCorpus("schema: of no corpus")
    typed = found["schema"] == TYPED
    if set(found) != {"schema", "cases", "counts"} | ({"problem"} if typed else set()):
        raise InvalidCorpus("fields: missing or unknown")
    cases, counts, problem = found["cases"], found["counts"], found.get("problem")
    counted = type(counts) is dict and all(type(counts.get(name)) is int for name in _COUNTS)
    if type(cases) is not list or not counted:
        raise InvalidCorpus("cases or counts: of another type")
    if counts["distinct"] != len(cases) or bool(cases) == (problem is not None):
        raise InvalidCorpus("cases: contradict the counts or the problem")
    if typed and (type(counts.get("accepted")) is not int or type(counts.get("filters")) is not list):
        raise InvalidCorpus("counts: not those of filters")
    if problem is not None and (type(problem) is not dict or set(problem) != {"limit", "detail"}):
        raise InvalidCorpus("problem: of another shape")
    return found


def count(data: bytes) -> int:
    """How many cases a committed corpus or a corpus document has. Raises InvalidCorpus."""
    try:
        found = canonical.loads(data)
    except ValueError as error:
        raise InvalidCorpus(str(error)) from None
    cases = found.get("cases") if type(found) is dict else found
    if type(cases) is not list:
        raise InvalidCorpus("holds no list of cases")
    return len(cases)


def cacheable(document: dict[str, Any]) -> bool:
    """Whether the document may be stored: one that a limit ended may not."""
    problem = document.get("problem")
    return problem is None or problem["limit"] not in LIMITS
