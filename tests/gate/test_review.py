"""The gate's laws, and each way of touching the exam beside a change that does no harm."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.artifacts.violation import Violation
from oracle_rules.gate.paths import LANES, OraclePaths
from oracle_rules.gate.review import (
    from_violations,
    overlaps,
    printable,
    review,
    summarise,
)

from .trees import (
    EXECUTABLE,
    FILE,
    GITLINK,
    LINK,
    MODES,
    NOTHING_DECLARED,
    PATHS,
    SOURCES,
    A,
    Edit,
    Side,
    added,
    chmod,
    code,
    one,
    removed,
    rewritten,
    with_sources,
)

DECLARED = sorted(PATHS.declared)
OIDS = st.text("0123456789abcdef", min_size=40, max_size=40)
SIDES = st.builds(Side, st.sampled_from(MODES), OIDS)


@given(st.sampled_from(DECLARED), st.none() | SIDES, st.none() | SIDES)
@settings(max_examples=400, deadline=None)
def test_any_change_to_a_declared_path_is_one_forbidden_finding(
    path: str, before: Side | None, after: Side | None
) -> None:
    found = review([Edit(path, before, after)], PATHS)
    if before == after:
        assert found == ()
        return
    assert len(found) == 1
    assert found[0].edits_oracle
    assert found[0].subject == path
    assert summarise(found) is not None


@given(st.sampled_from(sorted(SOURCES)), st.sampled_from([FILE, EXECUTABLE]), st.sampled_from([FILE, EXECUTABLE]), OIDS)
@settings(max_examples=100, deadline=None)
def test_changes_to_plain_sources_find_nothing(path: str, mode: str, then: str, oid: str) -> None:
    assert review([Edit(path, Side(mode, A), Side(then, oid))], PATHS) == ()
    assert review([removed(path, mode)], with_sources(gone=[path])) == ()


@given(st.from_regex(r"src/[a-z]{1,8}(/[a-z_]{1,8}){0,2}\.py", fullmatch=True))
@settings(max_examples=100, deadline=None)
def test_new_sources_find_nothing(path: str) -> None:
    if path.endswith(("conftest.py", "noxfile.py", "setup.py", "customize.py")):
        return
    assert review([added(path)], with_sources(path)) == ()


@given(st.from_regex(r"tests/(unit/|)test_[a-z]{1,8}\.py", fullmatch=True), st.sampled_from(["add", "change", "gone"]))
@settings(max_examples=60, deadline=None)
def test_tests_of_the_candidate_are_ignored(path: str, what: str) -> None:
    edit = {"add": added, "change": rewritten, "gone": removed}[what](path)
    assert review([edit], PATHS) == ()


@given(st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_the_order_of_changes_does_not_matter(shuffle: random.Random) -> None:
    edits = [rewritten(path) for path in DECLARED] + [
        added("src/new.py"),
        added("\u0440roperties/x.py"),
        added("conftest.py"),
    ]
    expected = review(edits, PATHS)
    assert [finding.subject for finding in expected] == sorted([*DECLARED, "\u0440roperties/x.py", "conftest.py"])
    shuffle.shuffle(edits)
    assert review(edits, PATHS) == expected
    assert review(iter(edits), PATHS) == expected


HOMES = ["seeds", "properties", "fixtures", "fixtures/deep", "oracles/header_name"]


@given(st.sampled_from(HOMES), st.from_regex(r"[a-z]{1,6}(/[a-z]{1,6})?(\.[a-z]{1,3})?", fullmatch=True), SIDES)
@settings(max_examples=100, deadline=None)
def test_whatever_is_put_into_an_oracle_folder_is_found(home: str, name: str, side: Side) -> None:
    found = review([Edit(f"{home}/{name}", None, side)], PATHS)
    assert len(found) == 1
    assert found[0].edits_oracle


def test_a_source_cannot_make_an_oracle_folder_its_own() -> None:
    """Globs of base that reach into the folder select the new file; the folder stays the oracle's."""
    assert code(added("properties/helper.py"), with_sources("properties/helper.py")) == "property_changed"


def test_a_folder_that_base_shares_with_sources_guards_its_declared_files_only() -> None:
    fields = {name: getattr(PATHS, name) for name in OraclePaths.__dataclass_fields__}
    paths = OraclePaths(**fields | {"seeds": frozenset({"src/cases.json"}), "properties": frozenset({"src/hold.py"})})
    assert code(rewritten("src/cases.json"), paths) == "seed_rewritten"
    assert code(added("src/hold/__init__.py"), paths) == "path_collision"
    assert code(added("src/notes.json"), paths) is None
    assert code(rewritten("src/header.py"), paths) is None


@pytest.mark.parametrize(
    ("edit", "expected", "lane"),
    [
        (removed("seeds/retry_date.json"), "seed_removed", "seed"),
        (rewritten("seeds/retry_date.json"), "seed_rewritten", "seed"),
        (added("seeds/new.json"), "seed_appended", "seed"),
        (chmod("seeds/retry_date.json"), "mode_changed", "seed"),
        (rewritten("seeds/retry_date.json", LINK), "oracle_symlink", "seed"),
        (rewritten("seeds/retry_date.json", GITLINK), "submodule_forbidden", "harness"),
        (added("seeds/retry_date.json/x"), "oracle_symlink", "seed"),
        (added("seeds", LINK), "oracle_symlink", "seed"),
        (added("seeds", FILE), "oracle_symlink", "seed"),
        (added("seeds", GITLINK), "submodule_forbidden", "harness"),
        (added("tests", LINK), "oracle_symlink", "declaration"),
        (removed("fixtures/exchange.json"), "fixture_missing", "fixture"),
        (rewritten("fixtures/deep/raw.bin", EXECUTABLE), "fixture_rewritten", "fixture"),
        (chmod("fixtures/manifest.json"), "mode_changed", "fixture"),
        (added("fixtures/deep/more.bin"), "fixture_unmanifested", "fixture"),
        (chmod("freeze.json"), "mode_changed", "freeze"),
        (removed("freeze.json"), "freeze_changed", "freeze"),
        (rewritten("domain_lock.json"), "domain_changed", "generator"),
        (removed("oracles/header_name/8.json"), "journal_changed", "seed"),
        (added("oracles/retry/1.json"), "journal_changed", "seed"),
        (removed("properties/retry_date.py"), "property_changed", "declaration"),
        (rewritten("tests/support.py"), "property_changed", "declaration"),
        (rewritten("tools/rules.bzl"), "build_changed", "declaration"),
        (added("tools/new.bzl"), "build_changed", "declaration"),
        (added(".bazelignore"), "build_changed", "declaration"),
        (removed("WORKSPACE"), "build_changed", "declaration"),
        (added("docs/CODEOWNERS"), "codeowners_changed", "harness"),
        (rewritten("requirements.in"), "lock_changed", "harness"),
        (rewritten("deps.lock"), "lock_changed", "harness"),
        (rewritten("patch-gate.json"), "config_changed", "harness"),
        (added("src/usercustomize/__init__.py"), "config_changed", "harness"),
        (added("src/deep/evil.pth"), "config_changed", "harness"),
        (added("tests/unit/conftest.py"), "config_changed", "harness"),
        (added("src/retry.pyc"), "bytecode_forbidden", "harness"),
        (added("src/retry.abi3.so"), "bytecode_forbidden", "candidate"),
        (added("vendor/lib", GITLINK), "submodule_forbidden", "harness"),
        (removed("vendor/lib", GITLINK), "submodule_forbidden", "harness"),
        (rewritten("src/retry.py", GITLINK), "submodule_forbidden", "harness"),
    ],
)
def test_the_code_and_lane_of_a_change(edit: Edit, expected: str, lane: str) -> None:
    finding = one(edit)
    assert finding is not None
    assert (finding.code, finding.lane) == (expected, lane)
    assert finding.remedy
    assert finding.detail


def test_a_mode_change_with_new_content_is_more_than_a_mode_change() -> None:
    finding = one(rewritten("seeds/retry_date.json", EXECUTABLE))
    assert finding is not None
    assert finding.code == "seed_rewritten"
    assert "file became executable file, git object aaaaaaaaaaaa to bbbbbbbbbbbb" in finding.detail


def test_a_property_among_ordinary_tests_leaves_room_for_new_ones() -> None:
    fields = {name: getattr(PATHS, name) for name in OraclePaths.__dataclass_fields__}
    paths = OraclePaths(**fields | {"properties": frozenset({"tests/hold_header.py"})})
    assert code(added("tests/test_new.py"), paths) is None
    assert code(rewritten("tests/hold_header.py"), paths) == "property_changed"
    assert code(added("tests/hold_header/__init__.py"), paths) == "path_collision"


def test_a_rename_by_case_alone_is_no_collision() -> None:
    paths = with_sources("src/Header.py", gone=["src/header.py"])
    assert review([removed("src/header.py"), added("src/Header.py")], paths) == ()


def test_a_rename_of_an_oracle_file_is_two_findings() -> None:
    found = review([removed("seeds/retry_date.json"), added("attic/retry_date.json")], PATHS)
    assert [finding.code for finding in found] == ["seed_removed"]
    found = review([removed("properties/retry_date.py"), added("properties/retry.py")], PATHS)
    assert [finding.subject for finding in found] == ["properties/retry.py", "properties/retry_date.py"]


def test_the_tables_patterns_hold_without_any_declaration() -> None:
    for path in ("BUILD.bazel", "conftest.py", "noxfile.py", "oracles/x.json", ".gitattributes", "CODEOWNERS"):
        assert one(rewritten(path), NOTHING_DECLARED) is not None
    assert one(rewritten("seeds/x.json"), NOTHING_DECLARED) is None


def test_a_product_that_judges_itself() -> None:
    """The candidate is a package named like a tool, with declarations among its sources."""
    sources = frozenset({"oracle_rules/__init__.py", "oracle_rules/gate/tables.py"})
    paths = OraclePaths(
        base_sources=sources,
        candidate_sources=sources | {"oracle_rules/gate/new.py", "oracle_rules/json.py"},
        source_roots=frozenset({"oracle_rules"}),
        properties=frozenset({"properties/digest.py"}),
        seeds=frozenset({"seeds/digest.json"}),
    )
    for path in ("oracle_rules/gate/new.py", "oracle_rules/json.py", "oracle_rules/py.typed", "tests/gate/test_x.py"):
        assert one(added(path), paths) is None
    assert one(rewritten("oracle_rules/gate/tables.py"), paths) is None
    harness = {"pyproject.toml": "config_changed", "noxfile.py": "config_changed", "requirements.lock": "lock_changed"}
    harness |= {"oracle_rules/defs.bzl": "build_changed", "seeds/digest.json": "seed_rewritten"}
    assert {path: code(rewritten(path), paths) for path in harness} == harness
    assert code(added("hypothesis/__init__.py"), paths) == "config_changed"


def test_sources_in_the_workspace_itself() -> None:
    sources = frozenset({"app.py", "calendar.py"})
    paths = OraclePaths(
        base_sources=sources, candidate_sources=sources | {"select.py", "conftest.py"}, source_roots=frozenset({""})
    )
    assert code(rewritten("calendar.py"), paths) is None
    assert code(added("select.py"), paths) is None
    assert code(added("random.py"), paths) == "config_changed"
    assert code(added("conftest.py"), paths) == "config_changed"
    assert code(added("notes", LINK), paths, "/etc") is None


def test_the_summary_lists_each_path_once() -> None:
    found = review([rewritten("freeze.json"), added("\u0440roperties/x.py"), added("src/up", LINK)], PATHS)
    assert len(found) == 3
    summary = summarise(found)
    assert summary is not None
    assert summary.code == "oracle_edit_forbidden"
    assert (summary.detail, summary.subject) == ("freeze.json, \\u0440roperties/x.py", "")
    assert summarise(review([added("src/up", LINK)], PATHS)) is None
    assert summarise(()) is None


def test_paths_are_printed_without_what_misleads() -> None:
    assert printable("a\u202eb\n\udcffé") == "a\\u202eb\\n\\udcff\\xe9"
    assert printable("src/plain name.py") == "src/plain name.py"


def test_a_path_may_not_be_source_and_oracle() -> None:
    assert overlaps(PATHS) == ()
    fields = {name: getattr(PATHS, name) for name in OraclePaths.__dataclass_fields__}
    paths = OraclePaths(**fields | {"base_sources": SOURCES | {"properties/retry_date.py", "seeds/header_name.json"}})
    found = overlaps(paths)
    assert [(f.subject, f.code, f.lane) for f in found] == [
        ("properties/retry_date.py", "candidate_overlaps_oracle", "declaration"),
        ("seeds/header_name.json", "candidate_overlaps_oracle", "seed"),
    ]
    assert summarise(found) is None


def test_broken_laws_of_base_are_findings_and_no_edits() -> None:
    law = Violation(code="fixture_missing", subject="fixtures/x", detail="d", remedy="r")
    (finding,) = from_violations([law])
    assert (finding.code, finding.lane, finding.row) == ("fixture_missing", "fixture", "fixture-missing")
    assert summarise([finding]) is None


def test_every_group_has_a_lane_and_a_field() -> None:
    for name in LANES:
        assert PATHS.group(name)
    with pytest.raises(KeyError):
        PATHS.group("base_sources")


@pytest.mark.parametrize("path", [
    ".nox/locked-0123456789abcdef/complete", ".venv/bin/python", "sub/.venv/bin/python", ".envrc", "uv.toml",
    "virtualenv/__init__.py", "virtualenv/__main__.py", "packaging.py", "attr/__init__.py", "oracle_seams.py",
    "third_party/oracle_rules/oracle_rules/cli.py", "platformdirs.cpython-311-x86_64-linux-gnu.so"])
def test_what_the_next_score_would_run_is_refused(path: str) -> None:
    assert [finding.code for finding in review([added(path)], PATHS)] == ["config_changed"]


@pytest.mark.parametrize("path", [
    "packaging/debian/control", "build/notes.txt", "rich.md", "mypy_notes.py", "docs/attr.py", "wheel/spokes.py"])
def test_names_that_only_come_near_are_nobodys_business(path: str) -> None:
    assert review([added(path)], PATHS) == ()
