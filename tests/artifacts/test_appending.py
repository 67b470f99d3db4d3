"""A case at the end of a corpus: the layout stays, the cases before it stay, and nothing stands there twice."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.artifacts.appending import Refused, with_case
from oracle_rules.errors import IncompleteError

JSON = st.recursive(st.none() | st.booleans() | st.integers(-99, 99) | st.text("ab\"\\[]{}, \n", max_size=6),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
                    max_leaves=6)
LAYOUTS: dict[str, tuple[str, object, str]] = {
    "one line": ("[1, 2]\n", 3, "[1, 2, 3]\n"),
    "no line feed": ("[1,2]", {"a": [1]}, '[1,2, {"a": [1]}]'),
    "a case a line": ('[\n  {"a": 1},\n  {"a": 2}\n]\n', {"a": 3}, '[\n  {"a": 1},\n  {"a": 2},\n  {"a": 3}\n]\n'),
    "indented by one": ('[\n {\n  "a": 1\n }\n]\n', {"a": 2}, '[\n {\n  "a": 1\n },\n {\n  "a": 2\n }\n]\n'),
    "carriage returns": ('[\r\n 1\r\n]\r\n', 2, '[\r\n 1,\r\n 2\r\n]\r\n'),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_layout_of_the_file_stays(name: str) -> None:
    text, case, expected = LAYOUTS[name]
    assert with_case(text.encode(), case, path="seeds/p.json").decode() == expected


@given(st.lists(JSON, min_size=1, max_size=4), JSON, st.sampled_from([None, 0, 1, 2, 4, "\t"]), st.booleans())
def test_the_cases_before_stay_and_the_new_one_is_the_last(
    cases: list[object], case: object, indent: int | str | None, ends: bool
) -> None:
    text = json.dumps(cases, indent=indent) + ("\n" if ends else "")
    known = {json.dumps(each, sort_keys=True) for each in cases}
    if json.dumps(case, sort_keys=True) in known:
        with pytest.raises(Refused, match="already"):
            with_case(text.encode(), case, path="seeds/p.json")
        return
    made = with_case(text.encode(), case, path="seeds/p.json").decode()
    assert json.loads(made) == [*cases, case]
    assert made.startswith(text.rstrip().removesuffix("]").rstrip()), "what was there is there, byte for byte"


def test_a_corpus_that_cannot_be_read_gets_no_case() -> None:
    for data in (None, b"[]", b"[1", b"{}"):
        with pytest.raises(IncompleteError):
            with_case(data, 1, path="seeds/p.json")
