"""The general form of a lock: one fingerprint for each domain, every error at its place, laws beside the form."""

from __future__ import annotations

import hashlib
import json
import math
import unicodedata
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.artifacts.domains import drawn, floats, laws
from oracle_rules.artifacts.domains.alphabet import mistaken
from oracle_rules.artifacts.domains.lock import parse_domain_lock
from oracle_rules.digest import Digest
from oracle_rules.entropy import drawing
from oracle_rules.errors import IncompleteError
from oracle_rules.protocol import corpus

from . import domain_values as model

INTEGERS = {"kind": "integers", "min": 0, "max": 9}
NONE = {"kind": "none"}
TEXT = {"kind": "text", "alphabet": {"characters": "ab"}, "min_size": 0, "max_size": 3}
FLOATS = {"kind": "floats", "min": 0.0, "max": 1.0, "exclude_min": False, "exclude_max": False, "allow_nan": False,
          "allow_infinity": False, "width": 64}  # fmt: skip
ALIKE: list[tuple[Any, Any]] = [
    ({"kind": "booleans"}, {"kind": "sampled", "values": [True, False]}),
    ({"kind": "constant", "value": 1}, {"kind": "sampled", "values": [1]}),
    ({"kind": "optional", "of": INTEGERS}, {"kind": "one_of", "alternatives": [NONE, INTEGERS]}),
    ({"kind": "one_of", "alternatives": [INTEGERS]}, INTEGERS),
    ({"kind": "one_of", "alternatives": [INTEGERS, INTEGERS | {"max": 4}, {"kind": "constant", "value": 3}]}, INTEGERS),
    ({"kind": "one_of", "alternatives": [{"kind": "optional", "of": TEXT}, INTEGERS]},
     {"kind": "optional", "of": {"kind": "one_of", "alternatives": [INTEGERS, TEXT]}}),
    (TEXT, TEXT | {"alphabet": {"code_points": [[98, 98], [97, 97]]}}),
    (TEXT | {"alphabet": {"named": "digits"}}, TEXT | {"alphabet": {"characters": "9876543210"}}),
    (FLOATS, FLOATS | {"min": 0, "max": 1}),
    (FLOATS | {"exclude_min": True}, FLOATS | {"min": 5e-324}),
    (FLOATS | {"min": -0.0, "exclude_min": True}, FLOATS | {"min": 5e-324}),
    (FLOATS | {"exclude_max": True, "width": 16}, FLOATS | {"max": 0.99951171875, "width": 16}),
    ({"kind": "decimals", "min": "1E+2", "max": "250.0", "places": None, "allow_nan": False, "allow_infinity": False},
     {"kind": "decimals", "min": "100", "max": "250", "places": None, "allow_nan": False, "allow_infinity": False}),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_two_spellings_of_one_domain_have_one_fingerprint(one: Any, other: Any) -> None:
    assert model.locked(one).fingerprint == model.locked(other).fingerprint
    assert model.locked(one).request == model.locked(other).request


def test_the_fingerprint_is_that_of_the_canonical_json_under_the_name() -> None:
    form = {"domain": {"kind": "integers", "max": 9, "min": 0}, "max_examples": 10, "deadline_ms": 100, "seed": 3,
            "acceptance_floor": 0.5, "distinct_floor": None, "corpus": None, "filters": [{
                "predicate": "properties/_f.py:even", "source": f"{hashlib.sha256(b'one').hexdigest()}/3"}]}  # fmt: skip
    text = json.dumps({"p": form}, sort_keys=True, separators=(",", ":")) + "\n"
    found = model.locked(INTEGERS, acceptance_floor=0.5, filters=["properties/_f.py:even"])
    assert found.fingerprint.hash == hashlib.sha256(text.encode()).hexdigest()


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_another_canonical_form_is_another_fingerprint(data: Any) -> None:
    one = data.draw(model.DOMAINS)
    first, second = model.locked(one), model.locked(data.draw(model.changed(one)))
    assert (first.document == second.document) == (first.fingerprint == second.fingerprint)
    assert (first.document == second.document) == (first == second)


def test_the_short_form_is_the_same_domain_as_the_general_one() -> None:
    short = {"min_size": 0, "max_size": 3, "alphabet": "ab", **model.ROW}
    lock = parse_domain_lock(json.dumps({"p": short}).encode(), path="domain_lock.json")
    general = model.locked(TEXT)
    assert lock.domains[0].document == general.document and lock.domains[0] == general
    assert lock.domains[0].fingerprint != general.fingerprint


BAD: list[tuple[Any, str]] = [
    ({"kind": "integer"}, "domain.kind: 'integer' is no kind of domain; did you mean 'integers'?"),
    ({}, "domain: has no 'kind'"),
    ({"kind": "integers", "min": 1}, "domain: has no 'max'"),
    ({"kind": "integers", "min": 1, "max": 2, "mix": 3}, "domain.mix: is not a field that is known here; did you mean"),
    ({"kind": "integers", "min": 3, "max": 2}, "domain.max: is below min"),
    ({"kind": "integers", "min": True, "max": 2}, "domain.min: has to be a whole number"),
    ({"kind": "integers", "min": 1.0, "max": 2}, "domain.min: has to be a whole number"),
    ({"kind": "integers", "min": 10**1000, "max": None}, "domain.min: has more than 1000 digits"),
    (FLOATS | {"min": (1 << 60) + 1, "max": None}, "domain.min: 1152921504606846977 is no float"),
    (FLOATS | {"width": 32, "max": 0.1}, "domain.max: 0.1 is no float of 32 bits"),
    (FLOATS | {"width": 48}, "domain.width: has to be 16, 32 or 64"),
    (FLOATS | {"min": 1.0, "exclude_min": True}, "domain.max: leaves no float"),
    (FLOATS | {"min": 0.0, "max": -0.0}, "domain.max: leaves no float"),
    (FLOATS | {"min": None, "exclude_min": True}, "domain.exclude_min: has to be false"),
    (FLOATS | {"allow_infinity": True}, "domain.allow_infinity: has to be false"),
    (FLOATS | {"max": {"$float": "inf"}}, "domain.max: has to be finite"),
    ({"kind": "decimals", "min": "0.1", "max": "0.4", "places": 0, "allow_nan": False, "allow_infinity": False},
     "domain.max: leaves no number of 0 places"),
    ({"kind": "decimals", "min": 0.1, "max": None, "places": 0, "allow_nan": False, "allow_infinity": False},
     "domain.min: has to be text"),
    ({"kind": "decimals", "min": "1e99999", "max": None, "places": 0, "allow_nan": False, "allow_infinity": False},
     "domain.min: has more than 1000 digits"),
    (TEXT | {"alphabet": "ascii"}, "domain.alphabet: has to be an object"),
    (TEXT | {"alphabet": {"named": "asci"}}, "domain.alphabet.named: 'asci' is no alphabet; did you mean 'ascii'?"),
    (TEXT | {"alphabet": {"characters": "aba"}}, "domain.alphabet.characters: holds 'a' more than once"),
    (TEXT | {"alphabet": {"characters": ""}}, "domain.alphabet.characters: has to be text"),
    (TEXT | {"alphabet": {"named": "ascii", "characters": "a"}}, "domain.alphabet: has named and characters of"),
    (TEXT | {"alphabet": {}}, "domain.alphabet: has none of"),
    (TEXT | {"alphabet": {"code_points": [[5, 4]]}}, "domain.alphabet.code_points[0]: has to be [first, last]"),
    (TEXT | {"alphabet": {"code_points": [[0, 0x110000]]}}, "domain.alphabet.code_points[0][1]: has to be from 0"),
    (TEXT | {"alphabet": {"categories": ["Lu"]}}, "domain.alphabet: has no 'unidata'"),
    (TEXT | {"alphabet": {"categories": ["Lu"], "unidata": "1.0"}}, "domain.alphabet.unidata: is Unicode 1.0"),
    (TEXT | {"alphabet": {"categories": ["Lx"], "unidata": unicodedata.unidata_version}},
     "domain.alphabet.categories[0]: 'Lx' is no category"),
    (TEXT | {"max_size": -1}, "domain.max_size: has to be from 0"),
    (TEXT | {"min_size": 4}, "domain.max_size: is 3, below min_size 4"),
    ({"kind": "sampled", "values": []}, "domain.values: must not be empty"),
    ({"kind": "sampled", "values": [1, 1]}, "domain.values[1]: 1 is listed twice"),
    ({"kind": "sampled", "values": [{"$decimel": "1"}]}, "domain.values[0]: $decimel is no spelling that is known"),
    ({"kind": "sampled", "values": [{"$decimal": 1}]}, "domain.values[0]: $decimal holds the digits as text"),
    ({"kind": "one_of", "alternatives": []}, "domain.alternatives: must not be empty"),
    ({"kind": "records", "required": {"a": NONE}, "optional": {"a": NONE}}, "domain.optional.a: is a required key"),
    ({"kind": "records", "required": {"a": {"kind": "x"}}, "optional": {}}, "domain.required.a.kind: 'x' is no kind"),
    ({"kind": "datetimes", "min": "2026-01-01", "max": "2026-01-02", "offset": None}, "domain.min: has to be written"),
    ({"kind": "datetimes", "min": "2026-01-01T00:00:00Z", "max": "2026-01-02T00:00:00", "offset": None},
     "domain.min: has an offset"),
    ({"kind": "datetimes", "min": "2026-01-01T00:00:00", "max": "2026-01-02T00:00:00", "offset": "Z"},
     "domain.offset: 'Z' is no fixed offset"),
    ({"kind": "dates", "min": "2026-01-02", "max": "2026-01-01"}, "domain.max: is below min"),
]  # fmt: skip


@pytest.mark.parametrize(("spelled", "message"), BAD)
def test_errors_name_the_field_and_the_place(spelled: Any, message: str) -> None:
    with pytest.raises(IncompleteError) as caught:
        model.locked(spelled)
    assert caught.value.detail.startswith(f"p.{message}")
    assert caught.value.where.startswith("domain_lock.json:") and caught.value.where.count(":") == 2


ROWS: list[tuple[dict[str, Any], str]] = [
    ({"filters": ["properties/_f.py:f"]}, "p.filters: needs an acceptance_floor or a pinned corpus"),
    ({"filters": ["f"], "acceptance_floor": 1}, "p.filters[0]: has to be FILE.py:FUNCTION"),
    ({"filters": ["../f.py:f"], "acceptance_floor": 1}, "p.filters[0]: has to be FILE.py:FUNCTION"),
    ({"filters": ["properties/gone.py:f"], "acceptance_floor": 1}, "p.filters[0]: properties/gone.py is not there"),
    ({"filters": ["properties/_f.py:f"] * 2, "acceptance_floor": 1}, "p.filters[1]: is listed twice"),
    ({"acceptance_floor": 0}, "p.acceptance_floor: has to be a number above 0"),
    ({"acceptance_floor": 1.5}, "p.acceptance_floor: has to be a number above 0"),
    ({"distinct_floor": 11}, "p.distinct_floor: has to be from 1 to 10"),
    ({"corpus": "abc"}, "p.corpus: is no digest"),
    ({"filter": []}, "p.filter: is not a field that is known here; did you mean 'filters'?"),
]


@pytest.mark.parametrize(("row", "message"), ROWS)
def test_errors_of_a_row_name_the_field(row: Any, message: str) -> None:
    with pytest.raises(IncompleteError) as caught:
        model.locked(INTEGERS, **row)
    assert caught.value.detail.startswith(message)


def test_a_domain_that_is_nested_without_end_is_refused() -> None:
    spelled: Any = NONE
    for _ in range(60):
        spelled = {"kind": "optional", "of": spelled}
    with pytest.raises(IncompleteError, match="nested deeper than 20 domains"):
        model.locked(spelled)


def test_categories_are_their_code_points() -> None:
    spelled = TEXT | {"alphabet": {"categories": ["Nd", "Lu"], "unidata": unicodedata.unidata_version}}
    found = {chr(number) for low, high in model.locked(spelled).domain["alphabet"] for number in range(low, high + 1)}
    expected = {chr(number) for number in range(0x110000) if unicodedata.category(chr(number)) in ("Nd", "Lu")}
    assert found == expected


@pytest.mark.parametrize("text", ["printible", "ASCII", "Printable", "letter", "digit", "latin1", "utf-8", "unicode"])
def test_a_word_is_no_alphabet_of_the_short_form(text: str) -> None:
    assert mistaken(text)


@pytest.mark.parametrize("text", ["abc", "ab:/@.~+ \\\n", " ", "0123456789", "acgt", "äöü", "ascii", "latin-1", "+-*/"])
def test_characters_and_names_are(text: str) -> None:
    assert mistaken(text) == ""


@given(st.sampled_from([16, 32, 64]), st.booleans(), st.data())
@settings(max_examples=100, deadline=None)
def test_the_next_float_has_none_between(width: Any, up: bool, data: Any) -> None:
    value = data.draw(st.floats(width=width, allow_nan=False, allow_infinity=False))
    after = floats.beyond(value, width, up=up)
    assert (after > value) if up else (after < value)
    if width == 64 and value != 0:
        assert after == math.nextafter(value, math.inf if up else -math.inf)
    if not math.isinf(after) and value != 0 and abs(value) > 1e-300:
        middle = value / 2 + after / 2
        assert middle in (value, after) or not floats.fits(middle, width)


def document(*, cases: int, filters: list[dict[str, Any]] | None = None, drawn: int = 10) -> dict[str, Any]:
    return {"schema": corpus.TYPED, "cases": list(range(cases)), "problem": None, "counts": {
        "drawn": drawn, "accepted": cases, "distinct": cases, "wanted": 10, "filters": filters or []}}  # fmt: skip


DIGEST = Digest.of(b"corpus")
FILTERS = [{"predicate": "properties/_f.py:f", "asked": 10, "yes": 4}]


@pytest.mark.parametrize(("row", "cases", "codes"), [
    ({}, 1, []),
    ({"distinct_floor": 5}, 5, []),
    ({"distinct_floor": 5}, 4, ["domain_starved"]),
    ({"acceptance_floor": 0.4}, 4, []),
    ({"acceptance_floor": 0.4}, 3, ["domain_starved"]),
    ({"acceptance_floor": 0.4, "distinct_floor": 4}, 3, ["domain_starved", "domain_starved"]),
    ({"corpus": str(DIGEST)}, 3, []),
    ({"corpus": f"{'0' * 64}/6"}, 3, ["corpus_drift"]),
])  # fmt: skip
def test_a_corpus_is_held_against_its_floors_and_its_pin(row: Any, cases: int, codes: list[str]) -> None:
    found = drawn.check_corpus(model.locked(INTEGERS, **row), document(cases=cases, filters=FILTERS), DIGEST)
    assert [violation.code for violation in found] == codes
    assert {violation.subject for violation in found} <= {"domain_lock.json"}


def test_a_corpus_without_cases_says_why() -> None:
    [found] = drawn.check_corpus(model.locked(INTEGERS), corpus.failed("f raised"), DIGEST)
    assert (found.code, found.detail) == ("domain_undrawable", "p: f raised")
    nothing = {**document(cases=0), "problem": {"limit": "", "detail": "none of 10 drawn cases passed the filters"}}
    [found] = drawn.check_corpus(model.locked(INTEGERS), nothing, DIGEST)
    assert found.code == "domain_starved"


USES = {
    "from hypothesis import given\n@given(None)\ndef hold(case): ...\n": ["2:2 given"],
    "import hypothesis as h\nx = h.strategies.integers().example()\n": ["2:5 example"],
    "from hypothesis import settings as s\ns.load_profile('ci')\n": ["2:1 profile"],
    "import hypothesis.strategies\n": ["1:1 library"],
    "from hypothesis import HealthCheck as H\nx = H.too_slow\n": ["2:5 settings"],
    "import hypothesis as h\n@h.reproduce_failure('6', b'')\ndef hold(case): ...\n": ["2:2 blob"],
    "from hypothesis import find\nx = find(1, 2)\n": ["2:5 find"],
    "from hypothesis import assume\ndef hold(case):\n    assume(case)\n": ["3:5 assume"],
    "__import__('hypothesis').seed(3)\n": ["1:1 seed"],
    "def hold(case):\n    return case.example() and case.filter(given)\n": [],
    "def given(x): return x\n@given\ndef hold(case): ...\n": [],
    "hypothesis = 3\nhypothesis.settings\n": [],
    "def hold(:\n": [],
}


@pytest.mark.parametrize("text", USES)
def test_what_draws_by_itself_is_found_through_any_name(text: str) -> None:
    found = laws.drawn_elsewhere({"properties/p.py": text.encode(), "data.json": b"{}"})
    assert [each.subject for each in found] == [f"properties/p.py:{each.split()[0]}" for each in USES[text]]
    assert {each.code for each in found} <= {"domain_unlocked"}
    rows = {row.name: row.says for row in drawing.ROWS}
    assert all(f" {rows[use.split()[1]]}, where" in each.detail for each, use in zip(found, USES[text], strict=True))


def test_every_row_of_drawing_names_a_use() -> None:
    """Taking a row away leaves its use to the last one, or to none."""
    assert {use.split()[1] for uses in USES.values() for use in uses} == {row.name for row in drawing.ROWS}


def test_a_filter_is_in_the_deps() -> None:
    row = model.locked(INTEGERS, filters=["properties/_f.py:f"], acceptance_floor=0.5)
    assert laws.check_filters(row, ["properties/_f.py"]) is row
    with pytest.raises(IncompleteError, match="is not in the deps"):
        laws.check_filters(row, ["properties/_g.py"])


def test_decimals_are_compared_exactly() -> None:
    spelled = {"kind": "decimals", "min": "0", "max": "1." + "0" * 40 + "1", "places": None, "allow_nan": False,
               "allow_infinity": False}  # fmt: skip
    assert model.locked(spelled).domain["max"] == Decimal("1." + "0" * 40 + "1")
    assert model.locked(spelled) != model.locked(spelled | {"max": "1"})
