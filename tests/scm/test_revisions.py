"""Names of commits: what resolves, what is refused and what the message says."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle_rules.errors import UsageError
from oracle_rules.scm import Repository
from oracle_rules.scm.objects import object_id

from .kit import Repo, refusal


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
