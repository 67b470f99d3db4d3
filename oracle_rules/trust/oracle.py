"""The oracle as one document and one digest: each of its paths, what it is there for, and what it holds.

The digest hangs on nothing else: neither on the object format of a repository, nor on a commit, nor on candidates'
sources or other files. Knows nothing of trees; who reads them hands over sizes and hashes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..digest import Digest
from ..protocol import canonical

SCHEMA = "oracle_rules/oracle/v1"
FILE, EXECUTABLE, ABSENT = "file", "executable", "absent"


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleFile:
    """One declared path: the group of artifacts it belongs to, and its bytes. `digest` is None when it is absent.

    A symbolic link or a submodule is absent, because nothing is ever read from one.
    """

    path: str
    group: str
    kind: str
    digest: Digest | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The oracle that a score was made with, as its record says it.

    `source` is `base` or `separate`; `signed_by` the people whose signatures were checked and counted, in order.
    """

    commit: str
    digest: Digest
    source: str
    signed_by: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The JSON shape used in records."""
        return {
            "commit": self.commit,
            "digest": self.digest.as_json(),
            "source": self.source,
            "signed_by": list(self.signed_by),
        }


def document(files: Iterable[OracleFile]) -> dict[str, Any]:
    """The oracle as a JSON value, whatever order the files come in. ValueError for a path that is there twice."""
    rows = sorted(files, key=lambda row: row.path)
    if len({row.path for row in rows}) != len(rows):
        raise ValueError("a path of the oracle is there twice")
    return {"schema": SCHEMA, "files": [_row(row) for row in rows]}


def oracle_digest(files: Iterable[OracleFile]) -> Digest:
    """The digest of the document's canonical bytes."""
    return Digest.of(canonical.dumps(document(files)))


def _row(row: OracleFile) -> dict[str, Any]:
    if (row.digest is None) != (row.kind == ABSENT):
        raise ValueError(f"{row.path}: a file has a digest, and what is absent has none")
    held = {} if row.digest is None else {"sha256": row.digest.hash, "size_bytes": row.digest.size_bytes}
    return {"path": row.path, "group": row.group, "kind": row.kind, **held}
