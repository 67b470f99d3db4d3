"""What is wrong with an oracle, or done to it, is told by the row's own command; beside it what is right is accepted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from oracle_rules.gate.symptoms import SYMPTOMS

from ..cli.kit import PATCHES
from ..entropy.kit import write
from ..scm.kit import Repo
from .kit import SCORE, Files, Show, run, write_repository
from .oracles import COMMON, DAY, FIXTURES, FREEZE, GATE

BY_NAME = {row.name: row for row in SYMPTOMS}
WORK = FREEZE | FIXTURES


def flat(table: dict[str, tuple[Show, ...]]) -> list[tuple[str, int]]:
    return [(name, number) for name, shows in table.items() for number in range(len(shows))]


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """`main` is lawful; each show of the gate has its base and its patch; the work tree is that of `main`."""
    branches: dict[str, tuple[str, Files]] = {"good": ("main", PATCHES["good"])}
    for name, number in flat(GATE):
        show = GATE[name][number]
        branches[f"base/{name}/{number}"] = ("main", show.base)
        branches[f"head/{name}/{number}"] = (f"base/{name}/{number}", show.patch)
    return write_repository(tmp_path_factory.mktemp("oracles") / "repo", COMMON, branches)


def more(command: str, cache: Path, label: str = "//:total") -> tuple[str, ...]:
    """A score asks one target here; those of one label have the same input, whatever else is done to the oracle."""
    day = ("--today", DAY)
    return ("--cache-dir", str(cache), *day, label) if command == SCORE else day


@pytest.mark.parametrize(("name", "number"), flat(GATE))
def test_the_gate_tells_what_a_patch_or_its_base_shows(name: str, number: int, repo: Repo, cache: Path) -> None:
    show = GATE[name][number]
    command = show.via or BY_NAME[name].command
    seen = run(repo.top, command, "--base", f"base/{name}/{number}", "--head", f"head/{name}/{number}",
               *more(command, cache, show.label))
    assert (show.code, show.subject) in seen.told and seen.exit == show.exit


@pytest.mark.parametrize("command", sorted(
    {show.via or BY_NAME[name].command for name, shows in GATE.items() for show in shows}))
def test_the_same_workspace_without_a_symptom_is_accepted(command: str, repo: Repo, cache: Path) -> None:
    seen = run(repo.top, command, "--base", "main", "--head", "good", *more(command, cache))
    assert (seen.exit, seen.told) == (0, frozenset())


@contextmanager
def edited(repo: Repo, patch: Files) -> Iterator[None]:
    """The work tree with these files, and then as it was."""
    write(repo.top, {path: text for path, text in patch.items() if text is not None})
    try:
        yield
    finally:
        for path in patch.keys() - COMMON.keys():
            (repo.top / path).unlink()
        write(repo.top, {path: COMMON[path] for path in patch.keys() & COMMON.keys()})


@pytest.mark.parametrize(("name", "number"), flat(WORK))
def test_a_work_tree_is_told_what_is_wrong_with_it(name: str, number: int, repo: Repo) -> None:
    show, command = WORK[name][number], BY_NAME[name].command
    words = ("--today", DAY) if name in FREEZE else ()
    with edited(repo, show.patch):
        seen = run(repo.top, command, *words)
    assert (show.code, show.subject) in seen.told and seen.exit == show.exit
    control = run(repo.top, command, *words)
    assert (control.exit, control.told) == (0, frozenset())
