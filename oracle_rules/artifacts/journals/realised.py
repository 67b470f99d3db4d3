"""A realised case: the shrunk input of one seed that falsified the property on the parent, `oracles/<id>/<seed>.json`.

It stands for itself: a seed draws something else under another version of a tool, this stays what it is. Knows nothing
of where it is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...digest import Digest
from ...protocol import canonical, corpus, typed
from .. import document
from ..document import Field
from .fields import MOST_SEED, commit_id
from .journal import Tools

SCHEMA = "oracle_rules/realised/v1"
_REMEDY = "only a hunt writes realised cases; restore the committed one"
_FIELDS = ("schema", "id", "seed", "case", "reason", "detail", "found", "parent_sha", "tools")


@dataclass(frozen=True, slots=True, kw_only=True)
class Realised:
    """One case, typed JSON in `case`; `corpus` and `index` say which drawn case it was shrunk from."""

    path: str
    id: str
    seed: int
    case: Any
    reason: str
    detail: str
    corpus: str
    index: int
    parent_sha: str
    tools: Tools

    @property
    def value(self) -> Any:
        """The case as a property sees it."""
        return typed.decode(self.case)

    @property
    def shown(self) -> str:
        """The case as JSON on one line."""
        return canonical.dumps(self.case).decode("ascii").rstrip("\n")

    @property
    def data(self) -> bytes:
        """The canonical bytes of the file."""
        return canonical.dumps({
            "schema": SCHEMA, "id": self.id, "seed": self.seed, "case": self.case, "reason": self.reason,
            "detail": self.detail, "found": {"corpus": self.corpus, "index": self.index},
            "parent_sha": self.parent_sha, "tools": self.tools.document})


def parse_realised(data: bytes | None, *, path: str) -> Realised:
    """Reads a realised case; None stands for one that a journal names and that is missing. Raises IncompleteError."""
    fields = document.read(data, path=path, remedy=_REMEDY).closed(_FIELDS)
    if fields["schema"].value != SCHEMA:
        fields["schema"].fail(f"has to be {SCHEMA}")
    found = fields["found"].closed(("corpus", "index"))
    tools = fields["tools"].closed(("hypothesis", "python", "unicode"))
    try:
        typed.decode(fields["case"].value)
    except typed.Misspelt as error:
        fields["case"].fail(str(error))
    return Realised(
        path=path, id=fields["id"].words(), seed=fields["seed"].integer(0, MOST_SEED), case=fields["case"].value,
        reason=fields["reason"].words(), detail=_text(fields["detail"]), corpus=_digest(found["corpus"]),
        index=found["index"].integer(0, 10**9), parent_sha=commit_id(fields["parent_sha"]),
        tools=Tools(hypothesis=tools["hypothesis"].words(), python=tools["python"].words(),
                    unicode=tools["unicode"].words()))


def as_corpus(cases: Sequence[Any]) -> bytes:
    """Typed cases as the corpus document that a judge reads."""
    counts = {"drawn": len(cases), "accepted": len(cases), "distinct": len(cases), "wanted": len(cases), "filters": []}
    return canonical.dumps({"schema": corpus.TYPED, "cases": list(cases), "counts": counts, "problem": None})


def _text(field: Field) -> str:
    if type(field.value) is not str:
        field.fail("has to be text")
    return str(field.value)


def _digest(field: Field) -> str:
    try:
        return str(Digest.parse(field.words()))
    except ValueError as error:
        field.fail(f"is no digest: {error}")
