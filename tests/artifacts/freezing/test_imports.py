"""Each shape that people have becomes native rows; what it doesn't say is asked for and never made up."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.artifacts.freezing.imports import answered, lacking, native, read_foreign
from oracle_rules.artifacts.freezing.laws import check_freeze
from oracle_rules.artifacts.freezing.layout import render, with_row, without_rows
from oracle_rules.artifacts.freezing.ledger import FreezeRow, parse_freeze
from oracle_rules.artifacts.freezing.shapes import ASKS, ORDER, SHAPES
from oracle_rules.errors import IncompleteError

from .rows import DAY, LAWFUL, row

FREEZES = b"""# what the team had
budget: 3
freezes:
  - id: FZ-014
    nodeid: tests/test_retry.py::TestClock::test_wall_clock_moves
    class: time-dependent
    evidence: went backwards once under a clock step, 1 of 4000 runs
    owner: Ada Lindqvist
    expires: 2026-10-08
    agent_may_extend: false
"""
REGISTER = b"""{"tests/test_a.py::test_b": {"last green revision": "3f2a91c", "suspected seam": "clock", "owner": "@ada",
 "expires": "2026-10-08", "allowed action": "quarantine only"}}"""
PROFILE = b'{"profile": "patch-gate", "seed": 20260830, "env": {"TZ": "UTC"}, "freeze": ["test_legacy_race"]}'
EXCLUDED = b"""{"excluded_property_ids": ["prop.http.retry_after_parse"],
 "reason": {"prop.http.retry_after_parse": "r"}}"""


def asked(data: bytes, path: str = "x.yaml") -> list[str]:
    return [f"{lack.row}:{lack.field}" for lack in lacking(read_foreign(data, path=path))]


def test_rows_under_freezes() -> None:
    draft = read_foreign(FREEZES, path="ledger.yaml")
    assert draft.budget == 3
    [got] = draft.rows
    assert got == {name: LAWFUL[name] for name in ("nodeid", "evidence", "owner")} | {
        "id": "FZ-014", "class": "time-dependent", "expires": "2026-10-08", "agent_may_extend": False}  # fmt: skip
    assert asked(FREEZES) == ["FZ-014:seam", "FZ-014:last_green"]


def test_a_register_by_node_id() -> None:
    [got] = read_foreign(REGISTER, path="register.json").rows
    name = "tests/test_a.py::test_b"
    assert got == {"id": name, "nodeid": name, "last_green_revision": "3f2a91c", "seam": "clock", "owner": "@ada",
                   "expires": "2026-10-08"}  # fmt: skip
    lacks = [f"{name}:{field}" for field in ("class", "evidence", "last_green")]
    assert asked(REGISTER, "register.json") == [":budget", *lacks]


@pytest.mark.parametrize(("value", "field"), [("3f2a91c", "last_green_revision"), ("1234567", "last_green_revision"),
                                              ("2026-09-01", "last_green")])  # fmt: skip
def test_last_green_of_a_register_is_a_revision_unless_it_is_a_day(value: str, field: str) -> None:
    [got] = read_foreign(f"a.py::t:\n  last_green: {value}\n".encode(), path="register.yml").rows
    assert got[field] == value and len(got) == 3


def test_a_list_in_a_profile() -> None:
    draft = read_foreign(PROFILE, path="patch-gate.json")
    assert draft.rows == ({"id": "test_legacy_race"},)
    wanted = [f"test_legacy_race:{name}" for name in "nodeid class seam evidence owner last_green expires".split()]
    assert asked(PROFILE, "patch-gate.json") == [":budget", *wanted]
    exact = PROFILE.replace(b"test_legacy_race", b"t.py::test_legacy_race")
    assert "t.py::test_legacy_race:nodeid" not in asked(exact, "patch-gate.json")


def test_excluded_ids_with_reasons() -> None:
    [got] = read_foreign(EXCLUDED, path="freeze.json").rows
    name = "prop.http.retry_after_parse"
    assert got == {"id": name, "property": name, "evidence": "r"}
    lacks = [f"{name}:{field}" for field in "class seam owner last_green expires".split()]
    assert asked(EXCLUDED, "freeze.json") == [":budget", *lacks]
    silent = b'{"excluded_property_ids": ["a"]}'
    assert "a:evidence" in asked(silent, "freeze.json")


@pytest.mark.parametrize(("data", "path"), [(FREEZES, "l.yaml"), (REGISTER, "r.json"), (PROFILE, "p.json"),
                                            (EXCLUDED, "f.json")])  # fmt: skip
def test_a_draft_is_refused_until_it_is_answered(data: bytes, path: str) -> None:
    draft = read_foreign(data, path=path)
    written = render(native(draft))
    with pytest.raises(IncompleteError, match="null"):
        parse_freeze(written, path="freeze.json")
    assert read_foreign(written, path="freeze.draft.json").rows == tuple(
        {"agent_may_extend": False, **got} for got in draft.rows
    )
    values = {**LAWFUL, "budget": 3}
    if data is EXCLUDED:
        draft = answered(draft, b'{"rows": {"prop.http.retry_after_parse": {"skew": "+1 s"}}}', path="first.json")
    given: dict[str, Any] = {"budget": 3, "rows": {}}
    for lack in lacking(draft):
        if lack.row:
            given["rows"].setdefault(lack.row, {})[lack.field] = values[lack.field]
    full = answered(draft, json.dumps(given).encode(), path="answers.json")
    assert lacking(full) == ()
    ledger = parse_freeze(render(native(full)), path="freeze.json")
    broken = [found.row for found in check_freeze(ledger, today=DAY)]
    assert broken == (["evidence-says"] if data is EXCLUDED else [])


def test_the_class_decides_what_else_is_asked() -> None:
    for kind, field in (("order", "order"), ("time-dependent", "skew")):
        plain = row(kind=kind, evidence="came too late on a busy worker")
        text = json.dumps({"budget": 1, "rows": [plain]}).encode()
        assert asked(text, "x.json") == [f"FRZ-0001:{field}"]
        assert asked(json.dumps({"budget": 1, "rows": [plain | {field: "x"}]}).encode(), "x.json") == []
    assert asked(json.dumps({"budget": 1, "rows": [row()]}).encode(), "x.json") == []


ANSWERS = {
    '{"budget": 4}': "budget: is given as 3",
    '{"rows": {"FZ-15": {}}}': 'rows."FZ-15": is no row of the import; its rows are FZ-014',
    '{"rows": {"FZ-014": {"owner": "Grace Hopper"}}}': "is given as 'Ada Lindqvist'",
    '{"rows": {"FZ-014": {"id": "x"}}}': "is not a field",
    '{"rows": {"FZ-014": {"last_green": "yesterday"}}}': "has to be a day",
    '{"rows": {"FZ-014": {"agent_may_extend": true}}}': "is given as False",
    '{"row": {}}': "is not a field",
}


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_that_fits_nothing_is_refused(text: str) -> None:
    draft = read_foreign(FREEZES, path="l.yaml")
    with pytest.raises(IncompleteError) as caught:
        answered(draft, text.encode(), path="answers.json")
    assert ANSWERS[text] in caught.value.detail
    assert caught.value.where.startswith("answers.json:1:")


def test_an_answer_may_repeat_what_is_given() -> None:
    draft = read_foreign(FREEZES, path="l.yaml")
    text = b'{"budget": 3, "rows": {"FZ-014": {"owner": "Ada Lindqvist", "seam": null}}}'
    assert answered(draft, text, path="a.json") == draft


BAD: dict[str, tuple[bytes, str]] = {
    "twice": (b"budget: 1\nbudget: 2\nfreezes: []\n", "x.yaml:2:1: budget: stands twice"),
    "deep twice": (b"freezes:\n - {id: a, id: b}\n", "x.yaml:2:12: freezes[0].id: stands twice"),
    "alias": (b"freezes: [&a {id: x}, *a]\n", "holds an anchor"),
    "alias alone": (b"freezes: [*a]\n", "x.yaml:1:11: holds an alias"),
    "merge": (b"freezes: [{<<: {id: x}}]\n", "is not a field"),
    "tag": (b"freezes: !!python/object/apply:os.system [ls]\n", "x.yaml:1:10: holds a tag"),
    "two": (b"freezes: []\n---\nfreezes: []\n", "has a second document"),
    "deep": (b"freezes: " + b"[" * 60 + b"]" * 60, "is nested deeper"),
    "broken": (b"freezes: [\n", "x.yaml:2:1: is not YAML"),
    "control": (b"freezes: \x01\n", "is not YAML"),
    "no such character": (b'freezes: "\\UFFFFFFFF"\n', "is not YAML"),
    "empty": (b"# nothing\n", "is empty"),
    "no utf-8": (b"freezes: \xff\n", "x.yaml:1:10: is not UTF-8"),
    "large": (b"#" + b"x" * (1 << 20), "is larger"),
    "key is a list": (b"freezes: [{[a]: b}]\n", "has a key that is no text"),
    "two shapes": (b"freezes: []\nrows: []\n", "could be native or freezes; say which with --shape"),
    "unknown field": (b"freezes:\n  - id: a\n    nodeid: a.py::t\n    note: x\n", "x.yaml:4:11: freezes[0].note: is not"),
    "date": (b"freezes:\n  - id: a\n    expires: 2026-1-2\n", "x.yaml:3:14: freezes[0].expires: has to be a day"),
    "timestamp": (b"freezes:\n  - id: a\n    expires: 2026-01-02T00:00:00Z\n", "has to be a day"),
    "yes": (b"freezes:\n  - id: a\n    agent_may_extend: no\n", "has to be true or false, this is text"),
    "both": (b"freezes: [{id: a, nodeid: 'a.py::t', property: p}]", "exactly one of"),
    "nothing frozen": (b"freezes: [{owner: Ada}]", "neither id, property nor nodeid"),
    "same id": (b"freezes: [{id: a}, {id: a}]", "has 2 rows that are called 'a'"),
    "register allows more": (b"a.py::t: {action: delete}", "allows more than quarantine"),
    "register of texts": (b"a.py::t: flaky", "has to be an object, this is text"),
    "other reason": (b'{"excluded_property_ids": [], "reason": {"a": "x"}}', "gives a reason for"),
    "other id": (b"a.py::t: {test_id: 'a.py::u'}", "under another node id"),
    "list": (b"[]", "has to be an object, this is a list"),
    "nothing": (b"{}", "holds nothing"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_can_not_be_read_is_refused_with_its_place(name: str) -> None:
    data, message = BAD[name]
    with pytest.raises(IncompleteError) as caught:
        read_foreign(data, path="x.yaml")
    assert message in f"{caught.value.where}: {caught.value.detail}"
    assert caught.value.where.startswith("x.yaml")


def test_plain_scalars_are_what_stands_there() -> None:
    text = b"a.py::t:\n  owner: 'true'\n  seam: yes\n  evidence: 1e3\n  class: 010\n  last_green_revision: 7\n"
    [got] = read_foreign(text, path="x.yaml").rows
    assert [got[name] for name in ("owner", "seam", "evidence", "class", "last_green_revision")] == [
        "true", "yes", "1e3", "010", "7"]  # fmt: skip
    assert read_foreign(b"freezes: []\nbudget: ~\n", path="x.yaml").budget is None


def test_the_shape_may_be_named() -> None:
    text = b"rows: {class: order}\n"
    assert read_foreign(text, path="x.yaml", shape="register").rows == ({"id": "rows", "nodeid": "rows", "class": "order"},)


few = settings(max_examples=30)


# Round trips: what a team had, written by hand below, is what the native ledger says of the fields that both have.
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=12).filter(
    lambda text: bool(text.strip())
)
DATES = st.dates().map(lambda day: day.isoformat())
IDS = st.lists(WORDS, unique=True, min_size=1, max_size=4)


@st.composite
def rows(draw: st.DrawFn) -> list[dict[str, Any]]:
    fields = {"class": WORDS, "seam": WORDS, "evidence": WORDS, "owner": WORDS, "last_green": DATES, "expires": DATES,
              "order": WORDS, "skew": WORDS, "last_green_revision": st.from_regex(r"[0-9a-f]{7,12}", fullmatch=True),
              "agent_may_extend": st.booleans()}  # fmt: skip
    found = []
    for name in draw(IDS):
        thing = draw(st.sampled_from(["property", "nodeid"]))
        found.append({"id": name, thing: draw(WORDS), **draw(st.fixed_dictionaries(fields))})
    return found


def said(got: FreezeRow) -> dict[str, Any]:
    """The native row as fields, by a second way."""
    return {"id": got.id, ("property" if got.property_id is not None else "nodeid"): got.thing, "class": got.kind,
            "seam": got.seam, "evidence": got.evidence, "owner": got.owner, "last_green": str(got.last_green),
            "expires": str(got.expires), "order": got.order, "skew": got.skew,
            "last_green_revision": got.last_green_revision, "agent_may_extend": got.agent_may_extend}  # fmt: skip


def resolved(one: dict[str, Any]) -> dict[str, Any]:
    return one | {"class": {"clock": "time-dependent", "time": "time-dependent", "order": "order-dependent"}.get(
        one["class"], one["class"])}  # fmt: skip


@few
@given(rows(), st.sampled_from(["yaml", "json"]))
def test_freezes_round_trip(given_rows: list[dict[str, Any]], form: str) -> None:
    document = {"budget": 9, "freezes": given_rows}
    text = json.dumps(document) if form == "json" else yaml.safe_dump(document, allow_unicode=True)
    draft = read_foreign(text.encode(), path=f"ledger.{form}")
    ledger = parse_freeze(render(native(draft)), path="freeze.json")
    assert [said(got) for got in ledger.rows] == [resolved(one) for one in given_rows]
    assert ledger.budget == 9


@few
@given(rows(), st.booleans())
def test_registers_round_trip(given_rows: list[dict[str, Any]], spaced: bool) -> None:
    names = {"last_green_revision": "last green revision", "seam": "suspected seam"} if spaced else {}
    register = {one["id"]: {names.get(key, key): value for key, value in one.items()
                            if key not in ("id", "property", "nodeid", "agent_may_extend")} | {"action": "quarantine"}
                for one in given_rows}  # fmt: skip
    draft = read_foreign(json.dumps(register).encode(), path="register.json", shape="register")
    full = answered(draft, b'{"budget": 0}', path="a.json")
    ledger = parse_freeze(render(native(full)), path="freeze.json")
    assert {got.id: said(got) for got in ledger.rows} == {
        one["id"]: resolved({key: value for key, value in one.items() if key not in ("property", "nodeid")})
        | {"nodeid": one["id"], "agent_may_extend": False} for one in given_rows
    }  # fmt: skip


@given(st.dictionaries(WORDS, WORDS, min_size=1, max_size=5))
def test_excluded_ids_and_profiles_round_trip(reasons: dict[str, str]) -> None:
    text = json.dumps({"excluded_property_ids": list(reasons), "reason": reasons}).encode()
    drafted = native(read_foreign(text, path="f.json"))
    assert {got["property"]: got["evidence"] for got in drafted["rows"]} == reasons
    assert all(got["owner"] is got["class"] is got["expires"] is got["seam"] is None for got in drafted["rows"])
    profile = json.dumps({"profile": "p", "freeze": list(reasons)}).encode()
    assert [got["id"] for got in native(read_foreign(profile, path="p.json"))["rows"]] == list(reasons)


@few
@given(rows())
def test_a_native_draft_is_its_own_import(given_rows: list[dict[str, Any]]) -> None:
    document = native(read_foreign(json.dumps({"budget": 9, "rows": given_rows}).encode(), path="x.json"))
    assert native(read_foreign(render(document), path="x.json")) == document
    assert [list(got) for got in document["rows"]] == [[name for name in ORDER if name in got] for got in document["rows"]]


@few
@given(rows())
def test_adding_and_removing_leave_the_rest_alone(given_rows: list[dict[str, Any]]) -> None:
    *before, last = given_rows
    data = render({"budget": 9, "rows": before})
    more = with_row(data, last, path="f.json")
    assert json.loads(more) == {"budget": 9, "rows": given_rows}
    assert without_rows(more, [last["id"]], path="f.json") == data


def test_a_list_of_ids_takes_no_row() -> None:
    for edit in (lambda: with_row(EXCLUDED, row(), path="f.json"), lambda: without_rows(EXCLUDED, [], path="f.json")):
        with pytest.raises(IncompleteError, match="no place for rows") as caught:
            edit()
        assert caught.value.remedy == "oracle-rules freeze import f.json --out f.json"


def test_tables_are_whole() -> None:
    assert {ask.field for ask in ASKS} | {"property", "id", "last_green_revision", "agent_may_extend"} == set(ORDER)
    assert len({shape.key for shape in SHAPES}) == len(SHAPES)
    assert all({ours for _, ours in shape.fields} <= set(ORDER) for shape in SHAPES)
