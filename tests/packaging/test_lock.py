"""The lock holds everything that is imported and needed, with hashes, and nothing of the machine that compiled it."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from oracle_rules.execution import lockfile

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "requirements.lock").read_text("utf-8")
LOCKED = {each.name: each for each in lockfile.parse(TEXT.encode())}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
# Ours, and the name under which the runner is staged inside the sandbox.
OURS = {"oracle_rules", "oracle_seams", "tests", "bench", "_oracle_runtime"}


def imports(*folders: str) -> dict[str, str]:
    """Third-party top-level modules that the sources import, and one file that does."""
    found: dict[str, str] = {}
    for path in (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))
                 if not {"sample", "bugs"} & {*path.relative_to(ROOT).parts}):  # sources that are scanned, or judged in the sandbox
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            for name in names:
                found.setdefault(name.partition(".")[0], str(path.relative_to(ROOT)))
    return {name: path for name, path in found.items() if name not in sys.stdlib_module_names and name not in OURS}


def projects(module: str) -> set[str]:
    """The installed projects that bring the module."""
    return {lockfile.normalise(name) for name in importlib.metadata.packages_distributions().get(module, [])}


def test_every_import_of_the_product_is_a_declared_dependency() -> None:
    declared = {lockfile.normalise(Requirement(text).name) for text in PROJECT["project"]["dependencies"]}
    found = imports("oracle_rules", "oracle_seams")
    assert {"nox", "starlark"} <= set(found)  # control: imports are seen
    missing = {name: path for name, path in found.items() if not projects(name) & declared}
    assert missing == {}


def test_every_import_of_the_tests_is_locked() -> None:
    found = imports("tests")
    assert {"pytest", "hypothesis"} <= set(found)
    missing = {name: path for name, path in found.items() if not projects(name) & set(LOCKED)}
    assert missing == {}


def test_every_requirement_is_locked() -> None:
    lines = (ROOT / "requirements.in").read_text("utf-8").splitlines()
    wanted = {lockfile.normalise(line.strip()) for line in lines if line.strip() and not line.startswith("#")}
    assert wanted <= set(LOCKED)
    for text in PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"]:
        requirement = Requirement(text)
        name = lockfile.normalise(requirement.name)
        assert name in wanted, f"{name} is in pyproject.toml and not in requirements.in"
        assert requirement.specifier.contains(LOCKED[name].version), text


@pytest.mark.parametrize("name", sorted(LOCKED))
def test_what_a_locked_package_needs_is_locked(name: str) -> None:
    for text in importlib.metadata.requires(name) or []:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            needed = lockfile.normalise(requirement.name)
            assert needed in LOCKED, f"{name} needs {text}"
            assert requirement.specifier.contains(Version(LOCKED[needed].version), prereleases=True), text


def test_the_lock_names_nothing_of_the_machine_that_made_it() -> None:
    lines = [line for line in TEXT.splitlines() if not line.lstrip().startswith("--hash=sha256:")]
    assert "#    nox -s lock -- --write" in lines
    for line in lines:
        assert re.fullmatch(r"#.*|[a-z0-9.-]+==\S+( ;.*)? \\|    # (via|  ).*|", line), line
        assert "/" not in line and "--index" not in line and "--find-links" not in line, line
