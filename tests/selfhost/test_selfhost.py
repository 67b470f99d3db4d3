"""A patch to this repository is judged by our own oracle: the clean tree is accepted, and each property can fail."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future

import pytest

from .conftest import EXAMPLES, REPOSITORY, Scored, Self
from .mutants import MUTANTS, Mutant


def test_the_clean_tree_is_accepted_by_all_properties(clean: Scored) -> None:
    assert clean.exit == 0, (clean.record.get("reasons"), clean.errors)
    assert clean.record["decision"] == "accept" and clean.record["replayable"] is True
    targets = clean.record["targets"]
    assert len(targets) >= 14 and {target["bit"] for target in targets} == {1}
    assert {target["assurance"] for target in targets} == {"apart"}
    assert all(target["planned"] == target["held"] >= 5 for target in targets)


def test_every_property_file_and_corpus_is_declared_and_has_a_mutant(clean: Scored) -> None:
    declared = sorted(target["property_id"] for target in clean.record["targets"])
    assert declared == sorted(path.stem for path in (REPOSITORY / "properties").glob("*.py"))
    assert declared == sorted(path.stem for path in (REPOSITORY / "seeds").glob("*.json"))
    assert declared == sorted({mutant.property_id for mutant in MUTANTS})


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.name for mutant in MUTANTS])
def test_the_property_notices(mutant: Mutant, scores: Mapping[str, Future[Scored]], itself: Self) -> None:
    original = (itself.top / mutant.path).read_text(encoding="utf-8")
    assert original.count(mutant.old) == 1, "the mutation no longer fits the module"
    found = scores[mutant.name].result(timeout=120)
    assert found.exit == 1, (found.record.get("reasons"), found.errors)
    [target] = found.record["targets"]
    assert (target["property_id"], target["bit"]) == (mutant.property_id, 0)
    # By a case, not by failing to start: an import error would be noticed by every property alike.
    assert target["reason"] in ("property_failed", "candidate_raised") and target["counterexample"] is not None


def test_uncommitted_work_is_judged_and_gives_the_verdict_of_the_commit(
    itself: Self, scores: Mapping[str, Future[Scored]]
) -> None:
    mutant = MUTANTS[4]
    committed = scores[mutant.name].result(timeout=120).record["targets"]
    place = itself.top / mutant.path
    original = place.read_text(encoding="utf-8")
    try:
        place.write_text(original.replace(mutant.old, mutant.new), encoding="utf-8")
        found = itself.score("--worktree", f"//:{mutant.property_id}")
    finally:
        place.write_text(original, encoding="utf-8")
    assert found.exit == 1
    # One key, hence one verdict, and nothing to execute a second time.
    assert [target["action"] for target in found.record["targets"]] == [target["action"] for target in committed]
    assert [target["verdict"] for target in found.record["targets"]] == [target["verdict"] for target in committed]
    assert [target["served_from"] for target in found.record["targets"]] == ["local"]


def test_a_patch_that_edits_our_oracle_is_refused(itself: Self, clean: Scored) -> None:
    seeds = (itself.top / "seeds/digest_text.json").read_bytes()
    itself.branch("softened", "seeds/digest_text.json", seeds.replace(b"[", b"[ ", 1))
    found = itself.score("--base", "main", "--head", "softened")
    assert found.exit == 4
    assert {"oracle_edit_forbidden", "seed_rewritten"} <= {reason["code"] for reason in found.record["reasons"]}


def test_the_examples_are_other_workspaces(itself: Self, clean: Scored) -> None:
    builds = sorted(path.parent.name for path in (itself.top / EXAMPLES).glob("*/BUILD.bazel"))
    assert builds == ["header_parser", "http_retry", "ledger", "monorepo"]
    assert all((itself.top / EXAMPLES / name / "WORKSPACE").is_file() for name in builds)
    assert not [target["label"] for target in clean.record["targets"] if not target["label"].startswith("//:")]
    found = itself.score(f"//{EXAMPLES}/...")
    assert found.exit == 2 and "no target matches" in found.errors
