"""The trust file: whose signatures count for an oracle, since when, until when, and how many people it takes.

Knows nothing of envelopes. It comes from whoever scores, so a mistake in it is a mistake of the command (exit 2).
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from ..artifacts import document
from ..artifacts.document import Field
from ..errors import IncompleteError, UsageError
from .dsse import strict_base64
from .statement import day

SCHEMA, ROLE = "oracle_rules/trust/v1", "oracle"
MAX_BYTES = 256 << 10
MAX_KEYS = 64
_REMEDY = "see docs/protect-the-oracle.md for the form of a trust file"
_BEGIN, _END = "-----BEGIN PUBLIC KEY-----\n", "\n-----END PUBLIC KEY-----"
# RFC 8410: what stands before the 32 bytes in every SubjectPublicKeyInfo of an Ed25519 key.
_ED25519 = bytes.fromhex("302a300506032b6570032100")
_P = 2**255 - 19
# The y of the eight points of small order (RFC 7748, 6.1, speaks of them). Under such a key anybody can sign anything.
_SMALL_ORDER = frozenset(
    {0, 1, _P - 1}
    | {
        int.from_bytes(bytes.fromhex(text), "little")
        for text in (
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        )
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A person's Ed25519 key (32 bytes); it counts from the first to the last of its days, both included."""

    name: str
    public: bytes
    valid_from: datetime.date
    valid_until: datetime.date
    revoked: bool

    def objection(self, today: datetime.date) -> str | None:
        """Why a signature by this key does not count today, or None."""
        if self.revoked:
            return "revoked"
        if today < self.valid_from:
            return f"not valid before {self.valid_from}"
        return f"not valid after {self.valid_until}" if today > self.valid_until else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """`threshold` is how many different people have to have signed."""

    threshold: int
    keys: tuple[Key, ...]


def parse_trust(data: bytes, *, path: str) -> Trust:
    """The trust file of these bytes. Raises UsageError with the place of what is wrong."""
    if len(data) > MAX_BYTES:
        raise UsageError(f"has more than {MAX_BYTES} bytes", where=path, remedy=_REMEDY)
    try:
        return _trust(document.read(data, path=path, remedy=_REMEDY))
    except IncompleteError as error:
        raise UsageError(error.detail, where=error.where, remedy=error.remedy) from None


def public_key(pem: str) -> bytes:
    """The 32 bytes of an Ed25519 public key as `openssl pkey -pubout` writes it. Raises ValueError."""
    text = pem.removesuffix("\n")
    if not text.startswith(_BEGIN) or not text.endswith(_END):
        raise ValueError("is no PEM text of one public key")
    data = strict_base64(text[len(_BEGIN) : -len(_END)])
    raw = data.removeprefix(_ED25519)
    if len(raw) != 32 or len(data) != len(_ED25519) + 32:
        raise ValueError("is no Ed25519 key")
    y = int.from_bytes(raw, "little") & (2**255 - 1)
    if y >= _P or y in _SMALL_ORDER:
        raise ValueError("is a key under which anybody can sign")
    return raw


def _trust(whole: Field) -> Trust:
    fields = whole.closed(("schema", "role", "threshold", "keys"))
    for name, wanted in (("schema", SCHEMA), ("role", ROLE)):
        if fields[name].value != wanted:
            fields[name].fail(f"has to be {wanted!r}")
    rows = list(fields["keys"].items())
    if len(rows) > MAX_KEYS:
        fields["keys"].fail(f"has more than {MAX_KEYS} keys")
    keys = tuple(_key(row) for row in rows)
    for number, key in enumerate(keys):
        if key.public in {earlier.public for earlier in keys[:number]}:
            rows[number].fail("is the key of a row above")
    people = {key.name for key in keys}
    if not people:
        fields["keys"].fail("must not be empty")
    return Trust(threshold=fields["threshold"].integer(1, len(people)), keys=keys)


def _key(row: Field) -> Key:
    fields = row.closed(("name", "public_key", "valid_from", "valid_until", "revoked"))
    first, last = day(fields["valid_from"]), day(fields["valid_until"])
    if last < first:
        fields["valid_until"].fail(f"is before valid_from, {first}")
    try:
        public = public_key(fields["public_key"].words())
    except ValueError as error:
        fields["public_key"].fail(str(error))
    name = fields["name"].words()
    if name != " ".join(name.split()) or not name.isprintable():
        fields["name"].fail("has to be a name on one line, single spaces between its words")
    return Key(name=name, public=public, valid_from=first, valid_until=last, revoked=fields["revoked"].flag())
