"""What journals and realised cases are written with: seeds, days, moments and ids of commits, each read strictly.

Knows fields, and nothing of what a journal is.
"""

from __future__ import annotations

import datetime
import re

from ..document import Field

MOST_SEED = 2**64 - 1
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z", re.ASCII)


def seeds(field: Field) -> tuple[int, ...]:
    """A list of seeds, none of them twice."""
    found: dict[int, None] = {}
    for item in field.items():
        seed = item.integer(0, MOST_SEED)
        if seed in found:
            item.fail("is listed twice")
        found[seed] = None
    return tuple(found)


def commit_id(field: Field) -> str:
    """The whole id of a commit, of either object format."""
    found = field.words()
    if not _SHA.match(found):
        field.fail("has to be the whole id of a commit")
    return found


def maybe_words(field: Field | None) -> str | None:
    """Text, or None for what is left out or null."""
    return None if field is None or field.value is None else field.words()


def day(field: Field | None) -> str | None:
    """A day as it is written, or a moment, which the short shape may say instead; None for what is left out or null."""
    text = maybe_words(field)
    if field is not None and text is not None and utc(text) is None and not _is_day(text):
        field.fail("has to be a day such as 2026-01-31")
    return text


def moment(field: Field) -> datetime.datetime:
    """A moment in UTC, of text that says its offset."""
    found = utc(field.words())
    if found is None:
        field.fail("has to be a moment with its offset, such as 2026-01-31T12:00:00Z")
    return found


def utc(text: str) -> datetime.datetime | None:
    """A moment with an offset, as ISO 8601 writes it, in UTC; None for anything else."""
    try:
        found = datetime.datetime.fromisoformat(text)
        return None if found.tzinfo is None else found.astimezone(datetime.UTC)
    except (ValueError, OverflowError):
        return None


def _is_day(text: str) -> bool:
    try:
        return _DAY.match(text) is not None and bool(datetime.date.fromisoformat(text))
    except ValueError:
        return False
