"""Everything that is held against the Python files of one property before it is asked. Knows no target, no decision."""

from __future__ import annotations

from collections.abc import Mapping

from ..artifacts.violation import Violation
from ..entropy.source import UnreadableError, parse
from .properties import lint_property
from .silences import silences


def check_property(path: str, files: Mapping[str, bytes], *, candidate: frozenset[str], fixtures: frozenset[str],
                   ids: frozenset[str]) -> tuple[Violation, ...]:
    """The lint of the property at `path`, and the silences in it and in the other files, by place.

    `files`, `candidate` and `fixtures` as for `lint_property`; `ids` are those of the ledger's rows.
    """
    found = list(lint_property(path, files, candidate=candidate, fixtures=fixtures))
    for each, data in sorted(files.items()):
        if each.endswith(".py"):
            found += _silences(each, data, ids)
    return tuple(found)


def _silences(path: str, data: bytes, ids: frozenset[str]) -> list[Violation]:
    try:
        hits = silences(parse(data, path), ids)
    except UnreadableError:
        return []  # the lint has said so
    return [Violation(code=hit.rule.code, subject=f"{path}:{hit.span.line}:{hit.span.column}",
                      detail=f"{hit.expression}: {hit.rule.says} without the id of a ledger row", remedy=hit.rule.seam)
            for hit in hits]
