"""What shows a symptom, and the command line in this process; knows no symptom.

Repositories are written by `git fast-import`, a branch for each show: its base under `base/…`, the patch under `head/…`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oracle_rules import cli
from oracle_rules.errors import OracleError

from ..cli.kit import GIT
from ..entropy.kit import Heard
from ..scm.kit import Repo

Files = Mapping[str, str | None]
SCAN, SCORE = "oracle-rules scan --diff BASE..HEAD", "oracle-rules score"
_TOLD = re.compile(r"([a-z]+(?:_[a-z]+)+) ([^ ]+): ", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """A workspace that shows one code of a row: what its command has to report, of which subject, with which exit.

    `base` is laid over the common workspace, `patch` over that; None takes a file away. `subject` without the line.
    `via` is another command than the row's own, for a code that the row's own command can't tell; `label` is what a
    score asks.
    """

    code: str
    subject: str
    exit: int = 4
    base: Files = field(default_factory=dict)
    patch: Files = field(default_factory=dict)
    via: str = ""
    label: str = "//:total"


@dataclass(frozen=True, slots=True)
class Seen:
    """How a command ended, and each (code, subject) that it reported."""

    exit: int
    told: frozenset[tuple[str, str]]


def write_repository(place: Path, common: Files, branches: Mapping[str, tuple[str, Files]]) -> Repo:
    """A repository whose `main` holds the common files, checked out; name -> (the branch it is on, what differs)."""
    repo = Repo(place)
    stream = _commit("main", "", common) + b"".join(_commit(name, on, files) for name, (on, files) in branches.items())
    repo.git("fast-import", "--quiet", stdin=stream)
    repo.git("reset", "-q", "--hard", "main")
    return repo


def _commit(branch: str, on: str, files: Files) -> bytes:
    who = f"A <{GIT['GIT_AUTHOR_EMAIL']}> {GIT['GIT_AUTHOR_DATE']}"
    out = [f"commit refs/heads/{branch}\ncommitter {who}\ndata 1\n.\n".encode()]
    out += [f"from refs/heads/{on}\n".encode()] if on else []
    for path, text in files.items():
        data = (text or "").encode()
        out.append(f"D {path}\n".encode() if text is None else f"M 644 inline {path}\ndata {len(data)}\n".encode())
        out += [] if text is None else [data, b"\n"]
    return b"".join(out)


def run(folder: Path, command: str, *words: str) -> Seen:
    """What `oracle-rules …` does in a folder; an error that it would print counts as told, of its place."""
    heard, before = Heard(), os.getcwd()
    argv = [*command.split()[1:], *words]
    as_json = argv[0] in ("scan", "gate", "score")
    os.chdir(folder)
    try:
        status = int(cli.run([*argv, *(["--format", "json"] if as_json else [])], heard))  # type: ignore[arg-type]
    except OracleError as error:
        return Seen(int(error.exit_code), frozenset({(error.code, error.where.partition(":")[0])}))
    finally:
        os.chdir(before)
    told = _reasons(json.loads(heard.text)) if as_json else _TOLD.findall(heard.text)
    return Seen(status, frozenset((code, where.partition(":")[0] if where[:2] != "//" else where)
                                  for code, where in told))


def _reasons(document: dict[str, Any]) -> list[tuple[str, str]]:
    """From a record, a merge packet or a scan."""
    if "reasons" in document:
        return [(each["code"], each["subject"]) for each in document["reasons"]]
    if isinstance(document["findings"], dict):
        return [(each["code"], each["subject"]) for each in document["findings"]["rows"]]
    return [(each["code"], each["path"]) for each in document["findings"] if each["refuses"]]
