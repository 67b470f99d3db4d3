"""One warm cache for the room: a cold toolchain costs two seconds."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """No test may damage it."""
    return tmp_path_factory.mktemp("symptoms") / "cache"
