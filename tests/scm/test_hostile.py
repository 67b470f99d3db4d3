"""Repositories that want something to run, to be believed or to be fetched: nothing is."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from oracle_rules.errors import UsageError
from oracle_rules.scm import Limits, Repository, compare

from .kit import ENVIRONMENT, Repo

HOOKS = [
    "applypatch-msg",
    "pre-commit",
    "post-checkout",
    "post-merge",
    "post-index-change",
    "reference-transaction",
    "fsmonitor-watchman",
    "pre-auto-gc",
    "post-rewrite",
    "update",
    "pre-receive",
    "proc-receive",
    "sendemail-validate",
    "post-update",
    "pre-rebase",
]


class Trap:
    """A program that leaves a mark when it is run."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.mark = folder / "mark"
        self.program = folder / "trap"
        self.program.write_text(f'#!/bin/sh\necho "$0" >> {self.mark}\n')
        self.program.chmod(0o755)

    @property
    def sprung(self) -> bool:
        return self.mark.exists()


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path / "trap")


def use_everything(top: Path) -> dict[str, bytes]:
    """Asks every question there is; the files of HEAD."""
    with Repository.discover(top) as opened:
        opened.resolve("HEAD~0")
        opened.merge_base("HEAD", opened.default_base())
        work = opened.worktree()
        work.read_many(work.paths())
        tree = opened.tree("HEAD")
        with pytest.raises(UsageError):
            opened.resolve("no-such-name")
        return tree.read_many(tree.paths())


def set_traps(repo: Repo, trap: Trap) -> None:
    program = str(trap.program)
    keys = [
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "core.editor",
        "core.askPass",
        "core.gitProxy",
        "core.alternateRefsCommand",
        "credential.helper",
        "diff.external",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "uploadpack.packObjectsHook",
        "diff.x.textconv",
        "pager.ls-files",
        "pager.cat-file",
        "gpg.program",
        "sequence.editor",
    ]
    for key in keys:
        repo.git("config", key, program)
    for command in [
        "rev-parse",
        "cat-file",
        "ls-files",
        "merge-base",
        "for-each-ref",
        "config",
        "version",
        "log",
        "status",
    ]:
        repo.git("config", f"alias.{command}", f"!{program}")
    repo.git("config", "core.hooksPath", str(trap.program.parent))
    for folder in (trap.program.parent, repo.top / ".git/hooks"):
        folder.mkdir(exist_ok=True)
        for name in HOOKS:
            (folder / name).write_bytes(trap.program.read_bytes())
            (folder / name).chmod(0o755)


def test_no_hook_filter_alias_or_helper_runs(repo: Repo, trap: Trap) -> None:
    repo.commit({"a": b"1", ".gitattributes": b"* filter=x diff=x\n"})
    set_traps(repo, trap)
    repo.write({"a": b"2", "new": b"3"})
    assert use_everything(repo.top)["a"] == b"1"
    assert not trap.sprung
    subprocess.run(["git", "status"], cwd=repo.top, env=ENVIRONMENT, capture_output=True, check=False)
    assert trap.sprung  # the control: git in that folder does run it


def test_nothing_of_the_callers_environment_is_obeyed(
    repo: Repo, trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a": b"1"})
    other = Repo(tmp_path / "other")
    other.commit({"stranger": b"!"})
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(f"[core]\n\tfsmonitor = {trap.program}\n\texcludesFile = {home}/ignore\n")
    (home / "ignore").write_text("*\n")
    values = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "GIT_DIR": str(other.top / ".git"),
        "GIT_WORK_TREE": str(other.top),
        "GIT_INDEX_FILE": str(other.top / ".git/index"),
        "GIT_OBJECT_DIRECTORY": str(other.top / ".git/objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/nonexistent",
        "GIT_COMMON_DIR": str(other.top / ".git"),
        "GIT_CEILING_DIRECTORIES": str(tmp_path),
        "GIT_NAMESPACE": "elsewhere",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": str(trap.program),
        "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor={trap.program}'",
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_EXEC_PATH": str(trap.program.parent),
        "GIT_EXTERNAL_DIFF": str(trap.program),
        "GIT_PAGER": str(trap.program),
        "GIT_TRACE": str(trap.mark),
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_QUARANTINE_PATH": "/x",
        "GIT_SHALLOW_FILE": "/etc/passwd",
        "LD_PRELOAD": "",
        "PAGER": str(trap.program),
        "LANG": "de_DE.UTF-8",
    }
    for key, value in values.items():
        monkeypatch.setenv(key, value)
    repo.write({"new": b"2"})
    assert use_everything(repo.top) == {"a": b"1"}
    with Repository.discover(repo.top) as opened:
        assert set(opened.worktree().paths()) == {"a", "new"}
    assert not trap.sprung
    subprocess.run(["git", "status"], capture_output=True, check=False)
    assert trap.sprung


def test_configuration_that_waits_or_leads_elsewhere_is_not_read(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": b"1"})
    os.mkfifo(tmp_path / "pipe")
    with open(repo.top / ".git/config", "a", encoding="utf-8") as file:
        file.write(f'[include]\n\tpath = {tmp_path}/pipe\n[includeIf "gitdir:**"]\n\tpath = {tmp_path}/pipe\n')
        file.write(
            "[core]\n\tworktree = /etc\n\tbare = true\n\tfileMode = false\n\tautocrlf = true\n\tsymlinks = false\n"
        )
    with Repository.discover(repo.top, limits=Limits(seconds=20)) as opened:
        assert opened.top == repo.top
        assert opened.tree("HEAD").read("a") == b"1"
        assert set(opened.worktree().paths()) == {"a"}


ATTRIBUTES = b"""* text eol=crlf ident export-subst
*.py export-ignore
*.utf working-tree-encoding=UTF-16LE
data binary -diff merge=ours
"""


def test_attributes_change_no_byte_and_hide_no_file(repo: Repo) -> None:
    files = {
        "a.txt": b"one\r\ntwo\n$Id$ $Format:%H$\n",
        "x.py": b"print()\n",
        "t.utf": b"text",
        "data": b"\0",
    }
    blobs = {path: repo.blob(data) for path, data in {**files, ".gitattributes": ATTRIBUTES}.items()}
    commit = repo.commit_tree(repo.tree([(b"100644", path.encode(), blobs[path]) for path in sorted(blobs)]))
    info = repo.top / ".git/info"
    info.mkdir(exist_ok=True)
    (info / "attributes").write_bytes(ATTRIBUTES)
    with Repository.discover(repo.top) as opened:
        tree = opened.tree(commit)
        assert tree.read_many(tree.paths()) == {**files, ".gitattributes": ATTRIBUTES}
        repo.write({**files, ".gitattributes": ATTRIBUTES})
        work = opened.worktree()
        assert work.read_many(work.paths()) == {**files, ".gitattributes": ATTRIBUTES}
        assert work.id == tree.id
    archived = subprocess.run(
        ["git", "archive", commit], cwd=repo.top, env=ENVIRONMENT, capture_output=True, check=True
    ).stdout
    assert b"x.py" not in archived and b"\r\ntwo\r\n" in archived  # the control: git obeys them


def test_replace_refs_hide_no_change(repo: Repo) -> None:
    base = repo.commit({"oracle": b"honest"})
    evil = repo.commit({"oracle": b"tampered"})
    repo.git("replace", evil, base)
    assert repo.git("diff-tree", "-r", "--name-only", base, evil) == ""  # the control: git is fooled
    repo.git("replace", repo.git("hash-object", "--stdin", stdin=b"tampered"), repo.blob(b"other bytes"))
    assert repo.git("cat-file", "blob", repo.git("hash-object", "--stdin", stdin=b"tampered")) == "other bytes"
    with Repository.discover(repo.top) as opened:
        before, after = opened.tree(base), opened.tree(evil)
        assert [one.path for one in compare(before, after)] == ["oracle"]
        assert (before.read("oracle"), after.read("oracle")) == (b"honest", b"tampered")


def test_grafts_change_no_history(repo: Repo) -> None:
    first = repo.commit({"a": b"1"})
    second = repo.commit({"a": b"2"})
    repo.git("checkout", "-q", "--orphan", "other")
    third = repo.commit({"a": b"3"})
    info = repo.top / ".git/info"
    info.mkdir(exist_ok=True)
    (info / "grafts").write_text(f"{third} {first}\n{second}\n")
    assert repo.git("merge-base", first, third) == first  # the control
    with Repository.discover(repo.top) as opened:
        assert opened.merge_base(first, third) is None
        assert opened.merge_base(first, second) == first
        assert opened.resolve(f"{second}~1") == first


def test_a_lying_commit_graph_is_not_asked(repo: Repo) -> None:
    first = repo.commit({"a": b"1"})
    second = repo.commit({"a": b"2"})
    third = repo.commit({"a": b"3"})
    repo.git("commit-graph", "write", "--reachable")
    graph = repo.top / ".git/objects/info/commit-graph"
    graph.chmod(0o644)
    data = graph.read_bytes()
    row = data.index(bytes.fromhex(repo.git("rev-parse", f"{second}^{{tree}}")))
    graph.write_bytes(data[: row + 20] + bytes.fromhex("70000000") + data[row + 24 :])  # "no parent"
    assert repo.git("rev-list", third).split() == [third, second]  # the control: git believes it
    with Repository.discover(repo.top) as opened:
        assert opened.merge_base(first, third) == first
        assert opened.resolve("HEAD~2") == first


def test_a_partial_clone_fetches_nothing(repo: Repo, trap: Trap, tmp_path: Path) -> None:
    repo.commit({"a": b"hello\n"})
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{repo.top}", str(tmp_path / "partial"))
    partial = tmp_path / "partial"
    subprocess.run(
        ["git", "config", "remote.origin.uploadpack", str(trap.program)], cwd=partial, env=ENVIRONMENT, check=True
    )
    with Repository.discover(partial) as opened:
        tree = opened.tree("HEAD")
        assert set(tree.paths()) == {"a"}
        with pytest.raises(UsageError, match="not in the repository") as caught:
            tree.read("a")
        assert "partial clone" in caught.value.remedy and caught.value.where == "a"
    assert not trap.sprung
    subprocess.run(["git", "cat-file", "-p", "HEAD:a"], cwd=partial, env=ENVIRONMENT, capture_output=True, check=False)
    assert trap.sprung


def test_a_git_program_in_a_relative_folder_of_the_search_path_is_passed_over(
    repo: Repo, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a": b"1"})
    (repo.top / "git").write_bytes(trap.program.read_bytes())
    (repo.top / "git").chmod(0o755)
    monkeypatch.chdir(repo.top)
    monkeypatch.setenv("PATH", f".::bin:{os.environ['PATH']}")
    assert use_everything(repo.top) == {"a": b"1"}
    assert not trap.sprung


def test_another_owner_is_no_obstacle(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = repo.commit({"a": b"1"})
    strange = dict(ENVIRONMENT)
    if os.geteuid() == 0:
        for folder, names, files in os.walk(repo.top):
            for name in [folder, *(os.path.join(folder, name) for name in names + files)]:
                os.chown(name, 12345, 12345, follow_symlinks=False)
    else:  # git's own switch for its test suite; only root can give files away
        strange["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1"
        monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    plain = subprocess.run(["git", "status"], cwd=repo.top, env=strange, capture_output=True, check=False)
    assert b"dubious ownership" in plain.stderr  # the control
    with Repository.discover(repo.top) as opened:
        assert opened.resolve("HEAD") == commit
        assert opened.worktree().id == opened.tree(commit).id


def test_submodules_and_nested_repositories_run_nothing(repo: Repo, trap: Trap, tmp_path: Path) -> None:
    library = Repo(tmp_path / "library")
    commit = library.commit({"l": b"1"})
    repo.git("submodule", "--quiet", "add", str(library.top), "sub")
    repo.commit()
    nested = Repo(repo.top / "nested")
    nested.commit({"x": b"1"})
    for folder in (repo.top / "sub", repo.top / "nested"):
        for key in ("core.fsmonitor", "core.hooksPath", "filter.x.clean", "core.sshCommand"):
            repo.git("-C", str(folder), "config", key, str(trap.program))
    with Repository.discover(repo.top) as opened:
        tree = opened.worktree()
    assert tree.entries["sub"].oid == commit and "nested/x" not in tree.entries
    assert not trap.sprung
    subprocess.run(["git", "status"], cwd=repo.top / "sub", env=ENVIRONMENT, capture_output=True, check=False)
    assert trap.sprung


def test_a_nested_repository_that_waits_ends_in_an_error(repo: Repo) -> None:
    repo.commit({"a": b"1"})
    nested = Repo(repo.top / "nested")
    nested.commit({"x": b"1"})
    with Repository.discover(repo.top, limits=Limits(seconds=1)) as opened:
        assert set(opened.worktree().paths()) == {"a"}
        (nested.top / ".git/HEAD").unlink()
        os.mkfifo(nested.top / ".git/HEAD")
        try:
            assert "a" in opened.worktree().paths()
        except UsageError as problem:
            assert "no answer" in problem.detail and problem.remedy


def test_a_refused_repository_leaves_nothing_behind(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = tmp_path / "private"
    private.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(private))
    (repo.top / ".git/config").write_text("[core\n")
    with pytest.raises(UsageError) as caught:
        Repository.discover(repo.top)
    del caught
    assert not list(private.iterdir())
    (repo.top / ".git/config").write_text("")
    opened = Repository.discover(repo.top)
    assert list(private.iterdir())
    opened.close()
    assert not list(private.iterdir())
