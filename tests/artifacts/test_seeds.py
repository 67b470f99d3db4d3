"""A corpus is a non-empty list; everything else is incomplete, with the place."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.artifacts.seeds import parse_corpus
from oracle_rules.errors import Exit, IncompleteError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(JSON, min_size=1, max_size=5), st.sampled_from([None, 1, 4]))
@settings(max_examples=100, deadline=None)
def test_any_json_values_are_cases_in_order(cases: list[Any], indent: int | None) -> None:
    data = json.dumps(cases, indent=indent).encode()
    corpus = parse_corpus(data, path="seeds/p.json")
    assert list(corpus.cases) == cases
    assert len(corpus) == len(cases)
    assert (corpus.digest.hash, corpus.digest.size_bytes) == (hashlib.sha256(data).hexdigest(), len(data))


def test_a_reader_cannot_change_the_cases_for_the_next() -> None:
    corpus = parse_corpus(b'[{"raw": [1]}]', path="seeds/p.json")
    corpus.cases[0]["raw"].append(2)
    assert corpus.cases == ({"raw": [1]},)
    with pytest.raises(AttributeError):
        corpus.encoded = ()  # type: ignore[misc]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "seeds/p.json: is declared and does not exist"),
        (b"", "seeds/p.json:1:1: is empty"),
        (b" \n\t", "seeds/p.json:1:1: is empty"),
        (b"[]", "seeds/p.json:1:1: (top): holds no case"),
        (b"\n  []", "seeds/p.json:2:3: (top): holds no case"),
        (b'\n{"cases": [1]}', "seeds/p.json:2:1: (top): has to be a list, this is an object"),
        (b"null", "seeds/p.json:1:1: (top): has to be a list, this is null"),
        (b'"[1]"', "seeds/p.json:1:1: (top): has to be a list, this is text"),
        (b'[\n {"raw": 1,}\n]', "seeds/p.json:2:12: is not JSON: "),
        (b"[1] [2]", "seeds/p.json:1:5: is not JSON: Extra data"),
        (b'[{"a": 1,\n  "a": 2}]', "seeds/p.json:2:8: [0].a: stands twice in its object"),
        (b"[NaN]", "seeds/p.json:1:2: [0]: NaN is not JSON"),
        (b'[1,\n {"a": -Infinity}]', "seeds/p.json:2:8: [1].a: -Infinity is not JSON"),
        (b"[1,\n1e999]", "seeds/p.json:2:1: [1]: 1e999 is larger than any number that is read"),
        (b"[1,\n-" + b"7" * 4301 + b"]", "seeds/p.json:2:1: [1]: has 4301 digits, at most 4300 are read"),
        (b"[\n \xff]", "seeds/p.json:2:2: is not UTF-8"),
        ("\ufeff[1]".encode(), "seeds/p.json:1:1: starts with a byte order mark"),
        (b"[" * 5000 + b"]" * 5000, "seeds/p.json:1:202: (top): is nested deeper than 200"),  # within 201 lists
        (b"[" + b"9" * 400 + b".0]", "seeds/p.json:1:2: [0]: 9999999"),
    ],
)
def test_what_is_no_corpus_is_incomplete(data: bytes | None, message: str) -> None:
    with pytest.raises(IncompleteError) as caught:
        parse_corpus(data, path="seeds/p.json")
    assert str(caught.value).startswith(message)
    assert caught.value.exit_code is Exit.INCOMPLETE
    assert caught.value.code == "oracle_incomplete"
    assert "committed" in caught.value.remedy


@given(st.binary(max_size=40) | st.text(alphabet='[]{}",:1 \n', max_size=20).map(str.encode))
@settings(max_examples=300, deadline=None)
def test_arbitrary_bytes_are_a_corpus_or_incomplete(data: bytes) -> None:
    try:
        corpus = parse_corpus(data, path="s")
    except IncompleteError:
        refused = True
    else:
        refused = False
        assert list(corpus.cases) == json.loads(data)
    assert refused == (not _is_corpus(data))


def _is_corpus(data: bytes) -> bool:
    """The same question asked of the standard parser."""
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=_pairs)
    except ValueError:
        return False
    return isinstance(value, list) and bool(value)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("repeated")
    return dict(pairs)
