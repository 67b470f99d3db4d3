"""Object stores that lie, lack or wait, and objects that git would not have written."""

from __future__ import annotations

import os
import zlib

import pytest

from oracle_rules.errors import UsageError
from oracle_rules.scm import Limits, Repository

from .kit import Repo


def damaged(repo: Repo, oid: str, data: bytes | None) -> None:
    path = repo.loose(oid)
    path.unlink()
    if data is not None:
        path.write_bytes(data)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (zlib.compress(b"blob 6\0hellp\n"), "are others"),
        (zlib.compress(b"blob 7\0hello\n"), "gave up|damaged|others|no answer"),  # git 2.39 waits for the rest for ever
        (zlib.compress(b"tree 0\0"), "is a tree, not a blob"),
        (b"garbage", "damaged"),
        (b"", "damaged"),
        (zlib.compress(b"blob 6\0hello\n")[:-6], "gave up|damaged|others"),
        (None, "not in the repository"),
    ],
)
def test_a_store_that_lies_is_an_error_of_the_repository(repo: Repo, data: bytes | None, says: str) -> None:
    repo.commit({"a": b"hello\n", "b": b"fine"})
    with Repository.discover(repo.top) as opened:
        assert opened.tree("HEAD").read("a") == b"hello\n"
    damaged(repo, repo.git("rev-parse", "HEAD:a"), data)
    with Repository.discover(repo.top, limits=Limits(seconds=1)) as opened:
        tree = opened.tree("HEAD")
        with pytest.raises(UsageError, match=says) as caught:
            tree.read_many(["b", "a"])
        assert caught.value.exit_code == 2 and caught.value.remedy
        assert tree.read("b") == b"fine"  # the rest is still there to read


@pytest.mark.parametrize("what", ["HEAD", "HEAD^{tree}"])
def test_a_commit_or_tree_that_lies_is_refused(repo: Repo, what: str) -> None:
    first = repo.commit({"a": b"1"})
    repo.commit({"a": b"2"})
    oid = repo.git("rev-parse", what)
    other = repo.git("rev-parse", what.replace("HEAD", first))
    damaged(repo, oid, repo.loose(other).read_bytes())
    with Repository.discover(repo.top) as opened, pytest.raises(UsageError, match="are others"):
        opened.tree(repo.git("rev-parse", "refs/heads/main"))


def test_a_pipe_among_the_objects_ends_in_an_error(repo: Repo) -> None:
    repo.commit({"a": b"hello\n", "b": b"fine"})
    oid = repo.git("rev-parse", "HEAD:a")
    damaged(repo, oid, None)
    os.mkfifo(repo.loose(oid))
    with Repository.discover(repo.top, limits=Limits(seconds=0.5)) as opened:
        tree = opened.tree("HEAD")
        with pytest.raises(UsageError, match="no answer"):
            tree.read("a")
        assert tree.read("b") == b"fine"


@pytest.mark.parametrize("name", ["refs/heads/wait", "HEAD", "packed-refs", "shallow", "config", "index"])
def test_a_pipe_among_gits_own_files_ends_in_an_error(repo: Repo, name: str) -> None:
    repo.commit({"a": b"1"})
    path = repo.top / ".git" / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    with pytest.raises(UsageError) as caught, Repository.discover(repo.top, limits=Limits(seconds=0.5)) as opened:
        opened.resolve("wait")
        opened.worktree()
    assert caught.value.exit_code == 2 and caught.value.remedy


def test_malformed_trees_in_a_repository_are_refused_by_name(repo: Repo) -> None:
    blob = repo.blob(b"x")
    fine = repo.tree([(b"100644", b"a", blob), (b"100644", b"b", blob)])
    twice = repo.tree([(b"100644", b"a", blob), (b"100755", b"a", blob)])
    with Repository.discover(repo.top) as opened:
        assert set(opened.tree(repo.commit_tree(fine)).paths()) == {"a", "b"}
        for bad in (twice, repo.tree([(b"40000", b"deep", twice)])):
            with pytest.raises(UsageError, match="twice") as caught:
                opened.tree(repo.commit_tree(bad))
            assert twice in caught.value.where
        not_a_tree = repo.commit_tree(repo.tree([(b"40000", b"d", blob)]))
        with pytest.raises(UsageError, match="is a blob, not a tree"):
            opened.tree(not_a_tree)


def test_a_malformed_commit_is_refused(repo: Repo) -> None:
    repo.commit({"a": b"1"})
    bad = repo.git("hash-object", "-w", "--literally", "--stdin", "-t", "commit", stdin=b"author A <a> 1 +0000\n\nm\n")
    with Repository.discover(repo.top) as opened, pytest.raises(UsageError, match="malformed"):
        opened.tree(bad)
