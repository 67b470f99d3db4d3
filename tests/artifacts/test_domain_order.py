"""The order of domains: reflexive, transitive, antisymmetric, sound; and every way to narrow one field is found."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.artifacts.domains.compare import compare, rewritten
from oracle_rules.artifacts.domains.kinds import KINDS, ROW
from oracle_rules.artifacts.domains.lock import LockedDomain, parse_domain_lock
from oracle_rules.artifacts.domains.member import contains
from oracle_rules.artifacts.domains.order import NESTED, PAIRS, RULES, holds

from . import domain_values as model

LAWS = settings(max_examples=60, deadline=None)


@given(model.DOMAINS)
@LAWS
def test_no_domain_is_narrower_than_itself(spelled: Any) -> None:
    assert compare(model.locked(spelled), model.locked(copy.deepcopy(spelled))) == ()


@given(st.data())
@settings(max_examples=120, deadline=None)
def test_what_is_called_no_narrowing_holds_every_value(data: Any) -> None:
    before = data.draw(model.DOMAINS)
    after = data.draw(model.changed(before) | model.DOMAINS)
    proven = holds(model.locked(after).domain, model.locked(before).domain)
    drawn = data.draw(st.none() | model.values(before).map(lambda value: [value]))
    if drawn is not None:
        assert model.member(before, drawn[0])
        assert not proven or model.member(after, drawn[0])


@given(st.data())
@settings(max_examples=120, deadline=None)
def test_membership_is_what_the_spelling_says(data: Any) -> None:
    spelled = data.draw(model.DOMAINS)
    other = data.draw(model.changed(spelled) | model.DOMAINS)
    value = data.draw(model.values(spelled))
    assert contains(model.locked(spelled).domain, value)
    assert contains(model.locked(other).domain, value) == model.member(other, value)


@given(st.data())
@settings(max_examples=120, deadline=None)
def test_the_order_is_transitive_and_antisymmetric(data: Any) -> None:
    one = data.draw(model.DOMAINS)
    two = data.draw(model.changed(one))
    three = data.draw(model.changed(two))
    first, second, third = (model.locked(each).domain for each in (one, two, three))
    if holds(second, first) and holds(third, second):
        assert holds(third, first)
    for left, right in ((first, second), (second, third), (first, third)):
        if holds(left, right) and holds(right, left):
            assert left == right and left.document == right.document


INTEGERS = {"kind": "integers", "min": 0, "max": 9}
FLOATS = {"kind": "floats", "min": 0.0, "max": 9.0, "exclude_min": False, "exclude_max": False, "allow_nan": True,
          "allow_infinity": False, "width": 64}  # fmt: skip
DECIMALS = {"kind": "decimals", "min": "0.5", "max": None, "places": 2, "allow_nan": True, "allow_infinity": True}
TEXT = {"kind": "text", "alphabet": {"characters": "abc"}, "min_size": 1, "max_size": 9}
LISTS = {"kind": "lists", "elements": INTEGERS, "min_size": 1, "max_size": 9, "unique": False}
SETS = {"kind": "sets", "elements": INTEGERS, "min_size": 1, "max_size": 9}
RECORDS = {"kind": "records", "required": {"n": INTEGERS}, "optional": {"t": TEXT}}
TIMES = {"kind": "datetimes", "min": "2026-01-01T00:00:00", "max": "2026-02-01T00:00:00", "offset": None}
ANY = {"kind": "one_of", "alternatives": [INTEGERS, TEXT, {"kind": "none"}]}
# Domain, what narrows it, the path that is named, what widens it. By hand, one row at least for each column of a kind.
CHANGES: list[tuple[dict[str, Any], dict[str, Any], str, dict[str, Any]]] = [
    (INTEGERS, {"min": 1}, "min", {"min": -1}),
    (INTEGERS, {"max": 8}, "max", {"max": None}),
    (FLOATS, {"min": 0.5}, "min", {"min": -0.0}),
    (FLOATS, {"max": 8.5}, "max", {"max": 9.5}),
    (FLOATS, {"exclude_min": True}, "min", {"min": None}),
    (FLOATS, {"exclude_max": True}, "max", {"max": None}),
    (FLOATS, {"allow_nan": False}, "allow_nan", {"max": 10}),
    (FLOATS | {"max": None, "allow_infinity": True}, {"allow_infinity": False}, "allow_infinity", {"min": -1}),
    (FLOATS, {"width": 32}, "width", {"min": -5}),
    (DECIMALS, {"min": "0.51"}, "min", {"min": None}),
    (DECIMALS | {"allow_infinity": False}, {"max": "1000"}, "max", {"min": "0.4"}),
    (DECIMALS, {"places": 3}, "places", {"places": None}),
    (DECIMALS, {"allow_nan": False}, "allow_nan", {"min": "0"}),
    (DECIMALS, {"allow_infinity": False}, "allow_infinity", {"min": "0"}),
    (TEXT, {"alphabet": {"characters": "ab"}}, "alphabet", {"alphabet": {"named": "ascii"}}),
    (TEXT, {"alphabet": {"characters": "xyz"}}, "alphabet", {"alphabet": {"code_points": [[0, 255]]}}),
    (TEXT, {"min_size": 2}, "min_size", {"min_size": 0}),
    (TEXT, {"max_size": 8}, "max_size", {"max_size": None}),
    ({"kind": "binary", "min_size": 1, "max_size": 4}, {"min_size": 2}, "min_size", {"min_size": 0}),
    ({"kind": "binary", "min_size": 1, "max_size": None}, {"max_size": 4096}, "max_size", {"min_size": 0}),
    (TIMES, {"min": "2026-01-01T00:00:01"}, "min", {"min": "2025-01-01T00:00:00"}),
    (TIMES, {"max": "2026-01-31T00:00:00"}, "max", {"max": "2027-01-01T00:00:00"}),
    (TIMES, {"offset": "+01:00"}, "offset", {"min": "2025-12-31T00:00:00"}),
    ({"kind": "dates", "min": "2026-01-01", "max": "2026-02-01"}, {"max": "2026-01-31"}, "max", {"max": "2026-02-02"}),
    ({"kind": "dates", "min": "2026-01-01", "max": "2026-02-01"}, {"min": "2026-01-02"}, "min", {"min": "2025-02-02"}),
    (SETS, {"min_size": 2}, "min_size", {"min_size": 0}),
    (SETS, {"max_size": 8}, "max_size", {"max_size": None}),
    (SETS, {"elements": {**INTEGERS, "max": 8}}, "elements.max", {"elements": {**INTEGERS, "max": None}}),
    (LISTS, {"elements": INTEGERS | {"max": 8}}, "elements.max", {"elements": {"kind": "optional", "of": INTEGERS}}),
    (LISTS, {"min_size": 2}, "min_size", {"min_size": 0}),
    (LISTS, {"max_size": 8}, "max_size", {"max_size": 10}),
    (LISTS, {"unique": True}, "unique", {"max_size": 10}),
    ({"kind": "tuples", "elements": [INTEGERS, TEXT]}, {"elements": [INTEGERS, TEXT | {"min_size": 2}]},
     "elements[1].min_size", {"elements": [INTEGERS | {"max": None}, TEXT]}),
    ({"kind": "tuples", "elements": [INTEGERS, TEXT]}, {"elements": [INTEGERS]}, "elements",
     {"elements": [INTEGERS, ANY]}),
    (RECORDS, {"required": {"n": INTEGERS | {"min": 3}}}, "required.n.min", {"required": {"n": ANY}}),
    (RECORDS, {"required": {}}, "required.n", {"required": {}, "optional": {"n": INTEGERS, "t": TEXT}}),
    (RECORDS, {"optional": {}}, "optional.t", {"optional": {"t": TEXT, "more": ANY}}),
    (RECORDS, {"optional": {}, "required": {"n": INTEGERS, "t": TEXT}}, "optional.t", {"optional": {"t": ANY}}),
    (RECORDS, {"required": {"n": INTEGERS, "more": TEXT}}, "required.more", {"required": {"n": INTEGERS | {"min": -1}}}),
    (ANY, {"alternatives": [INTEGERS, TEXT]}, "alternatives[sampled].values[0]",
     {"alternatives": [INTEGERS, TEXT, {"kind": "booleans"}, {"kind": "none"}]}),
    (ANY, {"alternatives": [INTEGERS | {"max": 8}, TEXT, {"kind": "none"}]}, "alternatives[integers].max",
     {"alternatives": [INTEGERS | {"max": 10}, TEXT, {"kind": "none"}]}),
    ({"kind": "sampled", "values": [1, 2]}, {"values": [2, 3]}, "values[0]", {"values": [3, 2, 1]}),
    ({"kind": "sampled", "values": [1]}, {"values": [True]}, "values[0]", {"values": [True, 1]}),
]


@pytest.mark.parametrize(("domain", "narrower", "path", "wider"), CHANGES)
def test_a_narrower_field_is_named_and_a_wider_one_allowed(domain: Any, narrower: Any, path: str, wider: Any) -> None:
    found = compare(model.locked(domain), model.locked(domain | narrower))
    assert [each.field for each in found] == [f"domain.{path}"]
    assert {each.code for each in found} == {"domain_narrowed"} and found[0].locked != found[0].live
    assert compare(model.locked(domain), model.locked(domain | wider)) == ()


def test_every_column_of_every_kind_is_narrowed_above() -> None:
    seen = {(domain["kind"], name) for domain, narrower, _, _ in CHANGES for name in narrower}
    asked = {(kind.name, name) for kind in KINDS.values() if not kind.becomes for name in kind.names}
    assert asked == seen


FILTERS = ["properties/_f.py:one"]
FLOORED = {"filters": FILTERS, "acceptance_floor": 0.5, "distinct_floor": 5, "corpus": f"{'a' * 64}/9"}
ROWS: list[tuple[dict[str, Any], dict[str, Any], str, dict[str, Any]]] = [
    ({}, {"max_examples": 9}, "max_examples", {"max_examples": 11}),
    ({}, {"deadline_ms": 99}, "deadline_ms", {"deadline_ms": 101}),
    ({}, {"seed": 4}, "seed", {"max_examples": 11}),
    (FLOORED, {"acceptance_floor": 0.4}, "acceptance_floor", {"acceptance_floor": 0.6}),
    (FLOORED, {"acceptance_floor": None}, "acceptance_floor", {"acceptance_floor": 1}),
    (FLOORED, {"distinct_floor": 4}, "distinct_floor", {"distinct_floor": 6}),
    (FLOORED, {"distinct_floor": None}, "distinct_floor", {"distinct_floor": 10}),
    (FLOORED, {"corpus": None}, "corpus", {}),
    (FLOORED, {"corpus": f"{'b' * 64}/9"}, "corpus", {"corpus": f"{'b' * 64}/9", "max_examples": 11}),
    (FLOORED, {"filters": [*FILTERS, "properties/_f.py:two"]}, "filters", {"filters": []}),
    (FLOORED, {"filters": ["properties/_g.py:one"]}, "filters", {"filters": []}),
    ({}, FLOORED, "filters", {"distinct_floor": 1}),
]


@pytest.mark.parametrize(("row", "narrower", "path", "wider"), ROWS)
def test_a_narrower_row_is_named_and_a_wider_one_allowed(row: Any, narrower: Any, path: str, wider: Any) -> None:
    found = compare(model.locked(INTEGERS, **row), model.locked(INTEGERS, **(row | narrower)))
    assert [each.field for each in found] == [path]
    assert compare(model.locked(INTEGERS, **row), model.locked(INTEGERS, **(row | wider))) == ()


def test_every_column_of_a_row_is_narrowed_above() -> None:
    assert {name for _, narrower, _, _ in ROWS for name in narrower} == set(ROW.names) - {"domain"}


def test_every_row_of_the_order_is_used_and_known() -> None:
    used = {column.order for kind in (*KINDS.values(), ROW) for column in kind.columns} - {""}
    by_kind = {"members", "alternatives", "values"}
    assert used == {*RULES, *NESTED, *by_kind}
    assert PAIRS[-1].locked == PAIRS[-1].live == "*" and len({(pair.locked, pair.live) for pair in PAIRS}) == len(PAIRS)


def test_the_two_zeros_are_two_ends() -> None:
    below, above = FLOATS | {"min": -0.0}, FLOATS | {"min": 0.0}
    assert model.locked(below) != model.locked(above)
    assert [each.field for each in compare(model.locked(below), model.locked(above))] == ["domain.min"]
    assert compare(model.locked(above), model.locked(below)) == ()
    both = {"kind": "one_of", "alternatives": [above, below]}
    assert model.locked(both) == model.locked(below)


def test_unions_within_unions_are_compared_in_time() -> None:
    one: Any = INTEGERS
    two: Any = INTEGERS | {"max": 8}
    for _ in range(9):
        one, two = ({"kind": "optional", "of": {"kind": "lists", "elements": of, "min_size": 0, "max_size": 2,
                                                "unique": False}} for of in (one, two))  # fmt: skip
    [found] = compare(model.locked(one), model.locked(two))
    assert found.field.endswith(".elements.max") and found.field.count("alternatives[lists]") == 9


def test_kinds_of_which_nothing_is_proven_are_refused() -> None:
    found = compare(model.locked(INTEGERS), model.locked(FLOATS))
    assert [(each.field, each.locked, each.live, each.row) for each in found] == [
        ("domain.kind", "integers", "floats", "kind")]  # fmt: skip


KEEPS = "def one(case):\n    return case < 5\n"
PINNED = {"filters": FILTERS, "corpus": f"{'a' * 64}/9"}
SAME = {"a comment": "# small ones\n" + KEEPS, "layout": "def one( case ):\n\n  return (case<5)\n", "itself": KEEPS}
OTHERS = {"wider": KEEPS.replace("5", "6"), "narrower": KEEPS.replace("5", "4"), "a text": '"""Small."""\n' + KEEPS}
# What stands in the rows before and after -> whether a filter that says something else may stand there.
BOUNDS: list[tuple[dict[str, Any], dict[str, Any], bool]] = [
    ({"acceptance_floor": 0.5}, {"acceptance_floor": 0.5}, True),
    ({"acceptance_floor": 0.5}, {"acceptance_floor": 0.6}, True),
    ({"acceptance_floor": 0.5}, {"acceptance_floor": 0.4}, False),
    ({"acceptance_floor": 0.5}, PINNED, False),
    (PINNED, PINNED, True),
    (PINNED, PINNED | {"corpus": f"{'b' * 64}/9"}, False),
    (PINNED, PINNED | {"corpus": f"{'b' * 64}/9", "acceptance_floor": 0.5}, True),
    (PINNED | {"acceptance_floor": 0.5}, PINNED | {"acceptance_floor": 0.5, "corpus": f"{'b' * 64}/9"}, True),
    (PINNED | {"acceptance_floor": 0.5}, {"acceptance_floor": 0.5}, False),
]


def filtered(text: str, **row: Any) -> LockedDomain:
    """A row whose filter has this source."""
    data = json.dumps({"p": {"domain": INTEGERS, **model.ROW, "filters": FILTERS, **row}}).encode()
    return parse_domain_lock(data, path="l.json", source=lambda path: text.encode()).domains[0]


@pytest.mark.parametrize("name", SAME)
def test_a_filter_in_other_words_of_the_same_meaning_is_the_same(name: str) -> None:
    before, after = filtered(KEEPS, acceptance_floor=0.5), filtered(SAME[name], acceptance_floor=0.5)
    assert before == after and compare(before, after) == () == rewritten(before, after)
    assert (before.fingerprint == after.fingerprint) == (name == "itself"), "the fingerprint covers every byte"
    # What draws the same cases has the same corpus, so that another pin is no answer to a comment.
    pins = [filtered(text, corpus=f"{letter * 64}/9") for text, letter in ((KEEPS, "a"), (SAME[name], "b"))]
    assert [each.field for each in compare(*pins)] == ["corpus"]


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize(("before", "after", "may"), BOUNDS)
def test_a_filter_that_says_something_else_is_read_within_its_bound(
    name: str, before: dict[str, Any], after: dict[str, Any], may: bool
) -> None:
    rows = filtered(KEEPS, **before), filtered(OTHERS[name], **after)
    assert (compare(*rows) == ()) is may
    [(was, now)] = rewritten(*rows)
    assert str(was) == str(now) == FILTERS[0] and was.source != now.source


def test_a_filter_that_is_no_python_is_compared_by_its_bytes() -> None:
    broken = "def one(case)\n"
    assert compare(filtered(broken, **PINNED), filtered(broken, **PINNED)) == ()
    assert rewritten(filtered(broken, **PINNED), filtered(broken + "# more\n", **PINNED)) != ()
    assert compare(filtered(broken, acceptance_floor=0.5), filtered(KEEPS, acceptance_floor=0.5)) == ()
