"""The table is total, has no row that nothing reaches, and says nothing that the catalogue doesn't know."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.gate.author import Author
from oracle_rules.gate.change import WHEN
from oracle_rules.gate.codes import CATALOGUE
from oracle_rules.gate.library import STANDARD_LIBRARY
from oracle_rules.gate.paths import LANES
from oracle_rules.gate.predicates import KINDS
from oracle_rules.gate.review import classify, review
from oracle_rules.gate.tables import JUDGED, NAMED_PATTERNS, PERSON, REFUSED, REMOVABLE, REVIEW, ROWS

from .trees import (
    EXECUTABLE,
    GITLINK,
    LINK,
    MODES,
    NOTHING_DECLARED,
    PATHS,
    Edit,
    Side,
    added,
    chmod,
    removed,
    rewritten,
    with_sources,
)

# One change for each row, which that row must be the first to select.
WITNESSES: dict[str, Edit] = {
    "oracle-link": rewritten("seeds/retry_date.json", LINK),
    "submodule": added("vendor/x", GITLINK),
    "oracle-folder-replaced": added("seeds", LINK),
    "oracle-file-became-folder": added("freeze.json/x"),
    "oracle-mode": chmod("properties/retry_date.py"),
    "seed-file-removed": removed("seeds/retry_date.json"),
    "seed-added": added("seeds/retry_date.json"),
    "seed-file-changed": rewritten("seeds/retry_date.json"),
    "fixture-file-removed": removed("fixtures/exchange.json"),
    "fixture-file-changed": rewritten("fixtures/exchange.json"),
    "manifest": rewritten("fixtures/manifest.json"),
    "ledger": rewritten("freeze.json"),
    "domain-lock": removed("domain_lock.json"),
    "journal": rewritten("oracles/header_name/8.json"),
    "property": rewritten("properties/retry_date.py", EXECUTABLE),
    "support": removed("tests/support.py"),
    "declaration": rewritten("BUILD.bazel"),
    "profile": rewritten("patch-gate.json"),
    "harness": rewritten("scripts/score.sh"),
    "lock": rewritten("deps.lock"),
    "odd-name": added("docs/a\u202eb.txt"),
    "look-alike": added("Seeds/other.json"),
    "module-shadow": added("properties/retry_date/__init__.py"),
    "seed-folder-new": added("seeds/other.json"),
    "seed-folder": rewritten("seeds/README.md"),
    "fixture-folder": added("fixtures/deep/new.bin"),
    "journal-folder": added("oracles/header_name/9.json"),
    "property-folder": added("properties/other.py"),
    "submodule-file": added(".gitmodules"),
    "attributes": added("src/.gitattributes"),
    "build-files": added("src/BUILD.bazel"),
    "codeowners": rewritten(".github/CODEOWNERS"),
    "bytecode": added("src/__pycache__/retry.cpython-311.pyc"),
    "startup": added("sitecustomize.py"),
    "installed-metadata": added("x.dist-info/entry_points.txt"),
    "test-configuration": added("tests/conftest.py"),
    "examples": added(".hypothesis/constants/0"),
    "sessions": rewritten("noxfile.py"),
    "environments": added(".nox/locked-0123456789abcdef/bin/python"),
    "pins": rewritten("requirements.lock"),
    "pipeline": added(".github/workflows/ci.yml"),
    "journals": added("oracles/other/1.json"),
    "tool-shadow": added("oracle_rules/__init__.py"),
    "library-shadow": added("json.py"),
    "reads-like-named": added("tests/Conftest.py"),
    "candidate-link": added("src/forms.json", LINK),
    "candidate-collision": added("src/Retry.py"),
    "candidate-compiled": added("src/retry.cpython-311-x86_64-linux-gnu.so"),
    "candidate-source": rewritten("src/retry.py"),
    "ignored": added("docs/guide.md"),
}


def test_every_row_has_a_witness_and_every_witness_a_row() -> None:
    assert list(WITNESSES) == [row.name for row in ROWS]


@pytest.mark.parametrize("name", WITNESSES)
def test_no_row_is_out_of_reach(name: str) -> None:
    assert classify(WITNESSES[name], with_sources("src/Retry.py")).name == name


# What a person may not do, written down by hand: every other row with a code is review, or the laws of a lane.
NOBODY = """oracle-link oracle-folder-replaced oracle-file-became-folder odd-name look-alike module-shadow library-shadow
    reads-like-named candidate-link candidate-collision candidate-compiled""".split()
ONLY_AWAY = ["submodule", "submodule-file", "bytecode", "examples"]
BY_LAW = {
    "seed": ["seed-file-removed", "seed-added", "seed-file-changed", "seed-folder-new", "seed-folder"],
    "fixture": ["fixture-file-removed", "fixture-file-changed", "manifest", "fixture-folder"],
    "freeze": ["ledger"],
    "generator": ["domain-lock"],
}


def test_what_a_row_means_for_a_person() -> None:
    expected = dict.fromkeys(NOBODY, REFUSED) | dict.fromkeys(ONLY_AWAY, REMOVABLE)
    expected |= {name: lane for lane, names in BY_LAW.items() for name in names}
    expected |= {"candidate-source": JUDGED, "ignored": JUDGED}
    assert {row.name: row.person for row in ROWS} == {row.name: expected.get(row.name, REVIEW) for row in ROWS}
    assert set(PERSON) == {row.person for row in ROWS}


@pytest.mark.parametrize("name", WITNESSES)
def test_who_may_make_the_witness_of_a_row(name: str) -> None:
    """An agent none that has a code; a person none of the two lists above."""
    change, paths = WITNESSES[name], with_sources("src/Retry.py")
    row = next(row for row in ROWS if row.name == name)
    agent, person = (review([change], paths, {}, author) for author in (Author.AGENT, Author.HUMAN))
    assert bool(agent) == (row.code is not None)
    assert bool(person) == (name in NOBODY + ONLY_AWAY)
    assert review([change], paths) == agent
    if person:
        assert (person[0].code, person[0].row, person[0].edits_oracle) == (row.code, name, False)
        assert "a person changes it" not in person[0].remedy


@pytest.mark.parametrize("edit", [
    removed("src/__pycache__/retry.cpython-311.pyc"), removed("vendor/x", GITLINK), removed(".gitmodules"),
    removed(".hypothesis/constants/0")])
def test_a_person_may_take_away_what_nobody_may_add(edit: Edit) -> None:
    assert len(review([edit], PATHS)) == 1
    assert review([edit], PATHS, {}, Author.HUMAN) == ()
    put_back = Edit(edit.path, edit.after, edit.before)
    assert len(review([put_back], PATHS, {}, Author.HUMAN)) == 1


def test_names_are_unique_and_words_are_known() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)
    lanes = {"generator", "fixture", "freeze", "seed", "declaration", "harness", "candidate", ""}
    for row in ROWS:
        assert row.kind in KINDS
        assert row.when in WHEN
        assert row.lane in lanes
        assert set(row.groups) <= LANES.keys()
        assert row.code is None or row.code in CATALOGUE
        assert row.why
    assert set(KINDS) == {row.kind for row in ROWS}
    assert set(WHEN) == {row.when for row in ROWS}


def test_every_group_of_declared_paths_is_judged_by_a_row_of_its_own() -> None:
    judged = [group for row in ROWS if row.kind == "declared" and row.when == "any" for group in row.groups]
    assert sorted(judged) == sorted(LANES)


def test_only_the_last_rows_find_nothing_and_the_very_last_selects_everything() -> None:
    assert [row.name for row in ROWS if row.code is None] == ["candidate-source", "ignored"]
    assert (ROWS[-1].kind, ROWS[-1].when) == ("always", "any")


SIDES = st.none() | st.builds(Side, st.sampled_from(MODES), st.text("0123456789abcdef", min_size=40, max_size=40))
PARTS = st.sampled_from(
    ["src", "seeds", "a", "BUILD", "\u0440roperties", "retry.py", "x.so", "é", ".git", " ", "\udcff"]
)
ANY_PATH = st.lists(PARTS | st.text(min_size=1, max_size=6), min_size=1, max_size=4).map("/".join)


@given(ANY_PATH, SIDES, SIDES, st.none() | ANY_PATH)
@settings(max_examples=300, deadline=None)
def test_every_change_fires_a_row(path: str, before: Side | None, after: Side | None, target: str | None) -> None:
    assert classify(Edit(path, before, after), PATHS, target) in ROWS


@pytest.mark.parametrize("pattern", NAMED_PATTERNS)
def test_every_pattern_selects_the_file_it_is_written_for(pattern: str) -> None:
    """At its place, and deep down when it says so; `*` and a closing `/**` stand for something there."""
    concrete = pattern.removeprefix("**/").replace("/**", "/inner").replace("*", "x")
    places = [concrete, f"a/b/{concrete}"] if pattern.startswith("**/") else [concrete]
    for place in places:
        row = classify(added(place), NOTHING_DECLARED)
        assert row.kind == "named", (place, row.name)
        assert pattern in row.patterns


def test_the_written_list_of_library_modules_is_that_of_the_interpreter() -> None:
    left_out = {"test", "this", "antigravity", "idlelib", "lib2to3", "turtledemo", "nt", "pydoc_data"}
    left_out |= {"sre_compile", "sre_constants", "sre_parse"}
    public = {name for name in sys.stdlib_module_names if not name.startswith("_")}
    assert public - left_out - STANDARD_LIBRARY == set()
    assert not left_out & STANDARD_LIBRARY
