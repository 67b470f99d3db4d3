"""A fixture is followed by its path over all manifests: no move of its row makes other bytes a new fixture."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .sides import BUILD, NEW, OLD, P, codes, fixture, gated, signs, workspace

MANIFEST = "fixtures/manifest.json"
BOT = {"origin": "bot"}
EXPLAINED = {"purpose": "the largest total since May"}


def manifest(**rows: Any) -> str:
    return json.dumps({f"{name}.json": row for name, row in rows.items()})


RENAMED = {"BUILD.bazel": BUILD.replace("fixtures/manifest.json", "fixtures/m2.json"), MANIFEST: None}
# The files in two targets: `b.json` and its manifest, and the rest.
SPLIT = {"BUILD.bazel": BUILD.replace(
    'exclude = ["fixtures/manifest.json"]', 'exclude = ["fixtures/manifest.json", "fixtures/a.json", "fixtures/m2.json"]')
    + 'oracle_fixtures(name = "second", srcs = ["fixtures/a.json"], manifest = "fixtures/m2.json")\n', MANIFEST: "{}"}
READ = {"BUILD.bazel": BUILD.replace('exclude = ["', 'exclude = ["fixtures/a.json", "').replace(
    P, P.replace("candidate", 'deps = ["fixtures/a.json"], candidate')), MANIFEST: "{}"}
BESIDE = {"BUILD.bazel": READ["BUILD.bazel"].replace('deps = ["fixtures/a.json"], ', ""), MANIFEST: "{}"}
MOVED = {"fixtures/a.json": None}

# What a person does -> the change, the steps, and the codes against it.
CASES: dict[str, tuple[dict[str, Any], list[str], list[str]]] = {
    "the manifest renamed": (RENAMED | {"fixtures/m2.json": manifest(a=fixture())}, [], []),
    "the manifest renamed, other bytes of a machine": (
        RENAMED | {"fixtures/a.json": NEW, "fixtures/m2.json": manifest(a=fixture(NEW, **BOT))},
        ["fixture-nobody", "fixture-silent"], ["fixture_unexplained"] * 2),
    "the manifest renamed, other bytes without a word": (
        RENAMED | {"fixtures/a.json": NEW, "fixtures/m2.json": manifest(a=fixture(NEW))},
        ["fixture-silent"], ["fixture_unexplained"]),
    "the manifest renamed, other bytes explained": (
        RENAMED | {"fixtures/a.json": NEW, "fixtures/m2.json": manifest(a=fixture(NEW, **EXPLAINED))},
        ["fixture-changed"], []),
    "the row in a second manifest": (SPLIT | {"fixtures/m2.json": manifest(a=fixture())}, [], []),
    "the row in a second manifest, opened": (
        SPLIT | {"fixtures/m2.json": manifest(a=fixture(rewritable_by_agent=True))}, ["fixture-opened"], []),
    "the row in a second manifest, other bytes": (
        SPLIT | {"fixtures/a.json": NEW, "fixtures/m2.json": manifest(a=fixture(NEW, **BOT))},
        ["fixture-nobody", "fixture-silent"], ["fixture_unexplained"] * 2),
    "the second manifest broken": (
        SPLIT | {"fixtures/a.json": NEW, "fixtures/m2.json": "[]"}, ["malformed"], ["artifact_malformed"]),
    "read as a dep, without its row": (READ | {"fixtures/a.json": NEW}, ["fixture-unlisted"], ["fixture_unmanifested"]),
    "read as a dep, the same bytes": (READ, ["fixture-unlisted"], ["fixture_unmanifested"]),
    "read by nothing": (BESIDE, ["fixture-retired"], []),
    "another name, the same bytes": (
        MOVED | {"fixtures/b.json": OLD, MANIFEST: manifest(b=fixture(**EXPLAINED))},
        ["fixture-retired", "fixture-new", "fixture-replaced"], []),
    "another name, the same purpose": (
        MOVED | {"fixtures/b.json": NEW, MANIFEST: manifest(b=fixture(NEW, purpose="the largest  total"))},
        ["fixture-retired", "fixture-new", "fixture-replaced"], []),
    "another folder": (
        MOVED | {"fixtures/b/a.json": NEW, MANIFEST: json.dumps({"b/a.json": fixture(NEW, **EXPLAINED)})},
        ["fixture-retired", "fixture-new", "fixture-replaced"], []),
    "one that goes and one that comes": (
        MOVED | {"fixtures/b.json": NEW, MANIFEST: manifest(b=fixture(NEW, **EXPLAINED))},
        ["fixture-retired", "fixture-new"], []),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_fixture_is_followed_by_its_path(name: str) -> None:
    changes, expected, against = CASES[name]
    found = gated(workspace(), workspace(**changes))
    assert (signs(found), codes(found)) == (expected, against)


def test_of_two_rows_in_base_neither_may_be_repeated() -> None:
    twice = {"BUILD.bazel": SPLIT["BUILD.bazel"].replace('"fixtures/a.json", "fixtures/m2.json"', '"fixtures/m2.json"'),
             MANIFEST: manifest(a=fixture()), "fixtures/m2.json": manifest(a=fixture(**EXPLAINED))}
    rows = {MANIFEST: manifest(a=fixture(NEW, **EXPLAINED)), "fixtures/m2.json": manifest(a=fixture(NEW, **EXPLAINED))}
    found = gated(workspace(**twice), workspace(**twice | rows | {"fixtures/a.json": NEW}))
    assert (signs(found), codes(found)) == (["fixture-silent"], ["fixture_unexplained"])
    rows = {path: manifest(a=fixture(NEW, purpose=f"of June, {path}")) for path in rows}
    found = gated(workspace(**twice), workspace(**twice | rows | {"fixtures/a.json": NEW}))
    assert (signs(found), codes(found)) == (["fixture-changed"] * 2, [])


def test_a_pair_is_told_with_both_names_and_both_hashes() -> None:
    found = gated(workspace(), workspace(**CASES["another name, the same purpose"][0]))
    assert found.gated is not None
    told = found.gated.steps[-1]
    assert told.subject == "fixtures/b.json"
    assert all(word in told.detail for word in ("fixtures/a.json", fixture()["sha256"][:12], fixture(NEW)["sha256"][:12]))
