"""A score whose oracle's declarations can't be read: what was to be judged, and the record that says so all the same.

Every submission yields one record. Knows nothing of how declarations are read.
"""

from __future__ import annotations

from collections.abc import Sequence

from .again import again
from .errors import IncompleteError
from .gate.author import Author
from .gate.codes import lookup
from .gate.decide import decide
from .gate.finding import Finding
from .record import Score
from .trust.oracle import Standing, oracle_digest


class Unreadable(IncompleteError):
    """The error with the sides that it kept from being compared; `sides` are base, candidate and parent."""

    def __init__(self, cause: IncompleteError, *, sides: tuple[str, str, str], oracle: str, source: str,
                 uncommitted: bool) -> None:
        super().__init__(cause.detail, where=cause.where, remedy=cause.remedy)
        self.sides = sides
        self.standing = Standing(commit=oracle, digest=oracle_digest(()), source=source, signed_by=())
        self.uncommitted = uncommitted

    def score(self, words: Sequence[str], *, author: Author, demands: Sequence[str]) -> Score:
        """The score of nothing: incomplete, with the one reason; its oracle is one without files.

        No ledger was read, so no day counts. `words` and `demands` are what the command line said beside the sides.
        """
        code = lookup(self.code)
        finding = Finding(code=code.code, lane=code.lane, subject=self.where, detail=self.detail,
                          row="oracle-unreadable", remedy=self.remedy or code.remedy, edits_oracle=False)
        base, candidate, parent = self.sides
        return Score(base_id=base, candidate_id=candidate, parent_id=parent, oracle=self.standing,
                     repro=again("score", base=base, head=None if self.uncommitted else candidate, author=author,
                                 oracle=None if self.standing.source == "base" else self.standing.commit,
                                 demands=demands, words=words),
                     decision=decide([finding], ()), rows=(), frozen=(), debt=(), author=author)
