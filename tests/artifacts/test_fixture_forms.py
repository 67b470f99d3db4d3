"""The form of JSON fixtures, what line endings explain, and the laws and layout of a changed row; each beside its control."""

from __future__ import annotations

import decimal
import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.artifacts import fixture_rows
from oracle_rules.artifacts.fixture_forms import check_forms, line_endings, lost_number, not_canonical
from oracle_rules.artifacts.fixture_rows import LAWS, Wish, renew
from oracle_rules.artifacts.fixtures import parse_manifest
from oracle_rules.artifacts.violation import Violation
from oracle_rules.errors import IncompleteError
from oracle_rules.gate.codes import CATALOGUE

WHERE = "fixtures/manifest.json"


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def row(data: bytes, **more: Any) -> dict[str, Any]:
    return {"sha256": sha(data), "origin": "recorded once", "purpose": "shows b"} | more


@pytest.mark.parametrize("data", [b'{"a":1,"b":[2,3.5,"\\u00e9"]}\n', b'{"a":1}', b"[]", b"null\n", b'"\\ud83d\\ude00"'])
def test_canonical_bytes_with_one_line_feed_or_none(data: bytes) -> None:
    assert not_canonical(data) is None


@pytest.mark.parametrize(("data", "line", "column"), [
    (b'{"a": 1}', 1, 6), (b'{"b":1,"a":2}', 1, 3), (b'{"a":1}\n\n', 2, 1), (b'{"a":1}\r\n', 1, 8), (b"[1,\n2]\n", 1, 4),
    (b"1.50\n", 1, 4), ('["\u00e9"]'.encode(), 1, 3), (b'["\\/"]', 1, 3), (b'["\\u00E9"]', 1, 7), (b" 1", 1, 1), (b"1E3", 1, 2),
    ('["\u00e9\u00e9",  1]'.encode(), 1, 3)])
def test_other_layouts_and_where_they_leave_the_form(data: bytes, line: int, column: int) -> None:
    found = not_canonical(data)
    assert found is not None and (found.line, found.column) == (line, column) and "canonical form" in found.detail


@pytest.mark.parametrize(("data", "line", "column", "number"), [
    (b'{"a": [1,\n 0.12345678901234567890123]}', 2, 2, "0.12345678901234567890123"), (b"-0", 1, 1, "-0"),
    (b"[9007199254740993.0]", 1, 2, "9007199254740993.0"), (b"1e-400", 1, 1, "1e-400"), (b"-0.0e-1 ", 0, 0, ""),
    (b"1e-" + b"9" * 5000, 1, 1, "1e-999"), (b"0.1000000000000000055511151231257827021181583404541015625", 1, 1, "0.1000"),
    (b'{"-0": "-0", "b": 0}', 0, 0, ""), (b"9007199254740993 ", 0, 0, ""), (b"1.50", 0, 0, ""), (b"1E3", 0, 0, ""),
    (b"100000000000000000000000.0", 0, 0, "")])  # fmt: skip
def test_a_number_that_would_become_another(data: bytes, line: int, column: int, number: str) -> None:
    """Refused by its place; the controls, at line 0, are other spellings of the same number."""
    lost = lost_number(data)
    assert (lost is not None) is bool(number)
    if lost is not None:
        assert (lost.line, lost.column) == (line, column) and f"holds the number {number}" in lost.detail
        assert not_canonical(data) == lost


@given(st.decimals(allow_nan=False, allow_infinity=False) | st.from_regex(r"-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?", fullmatch=True))
@settings(max_examples=200, deadline=None)
def test_what_is_lost_is_what_exact_arithmetic_says(number: Any) -> None:
    text = str(number).lower().replace("e+", "e")
    try:
        kept = json.dumps(json.loads(text), allow_nan=False)
    except ValueError:
        return  # larger than any float
    one, other = decimal.Decimal(text), decimal.Decimal(kept)
    with decimal.localcontext() as context:
        context.prec = 1000
        same = one.compare(other) == 0 and (text.startswith("-") == kept.startswith("-"))
    assert (lost_number(text.encode()) is None) is same


@pytest.mark.parametrize(("data", "place"), [
    (b"", (1, 1)), (b"{", (1, 2)), (b'{"a":1,\n"a":1}', (2, 5)), (b"[1,\n NaN]", (2, 2)), (b"[1,1e999]", (1, 4)),
    (b"\xff", (0, 0)), (b"\xef\xbb\xbf1", (1, 1))])
def test_what_is_no_json(data: bytes, place: tuple[int, int]) -> None:
    found = not_canonical(data)
    assert found is not None and (found.line, found.column) == place and "is not JSON" in found.detail


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=3), lambda inner: st.lists(inner, max_size=3)
                    | st.dictionaries(st.text(max_size=2), inner, max_size=3), max_leaves=5), st.sampled_from([None, 0, 1, 2]))
@settings(max_examples=100, deadline=None)
def test_the_form_is_what_the_standard_library_writes(value: Any, indent: int | None) -> None:
    """For keys that sort alike by characters and by bytes, which these do below U+D800."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":") if indent is None else None, indent=indent)
    plain = json.dumps(value, sort_keys=True, separators=(",", ":"))
    if all(ord(char) < 0xD800 for key in _keys(value) for char in key):
        assert (not_canonical(text.encode()) is None) == (text == plain)


def _keys(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(key for item in value.values() for key in _keys(item))]
    return [key for item in value for key in _keys(item)] if isinstance(value, list) else []


def forms(name: str, data: bytes, **more: Any) -> list[tuple[str, str]]:
    manifest = parse_manifest(json.dumps({name: row(data, **more)}).encode(), path=WHERE)
    return [(each.code, each.subject) for each in check_forms(manifest, {f"fixtures/{name}": data})]


def test_json_is_held_to_its_form_by_name_unless_its_row_says_bytes() -> None:
    loose = b'{"a": 1}'
    assert forms("a.json", loose) == [("fixture_not_canonical", "fixtures/a.json")]
    assert forms("a.json", b"{") == [("fixture_not_canonical", "fixtures/a.json")]
    assert forms("a.json", loose, form="bytes") == forms("a.json", b"{", form="bytes") == []
    assert forms("a.json", b'{"a":1}') == forms("a.txt", loose) == forms("a.jsonl", loose) == []


@pytest.mark.parametrize("form", ["json", "Bytes", "", 1, None])
def test_there_is_one_form_to_name(form: Any) -> None:
    with pytest.raises(IncompleteError, match="form"):
        parse_manifest(json.dumps({"a.json": row(b"", form=form)}).encode(), path=WHERE)


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r\n", b"\r", b""]), max_size=6).map(b"".join))
@settings(max_examples=100, deadline=None)
def test_line_endings_are_named_exactly_when_they_are_all_the_difference(data: bytes) -> None:
    lf = data.replace(b"\r\n", b"\n")
    crlf = lf.replace(b"\n", b"\r\n")
    for other in {lf, crlf} - {data}:
        found = line_endings(data, sha(other))
        assert found is not None and "git, or an editor, converted it" in found
    assert line_endings(data, sha(data)) is None and line_endings(data, sha(data + b"!")) is None


def said(data: bytes | None = None, *, before: dict[str, Any] | None = None, name: str = "a.txt", **wish: Any) -> str:
    """The code of the law that stands against a renewal; empty when it is written."""
    manifest = json.dumps({name: before} if before else {}).encode()
    wanted = Wish(**{"origin": "human: Ada", "purpose": "new", **wish})
    answer = renew(manifest, manifest=WHERE, path=f"fixtures/{name}", contents=data or b"x", wish=wanted)
    return answer.code if isinstance(answer, Violation) else ""


# (law by index, what breaks it, what keeps it with one thing changed)
LAW_CASES: list[tuple[int, dict[str, Any], dict[str, Any]]] = [
    (0, {"name": "a.json", "data": b"{ }"}, {"name": "a.json", "data": b"{}"}),
    (0, {"name": "a.json", "data": b"{ }"}, {"name": "a.json", "data": b"{ }", "form": "bytes"}),
    (1, {"origin": "a crawler", "rewritable_by_agent": True}, {"origin": "human", "rewritable_by_agent": True}),
    (1, {"origin": "a crawler", "before": row(b"x", rewritable_by_agent=True)}, {"origin": "a crawler", "before": row(b"x")}),
    (2, {"origin": "a crawler", "before": row(b"old")}, {"origin": "human: Ada", "before": row(b"old")}),
    (3, {"purpose": "shows b", "before": row(b"old")}, {"purpose": "shows b", "before": row(b"x")}),
]


@pytest.mark.parametrize(("number", "broken", "kept"), LAW_CASES)
def test_each_law_of_a_row_beside_a_change_that_keeps_it(number: int, broken: dict[str, Any], kept: dict[str, Any],
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(**broken) == LAWS[number].code and LAWS[number].code in CATALOGUE
    assert said(**kept) == ""
    monkeypatch.setattr(fixture_rows, "LAWS", LAWS[:number] + LAWS[number + 1 :])
    assert said(**broken) == ""  # no other law would have stood against it


LAYOUTS = {
    "rows at the top, canonical": b'{"b.txt":{"origin":"o","purpose":"p","sha256":"%s"}}\n',
    "under files, canonical, no line feed": b'{"files":{"b.txt":{"origin":"o","purpose":"p","sha256":"%s"}}}',
    "under files, two spaces": b'{\n  "files": {\n    "b.txt": {\n      "sha256": "%s",\n      "origin": "o",\n      "purpose": "p"\n    }\n  }\n}\n',
    "at the top, four spaces, not in order": b'{\n    "z.txt": {"sha256": "%s", "origin": "o", "purpose": "p"},\n'
    b'    "b.txt": {"sha256": "%s", "origin": "o", "purpose": "p"}\n}\n',
}


@pytest.mark.parametrize("layout", LAYOUTS, ids=list(LAYOUTS))
def test_the_layout_of_a_manifest_is_kept(layout: str) -> None:
    old = LAYOUTS[layout].replace(b"%s", sha(b"b").encode())
    new = renew(old, manifest=WHERE, path="fixtures/deep/a.txt", contents=b"x", wish=Wish(origin="human", purpose="p"))
    assert isinstance(new, bytes)
    before, after = parse_manifest(old, path=WHERE), parse_manifest(new, path=WHERE)
    assert set(before.rows) < set(after.rows) and {r.path for r in after.rows} - {r.path for r in before.rows} == {"fixtures/deep/a.txt"}
    assert ("files" in json.loads(new)) == ("files" in json.loads(old))
    assert (b"\n " in new) == (b"\n " in old) and new.endswith(b"}\n")
    if "four spaces" in layout:
        assert b'\n    "z.txt"' in new and list(json.loads(new)) == ["z.txt", "b.txt", "deep/a.txt"]
    else:
        rows = json.loads(new).get("files", json.loads(new))
        assert list(rows) == sorted(rows)


def test_a_row_that_is_renewed_keeps_what_was_not_asked_for() -> None:
    old = json.dumps({"a.json": row(b"{", form="bytes", rewritable_by_agent=True, origin="human: Ada")}).encode()
    new = renew(old, manifest=WHERE, path="fixtures/a.json", contents=b"{{", wish=Wish(origin="human: Bo", purpose="other"))
    assert isinstance(new, bytes)
    [found] = parse_manifest(new, path=WHERE).rows
    assert (found.form, found.rewritable_by_agent, found.sha256, found.origin) == ("bytes", True, sha(b"{{"), "human: Bo")
