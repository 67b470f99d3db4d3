"""Fixtures of the sandbox's tests: one spawner per identity for the whole room, and a random order.

The order changes from session to session on purpose: what one run leaves behind would show in another.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from .walls import IDENTITIES, Somebody

# Test processes that share a session have to agree on the order.
_SESSION = os.environ.get("PYTEST_XDIST_TESTRUNUID") or random.SystemRandom().randbytes(8).hex()
SEED = int(os.environ.get("WALL_ORDER", "0")) or int(_SESSION, 16) % (1 << 30) + 1


def pytest_report_header() -> str:
    return f"sandbox order: WALL_ORDER={SEED}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    places = [index for index, item in enumerate(items) if here in item.path.parents]
    ours = [items[index] for index in places]
    random.Random(SEED).shuffle(ours)
    for index, item in zip(places, ours, strict=True):
        items[index] = item


@pytest.fixture(scope="session")
def walls() -> Iterator[dict[str, Somebody]]:
    somebodies = {identity: Somebody(identity) for identity in IDENTITIES}
    for somebody in somebodies.values():
        somebody.__enter__()
    yield somebodies
    for somebody in somebodies.values():
        somebody.__exit__()


@pytest.fixture(params=IDENTITIES)
def wall(request: pytest.FixtureRequest, walls: dict[str, Somebody]) -> Somebody:
    """A sandbox as root and as an ordinary user."""
    return walls[request.param]
