"""What a person's declarations make of a test: what base asks of it is asked afterwards, wherever it is taken from."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oracle_rules.gate.test_lane import EASES

from .sides import BUILD, DOMAIN, PROPERTY, P, codes, frozen, gated, ledger, signs, workspace

NARROW = DOMAIN | {"max_size": 2}
SECOND = 'oracle_domain_lock(name = "second", lock = "second.json")\n'
OTHER_FILE = {"properties/q.py": PROPERTY, "seeds/q.json": "[5]"}
Q = P.replace('"p"', '"q"').replace("/p.", "/q.")
TWO = BUILD + Q  # two tests that draw


def build(old: str, new: str, text: str = BUILD) -> str:
    assert old in text
    return text.replace(old, new)


def called(name: str, text: str = P) -> str:
    """The test with this property_id."""
    return text.replace("property = ", f'property_id = "{name}", property = ', 1)


def lock(**rows: Any) -> str:
    return json.dumps(rows)


def suite(*names: str) -> str:
    """The workspace with a suite of these tests."""
    tests = ", ".join(f'":{name}"' for name in names)
    return build('"oracle_freeze"', '"oracle_freeze", "oracle_suite"') + f'oracle_suite(name = "all", tests = [{tests}])\n'


BASE_TWO = {"BUILD.bazel": TWO, "domain_lock.json": lock(p=DOMAIN, q=NARROW), **OTHER_FILE}
SWAPPED = BUILD.replace(P, called("q")) + called("p", Q)
DUMMY = P.replace('"p"', '"dummy"').replace("properties/p.py", "properties/q.py")
ELSEWHERE = BUILD.replace(P, P.replace('":domains"', '":second"')) + SECOND
ASLEEP = 'name = "asleep", property'
AS_ASLEEP = build(ASLEEP, 'name = "asleep", property_id = "awake", property', BUILD.replace(P, called("asleep")))

# What a person does -> base beside the common one, the change, the steps, and the codes against it.
CASES: dict[str, tuple[dict[str, Any], dict[str, Any], list[str], list[str]]] = {
    "another lock, narrower": (
        {}, {"BUILD.bazel": ELSEWHERE, "second.json": lock(p=NARROW)}, ["domain-narrowed"], ["domain_narrowed"]),
    "another lock, the same": (
        {}, {"BUILD.bazel": ELSEWHERE, "second.json": lock(p=DOMAIN)}, ["domain-moved"], []),
    "another lock, the row moved": (
        BASE_TWO, {"BUILD.bazel": TWO.replace(P, P.replace('":domains"', '":second"')) + SECOND,
                   "second.json": lock(p=DOMAIN), "domain_lock.json": lock(q=NARROW)}, ["domain-moved"], []),
    "another lock, wider": (
        {}, {"BUILD.bazel": ELSEWHERE, "second.json": lock(p=DOMAIN | {"max_size": 9})},
        ["domain-moved", "domain-widened"], []),
    "another lock that has no row": (
        {}, {"BUILD.bazel": ELSEWHERE, "second.json": lock(z=DOMAIN)}, ["domain-new", "domain-unlocked"],
        ["domain_unlocked"]),
    "the lock's file moved": (
        {}, {"BUILD.bazel": BUILD.replace("domain_lock.json", "locks/domains.json"), "domain_lock.json": None,
             "locks/domains.json": lock(p=DOMAIN)}, ["domain-moved"], []),
    "a row that no test draws, gone": (
        {"domain_lock.json": lock(p=DOMAIN, z=DOMAIN)}, {}, ["domain-unlocked"], ["domain_unlocked"]),
    "another id, no domain": (
        {}, {"BUILD.bazel": BUILD.replace(P, called("p2").replace(', domain_lock = ":domains"', ""))},
        ["test-renamed", "domain-undeclared"], ["domain_unlocked"]),
    "another id, a narrow row": (
        {}, {"BUILD.bazel": BUILD.replace(P, called("p2")), "domain_lock.json": lock(p=DOMAIN, p2=NARROW)},
        ["test-renamed", "domain-narrowed"], ["domain_narrowed"]),
    "another id, no row": (
        {}, {"BUILD.bazel": BUILD.replace(P, called("p2"))}, ["test-renamed", "domain-unlocked"], ["domain_unlocked"]),
    "another id with its row": (
        {}, {"BUILD.bazel": BUILD.replace(P, called("p2")), "domain_lock.json": lock(p2=DOMAIN)},
        ["test-renamed", "domain-moved"], []),
    "ids swapped": (
        BASE_TWO, {"BUILD.bazel": SWAPPED},
        ["test-renamed", "domain-narrowed", "test-renamed", "domain-moved", "domain-widened"], ["domain_narrowed"]),
    "ids and rows swapped": (
        BASE_TWO, {"BUILD.bazel": SWAPPED, "domain_lock.json": lock(p=NARROW, q=DOMAIN)},
        ["test-renamed", "domain-moved"] * 2, []),
    "a name swapped for a file's": (
        BASE_TWO, {"BUILD.bazel": TWO.replace("properties/p.py", "X").replace("properties/q.py", "properties/p.py")
                   .replace("X", "properties/q.py")},
        ["test-renamed", "cases-unasked", "cases-unasked", "domain-narrowed", "test-renamed", "cases-unasked",
         "domain-moved", "domain-widened"], ["domain_narrowed", "seed_removed", "seed_removed", "seed_removed"]),
    "every name new": (
        {}, {"BUILD.bazel": BUILD.replace(P, P.replace('"p"', '"r"').replace("properties/p.py", "properties/r.py")),
             "properties/p.py": None, "properties/r.py": PROPERTY, "domain_lock.json": lock(r=DOMAIN)},
        ["test-renamed", "domain-moved"], []),
    "every name new, narrower": (
        {}, {"BUILD.bazel": BUILD.replace(P, P.replace('"p"', '"r"').replace("properties/p.py", "properties/r.py")),
             "properties/p.py": None, "properties/r.py": PROPERTY, "domain_lock.json": lock(r=NARROW)},
        ["test-renamed", "domain-narrowed"], ["domain_narrowed"]),
    "asked by a second test as well, less": (
        {}, {"BUILD.bazel": BUILD + P.replace('"p"', '"quick"'), "domain_lock.json": lock(p=DOMAIN, quick=NARROW)},
        ["domain-new"], []),
    "frozen by another's row": (
        {}, {"BUILD.bazel": AS_ASLEEP, "domain_lock.json": lock(asleep=DOMAIN)},
        ["test-renamed", "test-renamed", "domain-moved", "frozen-by-name"], ["freeze_unaccounted"]),
    "frozen by a row of its own under a new id": (
        {}, {"BUILD.bazel": BUILD.replace(P, called("p2")), "domain_lock.json": lock(p2=DOMAIN),
             "freeze.json": ledger(frozen(), frozen(id="FZ-2", property="p2"), budget=2)},
        ["budget-raised", "frozen", "test-renamed", "domain-moved"], []),
    "a frozen test by another id": (
        {}, {"BUILD.bazel": build(ASLEEP, 'name = "asleep", property_id = "doze", property'),
             "freeze.json": ledger(frozen(property="doze"))}, ["row-changed", "test-renamed"], []),
    "a corpus given to a dummy": (
        {}, {"BUILD.bazel": BUILD.replace(P, P.replace("seeds/p.json", "seeds/q.json")) + DUMMY, **OTHER_FILE,
             "domain_lock.json": lock(p=DOMAIN, dummy=DOMAIN)},
        ["seed-appended", "corpus-new", "domain-new", "cases-unasked", "cases-unasked"], ["seed_removed"] * 2),
    "a corpus that goes on in another": (
        {}, {"BUILD.bazel": BUILD.replace(P, P.replace("seeds/p.json", "seeds/q.json")) + DUMMY, **OTHER_FILE,
             "seeds/q.json": "[1, 2, 5]", "domain_lock.json": lock(p=DOMAIN, dummy=DOMAIN)},
        ["seed-appended"] * 3 + ["corpus-new", "domain-new"], []),
    "a corpus shared, one test gone": (
        {"BUILD.bazel": BUILD + Q.replace("seeds/q", "seeds/p"), "domain_lock.json": lock(p=DOMAIN, q=DOMAIN),
         "properties/q.py": PROPERTY}, {}, ["domain-unlocked", "test-removed", "cases-unasked"], ["domain_unlocked", "seed_removed"]),
    "left out of wildcards": (
        {}, {"BUILD.bazel": BUILD.replace(P, P.replace("candidate", 'tags = ["manual"], candidate'))},
        ["test-eased"], []),
    "a suite with a test less": (
        {"BUILD.bazel": suite("p", "asleep")}, {"BUILD.bazel": suite("asleep")}, ["suite-shrunk"], []),
    "a suite with a test more": ({"BUILD.bazel": suite("p")}, {"BUILD.bazel": suite("asleep", "p")}, [], []),
    "a suite gone": ({"BUILD.bazel": suite("p")}, {"BUILD.bazel": BUILD}, ["suite-shrunk"], []),
    "tagged otherwise": (
        {}, {"BUILD.bazel": BUILD.replace(P, P.replace("candidate", 'tags = ["slow"], candidate'))}, [], []),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_a_test_asks_goes_on(name: str) -> None:
    base, changes, expected, against = CASES[name]
    found = gated(workspace(**base), workspace(**(base | changes if changes else {})))
    assert (signs(found), codes(found)) == (expected, against)


SELECTED = 'selector = "properties/w.py", nodeids = ["properties/w.py::test_b"]'
EASED = {
    "tags": ('tags = ["slow"]', 'tags = ["slow", "manual"]'), "candidate": ('candidate = ":src"', 'candidate = ":more"'),
    "timeout_seconds": ("timeout_seconds = 9", "timeout_seconds = 8"), "allow": ("", 'allow = ["uuid"]'),
    "fresh_cell": ("fresh_cell = True", ""), "deps": ('deps = ["properties/h.py"]', 'deps = ["properties/i.py"]'),
    "nodeids": (SELECTED.replace("_b", '_b", "properties/w.py::test_a'), SELECTED),
    "fixtures": ('fixtures = [":fixtures"]', ""), "profile": ('profile = ":calm"', ""),
    "env": ('env = {"A": "1"}', 'env = {"A": "2"}'),
}


ASKED = 'property = "properties/w.py", seeds = "seeds/w.json", '


def asking(words: str) -> dict[str, str]:
    """A workspace with one test more, with these attributes."""
    given = words if "candidate" in words else ", ".join(filter(None, (words, 'candidate = ":src"')))
    return {"BUILD.bazel": build('"oracle_freeze"', '"oracle_freeze", "oracle_profile"') + (
        'oracle_candidate(name = "more", srcs = glob(["src/*.py"]))\noracle_profile(name = "calm", seed = 3)\n'
        f'oracle_property_test(name = "w", {"" if "selector" in words else ASKED}{given})\n'),
        "properties/w.py": PROPERTY, "seeds/w.json": "[1]", "properties/h.py": "", "properties/i.py": ""}


@pytest.mark.parametrize("ease", EASES, ids=lambda ease: ease.field)
def test_a_target_that_asks_less_is_shown_and_one_that_asks_more_is_not(ease: Any) -> None:
    old, new = (workspace(**asking(words)) for words in EASED[ease.field])
    found = gated(old, new)
    assert (signs(found), codes(found)) == (["test-eased"], [])
    assert found.gated is not None and ease.says in found.gated.steps[0].detail
    back = signs(gated(new, old))
    assert back == (["test-eased"] if ease.field in ("candidate", "deps", "env") else [])


def test_every_way_to_ask_less_has_its_sides() -> None:
    assert [ease.field for ease in EASES] == list(EASED)
