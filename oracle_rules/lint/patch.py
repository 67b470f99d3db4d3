"""Silences and weakened assertions of a whole patch: file by file, and across files that tests were moved between.

Bytes in, hits out. A file that is no Python has none: the scan says what is wrong with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..entropy.hit import Hit
from ..entropy.source import Source, UnreadableError, parse
from .assertions import REMOVED, weakened
from .claims import claims
from .silences import silences

_FOLDERS = ("tests", "test", "testing")


def is_test(path: str) -> bool:
    """Whether a path is where tests are kept, or named as tests are."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0] or name
    named = stem.startswith("test_") or stem.endswith("_test") or stem in ("conftest", "tests")
    return named or any(part in _FOLDERS for part in folders)


def silences_in(data: bytes | None, path: str, ids: frozenset[str]) -> tuple[Hit, ...]:
    """The silences of one file that name none of these ledger ids."""
    source = _parsed(data, path)
    return silences(source, ids) if source is not None else ()


def weakened_in(files: Iterable[tuple[str, bytes | None, bytes | None]]) -> dict[str, tuple[Hit, ...]]:
    """What claims less than before in each file, given as (path, before, after); None where a file does not exist.

    An assertion that is gone from one file and new in another was moved.
    """
    sides = [(path, _parsed(before, path), _parsed(after, path), after is None) for path, before, after in files]
    found: dict[str, tuple[Hit, ...]] = {}
    added: Counter[str] = Counter()
    for path, before, after, gone in sides:
        if before is None and after is not None:
            added.update(claim.form for claim in claims(after) if not claim.muted)
        elif before is not None and after is not None:
            found[path] = weakened(before, after)
            kept = Counter(claim.form for claim in claims(before))
            added.update(Counter(claim.form for claim in claims(after) if not claim.muted) - kept)
        elif before is not None and gone:
            found[path] = weakened(before, parse("", path))
    return {path: tuple(hit for hit in hits if not _moved(hit, added)) for path, hits in found.items()}


def _moved(hit: Hit, added: Counter[str]) -> bool:
    if hit.rule is not REMOVED or added[hit.form] < 1:
        return False
    added[hit.form] -= 1
    return True


def _parsed(data: bytes | None, path: str) -> Source | None:
    try:
        return parse(data, path) if data is not None else None
    except UnreadableError:
        return None
