"""Drawing in the sandbox: every kind, typed and exact; the same bytes wherever it runs; filters that misbehave."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from oracle_rules.analysis.actions import generate_plan
from oracle_rules.analysis.policy import policy
from oracle_rules.artifacts.profile import STANDARD
from oracle_rules.protocol import corpus, layout, typed
from oracle_rules.reapi.profile import named
from oracle_rules.worker import Worker

from ..artifacts import domain_values as model

FILTERS = "properties/_f.py"
Draw = Callable[..., bytes]


@pytest.fixture(scope="module")
def draw(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Draw]:
    """Draws the corpus of a spelled domain; nothing is taken from the cache."""
    with Worker(tmp_path_factory.mktemp("cache"), jobs=1) as worker:

        def run(spelled: Any, source: str = "", limits: Mapping[str, int] | None = None, **row: Any) -> bytes:
            row = {"max_examples": 25, **({"acceptance_floor": 0.1} if "filters" in row else {}), **row}
            locked = model.locked(spelled, **row)
            profile = replace(STANDARD, limits={**STANDARD.limits, **(limits or {})})
            plan = generate_plan("//:p", locked.request, policy(profile), worker.host,
                                 named("bazel-4"), {FILTERS: source.encode()} if source else {})
            worker.store_inputs(plan)
            [(_, result)] = list(worker.execute([plan.action]))
            return worker.output(result, layout.corpus(0))[1]

        yield run


NUMBERS = {"kind": "integers", "min": 0, "max": 9999}
EVERY: list[dict[str, Any]] = [
    {"kind": "integers", "min": -(1 << 90), "max": 1 << 90},
    {"kind": "integers", "min": None, "max": None},
    {"kind": "floats", "min": None, "max": None, "exclude_min": False, "exclude_max": False, "allow_nan": True,
     "allow_infinity": True, "width": 64},
    {"kind": "floats", "min": -0.0, "max": 1, "exclude_min": False, "exclude_max": True, "allow_nan": True,
     "allow_infinity": False, "width": 16},
    {"kind": "decimals", "min": "-12345678901234567890123456789012345.5", "max": "0.333", "places": 3,
     "allow_nan": True, "allow_infinity": False},
    {"kind": "decimals", "min": "0.1", "max": None, "places": None, "allow_nan": False, "allow_infinity": True},
    {"kind": "text", "alphabet": {"characters": {"$text": [0xD800, 0x61, 0xDC00]}}, "min_size": 0, "max_size": 4},
    {"kind": "binary", "min_size": 1, "max_size": 3},
    {"kind": "booleans"},
    {"kind": "optional", "of": {"kind": "none"}},
    {"kind": "sampled", "values": [{"$float": "-0.0"}, 0.0, 0, False, {"$tuple": [1, {"$bytes": "ff"}]}]},
    {"kind": "datetimes", "min": "2026-01-01T00:00:00", "max": "2026-12-31T00:00:00", "offset": "-05:30"},
    {"kind": "datetimes", "min": "2026-01-01T00:00:00", "max": "2026-01-01T00:00:00", "offset": None},
    {"kind": "dates", "min": "2026-01-01", "max": "2026-12-31"},
    {"kind": "lists", "elements": {"kind": "sampled", "values": [1, True, 1.0]}, "min_size": 2, "max_size": 3,
     "unique": True},
    {"kind": "sets", "elements": {"kind": "tuples", "elements": [NUMBERS, {"kind": "booleans"}]}, "min_size": 1,
     "max_size": 3},
    {"kind": "records", "required": {"a": NUMBERS, "$b": {"kind": "booleans"}}, "optional": {"c": NUMBERS}},
    {"kind": "one_of", "alternatives": [NUMBERS, {"kind": "binary", "min_size": 0, "max_size": 1}]},
]  # fmt: skip


def test_every_kind_is_drawn_as_typed_cases_of_the_domain(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    spelled = {"kind": "tuples", "elements": EVERY}
    data = draw(spelled)
    cases = [typed.decode(case) for case in corpus.parse(data)["cases"]]
    assert len(cases) == 25 and len({typed.text(case) for case in cases}) == 25
    for case in cases:
        assert type(case) is tuple and len(case) == len(EVERY)
        for domain, value in zip(EVERY, case, strict=True):
            if domain["kind"] == "text":
                domain = {**domain, "alphabet": {"characters": "\ud800a\udc00"}}
            if domain["kind"] == "sampled":
                assert any(model.same(value, model.literal(each)) for each in domain["values"])
            else:
                assert model.member(domain, value), (domain, value)
    for name, value in (("CI", "1"), ("PYTHONHASHSEED", "7"), ("HYPOTHESIS_PROFILE", "ci"), ("TZ", "Asia/Tokyo"),
                        ("HYPOTHESIS_STORAGE_DIRECTORY", "/nonexistent")):
        monkeypatch.setenv(name, value)
    assert draw(spelled) == data


def test_another_spelling_draws_the_same_and_another_seed_other_cases(draw: Draw) -> None:
    one = draw({"kind": "optional", "of": {"kind": "sampled", "values": [3, 1, 2]}}, max_examples=4)
    other = draw({"kind": "one_of", "alternatives": [{"kind": "sampled", "values": [1, 2, 3]}, {"kind": "none"}]},
                 max_examples=4)
    assert one == other and sorted(map(str, corpus.parse(one)["cases"])) == ["1", "2", "3", "None"]
    assert draw(NUMBERS) != draw(NUMBERS, seed=4)


def test_a_filter_is_asked_once_for_each_drawn_case_and_counted(draw: Draw) -> None:
    source = "def even(n):\n    return n % 2 == 0\n\ndef small(n):\n    return n < 5000\n"
    found = corpus.parse(draw(NUMBERS, source, filters=[f"{FILTERS}:small", f"{FILTERS}:even"], max_examples=40))
    assert all(case % 2 == 0 and case < 5000 for case in found["cases"]) and len(found["cases"]) == 40
    even, small = found["counts"]["filters"]
    assert (even["predicate"], small["predicate"]) == (f"{FILTERS}:even", f"{FILTERS}:small")
    assert even["asked"] == found["counts"]["drawn"] and small["asked"] == even["yes"]
    assert small["yes"] == found["counts"]["accepted"] >= found["counts"]["distinct"] == 40
    assert 0.1 < even["yes"] / even["asked"] < 0.9


def test_what_a_filter_does_to_its_case_stays_with_the_filter(draw: Draw) -> None:
    lists = {"kind": "lists", "elements": NUMBERS, "min_size": 1, "max_size": 3, "unique": False}
    source = "def eats(items):\n    items.clear()\n    return True\n"
    found = corpus.parse(draw(lists, source, filters=[f"{FILTERS}:eats"]))
    assert all(1 <= len(case) <= 3 for case in found["cases"])


def test_a_constant_of_a_filter_reaches_no_case(draw: Draw) -> None:
    """The one source of the oracle's that is loaded there; `test_streams.py` shows that constants elsewhere do."""
    whole, source = {"kind": "integers", "min": None, "max": None}, "def f(n):\n    return True\n"
    odd = f"ODD = {list(range(918273645, 918273945))}\n"
    plain, other = (draw(whole, text, filters=[f"{FILTERS}:f"], max_examples=200) for text in (source, odd + source))
    assert plain == other


BROKEN = {
    "raises": ("def f(n):\n    return 1 // (n - n) == 1\n", "raised ZeroDivisionError", f"at {FILTERS}:2"),
    "exits": ("import sys\ndef f(n):\n    sys.exit(0)\n", "raised SystemExit", f"at {FILTERS}:3"),
    "answers": ("def f(n):\n    return n\n", "answered int", "has to answer True or False"),
    "never": ("def f(n):\n    return False\n", "none of", "passed the filters"),
    "clock": ("import time\ndef f(n):\n    return time.time() > n\n", "reads what changes", f"at {FILTERS}:3"),
    "random": ("import os\ndef f(n):\n    return os.urandom(1) > b'a'\n", "reads what changes", f"at {FILTERS}:3"),
    "missing": ("def g(n):\n    return True\n", "has no function f", FILTERS),
    "candidate": ("import src.code\n", "cannot be loaded: ModuleNotFoundError", "standard library alone"),
    "syntax": ("def f(\n", "cannot be loaded: SyntaxError", FILTERS),
    "gone": ("import os\ndef f(n):\n    os._exit(0)\n", "which a filter brought about", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_filter_that_misbehaves_gives_no_case_and_says_where(draw: Draw, name: str) -> None:
    source, *said = BROKEN[name]
    found = corpus.parse(draw(NUMBERS, source, filters=[f"{FILTERS}:f"], max_examples=5))
    assert found["cases"] == [] and corpus.cacheable(found)
    assert all(words in found["problem"]["detail"] for words in said), found["problem"]


def test_a_filter_that_never_ends_is_ended_and_not_stored(draw: Draw) -> None:
    source = "def f(n):\n    while True:\n        pass\n"
    found = corpus.parse(draw(NUMBERS, source, {"cpu_seconds": 2}, filters=[f"{FILTERS}:f"]))
    assert found["problem"]["limit"] == "timeout" and not corpus.cacheable(found)


def test_a_domain_that_nothing_can_be_drawn_from_says_so(draw: Draw) -> None:
    impossible = {"kind": "lists", "elements": {"kind": "booleans"}, "min_size": 3, "max_size": 4, "unique": True}
    found = corpus.parse(draw(impossible))
    assert found["cases"] == [] and found["problem"]["detail"]


def test_a_case_that_is_kept_reads_back_to_itself(draw: Draw) -> None:
    data = draw({"kind": "one_of", "alternatives": EVERY[:6]})
    for case in json.loads(data)["cases"]:
        assert typed.encode(typed.decode(case)) == case
