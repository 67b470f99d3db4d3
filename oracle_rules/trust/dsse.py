"""DSSE envelopes (github.com/secure-systems-lab/dsse, protocol 1.0): a payload, its type, and signatures over both.

Bytes are taken as they came: what is signed is the payload before anything parses it. As the protocol demands, fields
that it does not know are ignored, and `keyid` decides nothing. Base64 is taken in its standard, padded, canonical form
only, so that an envelope spells each signature in one way. Knows no key and no meaning of a payload.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..artifacts import document
from ..artifacts.document import Field
from ..errors import IncompleteError
from ..protocol import canonical

MAX_BYTES = 256 << 10
MAX_SIGNATURES = 32
_REMEDY = "give what `oracle-rules oracle sign --key KEYFILE` wrote"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """One signature; `keyid` is a hint for people and is not covered by anything."""

    keyid: str
    sig: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """A payload, its type, and signatures that nobody has checked yet."""

    payload_type: str
    payload: bytes = field(repr=False)
    signatures: tuple[Signature, ...]

    @property
    def signed(self) -> bytes:
        """What each signature has to be over."""
        return pae(self.payload_type, self.payload)


def pae(payload_type: str, payload: bytes) -> bytes:
    """The protocol's pre-authentication encoding: lengths before contents, so that two pairs never read alike."""
    kind = payload_type.encode("utf-8", "surrogatepass")
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def parse_envelope(data: bytes, *, path: str) -> Envelope:
    """The envelope of these bytes. Raises IncompleteError with the place of what is wrong."""
    if len(data) > MAX_BYTES:
        raise IncompleteError(f"has more than {MAX_BYTES} bytes", where=path, remedy=_REMEDY)
    fields = _needs(document.read(data, path=path, remedy=_REMEDY), ("payload", "payloadType", "signatures"))
    rows = list(fields["signatures"].items())
    if len(rows) > MAX_SIGNATURES:
        fields["signatures"].fail(f"has more than {MAX_SIGNATURES} signatures")
    return Envelope(
        payload_type=fields["payloadType"].words(),
        payload=_decoded(fields["payload"]),
        signatures=tuple(_signature(row) for row in rows),
    )


def dump_envelope(envelope: Envelope) -> bytes:
    """The envelope as canonical JSON."""
    rows = [{"keyid": each.keyid, "sig": _encoded(each.sig)} for each in envelope.signatures]
    return canonical.dumps(
        {"payload": _encoded(envelope.payload), "payloadType": envelope.payload_type, "signatures": rows}
    )


def strict_base64(text: str) -> bytes:
    """The bytes of standard base64 with padding, spelled in the one canonical way. Raises ValueError."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raise ValueError("is not base64") from None
    if _encoded(data) != text:
        raise ValueError("is not base64 in its canonical form")
    return data


def _signature(row: Field) -> Signature:
    fields = _needs(row, ("sig",))
    keyid = fields.get("keyid")
    if keyid is not None and keyid.value is not None and type(keyid.value) is not str:
        keyid.fail("has to be text")
    return Signature(keyid=(keyid.value if keyid else None) or "", sig=_decoded(fields["sig"]))


def _needs(found: Field, names: Sequence[str]) -> dict[str, Field]:
    """The members of an object that has these; what else it has is the business of other readers."""
    fields = dict(found.members())
    for name in names:
        if name not in fields:
            found.fail(f"has no {name!r}")
    return fields


def _decoded(found: Field) -> bytes:
    if type(found.value) is not str:
        found.fail(f"has to be base64 text, this is {document.kind(found.value)}")
    try:
        return strict_base64(found.value)
    except ValueError as error:
        found.fail(str(error))


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
