"""Fixtures of the sabotage suite: one repository and two caches for the whole session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .cases import CASES
from .kit import Bench, Case, Patch, write_repository


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("sabotage") / "repository"
    patches: dict[str, Patch] = {}
    for case in CASES:
        patches[f"cheat/{case.name}"] = case.cheat
        patches[f"twin/{case.name}"] = case.twin
    write_repository(place, patches)
    return place


@pytest.fixture(scope="session")
def bench(repository: Path, tmp_path_factory: pytest.TempPathFactory,
          request: pytest.FixtureRequest) -> Iterator[Bench]:
    """Begins with everything that the session selects, so that both cores work while the first test waits."""
    made = Bench(repository, tmp_path_factory.mktemp("sabotage-cache"))
    for item in request.session.items:
        case = getattr(item, "callspec", None) and item.callspec.params.get("case")  # type: ignore[attr-defined]
        if isinstance(case, Case):
            twin = item.name.startswith("test_twin")
            made.ask([(f"twin/{case.name}", case.twin_target or case.target) if twin
                      else (f"cheat/{case.name}", case.target)])
    yield made
    made.close()


@pytest.fixture(scope="session")
def other_bench(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """A second worker that shares nothing with the first."""
    made = Bench(repository, tmp_path_factory.mktemp("sabotage-other-cache"))
    yield made
    made.close()
