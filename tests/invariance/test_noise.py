"""What surrounds a run moves no key: everything is served from the cache that a quiet run has filled."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ..cli.kit import Ran, Repo, build_file, command, environment, make, oracle, workspace

WORDS = ("score", "--format", "json", "--worktree", "--base", "HEAD")


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> tuple[Repo, Path]:
    """A repository and a cache in which its one target has run."""
    top = tmp_path_factory.mktemp("noise")
    repo = make(top / "repo", {**workspace(), "BUILD.bazel": build_file(["clean"])})
    ran = oracle(*WORDS, "--cache-dir", str(top / "cache"), cwd=repo.top)
    assert ran.status == 0 and ran.record["summary"]["cached"] == 0
    return repo, top / "cache"


def replayed(ran: Ran) -> bool:
    """Whether the one target came from the cache."""
    assert ran.status == 0, ran
    counts = {"targets": 1, "held": 1, "falsified": 0, "cached": 1}
    return counts.items() <= ran.record["summary"].items()


ENVIRONMENTS = {
    "locale": {"LC_ALL": "ja_JP.eucJP", "LANG": "C"},
    "zone": {"TZ": "Pacific/Kiritimati"},
    "home": {"HOME": "/", "XDG_CACHE_HOME": "/nowhere", "USER": "somebody", "LOGNAME": "x"},
    "python": {
        "PYTHONHASHSEED": "77",
        "PYTHONOPTIMIZE": "2",
        "PYTHONSTARTUP": "/nowhere",
        "PYTHONDONTWRITEBYTECODE": "",
    },
    "more python": {"PYTHONUNBUFFERED": "1", "PYTHONDEVMODE": "1", "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "1"},
    "pipeline": {"CI": "1", "GITHUB_ACTIONS": "true", "BUILD_ID": "9", "TERM": "xterm", "COLUMNS": "17"},
    "git": {"GIT_DIR": "/nowhere", "GIT_WORK_TREE": "/", "GIT_CONFIG_COUNT": "1", "GIT_AUTHOR_NAME": "x"},
    "allocator": {"GLIBC_TUNABLES": "glibc.malloc.check=3", "MALLOC_ARENA_MAX": "1", "LD_BIND_NOW": "1"},
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_environment_is_no_input(name: str, quiet: tuple[Repo, Path]) -> None:
    repo, cache = quiet
    ran = oracle(*WORDS, "--cache-dir", str(cache), cwd=repo.top, env=ENVIRONMENTS[name])
    assert replayed(ran)


def test_junk_on_the_import_path_is_no_input(quiet: tuple[Repo, Path], tmp_path: Path) -> None:
    repo, cache = quiet
    (tmp_path / "hypothesis_extra.py").write_text("raise SystemExit(9)\n")
    path = f"{tmp_path}:{environment()['PYTHONPATH']}"
    assert replayed(oracle(*WORDS, "--cache-dir", str(cache), cwd=repo.top, env={"PYTHONPATH": path}))


def test_where_and_when_a_checkout_was_made_is_no_input(quiet: tuple[Repo, Path], tmp_path: Path) -> None:
    repo, cache = quiet
    repo.git("clone", "-q", str(repo.top), str(tmp_path / "clone"))
    for folder, _, names in os.walk(tmp_path / "clone"):
        for name in names:
            os.utime(os.path.join(folder, name), (1, 1))
    assert replayed(oracle(*WORDS, "--cache-dir", str(cache), cwd=tmp_path / "clone" / "src"))
    assert replayed(oracle(*WORDS, "--cache-dir", str(cache), "--repository", str(tmp_path / "clone"), cwd=Path("/")))


@pytest.mark.parametrize(
    "shell", ["umask 0777", "ulimit -n 256", "ulimit -s 4096", "taskset -p -c 0 $$ >/dev/null", "nice"]
)
def test_limits_and_habits_of_the_shell_are_no_input(shell: str, quiet: tuple[Repo, Path]) -> None:
    repo, cache = quiet
    done = subprocess.run(
        ["sh", "-c", f'{shell}; exec "$@"', "sh", *command(*WORDS, "--cache-dir", str(cache))],
        cwd=repo.top,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    out = done.stdout[done.stdout.index("{") :]
    assert replayed(Ran(done.returncode, out, done.stderr))


def test_modes_that_git_does_not_keep_and_files_that_no_target_names_are_no_input(
    quiet: tuple[Repo, Path], tmp_path: Path
) -> None:
    repo, cache = quiet
    repo.git("clone", "-q", str(repo.top), str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    os.chmod(clone.top / "src" / "text.py", 0o600)
    clone.write({"tests/test_new.py": "def test_new():\n    assert True\n", "notes.txt": "x"})
    (clone.top / "src" / "__pycache__").mkdir()
    assert replayed(oracle(*WORDS, "--cache-dir", str(cache), cwd=clone.top))


def test_a_source_is_an_input(quiet: tuple[Repo, Path], tmp_path: Path) -> None:
    """The control: the same command sees what matters."""
    repo, cache = quiet
    repo.git("clone", "-q", str(repo.top), str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    clone.write({"src/sums.py": "def total(values):\n    return 0\n"})
    ran = oracle(*WORDS, "--cache-dir", str(cache), cwd=clone.top)
    assert ran.status == 0 and ran.record["summary"]["cached"] == 0
