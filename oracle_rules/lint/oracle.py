"""Everything that is held against the Python files of one property before it is asked. Knows no target, no decision."""

from __future__ import annotations

from collections.abc import Mapping

from ..artifacts.violation import Violation
from ..entropy.hit import Hit
from ..entropy.scan import scan_source
from .patch import silences_in
from .properties import lint_property

UNREADABLE = "unreadable"


def check_property(path: str, files: Mapping[str, bytes], *, candidate: frozenset[str], fixtures: frozenset[str],
                   ids: frozenset[str]) -> tuple[Violation, ...]:
    """The lint of the property at `path`, and entropy and silences in it and in the other files, by place.

    `files`, `candidate` and `fixtures` as for `lint_property`; `ids` are those of the ledger's rows.
    """
    found = list(lint_property(path, files, candidate=candidate, fixtures=fixtures))
    for each, data in sorted(files.items()):
        if each.endswith(".py"):
            found += [_violation(hit) for hit in (*scan_source(data, each).hits, *silences_in(data, each, ids))
                      if hit.rule.id != UNREADABLE]  # a run says so: the property is broken
    return tuple(found)


def _violation(hit: Hit) -> Violation:
    said = f"{hit.expression} {hit.rule.says}"
    why = "an oracle file may not" if hit.rule.category is None else f"in an oracle file it {hit.rule.category.value}"
    return Violation(code=hit.rule.code, subject=f"{hit.path}:{hit.span.line}:{hit.span.column}",
                     detail=f"{said}; {why}", remedy=hit.rule.seam,
                     row=hit.rule.id)
