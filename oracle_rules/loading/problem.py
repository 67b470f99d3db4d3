"""A mistake found while a file is read, before it is known where; `evaluate.py` finds the place.

Also the one way we suggest names. Knows nothing of Starlark.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from oracle_rules.errors import OracleError, UsageError

# Comparing with more names than this costs more than the suggestion is worth.
_MOST_NAMES = 3000


class Problem(Exception):
    """What is wrong and what to do.

    `attribute` and `value` narrow the place inside the call that it is about; `line` is for a text that is not parsed.
    """

    def __init__(
        self,
        detail: str,
        *,
        remedy: str = "",
        attribute: str = "",
        value: str = "",
        line: int = 1,
        kind: type[OracleError] = UsageError,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.remedy = remedy
        self.attribute = attribute
        self.value = value
        self.line = line
        self.kind = kind


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """Up to three names that look like this one, best first."""
    pool = sorted(set(names))[:_MOST_NAMES]
    found = difflib.get_close_matches(name[:200], pool, n=3, cutoff=0.6)
    likeness = [difflib.SequenceMatcher(None, name[:200], other).ratio() for other in found]
    # A clear winner stands alone: the rest would only be noise beside it.
    return [other for other, like in zip(found, likeness, strict=True) if like >= likeness[0] - 0.1]


def suggestion(name: str, names: Iterable[str], otherwise: str = "") -> str:
    """`did you mean …?`, or what to say when nothing is near."""
    found = nearest(name, names)
    return f"did you mean {' or '.join(found)}?" if found else otherwise
