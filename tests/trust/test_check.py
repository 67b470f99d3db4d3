"""Who signed an oracle: every row of the table, every attack on an envelope, each beside one that is believed."""

from __future__ import annotations

import base64
import datetime
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.digest import Digest
from oracle_rules.errors import Exit, IncompleteError
from oracle_rules.gate.codes import CATALOGUE
from oracle_rules.trust import check as table
from oracle_rules.trust.check import ROWS, Asked, Checked
from oracle_rules.trust.dsse import dump_envelope, parse_envelope
from oracle_rules.trust.keys import parse_trust
from oracle_rules.trust.statement import Statement, dump_statement

from . import curve
from .kit import (
    ADA,
    BO,
    CY,
    IN_TOTO,
    ORACLE,
    TODAY,
    ask,
    envelope,
    key_row,
    row_of,
    secret,
    signature,
    statement,
    trust_file,
)

BOTH = trust_file(key_row(ADA), key_row(BO), threshold=2)


def payload(**changes: Any) -> bytes:
    return json.dumps(statement(**changes)).encode()


def predicate(**changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = {**statement()["predicate"], **changes}
    return found


def with_signatures(data: bytes, rows: list[dict[str, Any]]) -> bytes:
    return json.dumps({**json.loads(data), "signatures": rows}).encode()


def rows_of(data: bytes) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(data)["signatures"]
    return found


def test_enough_people_are_believed() -> None:
    assert ask(envelope(ADA)).signed_by == (ADA,)
    assert ask(envelope(BO, ADA), BOTH).signed_by == (ADA, BO)
    assert ask(envelope(BO, ADA, CY), BOTH).signed_by == (ADA, BO)  # a stranger's signature does no harm
    assert ask(envelope(ADA, BO), trust_file(key_row(ADA), key_row(BO))).signed_by == (ADA, BO)


def test_what_we_write_is_what_was_written_down_by_hand() -> None:
    assert json.loads(dump_statement(Statement(oracle=ORACLE, expires=None))) == statement()
    last = datetime.date(2026, 12, 31)
    assert json.loads(dump_statement(Statement(oracle=ORACLE, expires=last)))["predicate"]["expires"] == "2026-12-31"


# Row -> an envelope, a trust file and an oracle for which it objects.
FIRES: dict[str, tuple[bytes | None, bytes, Digest]] = {
    "signature-absent": (None, trust_file(), ORACLE),
    "envelope-broken": (envelope(ADA)[:-9], trust_file(), ORACLE),
    "envelope-empty": (envelope(), trust_file(), ORACLE),
    "payload-type": (envelope(ADA, kind="application/json"), trust_file(), ORACLE),
    "too-few-people": (envelope(BO), trust_file(), ORACLE),
    "statement-broken": (envelope(ADA, payload=b"{}"), trust_file(), ORACLE),
    "statement-expired": (envelope(ADA, payload=payload(predicate=predicate(expires="2026-06-14"))), trust_file(), ORACLE),
    "other-oracle": (envelope(ADA), trust_file(), Digest.of(b"another oracle")),
}


def test_every_row_has_an_example() -> None:
    assert list(FIRES) == [row.name for row in ROWS]
    assert {CATALOGUE[row.code].exit for row in ROWS} == {Exit.UNTRUSTED}


@pytest.mark.parametrize("name", FIRES)
def test_a_row_objects_and_nothing_else_would(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data, trust, oracle = FIRES[name]
    answer = ask(data, trust, oracle=oracle)
    [row] = [row for row in ROWS if row.name == name]
    assert answer.finding is not None and answer.signed_by == ()
    found = answer.finding
    assert (found.row, found.code, found.edits_oracle) == (name, row.code, False)
    assert found.detail and found.remedy
    monkeypatch.setattr(table, "ROWS", tuple(each for each in ROWS if each is not row))
    try:
        without = ask(data, trust, oracle=oracle).finding
    except IncompleteError:
        return  # a row below reads what this one would have kept from it
    assert without is None or without.row != name


def of_another_repository() -> bytes:
    """A right envelope about another oracle, with the subject's digest written over."""
    found = json.loads(envelope(ADA, payload=payload(subject=[{"name": "oracle", "digest": {"sha256": "0" * 64}}])))
    return json.dumps({**found, "payload": base64.b64encode(payload()).decode()}).encode()


def moved(kind: str) -> bytes:
    """Signed as one type, handed over as another."""
    return json.dumps({**json.loads(envelope(ADA, kind=kind)), "payloadType": IN_TOTO}).encode()


def flipped() -> bytes:
    raw = bytearray(signature(ADA, payload()))
    raw[5] ^= 1
    return with_signatures(envelope(ADA), [{"keyid": ADA, "sig": base64.b64encode(raw).decode()}])


ATTACKS: dict[str, tuple[bytes, bytes, str]] = {
    "the payload of another envelope": (of_another_repository(), trust_file(), "too-few-people"),
    "a bit of a signature": (flipped(), trust_file(), "too-few-people"),
    "the payload alone was signed": (
        with_signatures(envelope(ADA), [{"sig": base64.b64encode(curve.sign(secret(ADA), payload())[1]).decode()}]),
        trust_file(), "too-few-people"),
    "signed as another type": (moved("application/json"), trust_file(), "too-few-people"),
    "one signature twice": (with_signatures(envelope(ADA), rows_of(envelope(ADA)) * 2), BOTH, "too-few-people"),
    "one key under two ids": (
        with_signatures(envelope(ADA), [{**row, "keyid": name} for row in rows_of(envelope(ADA)) for name in (ADA, BO)]),
        BOTH, "too-few-people"),
    "a stranger under a trusted id": (
        with_signatures(envelope(CY), [{**rows_of(envelope(CY))[0], "keyid": ADA}]), trust_file(), "too-few-people"),
    "two keys of one person": (
        envelope(ADA, "Ada's other key"),
        trust_file(key_row(ADA), key_row(BO), key_row(ADA, public_key=key_row("Ada's other key")["public_key"]),
                   threshold=2), "too-few-people"),
    "a revoked key": (envelope(ADA), trust_file(key_row(ADA, revoked=True), key_row(BO)), "too-few-people"),
    "a key that has expired": (envelope(ADA), trust_file(key_row(ADA, valid_until="2026-06-14")), "too-few-people"),
    "a key that is not valid yet": (envelope(ADA), trust_file(key_row(ADA, valid_from="2026-06-16")), "too-few-people"),
    "one of two is revoked": (
        envelope(ADA, BO), trust_file(key_row(ADA), key_row(BO, revoked=True), threshold=2), "too-few-people"),
    "an empty signature": (with_signatures(envelope(ADA), [{"sig": ""}]), trust_file(), "too-few-people"),
    "another spelling of the payload's base64": (
        json.dumps({**json.loads(envelope(ADA)), "payload": json.loads(envelope(ADA))["payload"] + "\n"}).encode(),
        trust_file(), "envelope-broken"),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_on_signatures(name: str) -> None:
    data, trust, row = ATTACKS[name]
    assert row_of(ask(data, trust)) == row
    people = [key["name"] for key in json.loads(trust)["keys"]]
    plain = trust_file(*(key_row(person) for person in dict.fromkeys(people)), threshold=json.loads(trust)["threshold"])
    assert row_of(ask(envelope(*dict.fromkeys(people)), plain)) is None  # signed honestly by the same people


STATEMENTS: dict[str, dict[str, Any]] = {
    "another predicate": {"predicateType": "https://slsa.dev/provenance/v1"},
    "another statement": {"_type": "https://in-toto.io/Statement/v0.1"},
    "no subject": {"subject": []},
    "two subjects": {"subject": statement()["subject"] * 2},
    "another subject": {"subject": [{"name": "record", "digest": {"sha256": ORACLE.hash}}]},
    "another hash": {"subject": [{"name": "oracle", "digest": {"sha512": ORACLE.hash}}]},
    "two hashes": {"subject": [{"name": "oracle", "digest": {"sha256": ORACLE.hash, "sha1": "0"}}]},
    "a hash in capitals": {"subject": [{"name": "oracle", "digest": {"sha256": ORACLE.hash.upper()}}]},
    "another schema": {"predicate": predicate(schema="oracle_rules/oracle/v2")},
    "a condition we don't know": {"predicate": predicate(only_on="Mondays")},
    "a field beside": {"note": "x"},
    "no last day is left out": {"predicate": {"schema": "oracle_rules/oracle/v1", "size_bytes": ORACLE.size_bytes}},
    "a last day that is none": {"predicate": predicate(expires="soon")},
    "a size that is true": {"predicate": predicate(size_bytes=True)},
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_what_trusted_people_signed_is_no_statement_about_an_oracle(name: str) -> None:
    assert row_of(ask(envelope(ADA, payload=payload(**STATEMENTS[name])))) == "statement-broken"


def test_a_key_that_stands_twice_in_what_was_signed() -> None:
    twice = payload().replace(b'"predicateType"', b'"_type": "x", "predicateType"')
    assert row_of(ask(envelope(ADA, payload=twice))) == "statement-broken"
    assert row_of(ask(envelope(ADA, payload=json.dumps(statement(), indent=3).encode()))) is None  # layout is free


def test_size_and_hash_both_count() -> None:
    assert row_of(ask(envelope(ADA), oracle=Digest(ORACLE.hash, ORACLE.size_bytes + 1))) == "other-oracle"
    assert row_of(ask(envelope(ADA), oracle=ORACLE)) is None


def test_the_last_day_counts() -> None:
    data = envelope(ADA, payload=payload(predicate=predicate(expires=TODAY.isoformat())))
    assert row_of(ask(data)) is None
    assert row_of(ask(data, today=TODAY + datetime.timedelta(days=1))) == "statement-expired"


def test_nothing_is_said_of_a_payload_that_nobody_trusted_signed() -> None:
    """Otherwise an error about its content would be what somebody untrusted wanted to be read."""
    finding = ask(envelope(CY, payload=b'{"_type": "look here"}')).finding
    assert finding is not None and "look here" not in finding.detail and finding.row == "too-few-people"


def test_a_finding_says_who_did_not_count_and_why() -> None:
    trust = trust_file(key_row(ADA), key_row(BO, revoked=True), key_row(CY), threshold=2)
    finding = ask(envelope(ADA, BO), trust).finding
    assert finding is not None
    assert finding.detail == f"1 of the 2 people who are needed have signed; signed by {ADA}; not counted: {BO} (revoked)"


PEOPLE = st.lists(st.sampled_from([ADA, BO, CY]), max_size=5)


@given(signed=PEOPLE, trusted=st.sets(st.sampled_from([ADA, BO, CY]), min_size=1), data=st.data())
def test_the_law_of_the_threshold(signed: list[str], trusted: set[str], data: st.DataObject) -> None:
    """Believed exactly when as many different trusted people signed as the threshold says, in whatever order."""
    threshold = data.draw(st.integers(1, len(trusted)))
    answer = ask(combined(signed), trust_file(*(ROWS_OF[name] for name in sorted(trusted)), threshold=threshold))
    assert (answer.finding is None) == (len(set(signed) & trusted) >= threshold)
    if answer.finding is None:
        assert answer.signed_by == tuple(sorted(set(signed) & trusted))


ROWS_OF = {name: key_row(name) for name in (ADA, BO, CY)}
SIGNED = {name: rows_of(envelope(name))[0] for name in (ADA, BO, CY)}


def combined(names: list[str]) -> bytes:
    return with_signatures(envelope(), [SIGNED[name] for name in names])


@given(st.binary(max_size=80))
def test_noise_is_never_believed(data: bytes) -> None:
    assert row_of(ask(data)) in ("envelope-broken", "envelope-empty", "payload-type", "too-few-people")


@given(position=st.integers(0, 10_000), value=st.integers(0, 255))
def test_no_changed_byte_is_believed_to_say_something_else(position: int, value: int) -> None:
    """One byte of a signed envelope is changed: it is refused, or it still says exactly what was signed."""
    good = envelope(ADA)
    data = bytearray(good)
    data[position % len(data)] = value
    answer: Checked = ask(bytes(data))
    if answer.finding is None:
        assert parse_envelope(bytes(data), path="e").payload == parse_envelope(good, path="e").payload


def test_writing_an_envelope_anew_keeps_its_signatures() -> None:
    again = dump_envelope(parse_envelope(envelope(ADA, BO), path="e"))
    read = parse_trust(BOTH, path="t")
    assert table.check(Asked(data=again, trust=read, oracle=ORACLE, today=TODAY)).signed_by == (ADA, BO)
