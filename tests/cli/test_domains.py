"""Locked domains from the command line: typed cases judged, starved and unlocked ones refused, the verb `domain`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from .kit import Ran, Repo, make, oracle

FILTERS = "properties/_filters.py"
PROPERTY = '''"""A price with its parts survives a round trip through the candidate."""

from decimal import Decimal

from src.price import back, forth


def hold(case):
    if isinstance(case, dict):
        assert type(case["price"]) is Decimal and type(case["tag"]) is bytes
    return back(forth(case)) == case
'''
GOOD = "def forth(value):\n    return [value]\n\n\ndef back(made):\n    return made[0]\n"
# Right for every committed seed; only a drawn price shows it.
RED = "def forth(value):\n    return [value]\n\n\ndef back(made):\n    if isinstance(made[0], dict):\n        return None\n" \
      "    return made[0]\n"
DOMAIN: dict[str, Any] = {
    "kind": "records", "optional": {},
    "required": {
        "price": {"kind": "decimals", "min": "0", "max": "9.99", "places": 2, "allow_nan": False,
                  "allow_infinity": False},
        "tag": {"kind": "binary", "min_size": 1, "max_size": 2},
        "at": {"kind": "datetimes", "min": "2026-01-01T00:00:00", "max": "2026-01-02T00:00:00", "offset": "+02:00"},
    },
}  # fmt: skip
ROW = {"domain": DOMAIN, "max_examples": 20, "deadline_ms": 400, "seed": 7}
KEEPS = f"{FILTERS}:keeps"


def files(row: Mapping[str, Any] | None = None, **more: str) -> dict[str, str]:
    """The workspace with this row of the lock."""
    build = [
        'load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_domain_lock", "oracle_property_test")',
        'oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))',
        'oracle_domain_lock(name = "domains", lock = "domain_lock.json")',
        'oracle_property_test(name = "price", property = "properties/price.py", candidate = ":src", seeds = '
        f'"seeds/price.json", domain_lock = ":domains", deps = ["{FILTERS}"])']  # fmt: skip
    return {
        "BUILD.bazel": "\n".join(build) + "\n", "src/__init__.py": "", "src/price.py": GOOD,
        "properties/price.py": PROPERTY, "seeds/price.json": "[1]",
        FILTERS: "def keeps(case):\n    return case['price'] < 5\n\n\ndef rare(case):\n    return case['price'] < 1\n",
        "domain_lock.json": json.dumps({"price": {**ROW, **(row or {})}}, indent=1), **more,
    }  # fmt: skip


def patched(top: Path, row: Mapping[str, Any] | None = None, source: str = GOOD + "# new\n", **more: str) -> Repo:
    """A repository with this row, and an honest patch on `patch`."""
    repo = make(top / "repo", files(row, **more))
    repo.git("checkout", "-q", "main")
    repo.commit({"src/price.py": source}, "patch")
    return repo


@pytest.fixture
def score(tmp_path: Path, cache: Path) -> Any:
    def run(*words: str, **given: Any) -> Ran:
        repo = patched(tmp_path, **given)
        return oracle("score", "--base", "main", "--head", "patch", "--cache-dir", str(cache), *words, cwd=repo.top)

    return run


def test_typed_cases_are_drawn_and_judged(score: Any) -> None:
    ran = score("--format", "json", row={"filters": [KEEPS], "acceptance_floor": 0.2, "distinct_floor": 20})
    [target] = ran.record["targets"]
    assert (ran.status, target["planned"], target["held"]) == (0, 21, 21), ran


def test_a_typed_counterexample_is_shown_as_it_is_spelled(score: Any) -> None:
    ran = score("--format", "json", source=RED)
    [target] = ran.record["targets"]
    example = target["counterexample"]
    assert (ran.status, example["index"], example["typed"]) == (1, 1, True)
    assert list(example["case"]["price"]) == ["$decimal"] and list(example["case"]["tag"]) == ["$bytes"]
    assert example["case"]["at"]["$datetime"].endswith("+02:00")


STARVED: dict[str, tuple[dict[str, Any], str, int, str]] = {
    "acceptance": ({"filters": [f"{FILTERS}:rare"], "acceptance_floor": 0.5}, "domain_starved", 3, "said yes"),
    "distinct": ({"domain": {"kind": "booleans"}, "distinct_floor": 3}, "domain_starved", 3, "2 distinct cases"),
    "raises": ({"domain": {"kind": "none"}, "filters": [KEEPS], "acceptance_floor": 1}, "domain_undrawable", 3,
               "raised TypeError"),
    "pin": ({"corpus": f"{'0' * 64}/1"}, "corpus_drift", 3, "was drawn"),
    "undeclared": ({"filters": ["src/price.py:back"], "acceptance_floor": 1}, "oracle_incomplete", 3, "deps"),
    "missing": ({"filters": ["properties/none.py:f"], "acceptance_floor": 1}, "oracle_incomplete", 3, "not there"),
}  # fmt: skip


@pytest.mark.parametrize("name", STARVED)
def test_what_can_not_be_drawn_as_locked_is_never_judged(name: str, score: Any) -> None:
    row, code, status, words = STARVED[name]
    ran = score("--format", "json", row=row)
    assert ran.status == status, ran
    record = ran.record
    assert record["bit"] == 0 and record["targets"] == []
    [reason] = record["reasons"]
    assert reason["code"] == code and words in reason["detail"] and "domain_lock.json" in reason["subject"], reason


def draw(repo: Repo, cache: Path, *words: str) -> Ran:
    return oracle("domain", "draw", "--cache-dir", str(cache), *words, cwd=repo.top)


def told(repo: Repo, cache: Path, *words: str) -> tuple[int, dict[str, Any]]:
    """The exit and the one row of JSON."""
    ran = draw(repo, cache, "--format", "json", *words)
    [found] = json.loads(ran.out)
    return ran.status, found


TENS = {"domain": {"kind": "sampled", "values": list(range(10))}, "max_examples": 10, "filters": [f"{FILTERS}:even"]}
EVEN = {
    FILTERS: "def even(case):\n    return case % 2 == 0\n",
    "properties/price.py": "from src.price import back, forth\n"
    "\n\ndef hold(case):\n    return back(forth(case)) == case\n",
}


def test_the_counts_of_what_is_drawn_are_shown_and_met(tmp_path: Path, cache: Path) -> None:
    repo = patched(tmp_path, {**TENS, "acceptance_floor": 0.2, "distinct_floor": 5}, **EVEN)
    status, found = told(repo, cache, "price")
    counts = found["counts"]
    # Half of ten numbers are even, and each of them comes up.
    assert (status, counts["wanted"], counts["distinct"], found["reasons"]) == (0, 10, 5, [])
    assert counts["filters"] == [{"predicate": f"{FILTERS}:even", "asked": counts["drawn"], "yes": counts["accepted"]}]
    assert 0.2 * counts["drawn"] <= counts["accepted"] < counts["drawn"]
    assert found["floors"] == {"acceptance": 0.2, "distinct": 5, "met": True}
    assert (found["label"], found["lock"], found["pinned"]) == ("//:price", "domain_lock.json", None)
    text = draw(repo, cache).out
    assert f"drawn     {counts['drawn']}, {counts['accepted']} accepted, 5 distinct of 10 wanted\n" in text
    assert f"{FILTERS}:even said yes {counts['accepted']} of {counts['drawn']} times\n" in text
    assert (
        "floors    acceptance 0.2, distinct 5: met\n" in text and f"corpus    {found['corpus']}, not pinned\n" in text
    )


def test_a_floor_that_is_not_met_is_shown_with_the_counts(tmp_path: Path, cache: Path) -> None:
    repo = patched(tmp_path, {**TENS, "acceptance_floor": 0.2, "distinct_floor": 6}, **EVEN)
    status, found = told(repo, cache)
    assert (status, found["counts"]["distinct"], found["floors"]["met"]) == (3, 5, False)
    assert [each["code"] for each in found["reasons"]] == ["domain_starved"]
    text = draw(repo, cache).out
    assert "distinct 6: not met\n" in text and "  domain_starved domain_lock.json: price: 5 distinct cases" in text
    repo.write({FILTERS: "def even(case):\n    raise KeyError\n"})
    status, found = told(repo, cache)
    assert (status, found["corpus"], found["floors"]["met"]) == (3, None, False)
    assert [each["code"] for each in found["reasons"]] == ["domain_undrawable"]
    repo.write({FILTERS: None})
    assert draw(repo, cache).status == 3


def test_the_short_form_is_counted_in_the_same_shape(tmp_path: Path, cache: Path) -> None:
    short = {"min_size": 1, "max_size": 1, "alphabet": "abc", "max_examples": 9, "deadline_ms": 400, "seed": 7}
    repo = patched(tmp_path, **EVEN, **{"domain_lock.json": json.dumps({"price": short})})
    status, found = told(repo, cache)
    counts = found["counts"]
    assert (status, counts["wanted"], counts["distinct"], counts["filters"]) == (0, 9, 3, [])
    assert counts["accepted"] == counts["drawn"] > 3
    assert "floors    none locked\n" in draw(repo, cache).out


def test_what_has_no_lock_draws_nothing(tmp_path: Path, cache: Path) -> None:
    repo = patched(tmp_path)
    assert draw(repo, cache, "prise").status == 2
    repo.write({"BUILD.bazel": files()["BUILD.bazel"].replace(', domain_lock = ":domains"', "")})
    assert draw(repo, cache).status == 6


def test_the_digest_that_is_shown_can_be_pinned(tmp_path: Path, cache: Path) -> None:
    pin = told(patched(tmp_path), cache)[1]["corpus"]
    wrong = told(patched(tmp_path / "wrong", {"corpus": f"{'0' * 64}/1"}), cache)
    assert (wrong[0], wrong[1]["corpus"], [each["code"] for each in wrong[1]["reasons"]]) == (3, pin, ["corpus_drift"])
    assert wrong[1]["floors"]["met"] is True
    repo = patched(tmp_path / "again", {"corpus": pin})
    assert "as it is pinned\n" in draw(repo, cache).out
    again = oracle("score", "--base", "main", "--head", "patch", "--cache-dir", str(cache), cwd=repo.top)
    assert again.status == 0, again


UNLOCKED = {
    "no row": ({"domain_lock.json": json.dumps({"other": ROW})}, "domain_lock.json", "locks no domain for price"),
    "given": ({"properties/price.py": "from hypothesis import given as g, strategies as st\n\n\n@g(st.integers())\n"
               "def hold(case):\n    return True\n"}, "properties/price.py:4:2", "hypothesis.given draws cases"),
    "settings": ({FILTERS: "import hypothesis as h\n\nh.settings.register_profile('x', max_examples=1)\n"},
                 f"{FILTERS}:3:1", "register_profile"),
    "example": ({"properties/price.py": "def hold(case):\n    import hypothesis.strategies as st\n"
                 "    return st.integers().example() is not None\n"}, "properties/price.py:3:12", ".example"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNLOCKED)
def test_a_property_that_draws_without_a_lock_is_refused_with_the_line(name: str, score: Any) -> None:
    changed, place, words = UNLOCKED[name]
    ran = score("--format", "json", **changed)
    assert ran.status == 4, ran
    found = {reason["subject"]: reason for reason in ran.record["reasons"]}
    assert found[place]["code"] == "domain_unlocked" and words in found[place]["detail"], found


def domain(repo: Repo, *words: str) -> Ran:
    return oracle("domain", *words, cwd=repo.top)


def test_the_verb_shows_checks_and_compares(tmp_path: Path) -> None:
    repo = patched(tmp_path)
    shown = json.loads(domain(repo, "show", "price", "--format", "json").out)
    assert [row["property_id"] for row in shown] == ["price"]
    assert shown[0]["canonical"]["domain"]["kind"] == "records" and shown[0]["canonical"]["max_examples"] == 20
    assert shown[0]["fingerprint"]["hash"] in domain(repo, "show").out
    assert domain(repo, "show", "prise").status == 2
    checked = domain(repo, "check")
    assert (checked.status, checked.out) == (0, "1 locked domain, each as the laws want it\n")
    assert domain(repo, "compare", "--base", "main").status == 0
    narrower = json.loads(json.dumps(ROW).replace('"9.99"', '"9.98"'))
    repo.write({"domain_lock.json": json.dumps({"price": {**narrower, "deadline_ms": 300}})})
    ran = domain(repo, "compare", "--base", "main")
    assert ran.status == 4 and ran.out.count("domain_narrowed") == 2
    assert 'price.domain.required.price.max: locked "9.99", live "9.98"' in ran.out
    assert domain(repo, "compare", "--base", "main", "--head", "patch").status == 0
    build = files()["BUILD.bazel"] + 'oracle_domain_lock(name = "second", lock = "second.json")\n'
    build = build.replace('domain_lock = ":domains"', 'domain_lock = ":second"')
    for row, status in ((narrower, 4), (ROW, 0)):
        for first in ({"price": ROW}, {"other": ROW}):
            repo.write({"BUILD.bazel": build, "domain_lock.json": json.dumps(first),
                        "second.json": json.dumps({"price": row})})
            assert domain(repo, "compare", "--base", "main").status == status
    repo.write({"BUILD.bazel": files()["BUILD.bazel"], "domain_lock.json": json.dumps({"other": ROW})})
    assert domain(repo, "check").status == 4
    ran = domain(repo, "compare", "--base", "main")
    assert ran.status == 4 and ran.out.startswith("domain_unlocked price: locked ")
    repo.write({"domain_lock.json": '{"price": {"domain": {"kind": "integer"}}}'})
    assert domain(repo, "check").status == 3


def test_settings_in_the_candidate_move_no_case(score: Any, tmp_path: Path, cache: Path) -> None:
    before = score("--format", "json").record["targets"][0]
    source = GOOD + "\n\nclass settings:\n    max_examples = 1\n\n\nSEED = 31337\n"
    repo = patched(tmp_path / "again", source=source)
    ran = oracle("score", "--base", "main", "--head", "patch", "--format", "json", "--cache-dir", str(cache),
                 cwd=repo.top)  # fmt: skip
    [after] = ran.record["targets"]
    assert (ran.status, after["planned"]) == (0, before["planned"]) == (0, 21)


def test_a_broken_filter_can_be_mended_by_a_person(tmp_path: Path, cache: Path) -> None:
    """From a base that nothing can be drawn from to one that judges, by the gate."""
    row = {"filters": [KEEPS], "acceptance_floor": 0.2}
    repo = make(tmp_path / "repo", files(row, **{FILTERS: "def keeps(case):\n    return 1\n"}))
    repo.git("checkout", "-q", "main")
    repo.commit({FILTERS: files()[FILTERS]}, "mend")
    words = ("--cache-dir", str(cache), "--base", "main", "--head")
    stuck = oracle("score", *words, "good", cwd=repo.top)
    assert stuck.status == 3 and "domain_undrawable" in stuck.out
    gate = ("gate", "--base", "main", "--head", "mend")
    assert oracle(*gate, cwd=repo.top).status == 4, "an agent may not"
    ran = oracle(*gate, "--author", "human", cwd=repo.top)
    assert ran.status == 0 and "filter-rewritten domain_lock.json: price: properties/_filters.py:keeps was " in ran.out
    told = oracle("domain", "compare", "--base", "main", "--head", "mend", cwd=repo.top)
    assert told.status == 0 and "not comparable price: properties/_filters.py:keeps was " in told.out
    repo.git("checkout", "-q", "-B", "main", "mend")
    repo.commit({"src/price.py": GOOD + "# new\n"}, "after")
    assert oracle("score", *words, "after", cwd=repo.top).status == 0
