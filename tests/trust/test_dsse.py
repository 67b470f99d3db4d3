"""DSSE envelopes: the protocol's own vector, strict bytes, and what an envelope may say besides."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.errors import IncompleteError
from oracle_rules.trust import dsse
from oracle_rules.trust.dsse import Envelope, Signature, dump_envelope, pae, parse_envelope, strict_base64

from .kit import ADA, envelope


def test_the_vector_of_the_protocol() -> None:
    """From protocol.md of DSSE 1.0."""
    assert pae("http://example.com/HelloWorld", b"hello world") == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"


@given(st.tuples(st.text(), st.binary()), st.tuples(st.text(), st.binary()))
def test_no_two_pairs_read_alike(first: tuple[str, bytes], second: tuple[str, bytes]) -> None:
    assert (pae(*first) == pae(*second)) == (first == second)


def test_lengths_are_of_bytes() -> None:
    assert pae("é", b"") == b"DSSEv1 2 \xc3\xa9 0 "


@given(kind=st.text(min_size=1).filter(str.strip), payload=st.binary(),
       signatures=st.lists(st.tuples(st.text(), st.binary()), max_size=3))
def test_what_is_written_reads_back(kind: str, payload: bytes, signatures: list[tuple[str, bytes]]) -> None:
    whole = Envelope(payload_type=kind, payload=payload,
                     signatures=tuple(Signature(keyid=keyid, sig=sig) for keyid, sig in signatures))
    data = dump_envelope(whole)
    assert parse_envelope(data, path="e") == whole
    assert base64.b64decode(json.loads(data)["payload"]) == payload


def test_an_unknown_field_is_ignored_as_the_protocol_demands() -> None:
    plain = parse_envelope(envelope(ADA), path="e")
    found = json.loads(envelope(ADA))
    found["signatures"][0] |= {"cert": "x", "threshold": 0}
    assert parse_envelope(json.dumps({**found, "extra": [1], "payload_": ""}).encode(), path="e") == plain


@pytest.mark.parametrize("keyid", [None, "", "absent"])
def test_an_unset_keyid_is_an_empty_one(keyid: str | None) -> None:
    found = json.loads(envelope(ADA))
    if keyid == "absent":
        del found["signatures"][0]["keyid"]
    else:
        found["signatures"][0]["keyid"] = keyid
    assert parse_envelope(json.dumps(found).encode(), path="e").signatures[0].keyid == ""


def changed(**changes: Any) -> bytes:
    return json.dumps({**json.loads(envelope(ADA)), **changes}).encode()


BROKEN = {
    "empty": (b"", "empty"),
    "truncated": (envelope(ADA)[:-20], "not JSON"),
    "a list": (b"[]", "has to be an object"),
    "no payload": (json.dumps({"payloadType": "x", "signatures": []}).encode(), "payload"),
    "no type": (json.dumps({"payload": "", "signatures": []}).encode(), "payloadType"),
    "no signatures": (json.dumps({"payload": "", "payloadType": "x"}).encode(), "signatures"),
    "two payloads": (envelope(ADA).replace(b'{"payload":', b'{"payload": "AAAA", "payload":', 1), "twice"),
    "payload is a number": (changed(payload=1), "base64"),
    "payload is not ASCII": (changed(payload="é"), "base64"),
    "signatures is an object": (changed(signatures={}), "list"),
    "a signature is text": (changed(signatures=["x"]), "object"),
    "a signature without sig": (changed(signatures=[{"keyid": "x"}]), "'sig'"),
    "keyid is a list": (changed(signatures=[{"keyid": ["x"], "sig": ""}]), "text"),
    "too many": (changed(signatures=[{"sig": ""}] * (dsse.MAX_SIGNATURES + 1)), "signatures"),
    "too large": (changed(extra="x" * dsse.MAX_BYTES), "bytes"),
    "byte order mark": (b"\xef\xbb\xbf" + envelope(ADA), "byte order mark"),
    "not UTF-8": (b"\xff" + envelope(ADA), "UTF-8"),
    "two documents": (envelope(ADA) * 2, "not JSON"),
    "a thousand lists": (b"[" * 1000 + b"]" * 1000, "deep"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_envelope(name: str) -> None:
    data, said = BROKEN[name]
    with pytest.raises(IncompleteError, match=said):
        parse_envelope(data, path="e")
    assert parse_envelope(envelope(ADA), path="e").signatures


@pytest.mark.parametrize("text", ["AA", "AA=", "AB==", "AA==\n", " AA==", "AA==AA==", "_-8=", "A A==", "AA==!", "=", "Ä==="])
def test_base64_in_another_spelling(text: str) -> None:
    """Each of these would be taken by a forgiving decoder."""
    with pytest.raises(ValueError, match="base64"):
        strict_base64(text)


@given(st.binary())
def test_base64_in_its_own_spelling(data: bytes) -> None:
    assert strict_base64(base64.b64encode(data).decode()) == data
