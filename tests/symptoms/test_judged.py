"""What a candidate shows is told by the row's own command, of the right subject; beside it the same without symptoms."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import pytest

from oracle_rules.gate.symptoms import SYMPTOMS

from ..cli.kit import command, environment
from ..scm.kit import Repo
from .judged import COMMON, GOOD, JUDGED, RED, SUBJECTS
from .kit import SCAN, SCORE, Seen, Show, run, write_repository

SHOWS = [(name, show) for name, shows in JUDGED.items() for show in shows]
SCORED = sorted({show.exit for _, show in SHOWS if show.via == SCORE})
DAY = ("--today", "2026-12-01")


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """`red` shows every symptom, `good` none."""
    place = tmp_path_factory.mktemp("judged") / "repo"
    return write_repository(place, COMMON, {"good": ("main", GOOD), "red": ("main", RED)})


def scan(repo: Repo, head: str) -> Seen:
    return run(repo.top, SCAN.replace("BASE..HEAD", f"main..{head}"))


def score(repo: Repo, cache: Path, head: str, *patterns: str) -> Seen:
    return run(repo.top, SCORE, "--base", "main", "--head", head, "--cache-dir", str(cache), *DAY, *patterns)


@pytest.fixture(scope="module")
def scanned(repo: Repo) -> Seen:
    return scan(repo, "red")


@pytest.fixture(scope="module")
def scored(repo: Repo, cache: Path) -> dict[int, Seen]:
    """One score for each exit, of the targets that have to end so."""
    wanted = {code: sorted({show.subject for _, show in SHOWS if show.via == SCORE and show.exit == code})
              for code in SCORED}
    return {code: score(repo, cache, "red", *(labels if labels != [""] else ["//:asleep"]))
            for code, labels in wanted.items()}


@pytest.mark.parametrize(("name", "show"), SHOWS, ids=[f"{name}-{show.code}-{show.subject}" for name, show in SHOWS])
def test_a_symptom_is_told_of_its_subject(name: str, show: Show, scanned: Seen, scored: dict[int, Seen]) -> None:
    seen = scanned if show.via == SCAN else scored[show.exit]
    assert (show.code, show.subject) in seen.told and seen.exit == show.exit


def test_the_same_workspace_without_a_symptom_is_accepted(repo: Repo, cache: Path) -> None:
    for seen in (scan(repo, "good"), score(repo, cache, "good"), run(repo.top, "oracle-rules gate", "--head", "good")):
        assert (seen.exit, seen.told) == (0, frozenset())


def test_what_a_score_finds_first_nothing_quicker_finds(repo: Repo, scanned: Seen) -> None:
    """So that `found by` names the first; what a row has found by a scan is told without running anything."""
    gated = run(repo.top, "oracle-rules gate", "--base", "main", "--head", "red")
    assert (gated.exit, gated.told) == (0, frozenset())
    told = {subject for _, subject in scanned.told}
    for row in SYMPTOMS:
        if row.name in JUDGED and row.command == SCORE:
            files = {f"src/{show.subject.removeprefix('//:')}.py" for show in JUDGED[row.name]}
            assert not files & told or row.name == "exits-early"  # `os.kill` asks for its own process


def test_no_subject_is_idle() -> None:
    assert {show.subject.removeprefix("//:").removeprefix("src/").removesuffix(".py") for _, show in SHOWS} - {
        "", "tests/test_moving"} == SUBJECTS.keys()


# Answers that reached a time limit are never kept, so that this one has to be judged anew.
@pytest.mark.parametrize(("words", "says", "fit"), [
    (["doctor"], "MISSING limits", 0), (["score", "--base", "main", "--head", "red", "//:loops"], "malfunction: ", 1)])
def test_a_machine_that_is_not_fit(words: list[str], says: str, fit: int, repo: Repo, cache: Path) -> None:
    """The hard limit of a stack may not be raised again, so that what the sandbox needs can't be set."""

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, 1 << 20))

    more = ["--cache-dir", str(cache)] if words[0] == "score" else []
    for limit, wanted in ((small, 5), (None, fit)):
        ran = subprocess.run(command(*words, *more), cwd=repo.top, env=environment(), preexec_fn=limit,
                             capture_output=True, text=True, check=False)
        assert ran.returncode == wanted, ran
        assert (says in ran.stdout + ran.stderr) is (wanted == 5)
