"""One image per interpreter for the whole room; making one costs two seconds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from oracle_rules.execution.toolchain import Image, Toolchain, describe, image

from .support import interpreters

Built = tuple[Toolchain, Image, Path]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Built]:
    """The toolchain, image and cache folder of an interpreter, made once."""
    made: dict[Path, Built] = {}

    def get(interpreter: Path) -> Built:
        if interpreter not in made:
            root = tmp_path_factory.mktemp("cache")
            toolchain = describe(interpreter, cache_root=root)
            made[interpreter] = (toolchain, image(toolchain, root), root)
        return made[interpreter]

    return get


@pytest.fixture(params=interpreters(), ids=lambda path: str(path).strip("/").replace("/", "-"))
def built(request: pytest.FixtureRequest, build: Callable[[Path], Built]) -> Built:
    """Each interpreter of this machine in turn."""
    return build(request.param)


@pytest.fixture
def one(build: Callable[[Path], Built]) -> Built:
    """Any interpreter's, where one is enough."""
    return build(interpreters()[0])
