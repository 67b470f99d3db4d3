"""A tree seen as paths and bytes, and how Bazel cuts it into packages.

Knows nothing of Starlark or of where bytes live.

Boundaries always come from the trusted declarations; only the list of files inside them may be another commit's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from oracle_rules import relpath
from oracle_rules.label import Label

BUILD_NAMES = ("BUILD.bazel", "BUILD")
REPOSITORY_NAMES = ("MODULE.bazel", "REPO.bazel", "WORKSPACE", "WORKSPACE.bazel")
IGNORE_FILE = ".bazelignore"

_OWN_CALL = re.compile(r"^(?:workspace|module)\s*\(([^)]*)\)", re.MULTILINE)
_OWN_NAME = re.compile(r"""\b(?:repo_)?name\s*=\s*["']([A-Za-z0-9_.+~-]+)["']""")


class SourceFiles(Protocol):
    """Every plain file of a tree; symbolic links and submodules are not in it."""

    def paths(self) -> Collection[str]:
        """The relative path of every plain file."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes of one file; KeyError when there is none."""
        ...


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """A tree held in memory."""

    content: Mapping[str, bytes]

    def paths(self) -> Collection[str]:
        """The relative path of every file."""
        return self.content.keys()

    def read(self, path: str) -> bytes:
        """The bytes of one file; KeyError when there is none."""
        return self.content[path]


class Packages:
    """Which folder is a package, which package owns a path, which files a package holds.

    Law: every path has at most one owner, the nearest folder above it with a build file, and none at all inside a
    nested repository or an ignored folder.

    `apart`: the sources of candidates stand in another repository, so that a file or a glob's match may be there alone.
    """

    def __init__(self, declarations: SourceFiles, universe: Collection[str], *, apart: bool = False) -> None:
        paths = frozenset(declarations.paths())
        self.apart = apart
        self._outside = _nested_repositories(paths) | _ignored_folders(declarations, paths)
        self._own_names = _own_names(declarations, paths)
        self.settings = (frozenset({IGNORE_FILE, *REPOSITORY_NAMES}) & paths) | _marks(paths)
        self._owners: dict[str, str | None] = {}
        self.build_files: dict[str, str] = {}
        for path in sorted(paths):
            folder, name = relpath.parent(path), relpath.name(path)
            if name not in BUILD_NAMES or self._is_outside(folder):
                continue
            if name == BUILD_NAMES[0] or folder not in self.build_files:
                self.build_files[folder] = path
        self.declared = paths
        self.known = paths | frozenset(universe)
        self._files: dict[str, list[str]] = {}
        for path in sorted(universe):
            owner = self.owner(path)
            if owner is not None:
                self._files.setdefault(owner, []).append(path[len(owner) + 1 :] if owner else path)

    def local(self, label: Label) -> Label:
        """The label, with the workspace's own name for itself taken off."""
        return Label("", label.package, label.name) if label.repository in self._own_names else label

    def owner(self, path: str) -> str | None:
        """The package that a file belongs to, or None when no package holds it."""
        return self._folder_owner(relpath.parent(path))

    def files(self, package: str) -> list[str]:
        """The files of a package, relative to it, sorted; files of packages below it are not among them."""
        return self._files.get(package, [])

    def crossed(self, package: str, name: str) -> str | None:
        """The package below `package` that a target name reaches into, or None."""
        folder = self._folder_owner(relpath.parent(relpath.join(package, name)))
        return folder if folder is not None and folder != package and relpath.is_within(folder, package) else None

    def _folder_owner(self, folder: str) -> str | None:
        # A loop, not recursion: the depth of a tree is not ours to choose.
        walked, owner = [], None
        for place in [folder, *relpath.ancestors(folder)]:
            if place in self._owners:
                owner = self._owners[place]
                break
            walked.append(place)
            if place in self._outside:
                break
            if place in self.build_files:
                owner = place
                break
        self._owners.update(dict.fromkeys(walked, owner))
        return owner

    def _is_outside(self, folder: str) -> bool:
        return folder in self._outside or any(place in self._outside for place in relpath.ancestors(folder))


def _nested_repositories(paths: frozenset[str]) -> frozenset[str]:
    return frozenset(relpath.parent(path) for path in _marks(paths))


def _marks(paths: frozenset[str]) -> frozenset[str]:
    """The files that say where another repository starts, below the root."""
    return frozenset(path for path in paths if relpath.name(path) in REPOSITORY_NAMES and relpath.parent(path))


def _own_names(declarations: SourceFiles, paths: frozenset[str]) -> frozenset[str]:
    """What the workspace calls itself. Taken for a foreign repository, a macro loaded by that name would vanish."""
    texts = [declarations.read(path).decode("utf-8", "replace") for path in REPOSITORY_NAMES if path in paths]
    calls = [call.group(1) for text in texts for call in _OWN_CALL.finditer(text)]
    return frozenset(name for call in calls for name in _OWN_NAME.findall(call))


def _ignored_folders(declarations: SourceFiles, paths: frozenset[str]) -> frozenset[str]:
    if IGNORE_FILE not in paths:
        return frozenset()
    text = declarations.read(IGNORE_FILE).decode("utf-8", "surrogateescape")
    lines = (line.strip().rstrip("/") for line in text.splitlines())
    # An empty entry would be the root, hence everything: Bazel skips blank lines too.
    return frozenset(line for line in lines if line and not line.startswith("#"))
