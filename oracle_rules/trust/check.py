"""Whether an oracle is signed as a trust file asks, by a table whose first row that objects decides.

Signatures are checked over the bytes that came, before anything in the payload is read. Each key of the trust file is
tried against each signature, so names that an envelope gives to keys mean nothing, and people are counted, not
signatures. Asks no clock and reads no file.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass

from ..digest import Digest
from ..errors import IncompleteError
from ..gate.codes import lookup
from ..gate.finding import Finding
from .dsse import Envelope, parse_envelope
from .ed25519 import verify
from .keys import Key, Trust
from .statement import PAYLOAD_TYPE, Statement, parse_statement

ENVELOPE = "oracle signature"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question about one envelope: is it over `oracle`, by enough people, on this day? `data` None: there is none.

    `path` is what complaints call it; a record names no path of a machine.
    """

    data: bytes | None
    trust: Trust
    oracle: Digest
    today: datetime.date
    path: str = ENVELOPE

    def envelope(self) -> Envelope:
        """The envelope; IncompleteError when it is none."""
        return parse_envelope(self.data or b"", path=self.path)

    def signers(self) -> tuple[Key, ...]:
        """Keys with a signature that is right, whether or not they count today."""
        envelope = self.envelope()
        message = envelope.signed
        return tuple(key for key in self.trust.keys
                     if any(verify(key.public, each.sig, message) for each in envelope.signatures))

    def people(self) -> tuple[str, ...]:
        """The people who signed with a key that counts today, each once."""
        return tuple(sorted({key.name for key in self.signers() if key.objection(self.today) is None}))

    def statement(self) -> Statement:
        """What was signed; only to be believed once there are enough people."""
        return parse_statement(self.envelope().payload, path=self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """`objects` says what is wrong, or None. Rows above have not objected when it is asked."""

    name: str
    code: str
    why: str
    objects: Callable[[Asked], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Either a finding, or the people whose signatures hold."""

    finding: Finding | None
    signed_by: tuple[str, ...]


def check(asked: Asked) -> Checked:
    """The answer of the table."""
    for row in ROWS:
        detail = row.objects(asked)
        if detail is not None:
            code = lookup(row.code)
            return Checked(signed_by=(), finding=Finding(
                code=code.code, lane=code.lane, subject="", detail=detail, row=row.name, remedy=code.remedy,
                edits_oracle=False))
    return Checked(finding=None, signed_by=asked.people())


def _absent(asked: Asked) -> str | None:
    return "a trust file is given and no signature" if asked.data is None else None


def _envelope_broken(asked: Asked) -> str | None:
    return _complaint(asked.envelope)


def _empty(asked: Asked) -> str | None:
    return None if asked.envelope().signatures else "the envelope holds no signature"


def _other_type(asked: Asked) -> str | None:
    kind = asked.envelope().payload_type
    return None if kind == PAYLOAD_TYPE else f"the payload's type is {kind!r}, not {PAYLOAD_TYPE!r}"


def _too_few(asked: Asked) -> str | None:
    people, needed = asked.people(), asked.trust.threshold
    if len(people) >= needed:
        return None
    refused = [f"{key.name} ({why})" for key in asked.signers() if (why := key.objection(asked.today)) is not None]
    told = [f"{len(people)} of the {needed} people who are needed have signed"]
    told += [f"signed by {', '.join(people)}"] if people else []
    return "; ".join([*told, f"not counted: {', '.join(refused)}"] if refused else told)


def _statement_broken(asked: Asked) -> str | None:
    return _complaint(asked.statement)


def _past(asked: Asked) -> str | None:
    last = asked.statement().expires
    return f"its last day was {last}" if last is not None and asked.today > last else None


def _other_oracle(asked: Asked) -> str | None:
    signed = asked.statement().oracle
    return None if signed == asked.oracle else f"signed is {signed}, this oracle is {asked.oracle}"


def _complaint(read: Callable[[], object]) -> str | None:
    try:
        read()
    except IncompleteError as error:
        return f"{error.where}: {error.detail}"
    return None


ROWS: tuple[Row, ...] = (
    Row(name="signature-absent", code="oracle_unsigned", objects=_absent,
        why="to ask for a signature and to take none for one would be to ask for nothing"),
    Row(name="envelope-broken", code="oracle_signature_invalid", objects=_envelope_broken,
        why="it is no DSSE envelope, or larger than one is read"),
    Row(name="envelope-empty", code="oracle_unsigned", objects=_empty,
        why="an envelope without a signature says nothing"),
    Row(name="payload-type", code="oracle_signature_invalid", objects=_other_type,
        why="what is signed as one kind of document is not read as another"),
    Row(name="too-few-people", code="oracle_signature_invalid", objects=_too_few,
        why="fewer people than the threshold have signed these bytes with keys that are theirs and count today"),
    Row(name="statement-broken", code="oracle_signature_invalid", objects=_statement_broken,
        why="trusted people signed something, and it is no statement about an oracle"),
    Row(name="statement-expired", code="oracle_signature_expired", objects=_past,
        why="whoever signed did not want it to count for longer"),
    Row(name="other-oracle", code="oracle_digest_mismatch", objects=_other_oracle,
        why="the signatures hold, over other files than those that would judge"),
)  # fmt: skip
