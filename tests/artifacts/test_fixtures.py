"""The manifest in both spellings, and each law beside a set that keeps it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.artifacts.fixtures import check_fixtures, parse_manifest
from oracle_rules.digest import Digest
from oracle_rules.errors import IncompleteError

WHERE = "fixtures/manifest.json"
BYTES = {"a.json": b"{}\n", "deep/b.bin": b"\x00\xff"}


def row(data: bytes, **more: Any) -> dict[str, Any]:
    return {"sha256": hashlib.sha256(data).hexdigest(), "origin": "recorded once", "purpose": "shows b"} | more


def rows() -> dict[str, Any]:
    return {name: row(data) for name, data in BYTES.items()}


def files() -> dict[str, Digest]:
    return {f"fixtures/{name}": Digest.of(data) for name, data in BYTES.items()}


def codes(table: dict[str, Any], found: dict[str, Digest]) -> list[tuple[str, str]]:
    checked = check_fixtures(parse_manifest(json.dumps(table).encode(), path=WHERE), found)
    return [(violation.code, violation.subject) for violation in checked.violations]


@pytest.mark.parametrize("wrap", [lambda t: t, lambda t: {"files": t}], ids=["flat", "under files"])
def test_both_spellings_say_the_same(wrap: Any) -> None:
    manifest = parse_manifest(json.dumps(wrap(rows())).encode(), path=WHERE)
    assert [r.path for r in manifest.rows] == ["fixtures/a.json", "fixtures/deep/b.bin"]
    assert manifest.rows[0].rewritable_by_agent is False
    checked = check_fixtures(manifest, files())
    assert checked.violations == ()
    assert dict(checked.files) == files()


def test_a_fixture_may_be_called_files() -> None:
    manifest = parse_manifest(json.dumps({"files": row(b"x")}).encode(), path="manifest.json")
    assert [r.path for r in manifest.rows] == ["files"]


def test_no_fixtures_at_all_is_a_set() -> None:
    assert codes({}, {}) == []
    assert codes({"files": {}}, {}) == []


def test_a_changed_byte_is_a_mismatch() -> None:
    assert codes(rows(), files() | {"fixtures/a.json": Digest.of(b"{ }\n")}) == [
        ("fixture_hash_mismatch", "fixtures/a.json")
    ]


def test_a_file_without_a_row_is_unmanifested() -> None:
    more = {"fixtures/c.json": Digest.of(b"1"), "elsewhere/a.json": Digest.of(b"{}\n")}
    assert codes(rows(), files() | more) == [
        ("fixture_unmanifested", "elsewhere/a.json"),
        ("fixture_unmanifested", "fixtures/c.json"),
    ]


def test_a_row_without_a_file_is_missing() -> None:
    assert codes(rows(), {"fixtures/a.json": Digest.of(b"{}\n")}) == [("fixture_missing", "fixtures/deep/b.bin")]


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [("human", True), ("Human: Ada", True), ("recorded by a human", False), ("humanoid", False), ("agent", False),
     ("human-free bot", False), ("human: bot", False), ("human: the retry\u200bbot", False), ("human \u0430gent 7", False),
     ("human: subagent", False), ("human's bot", False), ("hu\u200bman: Ada", True), ("human: Helen Talbot", True),
     ("human: Ada, the user-agent is pinned", True), ("human: Ada, list of reagents", True), ("human\tAda", True)],
)
def test_rewritable_needs_a_human_origin(origin: str, allowed: bool) -> None:
    table = rows() | {"a.json": row(BYTES["a.json"], origin=origin, rewritable_by_agent=True)}
    assert codes(table, files()) == ([] if allowed else [("fixture_agent_rewritable", "fixtures/a.json")])


def test_only_files_without_a_violation_are_given_out() -> None:
    table = rows() | {"gone": row(b"g")}
    found = files() | {"fixtures/a.json": Digest.of(b"?"), "fixtures/new": Digest.of(b"n")}
    checked = check_fixtures(parse_manifest(json.dumps(table).encode(), path=WHERE), found)
    assert list(checked.files) == ["fixtures/deep/b.bin"]
    assert len(checked.violations) == 3


@given(st.dictionaries(st.text("abc/", min_size=1, max_size=4), st.binary(max_size=3), max_size=4), st.data())
@settings(max_examples=100, deadline=None)
def test_exactly_the_pairs_that_agree_are_kept(stored: dict[str, bytes], data: st.DataObject) -> None:
    stored = {n: b for n, b in stored.items() if all(part for part in n.split("/"))}
    listed = {n: data.draw(st.sampled_from([b, b + b"!"])) for n, b in stored.items() if data.draw(st.booleans())}
    listed |= {"extra": b""} if data.draw(st.booleans()) else {}
    manifest = parse_manifest(json.dumps({n: row(b) for n, b in listed.items()}).encode(), path=WHERE)
    checked = check_fixtures(manifest, {f"fixtures/{n}": Digest.of(b) for n, b in stored.items()})
    agree = {f"fixtures/{n}" for n in stored if listed.get(n) == stored[n]}
    assert set(checked.files) == agree
    assert {v.subject for v in checked.violations} == {f"fixtures/{n}" for n in stored.keys() | listed.keys()} - agree


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"files": {"a.json": row(b"") | {"sha256": "ab"}}}, 'files."a.json".sha256: has to be 64 lower-case'),
        ({"a.json": row(b"") | {"sha256": "A" * 64}}, '"a.json".sha256: has to be 64 lower-case'),
        ({"a.json": row(b"") | {"sha256": 5}}, '"a.json".sha256: has to be text, this is a number'),
        ({"a.json": row(b"") | {"purpose": " "}}, '"a.json".purpose: must not be empty'),
        ({"a": {"sha256": "0" * 64, "purpose": "p"}}, "a: has no 'origin'"),
        ({"a": row(b"", rewritable_by_agent="no")}, "a.rewritable_by_agent: has to be true or false"),
        ({"a": row(b"", rewritable=True)}, "a.rewritable: is not a field that is known here"),
        ({"files": {}, "extra": 1}, "extra: is not a field that is known here"),
        ({"../a": row(b"")}, '"../a": is no path of a fixture: it is not normalised'),
        ({"/a": row(b"")}, '"/a": is no path of a fixture: it is absolute'),
        ({"manifest.json": row(b"")}, '"manifest.json": is the manifest itself'),
        ({"a": row(b""), "A": row(b"")}, "a: is the same path as 'A'"),
        ([], "(top): has to be an object, this is a list"),
        ({"a": 1}, "a: has to be an object, this is a number"),
    ],
)
def test_errors_name_the_field(table: Any, message: str) -> None:
    with pytest.raises(IncompleteError) as caught:
        parse_manifest(json.dumps(table, indent=1).encode(), path=WHERE)
    assert caught.value.detail.startswith(message)
    assert caught.value.where.startswith(WHERE + ":")


def test_errors_name_line_and_column() -> None:
    text = b'{\n  "files": {\n    "a.json": {"origin": "o", "purpose": "p",\n      "sha256": "xyz"}}}'
    with pytest.raises(IncompleteError) as caught:
        parse_manifest(text, path=WHERE)
    assert str(caught.value).startswith(f'{WHERE}:4:17: files."a.json".sha256: ')


def test_a_missing_manifest_is_incomplete() -> None:
    with pytest.raises(IncompleteError, match="does not exist"):
        parse_manifest(None, path=WHERE)
