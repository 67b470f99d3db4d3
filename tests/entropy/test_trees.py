"""Real sources: the standard library without a traceback, and our own oracle and deciding rooms without entropy."""

from __future__ import annotations

import ast
import importlib.util
import sysconfig
from pathlib import Path

import pytest

from oracle_rules.entropy.scan import scan_source

ROOT = Path(__file__).resolve().parents[2]
STANDARD = Path(sysconfig.get_path("stdlib"))
# Packages and modules with every kind of habit; the whole library is scanned by `bench/scan_speed.py`.
PARTS = ("json", "email/utils.py", "asyncio/base_events.py", "concurrent", "random.py", "uuid.py", "tempfile.py", "logging",
         "functools.py", "dataclasses.py", "_strptime.py", "pathlib.py", "enum.py", "telnetlib.py", "reprlib.py", "_pyio.py",
         "secrets.py", "smtplib.py", "threading.py", "importlib")  # fmt: skip


def files(*parts: Path) -> list[Path]:
    return sorted(path for part in parts for path in (part.rglob("*.py") if part.is_dir() else [part]))


@pytest.mark.parametrize("part", PARTS)
def test_the_standard_library_is_read_without_error(part: str) -> None:
    for path in files(STANDARD / part):
        found = scan_source(path.read_bytes(), str(path))
        assert found.is_readable, path
        for hit in found.hits:
            assert 1 <= hit.span.line <= hit.span.end_line and hit.span.column >= 1 and hit.expression, hit


@pytest.mark.parametrize("package", ["attr", "nox", "pluggy"])
def test_packages_from_the_index_are_read_without_error(package: str) -> None:
    found = importlib.util.find_spec(package)
    assert found is not None and found.submodule_search_locations, f"{package} is in the lock"
    sources = files(*map(Path, found.submodule_search_locations))
    assert len(sources) >= 5 and all(scan_source(path.read_bytes(), str(path)).is_readable for path in sources)


def test_sites_that_are_known_to_be_there_are_found() -> None:
    """By rule, in modules whose subject is the entropy itself."""
    wanted = {"random.py": "secrets", "uuid.py": "secrets", "secrets.py": "random-system", "smtplib.py": "network",
              "threading.py": "clock-timer", "tempfile.py": "random-unseeded", "email/utils.py": "clock-read"}
    for part, rule in wanted.items():
        assert rule in {hit.rule.id for hit in scan_source((STANDARD / part).read_bytes(), part).hits}, part


@pytest.mark.parametrize("folder", ["properties", "examples/header_parser/properties", "examples/http_retry/properties",
                                    "examples/ledger/properties"])
def test_our_own_oracles_hold_no_entropy(folder: str) -> None:
    found = [hit for path in files(ROOT / folder) for hit in scan_source(path.read_bytes(), path.name).hits]
    assert found == []


# What the rooms that decide may hold nevertheless: the canonical form orders keys itself, rows that people wrote keep
# the order in which they wrote them, lists are grouped or sorted by the function that takes them, and text is quoted.
KNOWN = {("appending.py", "key-order"), ("canonical.py", "key-order"), ("fixture_rows.py", "key-order"),
         ("layout.py", "key-order"), ("index.py", "set-order"), ("normal.py", "set-order"), ("positions.py", "key-order")}


def test_what_decides_holds_no_entropy() -> None:
    rooms = [ROOT / "oracle_rules" / name for name in ("protocol", "reapi", "loading", "artifacts", "gate", "entropy",
                                                       "analysis", "report", "errors.py", "digest.py", "label.py",
                                                       "relpath.py")]
    found = {(path.name, hit.rule.id) for path in files(*rooms) for hit in scan_source(path.read_bytes(), "").hits}
    assert found == KNOWN, "sort, or name it above with the reason"


def test_every_source_of_ours_is_read_the_same_twice() -> None:
    for path in files(ROOT / "oracle_rules" / "entropy"):
        ast.parse(path.read_text("utf-8"))
        assert scan_source(path.read_bytes(), "x") == scan_source(path.read_text("utf-8"), "x")
