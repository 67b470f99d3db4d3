"""The declared paths, laid out for the questions that table rows ask of one path. Built once, then only read.

Knows nothing of changes, codes or rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .. import relpath
from .names import skeleton
from .paths import OraclePaths

# Folders of these groups belong to the oracle as a whole. Ledgers, locks and declarations are single files that stand
# among other things, mostly in the workspace itself.
_FOLDER_GROUPS = ("seeds", "journals", "fixtures", "manifests", "properties")
# Where a team keeps ordinary tests, a property file among them doesn't make new tests an edit of the oracle.
_TEST_FOLDERS = ("tests", "test")


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """`declared`: path to group. `folders`: every folder above a declared path. `homes`: the folders that hold declared
    files and no candidate source of base, with their group. `stems`: what an importer calls the Python files of the
    oracle. `packages`: the folders above those. `spellings`: skeleton to the protected spellings of it. `folded`: for
    every path and folder among the candidate's sources, its folded form to the spellings there are.
    """

    paths: OraclePaths
    declared: dict[str, str]
    folders: frozenset[str]
    homes: dict[str, str]
    stems: frozenset[str]
    packages: frozenset[str]
    spellings: dict[str, frozenset[str]]
    folded: dict[str, frozenset[str]]

    @classmethod
    def of(cls, paths: OraclePaths) -> Index:
        """Lays out what base declares."""
        declared = paths.declared
        folders = frozenset(folder for path in declared for folder in relpath.ancestors(path) if folder)
        python = [path[:-3] for path in sorted(paths.properties | paths.supports) if path.endswith(".py")]
        return cls(
            paths=paths,
            declared=declared,
            folders=folders,
            homes=_homes(paths, declared),
            stems=frozenset(skeleton(stem) for stem in python),
            packages=frozenset(skeleton(folder) for stem in python for folder in relpath.ancestors(stem) if folder),
            spellings=_group(skeleton, [*declared, *folders, *python]),
            folded=_group(relpath.fold, [part for path in paths.candidate_sources for part in prefixes(path)]),
        )

    def home(self, path: str) -> str | None:
        """The nearest oracle folder above the path."""
        return next((folder for folder in relpath.ancestors(path) if folder in self.homes), None)

    def lane_group(self, path: str) -> str | None:
        """The group that a path belongs to: its own, that of what is above it, or of the first declared path below."""
        above = next((place for place in (path, *relpath.ancestors(path)) if place in self.declared), None)
        if above is not None:
            return self.declared[above]
        home = self.home(path)
        if home is not None:
            return self.homes[home]
        return next((group for known, group in sorted(self.declared.items()) if relpath.is_within(known, path)), None)


def prefixes(path: str) -> list[str]:
    """Every folder above the path, the outermost first, then the path."""
    parts = path.split("/")
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]


def _homes(paths: OraclePaths, declared: dict[str, str]) -> dict[str, str]:
    """Only base's sources can say that a folder is not the oracle's: the candidate could add one anywhere."""
    shared = {folder for source in paths.base_sources for folder in relpath.ancestors(source)}
    found: dict[str, str] = {}
    for path, group in declared.items():
        folder = relpath.parent(path)
        if group in _FOLDER_GROUPS and folder not in shared and folder and relpath.name(folder) not in _TEST_FOLDERS:
            found.setdefault(folder, group)
    return found


def _group(key: Callable[[str], str], values: list[str]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for value in values:
        found.setdefault(key(value), set()).add(value)
    return {name: frozenset(spelled) for name, spelled in found.items()}
