"""What is signed about an oracle: an in-toto Statement (v1) whose one subject is the oracle's digest.

The predicate is a closed form: a field that we do not know could be a condition that we do not check. Knows nothing of
signatures.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from ..artifacts import document
from ..artifacts.document import Field
from ..digest import Digest
from ..protocol import canonical
from .oracle import SCHEMA

PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:oracle-rules:oracle:v1"
_SUBJECT = "oracle"
_REMEDY = "let an oracle owner sign anew with `oracle-rules oracle sign --key KEYFILE`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """`oracle` is what was signed; `expires` the last day on which the statement counts, None for no such day."""

    oracle: Digest
    expires: datetime.date | None


def dump_statement(statement: Statement) -> bytes:
    """The payload."""
    oracle, last = statement.oracle, statement.expires
    return canonical.dumps(
        {
            "_type": STATEMENT_TYPE,
            "subject": [{"name": _SUBJECT, "digest": {"sha256": oracle.hash}}],
            "predicateType": PREDICATE_TYPE,
            "predicate": {
                "schema": SCHEMA,
                "size_bytes": oracle.size_bytes,
                "expires": None if last is None else last.isoformat(),
            },
        }
    )


def parse_statement(payload: bytes, *, path: str) -> Statement:
    """The statement of a payload. Raises IncompleteError for one about anything but an oracle."""
    whole = document.read(payload, path=path, remedy=_REMEDY)
    fields = whole.closed(("_type", "subject", "predicateType", "predicate"))
    _exactly(fields["_type"], STATEMENT_TYPE)
    _exactly(fields["predicateType"], PREDICATE_TYPE)
    subjects = list(fields["subject"].items())
    if len(subjects) != 1:
        fields["subject"].fail(f"has to name one subject, this names {len(subjects)}")
    subject = subjects[0].closed(("name", "digest"))
    _exactly(subject["name"], _SUBJECT)
    name = subject["digest"].closed(("sha256",))["sha256"]
    predicate = fields["predicate"].closed(("schema", "size_bytes", "expires"))
    _exactly(predicate["schema"], SCHEMA)
    size = predicate["size_bytes"].integer(0, 1 << 62)
    try:
        oracle = Digest(name.words(), size)
    except ValueError as error:
        name.fail(str(error))
    return Statement(oracle=oracle, expires=None if predicate["expires"].value is None else day(predicate["expires"]))


def day(found: Field) -> datetime.date:
    """A calendar day as 2026-01-31, in no other spelling."""
    text = found.words()
    try:
        read = datetime.date.fromisoformat(text)
    except ValueError:
        found.fail(f"has to be a day such as 2026-01-31, this is {text!r}")
    if read.isoformat() != text:
        found.fail(f"has to be written {read.isoformat()}, this is {text!r}")
    return read


def _exactly(found: Field, wanted: str) -> None:
    if found.value != wanted:
        found.fail(f"has to be {wanted!r}, this is {found.value!r}")
