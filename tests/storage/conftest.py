"""Fixtures: each conformance test runs once per stack."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle_rules.storage.interface import ActionCache, ContentStore

from .conformance.stacks import STACKS, Stores


@pytest.fixture(params=sorted(STACKS))
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Stores:
    """A fresh content store and a fresh action cache of one stack."""
    return STACKS[request.param](tmp_path)


@pytest.fixture
def content(stores: Stores) -> ContentStore:
    """The content store of the stack."""
    return stores[0]


@pytest.fixture
def actions(stores: Stores) -> ActionCache:
    """The action cache of the stack."""
    return stores[1]
