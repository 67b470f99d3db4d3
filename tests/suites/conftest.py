"""One cache for the room: a cold toolchain costs seconds, and pytest is staged once."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for everybody; no test may damage it."""
    return tmp_path_factory.mktemp("suites") / "cache"
