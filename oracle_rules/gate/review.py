"""What a patch does to the oracle: every change held against the table, one finding for each forbidden path.

More names than eight because each asks one thing of the same table.

Pure and total: each change fires exactly one row, and the order in which changes are given doesn't matter. The
candidate's bytes are never looked at; object ids, modes, paths and the targets of links are all there is. What a person
may change is left to the laws of its lane, which read bytes: `lanes.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .. import relpath
from ..artifacts.violation import Violation
from ..errors import Malfunction
from .author import Author, Edit, refuses
from .change import LINK, Change, has, is_change
from .codes import lookup
from .finding import CANDIDATE_LANE, SUMMARY_CODE, Finding
from .index import Index
from .paths import LANES, OraclePaths
from .predicates import KINDS, Question
from .tables import NOBODY, OWNER, ROWS, Row


def review(
    changes: Iterable[Change], paths: OraclePaths, link_targets: Mapping[str, str] | None = None,
    author: Author = Author.AGENT,
) -> tuple[Finding, ...]:
    """One finding for each change that this author may not make, ordered by path.

    `link_targets` says where the candidate's symbolic links lead; a link among the sources that it leaves out is
    refused, because nobody knows.
    """
    return forbidden(examine(changes, paths, link_targets), author)


def examine(
    changes: Iterable[Change], paths: OraclePaths, link_targets: Mapping[str, str] | None = None
) -> tuple[Edit, ...]:
    """Every change with the row that it fires, ordered by path; those that find nothing are among them."""
    index, targets = Index.of(paths), link_targets or {}
    found = []
    for change in sorted(changes, key=lambda change: change.path):
        if is_change(change):
            row, extra = _fire(change, index, targets.get(change.path))
            group = index.lane_group(change.path)
            lane = row.lane or (LANES[group] if group else "declaration")
            found.append(Edit(change=change, row=row, lane=lane, extra=extra))
    return tuple(found)


def forbidden(edits: Iterable[Edit], author: Author) -> tuple[Finding, ...]:
    """A finding for each of these that this author may not make, in their order."""
    return tuple(_finding(edit, author) for edit in edits if refuses(edit, author))


def classify(change: Change, paths: OraclePaths, target: str | None = None) -> Row:
    """The row of one change."""
    return _fire(change, Index.of(paths), target)[0]


def summarise(findings: Sequence[Finding]) -> Finding | None:
    """The one reason that lists every path of a forbidden edit of the oracle, or None when there is none.

    What is wrong with each is said by the findings themselves, which stand beside it.
    """
    edits = sorted(
        (finding for finding in findings if finding.edits_oracle), key=lambda f: (f.subject, f.code, f.detail)
    )
    if not edits:
        return None
    detail = ", ".join(dict.fromkeys(printable(finding.subject) for finding in edits))
    lanes = sorted({finding.lane for finding in edits})
    return Finding(
        code=SUMMARY_CODE,
        lane=lanes[0] if len(lanes) == 1 else "declaration",
        subject=edits[0].subject if len({f.subject for f in edits}) == 1 else "",
        detail=detail,
        row="oracle-edit",
        remedy=lookup(SUMMARY_CODE).remedy,
        edits_oracle=True,
    )


def overlaps(paths: OraclePaths) -> tuple[Finding, ...]:
    """Paths that base declares as candidate source and as oracle: the patch would own a part of its exam."""
    found = []
    for path in sorted(paths.base_sources & paths.declared.keys()):
        group = paths.declared[path]
        detail = f"is declared as a candidate source and under {group}"
        remedy = lookup("candidate_overlaps_oracle").remedy
        found.append(
            Finding(
                code="candidate_overlaps_oracle",
                lane=LANES[group],
                subject=path,
                detail=detail,
                row="candidate-overlaps-oracle",
                remedy=remedy,
                edits_oracle=False,
            )
        )
    return tuple(found)


def unusable(paths: Iterable[str]) -> tuple[Finding, ...]:
    """Paths of the candidate that can't be inputs of an Action."""
    return tuple(
        Finding(code="path_collision", lane=CANDIDATE_LANE, subject=path, row="unusable-path", edits_oracle=False,
                detail=f"{reason}, so that it can't be an input", remedy="rename the file")
        for path in paths if (reason := relpath.problem(path)) is not None)


def from_violations(violations: Iterable[Violation]) -> tuple[Finding, ...]:
    """Broken laws of base's own artifacts, as findings; the row is the law's name, or its code."""
    return tuple(
        Finding(
            code=violation.code,
            lane=lookup(violation.code).lane,
            subject=violation.subject,
            detail=violation.detail,
            row=violation.row or violation.code.replace("_", "-"),
            remedy=violation.remedy,
            edits_oracle=False,
        )
        for violation in violations
    )


def printable(path: str) -> str:
    """A path for people: whatever could mislead them in a terminal is escaped."""
    return "".join(char if char.isprintable() and char.isascii() else ascii(char)[1:-1] for char in path)


def _fire(change: Change, index: Index, target: str | None) -> tuple[Row, str]:
    after = change.after
    is_link = after is not None and after.mode == LINK
    ask = Question(path=change.path, index=index, is_link=is_link, is_new=change.before is None, target=target)
    for row in ROWS:
        extra = KINDS[row.kind](ask, row) if has(change, row.when) else None
        if extra is not None:
            return row, extra
    raise Malfunction("no row of the gate's table selects this change", where=printable(change.path))


def _finding(edit: Edit, author: Author) -> Finding:
    row = edit.row
    assert row.code is not None  # what finds nothing refuses nobody
    return Finding(
        code=row.code,
        lane=edit.lane,
        subject=edit.change.path,
        detail=edit.detail,
        row=row.name,
        remedy=row.remedy if author is Author.AGENT or row.remedy != OWNER else NOBODY,
        edits_oracle=edit.lane != CANDIDATE_LANE and author is Author.AGENT,
    )
