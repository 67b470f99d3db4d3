"""What several verbs need: the worker and the subject that the options name.

More names than eight because each is one option, or a few that belong together.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
from pathlib import Path

from ..artifacts.journals import holdout
from ..errors import UsageError
from ..gate.author import Author
from ..label import Label
from ..scm import Repository
from ..worker import DEFAULT_CAP, Worker, default_cache_root
from ..workspace import Subject, discover, open_subject

# The lane that a label stands for where none is named.
LANE = "replay"


def worker(options: argparse.Namespace) -> Worker:
    """The worker with the cache that the options name."""
    root = options.cache_dir or default_cache_root()
    cap = DEFAULT_CAP if options.cache_size is None else options.cache_size
    if cap < 1 << 20:
        raise UsageError(f"--cache-size {cap} leaves no room", remedy="give at least 1048576 bytes")
    return Worker(Path(root).absolute(), cap_bytes=cap, jobs=options.jobs)


def repository(options: argparse.Namespace) -> Repository:
    """The repository that the options name."""
    if not options.repository.is_dir():
        raise UsageError("is no folder", where=str(options.repository), remedy="give a folder of a git repository")
    return discover(options.repository.absolute())


def subject(options: argparse.Namespace, found: Repository) -> Subject:
    """The two sides that the options name, with the answer to what they ask of the oracle's signatures."""
    opened = open_subject(found, base=options.base, head=options.head, worktree=options.worktree, oracle=options.oracle)
    if options.oracle_trust is None and options.oracle_signature is None:
        return dataclasses.replace(opened, demands=demands(options))
    from .trusted import with_signatures
    return with_signatures(opened, options, found, today(options), demands(options))


def today(options: argparse.Namespace) -> datetime.date:
    """The day on which freeze rows are held; this machine's only when none is given."""
    if options.today is None:
        return datetime.datetime.now(datetime.UTC).date()
    try:
        return datetime.date.fromisoformat(options.today)
    except ValueError:
        raise UsageError(f"--today {options.today!r} is no date", remedy="write it as 2026-01-31") from None


def secret(options: argparse.Namespace, found: Repository) -> bytes | None:
    """The secret that seeds are held out by; None where none is given. Raises UsageError for one that is none."""
    if options.secret_file is None:
        return None
    from .handed import read_secret
    outside = [folder for each in (found, *found.others) for folder in each.folders]
    data = read_secret(options.secret_file, outside=outside, limit=holdout.MOST_SECRET)
    try:
        holdout.commitment(data)
    except holdout.WeakSecret as error:
        raise UsageError(str(error), where=str(options.secret_file),
                         remedy="openssl rand -out FILE 32 && chmod 600 FILE") from None
    return data


def demands(options: argparse.Namespace) -> tuple[str, ...]:
    """The options that name files outside of the repository, as a shell reads them: with variables for files."""
    asked = {"--oracle-trust": options.oracle_trust, "--oracle-signature": options.oracle_signature,
             "--secret-file": getattr(options, "secret_file", None)}
    return tuple(f'{name} "${name[2:].upper().replace("-", "_")}"' for name, file in asked.items() if file is not None)


def author(options: argparse.Namespace) -> Author:
    """Who made the patch, as the caller says."""
    return Author(options.author)


def label(text: str) -> str:
    """A label of the main repository in its full form."""
    try:
        found = Label.parse(text)
    except ValueError as error:
        raise UsageError(str(error), remedy="write a label such as //package:name") from None
    return str(found)


def workspace_id(found: Repository) -> str:
    """What tells this workspace from others in the history of runs."""
    return str(found.top or "")
