"""One warm cache for those who score a repository of their own: a cold toolchain costs two seconds."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for everybody; no test may damage it."""
    return tmp_path_factory.mktemp("runner") / "cache"
