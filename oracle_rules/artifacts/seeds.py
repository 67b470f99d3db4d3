"""A seed corpus: the committed cases of one property, as frozen values.

Law: a corpus is a non-empty JSON list. A missing, empty or malformed one is `oracle_incomplete` and never a pass,
because a property without cases holds for every candidate. A case may be any JSON value; what it means is the
property's business. Knows nothing of generated corpora.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..digest import Digest
from ..protocol import canonical
from . import document

_REMEDY = "a seed corpus is a JSON list with at least one case; restore the committed one or promote a case"


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """The cases in order, each kept as its canonical bytes so that no reader can change it for the next one.

    `digest` is that of the file as it was read: two layouts of the same cases are two inputs.
    """

    path: str
    encoded: tuple[bytes, ...] = field(repr=False)
    digest: Digest

    def __len__(self) -> int:
        return len(self.encoded)

    @property
    def cases(self) -> tuple[Any, ...]:
        """The cases as JSON values, built anew at every call."""
        return tuple(canonical.loads(case) for case in self.encoded)


def parse_corpus(data: bytes | None, *, path: str) -> Corpus:
    """Reads a corpus file; None stands for one that is declared and missing. Raises IncompleteError."""
    top = document.read(data, path=path, remedy=_REMEDY)
    encoded = tuple(canonical.dumps(case.value) for case in top.items())
    if not encoded:
        top.fail("holds no case")
    return Corpus(path=path, encoded=encoded, digest=Digest.of(data or b""))
