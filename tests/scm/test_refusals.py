"""Bad input: what each message says, and that the good input beside it works."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from oracle_rules.errors import OracleError, UsageError
from oracle_rules.scm import Repository

from .kit import Repo, as_ordinary_user, refusal


def test_not_a_repository(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not in a git repository") as caught:
        Repository.discover(tmp_path)
    assert caught.value.where == str(tmp_path) and "git init" in caught.value.remedy
    for missing in (tmp_path / "absent", tmp_path / "nul\0"):
        with pytest.raises(UsageError):
            Repository.discover(missing)
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="Not a directory"):
        Repository.discover(tmp_path / "file")


@pytest.mark.parametrize(
    "text", [b"", b"nonsense", b"gitdir: /nonexistent", b"gitdir: a\0b", b"gitdir: .", b"x" * 2_000_000]
)
def test_a_git_file_that_leads_nowhere(tmp_path: Path, text: bytes) -> None:
    (tmp_path / ".git").write_bytes(text)
    with pytest.raises(UsageError) as caught:
        Repository.discover(tmp_path)
    assert caught.value.where and caught.value.remedy


def test_an_empty_git_folder_is_looked_past(repo: Repo) -> None:
    commit = repo.commit({"d/a": b"1"})
    (repo.top / "d/.git").mkdir()
    with Repository.discover(repo.top / "d") as opened:
        assert opened.resolve("HEAD") == commit


def test_no_git_and_an_old_git(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a": b"1"})
    programs = tmp_path / "programs"
    programs.mkdir()
    for path in (str(programs), ""):
        monkeypatch.setenv("PATH", path)
        with pytest.raises(UsageError, match="no git on PATH") as caught:
            Repository.discover(repo.top)
        assert "install git" in caught.value.remedy
    for answer, says in (("git version 2.17.1", "git 2.17 is too old"), ("hello", "does not answer as git does")):
        (programs / "git").write_text(f"#!/bin/sh\necho {answer}\n")
        (programs / "git").chmod(0o755)
        monkeypatch.setenv("PATH", str(programs))
        with pytest.raises(UsageError, match=says):
            Repository.discover(repo.top)
    (programs / "git").write_text("#!/no/such/interpreter\n")
    with pytest.raises(UsageError, match="could not be started"):
        Repository.discover(repo.top)
    monkeypatch.delenv("PATH")
    Repository.discover(repo.top).close()


def test_an_empty_repository_and_an_unborn_branch(repo: Repo) -> None:
    assert "no commit yet" in refusal(repo.top, "HEAD").detail
    assert "this repository" in refusal(repo.top, "HEAD").detail
    assert "no revision 'main'" in refusal(repo.top, "main").detail
    commit = repo.commit({"a": b"1"})
    repo.git("checkout", "-q", "--orphan", "fresh")
    problem = refusal(repo.top, "HEAD")
    assert "branch that is checked out has no commit" in problem.detail and "'main'" in problem.remedy
    with Repository.discover(repo.top) as opened:
        assert opened.resolve("main") == commit


def test_layouts_that_are_not_read(repo: Repo) -> None:
    repo.commit({"a": b"1"})
    config = repo.top / ".git/config"
    good = config.read_text()
    for text, says in (
        ("[core]\n\trepositoryformatversion = 7\n", "format version"),
        ("[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefstorage = reftable\n", "refs"),
        ("[extensions]\n\tobjectformat = md5\n", "md5"),
        ("[core\n", "cannot be parsed"),
    ):
        config.write_text(text)
        with pytest.raises(UsageError, match=says) as caught:
            Repository.discover(repo.top)
        assert caught.value.where and caught.value.remedy, says
    for text in (good, "", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha1\n"):
        config.write_text(text)
        with Repository.discover(repo.top) as opened:
            assert opened.tree("HEAD").paths()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user may enter, unlike `tmp_path`."""
    folder = Path(tempfile.mkdtemp(prefix="scm-"))
    folder.chmod(0o755)
    yield folder
    for path in (folder, *folder.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    "closed", [".git", ".git/objects", ".git/refs", ".git/HEAD", ".git/config", ".git/index", "a", "d", "d/.gitignore"]
)
def test_what_an_ordinary_user_may_not_read(open_folder: Path, closed: str) -> None:
    repo = Repo(open_folder / "repo")
    repo.commit({"a": b"1", "d/b": b"2", "d/.gitignore": b"x\n"})

    def work() -> str:
        try:
            with Repository.discover(repo.top) as opened:
                opened.tree("HEAD")
                return "read " + " ".join(opened.worktree().paths())
        except OracleError as problem:
            return f"{problem.exit_code.value}|{problem.where}|{problem.detail}|{problem.remedy}"

    assert as_ordinary_user(work) == "read a d/.gitignore d/b"
    (repo.top / closed).chmod(0)
    code, where, detail, remedy = as_ordinary_user(work).split("|")
    assert code == "2" and where and detail and remedy


def test_an_ordinary_user_reads_what_root_owns(open_folder: Path) -> None:
    repo = Repo(open_folder / "repo")
    commit = repo.commit({"a": b"1"})
    os.chmod(repo.top / ".git", 0o555)
    assert as_ordinary_user(lambda: Repository.discover(repo.top).resolve("HEAD")) == commit
