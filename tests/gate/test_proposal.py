"""A person's change of each artifact: what the lanes allow, what they refuse, and that an agent may do none of it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from oracle_rules.gate.author import Author
from oracle_rules.gate.lanes import LANE_ROWS
from oracle_rules.scm import Mode

from .sides import BUILD, DOMAIN, NEW, OLD, PROPERTY, P, codes, fixture, frozen, gated, ledger, signs, workspace
from .test_fixture_lane import CASES as FIXTURES
from .test_journal_lane import CASES as JOURNALS
from .test_journal_lane import FROM as OTHER_JOURNALS
from .test_journal_lane import NEW as NEW_JOURNALS
from .test_succession import CASES as SUCCESSIONS

MANIFEST = "fixtures/manifest.json"


def manifest(**rows: Any) -> str:
    return json.dumps({f"{name}.json": row for name, row in rows.items()})


OTHER = 'oracle_property_test(name = "q", property = "properties/q.py", candidate = ":src", seeds = "seeds/q.json")\n'
EXPLAINED = {"fixtures/a.json": NEW, MANIFEST: manifest(a=fixture(NEW, purpose="the largest total since May"))}

# What a person does -> the steps that the lanes see, and the codes that stand against it.
CASES: dict[str, tuple[dict[str, Any], list[str], list[str]]] = {
    "nothing": ({}, [], []),
    "sources alone": ({"src/a.py": "def f():\n    return 2\n"}, [], []),
    "a case appended": ({"seeds/p.json": "[1, 2, 3]"}, ["seed-appended"], []),
    "a case changed": ({"seeds/p.json": "[1, 3]"}, ["seed-rewritten"], ["seed_rewritten"]),
    "a case removed": ({"seeds/p.json": "[2]"}, ["seed-removed"], ["seed_removed"]),
    "cases swapped": ({"seeds/p.json": "[2, 1]"}, ["seed-moved"], ["seed_reordered"]),
    "a case in front": ({"seeds/p.json": "[0, 1, 2]"}, ["seed-inserted"], ["seed_reordered"]),
    "a case again": ({"seeds/p.json": "[1, 2, 1]"}, ["seed-duplicate"], ["seed_duplicate"]),
    "another layout": ({"seeds/p.json": "[1,\n 2]\n"}, ["corpus-laid-out"], []),
    "a corpus emptied": ({"seeds/p.json": "[]"}, ["malformed"], ["artifact_malformed"]),
    "a corpus broken": ({"seeds/p.json": "[1, 2,"}, ["malformed"], ["artifact_malformed"]),
    "a corpus deleted with its test": ({"seeds/p.json": None, "properties/p.py": None,
                                        "BUILD.bazel": BUILD.replace(P, "")},
                                       ["corpus-removed", "test-removed"], ["seed_removed"]),
    "a corpus deleted": ({"seeds/p.json": None}, ["malformed", "corpus-removed"],
                         ["artifact_malformed", "seed_removed"]),
    "a case changed, declarations broken": (
        {"BUILD.bazel": BUILD + "oracle_property_test(\n", "seeds/p.json": "[1, 3]", "fixtures/b.json": NEW,
         MANIFEST: manifest(a=fixture(), b=fixture(NEW)), "domain_lock.json": json.dumps({"p": DOMAIN | {"max_size": 7}}),
         "freeze.json": ledger(frozen(expires="2026-01-09"))},
        ["malformed", "seed-rewritten", "row-changed", "fixture-new", "domain-narrowed"],
        ["artifact_malformed", "domain_narrowed", "seed_rewritten", "freeze_expired"]),
    "lawful steps, declarations broken": (
        {"BUILD.bazel": BUILD + OTHER + "oracle_property_test(\n", "seeds/p.json": "[1, 2, 3]", "seeds/q.json": "[5]",
         "properties/q.py": PROPERTY, "freeze.json": ledger(frozen(), frozen(id="FZ-2", property="q"), budget=2)},
        ["malformed", "seed-appended", "budget-raised", "frozen"], ["artifact_malformed"]),
    "a new property": ({"BUILD.bazel": BUILD + OTHER, "properties/q.py": PROPERTY, "seeds/q.json": "[5]"},
                       ["seed-appended", "corpus-new"], []),
    "a new property, cases twice": ({"BUILD.bazel": BUILD + OTHER, "properties/q.py": PROPERTY, "seeds/q.json": "[5, 5]"},
                                    ["seed-appended", "seed-duplicate", "corpus-new"],
                                    ["seed_duplicate"]),
    "a file among the seeds": ({"seeds/README.md": "words"}, ["beside"], []),
    "declarations broken": ({"BUILD.bazel": BUILD + "oracle_property_test(\n"}, ["malformed"], ["artifact_malformed"]),
    "bytes with a word": (EXPLAINED, ["fixture-changed"], []),
    "bytes without a row": ({"fixtures/a.json": NEW}, [], ["fixture_hash_mismatch"]),
    "a hash without bytes": ({MANIFEST: manifest(a=fixture(NEW))}, [], ["fixture_hash_mismatch"]),
    "bytes without a word": ({"fixtures/a.json": NEW, MANIFEST: manifest(a=fixture(NEW))}, ["fixture-silent"],
                             ["fixture_unexplained"]),
    "bytes with spaces for a word": (EXPLAINED | {MANIFEST: manifest(a=fixture(NEW, purpose="the  largest total "))},
                                     ["fixture-silent"], ["fixture_unexplained"]),
    "bytes with nothing to see for a word": (
        EXPLAINED | {MANIFEST: manifest(a=fixture(NEW, purpose="the\u00ad largest\u3000total\u200b"))},
        ["fixture-silent"], ["fixture_unexplained"]),
    "bytes of a machine": (EXPLAINED | {MANIFEST: manifest(a=fixture(NEW, purpose="new", origin="human-free bot"))},
                           ["fixture-nobody"], ["fixture_unexplained"]),
    "bytes of nobody": (EXPLAINED | {MANIFEST: manifest(a=fixture(NEW, purpose="new", origin="recorder 3"))},
                        ["fixture-nobody"], ["fixture_unexplained"]),
    "a purpose mended": ({MANIFEST: manifest(a=fixture(purpose="the largest total, in euro"))}, ["fixture-retold"], []),
    "opened to agents": ({MANIFEST: manifest(a=fixture(rewritable_by_agent=True))}, ["fixture-opened"], []),
    "opened by nobody": ({MANIFEST: manifest(a=fixture(rewritable_by_agent=True, origin="agent"))},
                         ["fixture-retold", "fixture-opened"], ["fixture_agent_rewritable"]),
    "a fixture added": ({"fixtures/b.json": NEW, MANIFEST: manifest(a=fixture(), b=fixture(NEW))}, ["fixture-new"], []),
    "a fixture added without a row": ({"fixtures/b.json": NEW}, [], ["fixture_unmanifested"]),
    "a fixture and its row gone": ({"fixtures/a.json": None, MANIFEST: "{}"}, ["fixture-retired"], []),
    "a fixture gone, its row there": ({"fixtures/a.json": None}, [], ["fixture_missing"]),
    "a row gone, its fixture there": ({MANIFEST: "{}"}, [], ["fixture_unmanifested"]),
    "a manifest broken": ({MANIFEST: "[]"}, ["malformed"], ["artifact_malformed"]),
    "a row added": ({"freeze.json": ledger(frozen(), frozen(id="FZ-2", property="p"), budget=2)},
                    ["budget-raised", "frozen"], []),
    "a row over the budget": ({"freeze.json": ledger(frozen(), frozen(id="FZ-2", property="p"))}, ["frozen"],
                              ["freeze_budget_exceeded"]),
    "a row renewed": ({"freeze.json": ledger(frozen(expires="2026-01-15"))}, ["renewed"], []),
    "a row expired": ({"freeze.json": ledger(frozen(expires="2026-01-09"))}, ["row-changed"], ["freeze_expired"]),
    "a row that agents extend": ({"freeze.json": ledger(frozen(agent_may_extend=True))}, ["row-changed"],
                                 ["freeze_agent_extendable"]),
    "all thawed": ({"freeze.json": ledger(budget=0)}, ["budget-lowered", "thawed"], []),
    "a ledger broken": ({"freeze.json": "{}"}, ["malformed"], ["artifact_malformed"]),
    "a lock emptied": ({"domain_lock.json": "{}"}, ["malformed"], ["artifact_malformed"]),
    "a domain lost": ({"domain_lock.json": json.dumps({"q": DOMAIN})}, ["domain-new", "domain-unlocked"],
                      ["domain_unlocked"]),
    "a domain narrowed": ({"domain_lock.json": json.dumps({"p": DOMAIN | {"max_size": 7, "deadline_ms": 99}})},
                          ["domain-narrowed", "domain-narrowed"], ["domain_narrowed", "domain_narrowed"]),
    "a domain widened": ({"domain_lock.json": json.dumps({"p": DOMAIN | {"max_size": 9, "max_examples": 21}})},
                         ["domain-widened"], []),
    "a domain added": ({"domain_lock.json": json.dumps({"p": DOMAIN, "q": DOMAIN})}, ["domain-new"], []),
    "a domain wanted and not added": (
        {"BUILD.bazel": BUILD.replace('freeze = ":freeze")', 'freeze = ":freeze", domain_lock = ":domains")')},
        ["domain-missing"], ["domain_unlocked"]),
    "a lock wanted anew": (
        {"BUILD.bazel": BUILD + 'oracle_domain_lock(name = "more", lock = "more.json")\n' + OTHER.replace(
            ")", ', domain_lock = ":more")'), "more.json": json.dumps({"p": DOMAIN}), "properties/q.py": PROPERTY,
         "seeds/q.json": "[5]"}, ["seed-appended", "corpus-new", "domain-new", "domain-missing"], ["domain_unlocked"]),
    "a lock gone": ({"domain_lock.json": None, "BUILD.bazel": BUILD.replace(
        'oracle_domain_lock(name = "domains", lock = "domain_lock.json")\n', "").replace(
        ', domain_lock = ":domains"', "")}, ["domain-undeclared"], ["domain_unlocked"]),
    "a property": ({"properties/p.py": PROPERTY.replace("f() == case", "case == f()")}, [], []),
    "a property that asks nothing": ({"properties/p.py": "def hold(case):\n    return True\n"}, [],
                                     ["property_asks_nothing"]),
    "a property that is no Python": ({"properties/p.py": "def hold(case)\n"}, [], ["artifact_malformed"]),
    "a property that can't be compiled": ({"properties/p.py": PROPERTY + "return 1\n"}, [], ["artifact_malformed"]),
    "a property without hold": ({"properties/p.py": "x = 1\n"}, [], ["artifact_malformed"]),
    "a property that is no text": ({"properties/p.py": b"# \xff\n" + PROPERTY.encode()}, [], ["artifact_malformed"]),
    "a property that binds hold": (
        {"properties/p.py": "from src.a import f\n\n\ndef _asked(case):\n    return f() == case\n\n\nhold = _asked\n"},
        [], ["property_opaque"]),
    "the pipeline": ({".github/workflows/ci.yml": "on: push\n", "noxfile.py": "", "requirements.lock": ""}, [], []),
    "sources that reach into the oracle": (
        {"BUILD.bazel": BUILD.replace('glob(["src/**/*.py"])', 'glob(["src/**/*.py", "properties/*.py"])')},
        [], ["candidate_overlaps_oracle"] * 2),
    "a property that draws by itself": (
        {"properties/p.py": "from hypothesis import given\n" + PROPERTY.replace("def", "@given()\ndef")},
        [], ["domain_unlocked", "property_opaque"]),
    "a property frozen and still asked": (
        {"BUILD.bazel": BUILD.replace(', freeze = ":freeze"', "").replace("freeze = ", "tags = [], freeze = "),
         "freeze.json": ledger(frozen(property="p"))}, ["row-changed"], ["freeze_still_collected"]),
    "every property gone": ({"BUILD.bazel": BUILD.partition("oracle_property_test(")[0]},
                            ["corpus-undeclared"] * 2 + ["test-removed"] * 2, ["seed_removed"] * 2 + ["artifact_malformed"]),
    "a corpus that nothing asks any more": ({"BUILD.bazel": BUILD.replace(P, "")},
                                            ["corpus-undeclared", "test-removed"],
                                            ["seed_removed"]),
    "a domain that nothing draws from any more": (
        {"BUILD.bazel": BUILD.replace(', domain_lock = ":domains"', "")}, ["domain-undeclared"], ["domain_unlocked"]),
    "a target by another name": ({"BUILD.bazel": BUILD.replace('name = "p",', 'name = "p2", property_id = "p",')},
                                 ["test-renamed"], []),
    "a planted example": ({".hypothesis/x": "1"}, [], ["config_changed"]),
    "a look-alike": ({"\u0455eeds/p.json": "[1]"}, [], ["path_collision"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_persons_change(name: str) -> None:
    changes, expected, against = CASES[name]
    found = gated(workspace(), workspace(**changes))
    assert (signs(found), codes(found)) == (expected, against)
    assert not any(finding.edits_oracle for finding in found.findings)


@pytest.mark.parametrize("name", [name for name in CASES if name not in ("nothing", "sources alone")])
def test_an_agents_change_of_any_of_it_is_refused(name: str) -> None:
    found = gated(workspace(), workspace(**CASES[name][0]), Author.AGENT)
    assert any(finding.edits_oracle for finding in found.findings)
    assert signs(found) == []


def test_an_agent_is_held_to_nothing_when_it_edits_nothing() -> None:
    assert codes(gated(workspace(), workspace(**CASES["sources alone"][0]), Author.AGENT)) == []


@pytest.mark.parametrize("path", ["seeds/p.json", MANIFEST, "freeze.json", "domain_lock.json", "properties/p.py"])
def test_a_link_in_place_of_an_artifact_is_nobodys_right(path: str) -> None:
    found = gated(workspace(), workspace(**{path: "elsewhere"}), modes={path: Mode.LINK})
    assert "oracle_symlink" in codes(found)


def test_an_expired_row_in_base_is_mended_by_the_patch_that_renews_it_and_by_nothing_else() -> None:
    base = workspace(**{"freeze.json": ledger(frozen(expires="2026-01-09"))})
    assert codes(gated(base, base | {"src/a.py": b""})) == ["freeze_expired"]
    assert codes(gated(base, workspace())) == []
    assert "freeze_expired" in codes(gated(base, workspace(), Author.AGENT))
    still = workspace(**{"freeze.json": ledger(frozen(expires="2026-01-08"))})
    assert codes(gated(base, still)) == ["freeze_expired"]


def test_a_corpus_that_base_lost_may_be_given_any_cases() -> None:
    base = workspace(**{"seeds/p.json": "[1,"})
    found = gated(base, workspace())
    assert signs(found) == ["corpus-mended", "seed-appended", "seed-appended", "corpus-new"]
    assert codes(found) == ["oracle_incomplete"], "base's own fault stays one"


def test_a_new_file_where_base_has_a_stray_one() -> None:
    base = workspace(**{"fixtures/deep/a.txt": "x"})
    base["BUILD.bazel"] = BUILD.replace('glob(["fixtures/**"]', 'glob(["fixtures/*.json"]').encode()
    assert codes(gated(base, base | {"fixtures/deep/a.txt": b"y"})) == []
    found = gated(base, base | {"fixtures/b.txt": OLD})
    assert (signs(found), codes(found)) == (["fixture-stray"], ["fixture_unmanifested"])


def test_a_filter_that_base_broke_can_be_mended_and_is_shown() -> None:
    def side(source: str, **row: Any) -> dict[str, bytes]:
        domain = {"domain": {"kind": "integers", "min": 0, "max": 9}, "max_examples": 5, "deadline_ms": 9, "seed": 1,
                  "filters": ["properties/_f.py:keeps"], "acceptance_floor": 0.5} | row
        return workspace(**{
            "BUILD.bazel": BUILD.replace('domain_lock = ":domains"', 'domain_lock = ":domains", deps = ["properties/_f.py"]'),
            "properties/_f.py": source, "domain_lock.json": json.dumps({"p": domain})})

    base = side("def keeps(case):\n    return 1\n")
    mended = gated(base, side("def keeps(case):\n    return case != 3\n"))
    assert (signs(mended), codes(mended)) == (["filter-rewritten"], [])
    assert mended.gated is not None
    [step] = mended.gated.steps
    for text in ("return 1", "return case != 3"):
        assert hashlib.sha256(f"def keeps(case):\n    {text}\n".encode()).hexdigest()[:12] in step.detail
    wider = gated(base, side("def keeps(case):\n    return True\n", max_examples=6))
    assert (signs(wider), codes(wider)) == (["filter-rewritten", "domain-widened"], [])
    commented = gated(base, side("def keeps(case):  # all\n    return 1\n"))
    assert (signs(commented), codes(commented)) == ([], [])
    lowered = gated(base, side("def keeps(case):\n    return True\n", acceptance_floor=0.4))
    assert (signs(lowered), codes(lowered)) == (["domain-narrowed"], ["domain_narrowed"])
    assert "property_changed" in codes(gated(base, side("def keeps(case):  # all\n    return 1\n"), Author.AGENT))


def test_every_row_of_the_lanes_is_reached_and_signs_are_unique() -> None:
    assert len({row.sign for row in LANE_ROWS}) == len(LANE_ROWS)
    reached = {sign for cases in (CASES, SUCCESSIONS, FIXTURES, JOURNALS, NEW_JOURNALS, OTHER_JOURNALS) for case in cases.values() for sign in case[-2]}
    reached |= {"corpus-mended", "fixture-stray", "filter-rewritten"}
    assert reached == {row.sign for row in LANE_ROWS}


def test_a_property_that_base_broke_is_mended_by_the_patch_that_replaces_it_and_by_nothing_else() -> None:
    def asked(after: dict[str, bytes], author: Author) -> list[str]:
        found = gated(base, after, author)
        for test in found.collect(found._subject.tests(()))[0]:
            found.load(test)
        return codes(found)

    base = workspace(**{"properties/p.py": "def hold(case)\n"})
    for author in Author:
        assert asked(base | {"src/a.py": b""}, author) == ["property_broken"]
    assert asked(workspace(), Author.HUMAN) == []
    assert asked(workspace(**{"properties/p.py": "x = 1\n"}), Author.HUMAN) == ["artifact_malformed"]


def test_declarations_that_cannot_be_read_are_told_with_their_place_once_and_with_what_is_near() -> None:
    found = gated(workspace(), workspace(**{"seeds/p.json": None, "seeds/pp.json": "[1]"}))
    [told] = [finding for finding in found.findings if finding.code == "artifact_malformed"]
    assert told.subject.startswith("BUILD.bazel:") and "BUILD.bazel" not in told.detail
    assert "seeds/pp.json" in told.remedy
