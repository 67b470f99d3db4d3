"""The rules of the lint, as rows: what each refuses, why, and what to write instead. Data only.

`code` is in the catalogue of reason codes; each rule has its one place in `properties.py`, `silences.py` or
`assertions.py`. Docs are drawn from here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule by name."""

    name: str
    code: str
    refuses: str
    why: str
    remedy: str


_LOOK = "compare what the candidate answers with what the case expects, or with an invariant such as a round trip"

ROWS: tuple[Rule, ...] = (
    Rule(name="opaque-hold", code="property_opaque",
         refuses="hold that is bound twice, imported, decorated, assigned or defined under a condition",
         why="which function answers can't be read", remedy="write one plain def hold(case) at the top of the file"),
    Rule(name="asks-nothing", code="property_asks_nothing",
         refuses="a property in which nothing that hold reaches names the candidate",
         why="it holds for every candidate alike", remedy="import what is judged from the candidate and ask it"),
    Rule(name="imports-no-candidate", code="property_asks_nothing",
         refuses="a property whose imports name no module of the candidate",
         why="nothing that is judged is asked",
         remedy="import one of the candidate's names, or mend `imports` and `srcs` of its oracle_candidate"),
    Rule(name="restates-the-case", code="property_restates_generator",
         refuses="a property whose answers all hang on the case alone",
         why="it repeats what the generator or the seed file guarantees already", remedy=_LOOK),
    Rule(name="never-false", code="property_cannot_fail", refuses="a property that has no way to answer False",
         why="it holds for every candidate that does not crash", remedy=_LOOK),
    Rule(name="true-by-form", code="property_cannot_fail",
         refuses="an assertion or answer that is true by its form: a tuple, `x == x`, `… or True`, `len(x) >= 0`",
         why="it cannot be false, whatever the candidate answers", remedy=_LOOK),
    Rule(name="forgives", code="property_cannot_fail",
         refuses="a handler of Exception, BaseException or AssertionError around the candidate that lets the case pass",
         why="every failure ends as a success", remedy="catch the exceptions that are right answers, by name"),
    Rule(name="return-in-finally", code="property_cannot_fail", refuses="return, break or continue in a finally",
         why="it drops the exception that would falsify the property", remedy="move it out of the finally"),
    Rule(name="no-invariant", code="property_no_invariant",
         refuses="a property whose every look at an answer is `is not None` or compares the answer with itself",
         why="no invariant is independent of the candidate's own word", remedy=_LOOK),
    Rule(name="does-io", code="property_does_io",
         refuses="files other than fixtures, processes, sockets, the terminal, in a property or what it imports",
         why="its bit would hang on more than the case", remedy="read fixtures by load_fixture(name), drop the rest"),
    Rule(name="silence", code="silence_unnamed",
         refuses="a skip, an xfail or a switched-off collection in an oracle file without the id of a ledger row",
         why="what is silenced in place is on no list and never expires",
         remedy="freeze it in the ledger and name the row's id in the reason, or take the silence out"),
    Rule(name="weakened", code="assertion_weakened",
         refuses="in a diff: an assertion that is gone, loosened, or moved where it can't fail",
         why="the test passes for more programs than before", remedy="restore the assertion, or say it as strictly"),
)

BY_NAME = {row.name: row for row in ROWS}
