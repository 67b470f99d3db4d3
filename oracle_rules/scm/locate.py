"""Where a repository keeps its things, found by reading a few small files. Runs no git and parses no configuration.

Follows what `git help repository-layout` says of `.git` folders, `.git` files and `commondir`. `GIT_DIR` and its
kin are not consulted, and neither is `core.worktree`: the work tree is the folder that holds `.git`.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError

_SMALL = 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """The folders of a repository. `top` is None for a bare one; `common` differs in a linked work tree."""

    top: Path | None
    folder: Path
    common: Path

    @property
    def shown(self) -> str:
        """How an error names the repository."""
        return str(self.top or self.folder)


def locate(start: Path) -> Layout:
    """The repository that holds this folder: the nearest `.git` above it, or the folder itself if it is bare."""
    found = _nearest(start, above=True)
    if found is None:
        raise UsageError(
            "this is not in a git repository",
            where=str(start),
            remedy="run inside a clone, or `git init` and commit first",
        )
    return found


def locate_exactly(place: Path) -> Layout:
    """The repository that is this very folder; one that merely holds it is another one."""
    found = _nearest(place, above=False)
    if found is None:
        raise UsageError(
            "this is no git repository", where=str(place), remedy="give the top folder of a clone, or a bare repository"
        )
    return found


def locate_here(top: Path) -> Layout | None:
    """The repository whose work tree starts at this very folder, if there is one."""
    dot = top / ".git"
    try:
        mode = dot.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISDIR(mode):
        folder = dot.resolve()
        if not _is_repository(folder):
            return None  # an empty `.git` folder: git looks further up too
    else:
        folder = _pointed(dot)
        if not _is_repository(folder):
            raise UsageError(
                f"this file points to {str(folder)!r}, where there is no repository",
                where=str(dot),
                remedy="repair the link with `git worktree repair` or `git submodule update`, or clone again",
            )
    return Layout(top=top, folder=folder, common=_common(folder))


def read_small(path: Path) -> bytes | None:
    """The bytes of a small regular file; None if there is none. Never waits: a pipe or a device is refused."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        raise UsageError(
            f"this file cannot be read: {problem.strerror}", where=str(path), remedy="mend its rights"
        ) from None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UsageError("this has to be a regular file", where=str(path), remedy="repair or clone the repository")
        data = file.read(_SMALL + 1)
    if len(data) > _SMALL:
        raise UsageError("this file is too long to be git's", where=str(path), remedy="clone the repository again")
    return data


def _nearest(start: Path, *, above: bool) -> Layout | None:
    """The repository of this folder, or else the nearest above it."""
    if "\0" in str(start):
        raise UsageError("a path cannot hold a NUL byte", where=repr(str(start)), remedy="give the path of a folder")
    try:
        here = start.resolve(strict=True)
        if not here.is_dir():
            raise NotADirectoryError(20, "Not a directory")
        for folder in (here, *here.parents) if above else (here,):
            found = locate_here(folder)
            if found:
                return found
            if _is_repository(folder):
                return Layout(top=None, folder=folder, common=_common(folder))
    except OSError as problem:
        raise UsageError(
            f"this folder cannot be read: {problem.strerror}", where=str(start), remedy="check the path and its rights"
        ) from None
    return None


def _is_repository(folder: Path) -> bool:
    common = _common(folder)
    head = folder / "HEAD"
    return (head.is_file() or head.is_symlink()) and (common / "objects").is_dir() and (common / "refs").is_dir()


def _common(folder: Path) -> Path:
    data = read_small(folder / "commondir")
    return folder if data is None else _path(folder, data)


def _pointed(dot: Path) -> Path:
    data = read_small(dot) or b""
    if not data.startswith(b"gitdir: "):
        raise UsageError("this file is not a link to a repository", where=str(dot), remedy="remove it or clone again")
    return _path(dot.parent, data.removeprefix(b"gitdir: "))


def _path(folder: Path, data: bytes) -> Path:
    text = os.fsdecode(data.rstrip(b"\r\n"))
    if "\0" in text:
        raise UsageError("a path in this repository holds a NUL byte", where=str(folder), remedy="clone it again")
    return Path(os.path.normpath(folder / text))
