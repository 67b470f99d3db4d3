"""Takes sources from disk or from git to the scanner. Reads, decides nothing.

On disk links are never followed, and folders that hold what was installed are left out; in git nothing is checked out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from .artifacts.freezing.ledger import parse_freeze
from .entropy.judge import Inventory, Side, of_diff, of_paths
from .entropy.scan import Scan, scan_source
from .errors import IncompleteError, UsageError
from .lint.patch import is_test, silences_in, weakened_in
from .scm import Mode, Tree, compare
from .workspace import Subject, oracle_paths

Progress = Callable[[str, int, int], None]
SUFFIXES = (".py", ".pyi", ".pyw")
# Folders of tools and of what was installed. One that holds a `pyvenv.cfg` is one too, whatever its name.
SKIPPED = frozenset({
    ".git", ".hg", ".svn", ".nox", ".tox", ".venv", "venv", ".eggs", "node_modules", "__pycache__", "site-packages",
    ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis",
})  # fmt: skip
_BATCH = 200  # files of a commit that are held in memory at once


def scan_paths(paths: Sequence[str], progress: Progress, *, again: str) -> Inventory:
    """Scans files and folders; a file that is named is scanned whatever its suffix. UsageError when none is found."""
    files: dict[str, Path] = {}
    for given in paths or (".",):
        files.update((_shown(found), found) for found in _files(Path(given)))
    if not files:
        raise UsageError("holds no Python source", where=", ".join(paths or (".",)), remedy="name a file, or a folder "
                         f"with files that end in {', '.join(SUFFIXES)}")
    scans = []
    for number, (shown, path) in enumerate(sorted(files.items()), 1):
        progress(shown, number, len(files))
        scans.append(_whole(_read(path), shown, frozenset()))
    return of_paths(scans, again=again)


def scan_diff(subject: Subject, progress: Progress, *, again: str, parent: Tree) -> Inventory:
    """Scans what differs between the merge base and the candidate, and every file of the oracle."""
    roles, ids = _roles(subject), _ledger_ids(subject)
    changes = {change.path: change for change in compare(parent, subject.candidate) if _is_source(change.path)}
    wanted = sorted(changes.keys() | {path for path, role in roles.items() if role == "oracle"})
    sides = []
    for start in range(0, len(wanted), _BATCH):
        batch = wanted[start : start + _BATCH]
        before, after = _texts(parent, batch), _texts(subject.candidate, batch)
        if subject.standing.source != "base":  # an oracle of its own lies in another repository
            after |= _texts(subject.oracle, [path for path in batch if roles.get(path) == "oracle"])
        weaker = weakened_in((path, before.get(path), after.get(path)) for path in batch if is_test(path))
        for number, path in enumerate(batch, start + 1):
            progress(path, number, len(wanted))
            sides.append(Side(role=_role(path, roles), before=_scan(before, path, ids), after=_scan(after, path, ids),
                              weaker=weaker.get(path, ())))
    return of_diff(sides, base=subject.base_id, head=subject.candidate_id, parent=subject.parent_id, again=again)


def _roles(subject: Subject) -> dict[str, str]:
    """The role of each declared path; empty when base declares nothing, so that every source is a candidate."""
    paths = oracle_paths(subject)
    found = dict.fromkeys((*paths.base_sources, *paths.candidate_sources), "candidate")
    return found | dict.fromkeys((path for path in (*paths.properties, *paths.supports) if _is_source(path)), "oracle")


def _role(path: str, roles: dict[str, str]) -> str:
    if path in roles:
        return roles[path]
    return "test" if is_test(path) else "other" if roles else "candidate"


def _ledger_ids(subject: Subject) -> frozenset[str]:
    """The ids of base's ledger rows; a ledger that can't be read has none."""
    found: set[str] = set()
    for path in oracle_paths(subject).ledgers:
        try:
            found |= parse_freeze(subject.oracle.read(path), path=path).ids
        except (IncompleteError, KeyError):
            continue
    return frozenset(found)


def _texts(tree: Tree, paths: Sequence[str]) -> dict[str, bytes]:
    return tree.read_many(path for path in paths if path in tree.entries and tree.entries[path].mode in (
        Mode.FILE, Mode.EXECUTABLE))


def _scan(texts: dict[str, bytes], path: str, ids: frozenset[str]) -> Scan | None:
    return _whole(texts[path], path, ids) if path in texts else None


def _whole(data: bytes, path: str, ids: frozenset[str]) -> Scan:
    """What hangs on the moment or the machine, and what is silenced."""
    found = scan_source(data, path)
    return Scan(path=path, hits=(*found.hits, *silences_in(data, path, ids)))


def _is_source(path: str) -> bool:
    return path.endswith(SUFFIXES)


def _files(given: Path) -> Iterator[Path]:
    """The sources of a file or a folder, in order; what is missing or no file is the caller's mistake."""
    if given.is_file():
        yield given
        return
    if not given.is_dir():
        raise UsageError("is no file and no folder", where=str(given), remedy="name what is to be scanned")
    todo = [given]
    while todo:
        folder = todo.pop()
        try:
            with os.scandir(folder) as entries:
                inside = sorted(entries, key=lambda entry: entry.name)
        except OSError as problem:
            raise UsageError(f"can't be listed: {problem.strerror}", where=str(folder),
                             remedy="make it readable, or name other folders") from None
        if any(entry.name == "pyvenv.cfg" for entry in inside) and folder != given:
            continue
        for entry in inside:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in SKIPPED:
                    todo.append(folder / entry.name)
            elif entry.is_file(follow_symlinks=False) and _is_source(entry.name):
                yield folder / entry.name


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise UsageError(f"can't be read: {problem.strerror}", where=str(path),
                         remedy="make it readable, or name other files") from None


def _shown(path: Path) -> str:
    return Path(os.path.normpath(path)).as_posix()
