"""Trees of commits: what honest repositories of every shape hold."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path

import pytest

from oracle_rules.errors import UsageError
from oracle_rules.scm import Limits, Mode, Repository

from .kit import ENVIRONMENT, Repo


def read_all(top: Path, commit: str = "HEAD") -> dict[str, bytes]:
    with Repository.discover(top) as opened:
        tree = opened.tree(commit)
        return tree.read_many(tree.paths())


def listed(repo: Repo, commit: str) -> list[tuple[str, str, str]]:
    """What `git ls-tree` says, as an independent reading."""
    lines = repo.raw("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")[:-1]
    found = []
    for line in lines:
        facts, _, path = line.partition(b"\t")
        mode, _, oid = facts.decode().split(" ")
        found.append((path.decode("utf-8", "surrogateescape"), mode, oid))
    return sorted(found)


ODD = {
    "plain.txt": b"plain\n",
    "empty": b"",
    "crlf": b"a\r\nb\r\n",
    "nul": b"\0" * 10,
    "bad\udcff\udc80": b"not utf-8",
    "caf\u00e9": b"composed",
    "cafe\u0301": b"decomposed",
    "Readme": b"upper",
    "README": b"all upper",
    "n" * 255: b"255 bytes",
    "\u00e9" * 127 + "x": b"255 bytes of utf-8",
    "-dash": b"-",
    "a\nb\tc": b"control",
    " lead": b"",
    "trail ": b"",
    "quote\"'\\": b"",
    "d/" * 50 + "leaf": b"deep",
}


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
@pytest.mark.parametrize("packed", [False, True])
def test_every_odd_name_is_a_path_of_its_own(tmp_path: Path, algorithm: str, packed: bool) -> None:
    repo = Repo(tmp_path / "repo", f"--object-format={algorithm}")
    commit = repo.commit(ODD)
    if packed:
        repo.git("gc", "-q", "--aggressive", "--prune=now")
        repo.git("pack-refs", "--all")
    with Repository.discover(repo.top) as opened:
        assert opened.resolve("HEAD") == opened.resolve("main") == commit
        tree = opened.tree(commit)
        assert tree.id == repo.git("rev-parse", "HEAD^{tree}")
        assert [(one.path, one.mode, one.oid) for one in tree.entries.values()] == listed(repo, commit)
        assert tree.read_many(tree.paths()) == ODD
        assert list(tree.paths()) == sorted(ODD)
        assert tree.read("nul") == bytes(10)


def test_modes_links_and_submodules(repo: Repo) -> None:
    blob, target = repo.blob(b"x"), repo.blob(b"../../../etc/passwd")
    tree_id = repo.tree(
        [
            (b"100755", b"bin", blob),
            (b"100664", b"group", blob),
            (b"120000", b"out", target),
            (b"160000", b"sub", "1" * 40),
        ]
    )
    commit = repo.commit_tree(tree_id)
    with Repository.discover(repo.top) as opened:
        tree = opened.tree(commit)
        assert {path: str(one.mode) for path, one in tree.entries.items()} == {
            "bin": "100755",
            "group": "100644",
            "out": "120000",
            "sub": "160000",
        }
        assert tree.paths() == ("bin", "group")
        assert tree.link("out") == "../../../etc/passwd"  # shown, never followed
        assert tree.entries["sub"].oid == "1" * 40 and tree.entries["bin"].mode is Mode.EXECUTABLE
        for path in ("out", "sub", "nothing"):
            with pytest.raises(KeyError):
                tree.read_many(["bin", path])
        assert tree.read_many(["bin", "bin"]) == {"bin": b"x"}


def test_bare_linked_shared_shallow_and_referenced_clones_hold_the_same(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": b"1"})
    commit = repo.commit({"a": b"2", "d/b": b"3"})
    expected = {"a": b"2", "d/b": b"3"}
    here = str(repo.top)
    repo.git("clone", "-q", "--bare", here, str(tmp_path / "bare"))
    repo.git("clone", "-q", "--shared", here, str(tmp_path / "shared"))
    repo.git("clone", "-q", "--reference", here, f"file://{here}", str(tmp_path / "reference"))
    repo.git("clone", "-q", "--depth=1", f"file://{here}", str(tmp_path / "shallow"))
    repo.git("clone", "-q", "--no-checkout", here, str(tmp_path / "empty"))
    repo.git("clone", "-q", "--separate-git-dir", str(tmp_path / "apart.git"), here, str(tmp_path / "apart"))
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), commit)
    for name in ("bare", "shared", "reference", "shallow", "empty", "apart", "linked"):
        with Repository.discover(tmp_path / name) as opened:
            assert (opened.top is None) == (name == "bare")
            assert opened.resolve("HEAD") == commit
            tree = opened.tree(commit)
            assert tree.read_many(tree.paths()) == expected, name
    assert (tmp_path / "shared/.git/objects/info/alternates").is_file()  # the control: it has no objects of its own
    assert not list((tmp_path / "shared/.git/objects").glob("??"))


def test_relative_and_chained_alternates(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": b"1"})
    repo.git("clone", "-q", "--shared", str(repo.top), str(tmp_path / "one"))
    repo.git("clone", "-q", "--shared", str(tmp_path / "one"), str(tmp_path / "two"))
    alternates = tmp_path / "one/.git/objects/info/alternates"
    alternates.write_text("../../../repo/.git/objects\n")
    assert read_all(tmp_path / "one") == {"a": b"1"}
    (tmp_path / "two/.git/objects/info/alternates").write_text(
        f"{tmp_path}/one/.git/objects\n{repo.top}/.git/objects\n"
    )
    assert read_all(tmp_path / "two") == {"a": b"1"}


def test_alternates_that_lead_nowhere_or_astray_add_nothing(repo: Repo, tmp_path: Path) -> None:
    commit = repo.commit({"a": b"1"})
    other = Repo(tmp_path / "other")
    foreign = other.commit({"stranger": b"!"})
    info = repo.top / ".git/objects/info/alternates"
    info.write_text("/etc\n/proc/self/fd\n/nonexistent\n../../../..\n\n# a comment\n")
    assert read_all(repo.top) == {"a": b"1"}
    with Repository.discover(repo.top) as opened, pytest.raises(UsageError, match="no revision"):
        opened.tree(foreign)
    info.write_text(f"{other.top}/.git/objects\n")
    with Repository.discover(repo.top) as opened:
        assert set(opened.tree(foreign).paths()) == {"stranger"}  # found, because it was asked for by its id
        assert set(opened.tree(commit).paths()) == {"a"}


def test_a_folder_below_and_a_path_through_a_link_lead_to_the_repository(repo: Repo, tmp_path: Path) -> None:
    commit = repo.commit({"d/e/f": b"1"})
    (tmp_path / "door").symlink_to(repo.top / "d")
    for start in (repo.top / "d/e", tmp_path / "door"):
        with Repository.discover(start) as opened:
            assert opened.top == repo.top and opened.resolve("HEAD") == commit


def test_a_thousand_levels(repo: Repo) -> None:
    stream = [b"blob\nmark :1\ndata 6\nbottom\ncommit refs/heads/deep\ncommitter A <a> 1 +0000\ndata 1\nm"]
    stream.append(b"M 100644 :1 " + b"d/" * 1000 + b"leaf\n")
    repo.git("fast-import", "--quiet", stdin=b"\n".join(stream))
    assert read_all(repo.top, "deep") == {"d/" * 1000 + "leaf": b"bottom"}
    with (
        Repository.discover(repo.top, limits=Limits(depth=999)) as opened,
        pytest.raises(UsageError, match="999 deep"),
    ):
        opened.tree("deep")


def test_a_tree_that_repeats_itself_ends_at_the_limit(repo: Repo) -> None:
    oid, mode = repo.blob(b"x"), b"100644"
    for _ in range(9):
        oid = repo.tree([(mode, b"%d" % digit, oid) for digit in range(10)])
        mode = b"40000"
    bomb = repo.commit_tree(oid)  # a thousand million files in nine objects
    with Repository.discover(repo.top, limits=Limits(entries=20_000)) as opened:
        with pytest.raises(UsageError, match="more than 20000 entries") as caught:
            opened.tree(bomb)
        assert caught.value.where.startswith(bomb)
    small = repo.commit_tree(repo.tree([(b"100644", b"a", repo.blob(b"x"))]))
    assert read_all(repo.top, small) == {"a": b"x"}


def test_long_paths_end_at_the_limit(repo: Repo) -> None:
    repo.commit({"d" * 100 + "/" + str(number): b"" for number in range(20)})
    with (
        Repository.discover(repo.top, limits=Limits(path_bytes=2000)) as opened,
        pytest.raises(UsageError, match="2000 characters"),
    ):
        opened.tree("HEAD")
    assert len(read_all(repo.top)) == 20


def test_a_huge_blob_is_an_error_only_for_who_reads_it(repo: Repo) -> None:
    repo.commit({"big": bytes(300_000), "small": b"s"})
    with Repository.discover(repo.top, limits=Limits(blob_bytes=299_999)) as opened:
        tree = opened.tree("HEAD")
        assert tree.read("small") == b"s"
        with pytest.raises(UsageError, match="300000 bytes") as caught:
            tree.read_many(["big", "small"])
        assert caught.value.where == "big"
        assert tree.read("small") == b"s"  # the error left nothing behind
    with Repository.discover(repo.top, limits=Limits(blob_bytes=300_000)) as opened:
        assert opened.tree("HEAD").read("big") == bytes(300_000)
    with Repository.discover(repo.top, limits=Limits(total_bytes=300_000)) as opened:
        tree = opened.tree("HEAD")
        assert len(tree.read("big")) == 300_000
        with pytest.raises(UsageError, match="300000 bytes"):
            tree.read_many(["big", "small"])


def test_many_threads_share_a_repository(repo: Repo) -> None:
    files = {f"d{number % 7}/{number}": b"%d" % number * number for number in range(600)}
    repo.commit(files)
    wrong: list[object] = []
    with Repository.discover(repo.top) as opened:

        def work() -> None:
            tree = opened.tree("main")
            if tree.read_many(tree.paths()) != files or any(
                tree.read(path) != files[path] for path in list(files)[:50]
            ):
                wrong.append(tree)

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


def test_closing_leaves_no_process_and_no_folder(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a": b"1"})
    private = tmp_path / "private"
    private.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(private))
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    before = children.read_text().split()
    opened = Repository.discover(repo.top)
    tree = opened.tree("HEAD")
    assert len(children.read_text().split()) == len(before) + 1 and list(private.iterdir())
    opened.close()
    opened.close()
    assert children.read_text().split() == before and not list(private.iterdir())
    with pytest.raises(ValueError, match="closed"):
        tree.read("a")
    tree = Repository.discover(repo.top).tree("HEAD")
    assert tree.read("a") == b"1"  # a tree keeps what it needs
    del tree
    assert children.read_text().split() == before and not list(private.iterdir())


def test_a_forked_child_neither_disturbs_nor_removes(repo: Repo) -> None:
    repo.commit({"a": b"1", "b": b"2"})
    with Repository.discover(repo.top) as opened:
        tree = opened.tree("HEAD")
        child = os.fork()
        if child == 0:
            status = 2
            try:
                status = 0 if tree.read("a") == b"1" else 1
                opened.close()
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0
        assert tree.read("b") == b"2"
        assert opened.resolve("main")


def test_reading_changes_nothing_in_the_repository(repo: Repo) -> None:
    repo.commit({"a": b"1"})
    repo.write({"a": b"2", "new": b"3"})

    def state() -> str:
        command = ["find", ".", "-not", "-path", "./.git/objects/??/*", "-printf", "%p %T@ %C@ %s %m\n"]
        return subprocess.run(command, cwd=repo.top, capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout

    before = state()
    with Repository.discover(repo.top) as opened:
        opened.merge_base("main", "HEAD")
        tree = opened.tree("HEAD")
        tree.read_many(tree.paths())
        work = opened.worktree()
        work.read_many(work.paths())
    assert state() == before
