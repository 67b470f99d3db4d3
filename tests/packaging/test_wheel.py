"""The wheel, built for real: everything that is needed at run time is in it, and nothing else."""

from __future__ import annotations

import configparser
import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("oracle_rules", "oracle_seams")


def shipped(root: Path) -> set[str]:
    """The files of our packages, by name below the root."""
    return {
        str(path.relative_to(root))
        for package in PACKAGES
        for path in (root / package).rglob("*")
        if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in path.relative_to(root).parts)
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy, so that the build leaves nothing in the work tree."""
    copy = tmp_path_factory.mktemp("copy")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    words = [
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--wheel-dir",
        "out",
        ".",
    ]
    done = subprocess.run([sys.executable, *words], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = (copy / "out").iterdir()
    return built


def test_each_file_of_the_packages_is_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert inside == shipped(ROOT)
    assert {"oracle_rules/py.typed", "oracle_seams/py.typed"} <= inside


def test_its_metadata_says_what_it_needs(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (where,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        facts = Parser().parsestr(archive.read(where).decode())
        scripts = configparser.ConfigParser()
        scripts.read_string(archive.read(where.replace("METADATA", "entry_points.txt")).decode())
        assert archive.read(where.replace("METADATA", "licenses/LICENSE")) == (ROOT / "LICENSE").read_bytes()
    assert (facts["Name"], facts["Requires-Python"]) == ("oracle-rules", ">=3.11")
    assert dict(scripts["console_scripts"]) == {"oracle-rules": "oracle_rules.cli:main"}
    needs = {text.partition(">")[0] for text in facts.get_all("Requires-Dist") or []}
    assert {"nox", "pex", "pip-tools", "pytest", "hypothesis", "starlark-pyo3"} <= needs
