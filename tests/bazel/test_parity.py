"""One declaration, two engines: every Action that we make is the one that Bazel stored, and so is its verdict."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ..cli.kit import GIT, oracle
from .kit import REPOSITORY, Bazel, Done, monorepo

LABELS = {"//pricing:discount", "//pricing:rounding", "//shipping:any_parcel", "//shipping:slow_zone",
          "//shipping:zones"}  # fmt: skip
# Wrong for ten pieces alone.
WRONG = ("if pieces >= least)", "if pieces > least or least == 1)")


@pytest.fixture(scope="module")
def bazel(tmp_path_factory: pytest.TempPathFactory) -> Bazel:
    home = tmp_path_factory.mktemp("bazel")
    return Bazel(monorepo(home / "monorepo"), home)


@pytest.fixture(scope="module")
def green(bazel: Bazel) -> Done:
    """The example as it is, tested by Bazel."""
    return bazel.run("test", "//...", "--output_groups=+verdict")


def scored(top: Path, cache: Path, *words: str) -> dict[str, Any]:
    ran = oracle("score", "--format", "json", "--cache-dir", str(cache), *words, cwd=top)
    assert ran.status in (0, 1), ran
    return ran.record


def same(record: Mapping[str, Any], stored: Mapping[str, Mapping[str, bytes]]) -> None:
    """Each target's Action and verdict are in what Bazel stored, to the byte."""
    from oracle_rules.digest import Digest

    for target in record["targets"]:
        outputs = stored.get(target["action"]["hash"])
        assert outputs is not None, f"Bazel has no {target['action']['hash']} for {target['label']}"
        [verdict] = [data for path, data in outputs.items() if path.endswith("/verdict.json")]
        assert Digest.of(verdict).as_json() == target["verdict"], target["label"]


def test_every_action_of_the_example_is_bazels(bazel: Bazel, green: Done, tmp_path: Path) -> None:
    assert green.status == 0, green.text
    assert green.results == dict.fromkeys(LABELS, "PASSED")
    record = scored(bazel.top, tmp_path / "cache")
    assert {target["label"] for target in record["targets"]} == LABELS
    assert {target["served_from"] for target in record["targets"]} == {"executed"}
    same(record, bazel.stored())


def test_a_red_verdict_is_kept_and_only_its_reader_runs_again(bazel: Bazel, green: Done, tmp_path: Path) -> None:
    top = tmp_path / "monorepo"
    shutil.copytree(bazel.top, top, symlinks=True, ignore=shutil.ignore_patterns("bazel-*"))
    source = top / "pricing" / "discount.py"
    source.write_text(source.read_text("utf-8").replace(*WRONG), "utf-8")
    red = Bazel(top, bazel.home)
    first = red.run("test", "//pricing:all")
    assert (first.status, first.results) == (3, {"//pricing:discount": "FAILED", "//pricing:rounding": "PASSED"})
    assert "property_failed" in first.text and '"pieces":10' in first.text
    same(scored(top, tmp_path / "cache", "//pricing:all"), red.stored())
    red.run("clean")
    again = red.run("test", "//pricing:all")
    assert (again.status, again.results) == (3, first.results)
    # Either verdict, and what the profile pins, at least; both readers run, since a ledger has a day.
    assert again.ran["remote cache hit"] >= 3 and again.ran["linux-sandbox"] == 2 and "local" not in again.ran
    assert first.ran["local"] == 2, "control: it is local where a verdict is judged"


def test_every_action_of_this_repository_is_bazels(tmp_path: Path) -> None:
    """As a clone, so that nothing but what is committed counts."""
    top = tmp_path / "oracle_rules"
    subprocess.run(["git", "clone", "-q", str(REPOSITORY), str(top)], env=GIT, check=True)
    bazel = Bazel(top, tmp_path)
    done = bazel.run("build", "//...", "--output_groups=verdict")
    assert done.status == 0, done.text
    told = oracle("why", "//...", "--cache-dir", str(tmp_path / "cache"), cwd=top).out
    actions = re.findall(r"^//:(\w+): has not run here; \d+ inputs, action ([0-9a-f]{64})/\d+$", told, re.MULTILINE)
    assert len(actions) > 30, told
    assert {action for _, action in actions} <= set(bazel.stored())
