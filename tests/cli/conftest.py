"""One repository with every branch and one warm cache for the whole room: a cold toolchain costs two seconds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .kit import Ran, Repo, make_all, oracle


@pytest.fixture(scope="session")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Not to be changed by a test; see `kit` for its branches."""
    return make_all(tmp_path_factory.mktemp("shared") / "repo")


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for everybody; no test may damage it."""
    return tmp_path_factory.mktemp("shared") / "cache"


@pytest.fixture(scope="session")
def score(repo: Repo, cache: Path) -> Callable[..., Ran]:
    """Scores a branch of the shared repository with the shared cache."""

    def run(head: str, *words: str) -> Ran:
        return oracle("score", "--base", "main", "--head", head, "--cache-dir", str(cache), *words, cwd=repo.top)

    return run
