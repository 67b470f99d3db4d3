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
from oracle_rules.scm.objects import object_id

from .kit import Repo, as_ordinary_user


def refusal(top: Path, revision: str) -> UsageError:
    with Repository.discover(top) as opened, pytest.raises(UsageError) as caught:
        opened.tree(revision)
    assert caught.value.exit_code == 2 and caught.value.where and caught.value.remedy
    return caught.value


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


def test_an_unknown_revision_names_its_neighbours(repo: Repo) -> None:
    commit = repo.commit({"a": b"1"})
    repo.git("branch", "feature/parser")
    repo.git("tag", "v1.0")
    problem = refusal(repo.top, "feature/parsr")
    assert "no revision 'feature/parsr'" in problem.detail and "'feature/parser'" in problem.remedy
    for unknown in (
        "0" * 40,
        "f" * 40,
        "deadbeef",
        "HEAD~5",
        "HEAD^2",
        "v1.0^5",
        "heads/*",
        "a\\b",
        "main.lock",
        "\udcff",
        "HEAD^@",
        "HEAD^!",
    ):
        assert "there is no revision" in refusal(repo.top, unknown).detail, unknown
    with Repository.discover(repo.top) as opened:
        for good in (
            "feature/parser",
            "v1.0",
            "refs/tags/v1.0",
            commit,
            commit[:8],
            commit.upper(),
            "HEAD",
            "@",
            "main~0",
            "main^0",
        ):
            assert opened.resolve(good) == commit, good


@pytest.mark.parametrize(
    ("revision", "says"),
    [
        ("", "empty"),
        ("-h", "dash"),
        ("--all", "dash"),
        ("--output=x", "dash"),
        ("main..HEAD", "range"),
        ("main...HEAD", "range"),
        ("^main", "range"),
        ("HEAD:a", "names a file"),
        (":/a change", "space"),
        (":a", "names a file"),
        ("HEAD@{1}", "own log"),
        ("@{upstream}", "own log"),
        ("HEAD^{tree}", "kind of object"),
        ("HEAD^{/x}", "kind of object"),
        ("a b", "space"),
        ("a\nb", "control"),
        ("a\0b", "control"),
    ],
)
def test_what_is_no_name_of_one_commit(repo: Repo, revision: str, says: str) -> None:
    repo.commit({"a": b"1"})
    assert says in refusal(repo.top, revision).detail


def test_an_option_in_disguise_has_no_effect(repo: Repo) -> None:
    repo.commit({"a": b"1"})
    repo.git("update-ref", "refs/heads/-evil", "HEAD")
    assert "dash" in refusal(repo.top, "-evil").detail
    with Repository.discover(repo.top) as opened:
        assert opened.resolve("refs/heads/-evil") == opened.resolve("HEAD")


def test_ambiguous_names(repo: Repo) -> None:
    first = repo.commit({"a": b"1"})
    repo.git("tag", "twin")
    second = repo.commit({"a": b"2"})
    repo.git("branch", "twin")
    problem = refusal(repo.top, "twin")
    assert "ambiguous" in problem.detail and "refs/heads/" in problem.remedy
    with Repository.discover(repo.top) as opened:
        assert opened.resolve("refs/tags/twin") == opened.resolve("tags/twin") == first
        assert opened.resolve("refs/heads/twin") == second


def test_an_ambiguous_short_id(repo: Repo) -> None:
    repo.commit({"a": b"1"})
    blobs = [b"%04d" % number for number in range(1000)]
    stream = b"".join(b"blob\ndata 4\n" + data + b"\n" for data in blobs)
    repo.git("-c", "fastimport.unpackLimit=0", "fast-import", "--quiet", stdin=stream)
    starts = [repo_id[:4] for repo_id in (object_id("blob", data) for data in blobs)]
    twice = next(start for start in starts if starts.count(start) > 1)
    assert "ambiguous" in refusal(repo.top, twice).detail


def test_a_revision_that_is_no_commit(repo: Repo) -> None:
    commit = repo.commit({"a": b"1"})
    blob, tree = repo.git("rev-parse", "HEAD:a"), repo.git("rev-parse", "HEAD^{tree}")
    assert "is a blob, not a commit" in refusal(repo.top, blob).detail
    assert "is a tree, not a commit" in refusal(repo.top, tree[:12]).detail
    repo.git("tag", "to-blob", blob)
    repo.git("tag", "-a", "-m", "m", "annotated", blob)
    assert "is a blob" in refusal(repo.top, "to-blob").detail
    assert "is a blob" in refusal(repo.top, "annotated").detail
    repo.git("tag", "-a", "-m", "m", "good", commit)
    repo.git("tag", "-a", "-m", "m", "better", "good")
    with Repository.discover(repo.top) as opened:
        assert opened.resolve("better") == opened.resolve(repo.git("rev-parse", "better")) == commit


def test_a_ref_to_nothing(repo: Repo) -> None:
    repo.commit({"a": b"1"})
    (repo.top / ".git/refs/heads/broken").write_text("1" * 40 + "\n")
    (repo.top / ".git/refs/heads/garbage").write_text("not an id\n")
    (repo.top / ".git/refs/heads/loop").write_text("ref: refs/heads/loop\n")
    assert "1" * 40 in refusal(repo.top, "broken").detail
    assert "no revision" in refusal(repo.top, "garbage").detail
    assert "no revision" in refusal(repo.top, "loop").detail


def test_merge_base_of_shallow_and_unrelated_histories(repo: Repo, tmp_path: Path) -> None:
    root = repo.commit({"a": b"1"})
    left = repo.commit({"a": b"2"})
    repo.git("checkout", "-q", "-b", "side", root)
    right = repo.commit({"b": b"3"})
    repo.git("checkout", "-q", "--orphan", "island")
    island = repo.commit({"c": b"4"})
    with Repository.discover(repo.top) as opened:
        assert opened.merge_base(left, right) == opened.merge_base("main", "side") == root
        assert opened.merge_base(left, left) == left
        assert opened.merge_base(root, left) == root
        assert opened.merge_base(left, island) is None
    repo.git("clone", "-q", "--depth=1", "--no-single-branch", f"file://{repo.top}", str(tmp_path / "shallow"))
    with Repository.discover(tmp_path / "shallow") as opened:
        with pytest.raises(UsageError, match="shallow clone") as caught:
            opened.merge_base(left, right)
        assert "--unshallow" in caught.value.remedy
        with pytest.raises(UsageError, match="no revision") as caught:
            opened.resolve(root)
        assert "--unshallow" in caught.value.remedy


def test_a_criss_cross_has_one_answer(repo: Repo) -> None:
    repo.commit({"a": b"1"})
    tree = repo.git("rev-parse", "HEAD^{tree}")
    root = repo.git("rev-parse", "HEAD")
    one = repo.git("commit-tree", "-m", "one", "-p", root, tree)
    two = repo.git("commit-tree", "-m", "two", "-p", root, tree)
    left = repo.git("commit-tree", "-m", "left", "-p", one, "-p", two, tree)
    right = repo.git("commit-tree", "-m", "right", "-p", two, "-p", one, tree)
    with Repository.discover(repo.top) as opened:
        assert opened.merge_base(left, right) == opened.merge_base(right, left) == min(one, two)


def test_history_with_a_hole(repo: Repo) -> None:
    first = repo.commit({"a": b"1"})
    repo.commit({"a": b"2"})
    repo.git("checkout", "-q", "-b", "side", first)
    repo.commit({"b": b"2"})
    repo.loose(first).unlink()
    with Repository.discover(repo.top) as opened, pytest.raises(UsageError) as caught:
        opened.merge_base("main", "side")
    assert caught.value.remedy


def test_default_base(repo: Repo, tmp_path: Path) -> None:
    commit = repo.commit({"a": b"1"})
    with Repository.discover(repo.top) as opened:
        assert opened.default_base() == "refs/heads/main"
    repo.git("clone", "-q", str(repo.top), str(tmp_path / "clone"))
    repo.git("branch", "-m", "trunk")
    with Repository.discover(repo.top) as opened:
        assert opened.default_base() == "HEAD"
    clone = tmp_path / "clone/.git"
    (clone / "HEAD").write_text(commit + "\n")
    (clone / "refs/heads/main").unlink()
    with Repository.discover(tmp_path / "clone") as opened:
        assert opened.default_base() == "refs/remotes/origin/HEAD"
        assert opened.resolve(opened.default_base()) == commit == opened.resolve("HEAD")


def test_head_is_read_anew(repo: Repo) -> None:
    first = repo.commit({"a": b"1"})
    with Repository.discover(repo.top) as opened:
        assert opened.resolve("HEAD") == first
        second = repo.commit({"a": b"2"})
        assert opened.resolve("HEAD") == second
        repo.git("checkout", "-q", "--detach", first)
        assert opened.resolve("HEAD") == first
        head = repo.top / ".git/HEAD"
        head.unlink()
        head.symlink_to("refs/heads/main")
        assert opened.resolve("HEAD") == second


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
