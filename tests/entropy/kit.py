"""Runs `scan` in this process, as the command line does, and makes repositories for it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from oracle_rules import cli
from oracle_rules.errors import Exit

from ..scm.kit import Repo


class Heard:
    """An output that keeps what it is given."""

    colour = False

    def __init__(self) -> None:
        self.text = ""
        self.steps: list[tuple[str, int, int]] = []

    def out(self, text: str) -> None:
        self.text += text

    def err(self, text: str) -> None:
        raise AssertionError(text)

    def progress(self, what: str, number: int, total: int) -> None:
        self.steps.append((what, number, total))

    def clear(self) -> None:
        pass


def scan(folder: Path, *arguments: str) -> tuple[Exit, str]:
    """Exit code and stdout of `oracle-rules scan …` in a folder; raises what the command raises."""
    heard, before = Heard(), os.getcwd()
    os.chdir(folder)
    try:
        return cli.run(["scan", *arguments], heard), heard.text  # type: ignore[arg-type]
    finally:
        os.chdir(before)


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Writes files, with the folders above them."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))


def commit(repo: Repo, files: Mapping[str, str | bytes], *gone: str) -> str:
    """Commits files on top of what is there; the commit's id."""
    write(repo.top, files)
    for path in gone:
        (repo.top / path).unlink()
    repo.git("add", "-A")
    repo.git("commit", "-q", "--allow-empty", "-m", "x")
    return repo.git("rev-parse", "HEAD")
