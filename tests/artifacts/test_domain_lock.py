"""The short form of the domain lock."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.artifacts.domains.lock import parse_domain_lock
from oracle_rules.errors import IncompleteError

FIELDS: dict[str, Any] = {
    "min_size": 0,
    "max_size": 4096,
    "alphabet": "printable",
    "max_examples": 200,
    "deadline_ms": 400,
    "seed": 20260916,
}


def read(table: Any) -> Any:
    return parse_domain_lock(json.dumps(table, indent=2).encode(), path="domain_lock.json")


def test_a_lock_is_read_and_found() -> None:
    lock = read({"parse_headers": FIELDS, "a": FIELDS | {"seed": 1}})
    assert [domain.property_id for domain in lock.domains] == ["a", "parse_headers"]
    domain = lock.find("parse_headers")
    assert dict(domain.short) == FIELDS
    assert (domain.deadline_ms, domain.seed) == (400, 20260916)
    assert lock.find("absent") is None


def test_the_fingerprint_is_that_of_the_sorted_json_with_the_name() -> None:
    text = (
        '{"parse_headers":{"alphabet":"printable","deadline_ms":400,"max_examples":200,'
        '"max_size":4096,"min_size":0,"seed":20260916}}\n'
    )
    expected = hashlib.sha256(text.encode()).hexdigest()
    assert read({"parse_headers": FIELDS}).find("parse_headers").fingerprint.hash == expected


@given(st.sampled_from(sorted(FIELDS)), st.integers(1, 99))
@settings(max_examples=50, deadline=None)
def test_every_field_and_the_name_move_the_fingerprint_and_layout_does_not(name: str, step: int) -> None:
    changed = FIELDS | {name: FIELDS[name] + (f"{step}0123456789abcdef" if name == "alphabet" else step)}
    before = read({"p": FIELDS}).domains[0].fingerprint
    assert read({"p": changed}).domains[0].fingerprint != before
    assert read({"q": FIELDS}).domains[0].fingerprint != before
    shuffled = json.dumps({"p": dict(reversed(FIELDS.items()))}).encode()
    assert parse_domain_lock(shuffled, path="d").domains[0].fingerprint == before


def test_a_space_is_an_alphabet() -> None:
    assert read({"p": FIELDS | {"alphabet": " "}}).domains[0].domain["alphabet"] == ((32, 32),)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "(top): locks no domain"),
        ([], "(top): has to be an object"),
        ({"p": {key: FIELDS[key] for key in FIELDS if key != "seed"}}, "p: has no 'seed'"),
        ({"p": FIELDS | {"filter": "x"}}, "p.filter: is not a field"),
        ({"p": FIELDS | {"min_size": -1}}, "p.min_size: has to be from 0"),
        ({"p": FIELDS | {"min_size": 5, "max_size": 4}}, "p.max_size: is 4, below min_size 5"),
        ({"p": FIELDS | {"max_examples": 0}}, "p.max_examples: has to be from 1"),
        ({"p": FIELDS | {"deadline_ms": 0}}, "p.deadline_ms: has to be from 1"),
        ({"p": FIELDS | {"deadline_ms": 400.0}}, "p.deadline_ms: has to be a whole number"),
        ({"p": FIELDS | {"seed": True}}, "p.seed: has to be a whole number, this is a boolean"),
        ({"p": FIELDS | {"seed": 2**64}}, "p.seed: has to be from 0"),
        ({"p": FIELDS | {"alphabet": ""}}, "p.alphabet: must not be empty"),
        ({"p": FIELDS | {"alphabet": 1}}, "p.alphabet: has to be text"),
        ({"p": FIELDS | {"alphabet": "printible"}}, "p.alphabet: 'printible' is taken for characters"),
        ({"p": FIELDS | {"alphabet": "ASCII"}}, "p.alphabet: 'ASCII' is taken for characters"),
        ({"p": FIELDS | {"alphabet": "utf-8"}}, "p.alphabet: 'utf-8' is taken for characters"),
        ({"": FIELDS}, '"": is no property id'),
    ],
)
def test_errors_name_the_field(table: Any, message: str) -> None:
    with pytest.raises(IncompleteError) as caught:
        read(table)
    assert caught.value.detail.startswith(message)
    assert caught.value.where.startswith("domain_lock.json:")


def test_a_missing_lock_is_incomplete() -> None:
    with pytest.raises(IncompleteError, match="does not exist"):
        parse_domain_lock(None, path="domain_lock.json")
