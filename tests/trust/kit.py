"""People with keys, and what they sign. Keys are made from their names, so that every run has the same."""

from __future__ import annotations

import base64
import datetime
import hashlib
import json
from typing import Any

from oracle_rules.digest import Digest
from oracle_rules.trust.check import Asked, Checked, check
from oracle_rules.trust.keys import parse_trust

from . import curve

TODAY = datetime.date(2026, 6, 15)
ORACLE = Digest.of(b"an oracle")
ADA, BO, CY = "Ada Lindqvist", "Bo Ek", "Cy Nilsson"
IN_TOTO = "application/vnd.in-toto+json"
# What every Ed25519 public key file holds before its 32 bytes: `openssl asn1parse` shows the same.
_PREFIX = bytes.fromhex("302a300506032b6570032100")


def secret(name: str) -> bytes:
    """A person's secret."""
    return hashlib.sha256(name.encode()).digest()


def pem(public: bytes) -> str:
    """A public key as openssl writes it."""
    text = base64.b64encode(_PREFIX + public).decode()
    return f"-----BEGIN PUBLIC KEY-----\n{text}\n-----END PUBLIC KEY-----\n"


def key_row(name: str, **changes: Any) -> dict[str, Any]:
    """A row of a trust file."""
    row = {"name": name, "public_key": pem(curve.sign(secret(name), b"")[0]), "valid_from": "2026-01-01",
           "valid_until": "2026-12-31", "revoked": False}  # fmt: skip
    return {**row, **changes}


def trust_file(*rows: dict[str, Any], threshold: int = 1, **changes: Any) -> bytes:
    """A trust file with these rows; Ada's alone when there are none."""
    whole = {"schema": "oracle_rules/trust/v1", "role": "oracle", "threshold": threshold,
             "keys": list(rows or [key_row(ADA)])}  # fmt: skip
    return json.dumps({**whole, **changes}).encode()


def statement(**changes: Any) -> dict[str, Any]:
    """A statement about ORACLE, written down by hand."""
    whole = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": "oracle", "digest": {"sha256": ORACLE.hash}}],
        "predicateType": "urn:oracle-rules:oracle:v1",
        "predicate": {"schema": "oracle_rules/oracle/v1", "size_bytes": ORACLE.size_bytes, "expires": None},
    }
    return {**whole, **changes}


def signature(name: str, payload: bytes, kind: str = IN_TOTO) -> bytes:
    """A person's signature, over bytes that are put together as the protocol says."""
    message = b"DSSEv1 " + str(len(kind)).encode() + b" " + kind.encode() + b" " + str(len(payload)).encode() + b" "
    return curve.sign(secret(name), message + payload)[1]


def envelope(*names: str, payload: bytes | None = None, kind: str = IN_TOTO, **changes: Any) -> bytes:
    """An envelope that these people have signed."""
    data = json.dumps(statement()).encode() if payload is None else payload
    rows = [{"keyid": name, "sig": base64.b64encode(signature(name, data, kind)).decode()} for name in names]
    whole = {"payload": base64.b64encode(data).decode(), "payloadType": kind, "signatures": rows}
    return json.dumps({**whole, **changes}).encode()


def ask(data: bytes | None, trust: bytes | None = None, *, oracle: Digest = ORACLE, today: datetime.date = TODAY) -> Checked:
    """The table's answer."""
    read = parse_trust(trust or trust_file(), path="trust.json")
    return check(Asked(data=data, trust=read, oracle=oracle, today=today))


def row_of(answer: Checked) -> str | None:
    """Which row objected; None when nobody did, and then somebody has signed."""
    assert (answer.finding is None) == bool(answer.signed_by)
    return answer.finding.row if answer.finding else None
