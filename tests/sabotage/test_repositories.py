"""Tricks that act on a repository and not on a tree: replaced objects, own attributes, hooks and monitors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .cases.common import plain
from .kit import Bench, git, write_repository


@pytest.fixture(scope="module")
def tricked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Bench, Path]]:
    """A wrong patch whose commit and file are replaced by right ones, and a configuration that would leave a mark."""
    place = tmp_path_factory.mktemp("tricked") / "repository"
    write_repository(place, {"wrong": plain("return wrong(text)"), "right": plain()})
    git(place, "replace", "wrong", "right")
    git(place, "replace", "wrong:src/parser.py", "right:src/parser.py")
    git(place, "replace", "main:properties/parse.py", "main:src/__init__.py")
    mark = place.parent / "mark"
    hook = place / ".git" / "hooks" / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)
    git(place, "config", "core.fsmonitor", str(hook))
    git(place, "config", "filter.x.smudge", f"touch {mark}; sed s/wrong/right/")
    git(place, "config", "filter.x.clean", f"touch {mark}; cat")
    (place / ".git" / "info" / "attributes").write_text("*.py filter=x\n")
    bench = Bench(place, tmp_path_factory.mktemp("tricked-cache"))
    yield bench, mark
    bench.close()


def test_a_replaced_commit_is_judged_as_it_is(tricked: tuple[Bench, Path]) -> None:
    bench, mark = tricked
    found = bench.score("wrong", "parse")
    assert (found["exit"], found["bit"]) == (1, 0)
    assert "property_failed" in {reason["code"] for reason in found["reasons"]}
    assert not mark.exists()


def test_a_right_patch_of_the_same_repository_is_accepted(tricked: tuple[Bench, Path]) -> None:
    bench, mark = tricked
    found = bench.score("right", "parse")
    assert (found["exit"], found["bit"], found["targets"][0]["planned"]) == (0, 1, 6)
    assert not mark.exists()
