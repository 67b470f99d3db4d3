"""Fixtures: a repository of our own for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from .kit import Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")
