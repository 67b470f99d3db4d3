"""Each example works as its README says: the commands print what stands there, every patch comes to its row."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from .readme import FOLDER, NAMES, Claim, claims, copy, environment, run, says, steps

TEXTS = {name: (FOLDER / name / "README.md").read_text(encoding="utf-8") for name in NAMES}
PATCHES = [(name, claim) for name in NAMES for claim in claims(TEXTS[name])]


@pytest.fixture(scope="session")
def user(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The environment in which patches are scored."""
    return environment(tmp_path_factory.mktemp("user"))


@pytest.fixture(scope="session")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The environment in which READMEs are followed; no patch was scored in it, so that nothing is replayed."""
    return environment(tmp_path_factory.mktemp("reader"))


@pytest.fixture(scope="session")
def repositories(tmp_path_factory: pytest.TempPathFactory, user: Mapping[str, str]) -> Mapping[str, Path]:
    """Each example in a repository of its own, with what the folder holds on `main`."""
    found = {}
    for name in NAMES:
        found[name] = copy(name, tmp_path_factory.mktemp("examples"))
        for words in (["init", "-q", "-b", "main"], ["add", "--all"], ["commit", "-q", "-m", "trusted"]):
            _git(found[name], user, *words)
    return found


def test_every_folder_is_an_example_with_the_parts_of_one() -> None:
    # What the monorepo claims is claimed of Bazel too, and tested in tests/bazel.
    assert sorted(path.name for path in FOLDER.iterdir() if path.is_dir()) == sorted([*NAMES, "monorepo"])
    for name in NAMES:
        for part in ("README.md", "WORKSPACE", "BUILD.bazel", "freeze.json", "src", "properties", "seeds"):
            assert (FOLDER / name / part).exists(), (name, part)


@pytest.mark.parametrize("name", NAMES)
def test_the_table_lists_every_patch_and_one_of_each_kind(name: str) -> None:
    listed = claims(TEXTS[name])
    assert sorted(claim.patch for claim in listed) == sorted(path.stem for path in (FOLDER / name / "patches").iterdir())
    assert {claim.exit for claim in listed} == {0, 1, 4}
    assert [claim.patch for claim in listed if claim.exit == 0] == ["honest"]
    assert all(bool(claim.code) == bool(claim.exit) for claim in listed)


@pytest.mark.parametrize("name", NAMES)
def test_the_commands_of_the_readme_print_what_stands_there(
    name: str, tmp_path: Path, reader: Mapping[str, str]
) -> None:
    typed = steps(TEXTS[name])
    assert len([step for step in typed if "oracle-rules score" in step.command]) >= 2
    place = copy(name, tmp_path)
    for step in typed:
        printed = run(step.command, place=place, env=reader)
        assert says(printed, step.printed), (step.command, printed)


@pytest.mark.parametrize(("name", "claim"), PATCHES, ids=[f"{name}-{claim.patch}" for name, claim in PATCHES])
def test_a_patch_comes_to_what_its_row_says(
    name: str, claim: Claim, repositories: Mapping[str, Path], user: Mapping[str, str]
) -> None:
    place = repositories[name]
    _git(place, user, "checkout", "-q", "-B", claim.patch, "main")
    _git(place, user, "apply", "--index", f"patches/{claim.patch}.patch")
    _git(place, user, "commit", "-q", "-m", claim.patch)
    words = ["oracle-rules", "score", "--base", "main", "--head", claim.patch, "--format", "json"]
    done = subprocess.run(words, cwd=place, env=dict(user), capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == claim.exit, (done.stdout, done.stderr)
    record = json.loads(done.stdout)
    codes = {reason["code"] for reason in record["reasons"]}
    assert claim.code in codes if claim.code else codes == set()
    assert record["bit"] == (1 if claim.exit == 0 else 0)
    assert claim.exit == 4 or len(record["targets"]) >= 3


def test_the_frozen_property_is_left_out_and_named(repositories: Mapping[str, Path], user: Mapping[str, str]) -> None:
    words = ["oracle-rules", "score", "--format", "json"]
    place = repositories["header_parser"]
    _git(place, user, "checkout", "-q", "main")
    record = json.loads(subprocess.run(words, cwd=place, env=dict(user), capture_output=True, check=True).stdout)
    assert record["frozen"] == ["preferred"]
    assert "preferred" not in {target["property_id"] for target in record["targets"]}


def _git(place: Path, env: Mapping[str, str], *words: str) -> None:
    done = subprocess.run(["git", *words], cwd=place, env=dict(env), capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stderr)
