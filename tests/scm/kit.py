"""Real repositories for the tests of `oracle_rules.scm`, made by real git in a clean environment."""

from __future__ import annotations

import os
import subprocess
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from oracle_rules.errors import UsageError
from oracle_rules.scm import Repository, Tree

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_COMMITTER_DATE": "1700000000 +0000",
}


class Repo:
    """A repository with a work tree."""

    def __init__(self, top: Path, *options: str) -> None:
        self.top = top
        top.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *options)

    def git(self, *arguments: str | bytes, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
        """Runs git here; its output without the last newline."""
        return self.raw(*arguments, stdin=stdin, env=env).decode("utf-8", "surrogateescape").rstrip("\n")

    def raw(self, *arguments: str | bytes, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
        """Runs git here; its output as it is."""
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.top,
            input=stdin,
            capture_output=True,
            env={**ENVIRONMENT, **(env or {})},
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout

    def write(self, files: Mapping[str, bytes]) -> None:
        """Puts files into the work tree."""
        for path, data in files.items():
            target = os.path.join(os.fsencode(self.top), path.encode("utf-8", "surrogateescape"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(data)

    def commit(self, files: Mapping[str, bytes] | None = None) -> str:
        """Commits the whole work tree, after adding these files; the new commit's id."""
        self.write(files or {})
        self.git("add", "--all", "--force")
        self.git("commit", "-q", "--allow-empty", "-m", "a change")
        return self.git("rev-parse", "HEAD")

    def blob(self, data: bytes) -> str:
        """Stores a blob; its id."""
        return self.git("hash-object", "-w", "--stdin", stdin=data)

    def tree(self, lines: Sequence[tuple[bytes, bytes, str]]) -> str:
        """Stores a tree object of exactly these (mode, name, id) lines, however wrong; its id."""
        body = b"".join(mode + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in lines)
        return self.git("hash-object", "-w", "--literally", "--stdin", "-t", "tree", stdin=body)

    def commit_tree(self, tree: str, *parents: str) -> str:
        """A commit of a tree object; its id."""
        links = "".join(f"parent {parent}\n" for parent in parents)
        text = f"tree {tree}\n{links}author A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nm\n"
        return self.git("hash-object", "-w", "--literally", "--stdin", "-t", "commit", stdin=text.encode())

    def loose(self, oid: str) -> Path:
        """The file of a loose object."""
        return self.top / ".git" / "objects" / oid[:2] / oid[2:]


def as_ordinary_user(work: Callable[[], str]) -> str:
    """Calls `work` in a forked child without privileges; what it returns, or its traceback."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        answer = ""
        try:
            os.close(out)
            if os.geteuid() == 0:
                os.setgroups([])
                os.setresgid(65534, 65534, 65534)
                os.setresuid(65534, 65534, 65534)
            answer = work()
        except OSError:
            answer = traceback.format_exc()
        finally:
            os.write(into, answer.encode()[:60000])
            os._exit(0)
    os.close(into)
    with os.fdopen(out, "rb") as pipe:
        answer = pipe.read().decode()
    os.waitpid(child, 0)
    return answer


def refusal(top: Path, revision: str) -> UsageError:
    """The error that a revision ends in."""
    with Repository.discover(top) as opened, pytest.raises(UsageError) as caught:
        opened.tree(revision)
    assert caught.value.exit_code == 2 and caught.value.where and caught.value.remedy
    return caught.value


def snapshot(repo: Repo) -> Tree:
    """The work tree as it is now."""
    return Repository.discover(repo.top).worktree()


def contents(tree: Tree) -> dict[str, bytes]:
    """The bytes of every plain file."""
    return tree.read_many(tree.paths())


def by_git(repo: Repo) -> str:
    """The tree that git would record for everything that is not ignored, from an index of its own."""
    index = {"GIT_INDEX_FILE": str(repo.top.parent / "other-index")}
    if (repo.top / ".git/index").exists():
        (repo.top.parent / "other-index").write_bytes((repo.top / ".git/index").read_bytes())
    repo.git("-c", "core.autocrlf=false", "add", "--all", env=index)
    return repo.git("write-tree", env=index)
