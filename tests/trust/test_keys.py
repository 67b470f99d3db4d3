"""The trust file: closed, strict, and wrong in a way that says where."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest

from oracle_rules.errors import Exit, UsageError
from oracle_rules.trust import keys
from oracle_rules.trust.keys import parse_trust, public_key

from . import curve
from .kit import ADA, BO, key_row, pem, secret, trust_file


def test_what_a_trust_file_says() -> None:
    found = parse_trust(trust_file(key_row(ADA), key_row(BO, revoked=True), threshold=2), path="t")
    assert found.threshold == 2 and [key.name for key in found.keys] == [ADA, BO]
    ada, bo = found.keys
    assert ada.public == curve.sign(secret(ADA), b"")[0] and not ada.revoked and bo.revoked
    assert (ada.valid_from, ada.valid_until) == (datetime.date(2026, 1, 1), datetime.date(2026, 12, 31))


@pytest.mark.parametrize(
    ("day", "said"),
    [("2025-12-31", "not valid before 2026-01-01"), ("2026-01-01", None), ("2026-12-31", None),
     ("2027-01-01", "not valid after 2026-12-31")],
)  # fmt: skip
def test_the_first_and_the_last_day_count(day: str, said: str | None) -> None:
    [key] = parse_trust(trust_file(), path="t").keys
    assert key.objection(datetime.date.fromisoformat(day)) == said
    [gone] = parse_trust(trust_file(key_row(ADA, revoked=True)), path="t").keys
    assert gone.objection(datetime.date.fromisoformat(day)) == "revoked"


ADAS = key_row(ADA)["public_key"]
WRONG: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "not JSON": (trust_file()[:-3], "not JSON"),
    "two thresholds": (trust_file().replace(b'"role"', b'"threshold": 1, "role"'), "twice"),
    "another schema": (trust_file(schema="oracle_rules/trust/v2"), "schema"),
    "another role": (trust_file(role="record"), "role"),
    "an unknown field": (trust_file(revokd=[]), "not a field"),
    "an unknown field of a key": (trust_file(key_row(ADA, revokd=True)), "not a field"),
    "no keys": (trust_file(keys=[]), "empty"),
    "nobody is enough": (trust_file(threshold=0), "threshold"),
    "more than there are": (trust_file(threshold=2), "threshold"),
    "true is no number": (trust_file(threshold=True), "threshold"),
    "more than there are people": (
        trust_file(key_row(ADA), key_row(ADA, public_key=key_row(BO)["public_key"]), threshold=2), "threshold"),
    "one key, two people": (trust_file(key_row(ADA), key_row(BO, public_key=ADAS)), "row above"),
    "revoked is left out": (
        trust_file({key: value for key, value in key_row(ADA).items() if key != "revoked"}), "revoked"),
    "revoked is null": (trust_file(key_row(ADA, revoked=None)), "true or false"),
    "no end": (trust_file(key_row(ADA, valid_until=None)), "text"),
    "ends before it starts": (trust_file(key_row(ADA, valid_until="2025-01-01")), "before valid_from"),
    "a day in another spelling": (trust_file(key_row(ADA, valid_from="20260101")), "2026-01-01"),
    "a day that is none": (trust_file(key_row(ADA, valid_from="2026-02-30")), "day"),
    "a name on two lines": (trust_file(key_row("Ada\nBo", public_key=ADAS)), "one line"),
    "a name with a space too many": (trust_file(key_row(ADA + " ", public_key=ADAS)), "one line"),
    "no PEM": (trust_file(key_row(ADA, public_key="AAAA")), "PEM"),
    "too large": (trust_file() + b" " * keys.MAX_BYTES, "bytes"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_trust_file(name: str) -> None:
    data, said = WRONG[name]
    with pytest.raises(UsageError, match=said) as caught:
        parse_trust(data, path="t")
    assert caught.value.exit_code is Exit.USAGE and caught.value.where.startswith("t") and caught.value.remedy
    assert parse_trust(trust_file(), path="t")


@pytest.mark.parametrize("change", ["two", "private", "short", "long", "spaces", "crlf", "text before", "x25519"])
def test_what_is_no_public_key(change: str) -> None:
    raw = curve.sign(secret(ADA), b"")[0]
    good = pem(raw)
    body = good.splitlines()[1]
    wrong: dict[str, Any] = {
        "two": good + good, "private": good.replace("PUBLIC", "PRIVATE"), "short": pem(raw[:-1]),
        "long": pem(raw + b"\0"), "spaces": good.replace(body, body[:8] + " " + body[8:]),
        "crlf": good.replace("\n", "\r\n"), "text before": "key:\n" + good,
        "x25519": good.replace(body, body.replace("MCowBQYDK2Vw", "MCowBQYDK2Vu")),
    }  # fmt: skip
    assert wrong[change] != good
    with pytest.raises(ValueError, match="is n"):
        public_key(wrong[change])
    assert public_key(good) == public_key(good.rstrip("\n")) == raw


def test_the_file_is_plain_json() -> None:
    assert set(json.loads(trust_file())) == {"schema", "role", "threshold", "keys"}
