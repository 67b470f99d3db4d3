"""The laws of the lanes for a person's change of the oracle, as rows: what a step in a lane is, and whether it may be.

A lane compares two versions of an artifact and says what was done, step by step, each with a sign. The row of that sign
decides: with a code the step is refused, without one it is allowed and named in the merge packet. Data and its lookup;
the comparisons stand beside it, one file a lane. For agents nothing of this is asked: they may not touch an oracle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ..errors import Exit, Malfunction
from .codes import lookup
from .finding import Finding

# As many steps of one kind on one path are told one by one; a corpus turned around would give thousands.
MOST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that was done to an artifact; `sign` is that of its row, `subject` the path it was done to.

    `remedy` is what to do about this very step, where more is known of it than the row says; empty otherwise.
    """

    subject: str
    sign: str
    detail: str
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneRow:
    """A row: `sign` is its name as well. `code` None: allowed, and shown."""

    sign: str
    lane: str
    code: str | None
    why: str
    remedy: str = ""


_APPEND = "keep the cases of base as they are, in their order, and add new ones at the end"
_EXPLAIN = "say in the row's purpose what the new bytes are for, and name the person in its origin as `human: ...`"

_SEED = (
    LaneRow(sign="seed-rewritten", lane="seed", code="seed_rewritten", remedy=_APPEND,
            why="a committed case is evidence and stays as it is"),
    LaneRow(sign="seed-removed", lane="seed", code="seed_removed", remedy=_APPEND,
            why="a committed case is evidence and stays"),
    LaneRow(sign="corpus-removed", lane="seed", code="seed_removed", remedy="restore the file",
            why="a committed case is evidence and stays"),
    LaneRow(sign="corpus-undeclared", lane="seed", code="seed_removed",
            remedy="let a target go on naming the file",
            why="no target would ask its cases any more"),
    LaneRow(sign="cases-unasked", lane="seed", code="seed_removed",
            remedy="let the test go on naming the corpus, or one that begins with its cases",
            why="the cases would not be asked of that property any more, whoever else names them"),
    LaneRow(sign="seed-moved", lane="seed", code="seed_reordered", remedy=_APPEND,
            why="cases are named by their index, and state may lead from one to the next"),
    LaneRow(sign="seed-inserted", lane="seed", code="seed_reordered", remedy=_APPEND,
            why="the cases after it get other indexes"),
    LaneRow(sign="seed-duplicate", lane="seed", code="seed_duplicate", remedy="leave out the new one",
            why="the same case twice looks like more evidence than it is"),
    LaneRow(sign="seed-appended", lane="seed", code=None, why="evidence may grow"),
    LaneRow(sign="corpus-new", lane="seed", code=None, why="evidence may grow"),
    LaneRow(sign="corpus-laid-out", lane="seed", code=None,
            why="the cases are the same; only the file's digest differs"),
    LaneRow(sign="corpus-mended", lane="seed", code=None,
            why="base's could not be read, so that there is none to keep"),
)  # fmt: skip

_FIXTURE = (
    LaneRow(sign="fixture-nobody", lane="fixture", code="fixture_unexplained", remedy=_EXPLAIN,
            why="only a person can say what the world answers"),
    LaneRow(sign="fixture-silent", lane="fixture", code="fixture_unexplained", remedy=_EXPLAIN,
            why="other bytes are another answer, and say what for"),
    LaneRow(sign="fixture-stray", lane="fixture", code="fixture_unmanifested",
            remedy="add its row, or keep it elsewhere",
            why="what lies among the fixtures and has no row may be read by mistake"),
    LaneRow(sign="fixture-unlisted", lane="fixture", code="fixture_unmanifested",
            remedy="keep it a fixture with its row, or let the test read it from another path",
            why="it goes on as a file of the workspace whose bytes nobody stands for"),
    LaneRow(sign="fixture-changed", lane="fixture", code=None, why="a person says what the new bytes are for"),
    LaneRow(sign="fixture-new", lane="fixture", code=None, why="it has its row"),
    LaneRow(sign="fixture-retired", lane="fixture", code=None, why="file and row went together"),
    LaneRow(sign="fixture-replaced", lane="fixture", code=None, why="one answer may stand in another's place"),
    LaneRow(sign="fixture-retold", lane="fixture", code=None, why="the bytes are the same"),
    LaneRow(sign="fixture-opened", lane="fixture", code=None, why="its row names a person who allows it"),
)  # fmt: skip
_FREEZE = (
    LaneRow(sign="frozen", lane="freeze", code=None, why="the row keeps the laws of the ledger"),
    LaneRow(sign="frozen-by-name", lane="freeze", code="freeze_unaccounted",
            remedy="give it an id that no row freezes, or a row of its own",
            why="base's row is about another test"),
    LaneRow(sign="thawed", lane="freeze", code=None, why="evidence comes back"),
    LaneRow(sign="renewed", lane="freeze", code=None,
            why="the row keeps the laws of the ledger; the debt stays longer"),
    LaneRow(sign="row-changed", lane="freeze", code=None, why="the row keeps the laws of the ledger"),
    LaneRow(sign="budget-raised", lane="freeze", code=None, why="more may be frozen from now on"),
    LaneRow(sign="budget-lowered", lane="freeze", code=None, why="less may be frozen from now on"),
)  # fmt: skip
_GENERATOR = (
    LaneRow(sign="domain-narrowed", lane="generator", code="domain_narrowed", remedy="restore the field, or widen it",
            why="cases that were asked before would not be drawn any more"),
    LaneRow(sign="domain-unlocked", lane="generator", code="domain_unlocked", remedy="restore its row in the lock",
            why="nobody would know any more what has to be drawn"),
    LaneRow(sign="domain-undeclared", lane="generator", code="domain_unlocked",
            remedy="let the target go on naming a domain_lock",
            why="no generated case would be asked any more, whatever the lock says"),
    LaneRow(sign="domain-missing", lane="generator", code="domain_unlocked",
            remedy="add its row to the lock, or drop domain_lock from the target",
            why="the target asks for generated cases, and its domain is not locked"),
    LaneRow(sign="domain-moved", lane="generator", code=None, why="the same test draws no less from there"),
    LaneRow(sign="domain-new", lane="generator", code=None, why="more is asked than before"),
    LaneRow(sign="filter-rewritten", lane="generator", code=None,
            why="nothing proves what a predicate accepts; the floor, or the pinned corpus, of its row still stands"),
    LaneRow(sign="domain-widened", lane="generator", code=None, why="no field allows less than before"),
)  # fmt: skip
_HUNT = "take the moves that `oracle-rules journal show ID` draws"
_JOURNAL = (
    LaneRow(sign="journal-jumped", lane="journal", code="journal_move_unknown", remedy=_HUNT,
            why="a state says what was done, and nobody can have done that"),
    LaneRow(sign="journal-removed", lane="journal", code="journal_case_lost", remedy="restore the file",
            why="its cases and its held-out seeds would not be asked any more"),
    LaneRow(sign="journal-undeclared", lane="journal", code="journal_case_lost",
            remedy="let the test go on naming its journal",
            why="its cases and its held-out seeds would not be asked any more"),
    LaneRow(sign="journal-case-lost", lane="journal", code="journal_case_lost", remedy="restore the case",
            why="a realised case falsified the property once, and stays as it is"),
    LaneRow(sign="journal-seed-unseen", lane="journal", code="journal_case_lost", remedy="restore the seed in `seen`",
            why="a seed that somebody has seen could be held out again"),
    LaneRow(sign="journal-seed-dropped", lane="journal", code="journal_case_lost",
            remedy="restore the seed in `replay.seeds`; one that flakes is frozen by a person, and for a while",
            why="with the same versions and domain it draws what it drew, and is asked on"),
    LaneRow(sign="journal-secret-dropped", lane="journal", code="journal_move_unknown",
            remedy="restore it, or commit to another: `oracle-rules journal commit ID --secret-file FILE`",
            why="whoever reads the repository could work out what is held out"),
    LaneRow(sign="journal-seed-history", lane="journal", code=None,
            why="with other versions or another domain it draws other cases; what it found stays as a case"),
    LaneRow(sign="journal-secret-changed", lane="journal", code=None, why="seeds are held out by another secret"),
    LaneRow(sign="journal-frozen", lane="journal", code=None,
            why="replay seeds wait, until a moment; their realised cases and what is held out do not"),
    LaneRow(sign="journal-dropped", lane="journal", code=None,
            why="nothing ever hit, so that a dead candidate takes no evidence with it"),
    LaneRow(sign="journal-held-less", lane="journal", code=None, why="fewer seeds are held out than before"),
    LaneRow(sign="journal-moved", lane="journal", code=None, why="the state is one that moves lead to"),
    LaneRow(sign="journal-case-new", lane="journal", code=None, why="evidence may grow"),
    LaneRow(sign="journal-new", lane="journal", code=None, why="more is asked than before, once it is locked"),
    LaneRow(sign="journal-changed", lane="journal", code=None,
            why="neither state nor cases changed; what did is named"),
)  # fmt: skip
_TEST = (
    LaneRow(sign="test-removed", lane="declaration", code=None, why="nothing is asked of its property any more"),
    LaneRow(sign="test-renamed", lane="declaration", code=None, why="what it asks is compared with what it asked"),
    LaneRow(sign="suite-shrunk", lane="declaration", code=None, why="who scores the suite asks fewer tests"),
    LaneRow(sign="test-eased", lane="declaration", code=None, why="less is asked than before, or more is allowed"),
)  # fmt: skip
_ANY = (
    LaneRow(sign="malformed", lane="declaration", code="artifact_malformed",
            remedy="mend what the message names; the laws need an artifact that can be read",
            why="merged, it would leave base without an oracle that can be asked"),
    LaneRow(sign="beside", lane="declaration", code=None, why="it lies in a folder of the oracle; nothing declares it"),
)  # fmt: skip

LANE_ROWS: tuple[LaneRow, ...] = _SEED + _FIXTURE + _GENERATOR + _JOURNAL + _FREEZE + _TEST + _ANY
_BY_SIGN: Mapping[str, LaneRow] = MappingProxyType({row.sign: row for row in LANE_ROWS})


def row_of(step: Step) -> LaneRow:
    """The row of a step; one without a row is a fault of ours."""
    if step.sign not in _BY_SIGN:
        raise Malfunction(f"no row of the lanes' table has the sign {step.sign!r}", where=step.subject)
    return _BY_SIGN[step.sign]


def refused(steps: Sequence[Step]) -> tuple[Finding, ...]:
    """A finding for each step that breaks a law, ordered by path."""
    return tuple(_finding(step, row, row.code) for step, row in _rows(steps) if row.code is not None)


def unfit(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """What a proposed oracle would have against itself as base: refused here, where it is incomplete there."""
    steps = {each: Step(subject=each.subject, sign="malformed", detail=each.detail, remedy=each.remedy)
             for each in findings if lookup(each.code).exit is not Exit.REFUSED}
    return tuple(found for each in findings for found in (refused([steps[each]]) if each in steps else (each,)))


def shown(steps: Sequence[Step]) -> tuple[tuple[Step, LaneRow], ...]:
    """Each step that is allowed, with its row, for the merge packet, ordered by path."""
    return tuple((step, row) for step, row in _rows(steps) if row.code is None)


def _rows(steps: Sequence[Step]) -> list[tuple[Step, LaneRow]]:
    """By path, each path's steps in the order of its lane; of one kind on one path no more than can be read."""
    counted = Counter((step.subject, step.sign) for step in steps)
    taken: Counter[tuple[str, str]] = Counter()
    found = []
    for step in sorted(steps, key=lambda step: step.subject):
        key = (step.subject, step.sign)
        taken[key] += 1
        if taken[key] <= MOST:
            found.append((step, row_of(step)))
        elif taken[key] == counted[key]:
            rest = Step(subject=step.subject, sign=step.sign, detail=f"and {counted[key] - MOST} more like these")
            found.append((rest, row_of(rest)))
    return found


def _finding(step: Step, row: LaneRow, code: str) -> Finding:
    return Finding(code=code, lane=row.lane, subject=step.subject, detail=f"{step.detail}; {row.why}", row=row.sign,
                   remedy=step.remedy or row.remedy, edits_oracle=False)
