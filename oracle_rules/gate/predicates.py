"""The kinds of question that a table row may ask of a changed path: one short function each.

A function is asked about a path on behalf of a row. It answers None for no, and for yes what to add to the finding's
detail (often nothing). What base already has among its sources is never a look-alike or a shadow: base has lived with
it. Knows nothing of codes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .. import relpath
from .index import Index, prefixes
from .library import STANDARD_LIBRARY
from .names import matches, odd, skeleton
from .tables import NAMED_PATTERNS, Row

_FOLDED_PATTERNS = tuple(pattern.casefold() for pattern in NAMED_PATTERNS)
_MODULE = re.compile(r"(?:\.[^/.]+)*\.(?:py|pyw|pyc|pyo|pyd|so|dll|dylib)\Z")
_COMPILED = re.compile(r"\.(?:so|pyd|dll|dylib)(?:\.[0-9.]+)?\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A changed path under question, among what base declares; `target` is where it leads when it is a link."""

    path: str
    index: Index
    is_link: bool
    is_new: bool
    target: str | None


def _declared(ask: Question, row: Row) -> str | None:
    return "" if ask.index.declared.get(ask.path) in row.groups else None


def _above(ask: Question, _row: Row) -> str | None:
    return "it was a folder that holds oracle files" if ask.path in ask.index.folders else None


def _below(ask: Question, _row: Row) -> str | None:
    over = next((folder for folder in relpath.ancestors(ask.path) if folder in ask.index.declared), None)
    return f"{over} was an oracle file" if over else None


def _odd(ask: Question, _row: Row) -> str | None:
    return odd(ask.path)


def _look_alike(ask: Question, _row: Row) -> str | None:
    """A folder or the path itself is spelled otherwise than a protected path and reads the same."""
    if ask.path in ask.index.paths.base_sources:
        return None
    shown, parts = prefixes(skeleton(ask.path)), prefixes(ask.path)
    for count, name in enumerate(shown):
        spelled = ask.index.spellings.get(name, frozenset())
        if spelled and (len(parts) <= count or parts[count] not in spelled):
            return f"may be taken for {min(spelled)}"
    return None


def _shadow(ask: Question, _row: Row) -> str | None:
    """An importer would find this before, or instead of, a Python file of the oracle."""
    if ask.path in ask.index.paths.base_sources:
        return None
    name = skeleton(ask.path)
    for folder in prefixes(name)[:-1]:
        if folder in ask.index.stems:
            return f"a package of that name hides the module {folder}.py"
    head, _, last = name.rpartition("/")
    stem = relpath.join(head, last.partition(".")[0])
    if not _MODULE.search(last[last.find(".") :] if "." in last else ""):
        return None
    if stem in ask.index.stems:
        return f"an importer may take it for {stem}.py"
    if stem in ask.index.packages and ask.is_new and not ask.index.paths.is_candidate(ask.path):
        return f"a module of that name hides the folder {stem}"
    return None


def _home(ask: Question, row: Row) -> str | None:
    home = ask.index.home(ask.path)
    if home is None or ask.index.homes[home] not in row.groups:
        return None
    return f"{home} belongs to the oracle"


def _named(ask: Question, row: Row) -> str | None:
    return "" if matches(row.patterns, ask.path) else None


def _named_outside(ask: Question, row: Row) -> str | None:
    return None if ask.index.paths.is_candidate(ask.path) else _named(ask, row)


def _library(ask: Question, _row: Row) -> str | None:
    """A module in the workspace itself that is named like one of the standard library."""
    name = ask.path.removesuffix("/__init__.py") if ask.path.endswith("/__init__.py") else ask.path.removesuffix(".py")
    outside = name != ask.path and not ask.index.paths.is_candidate(ask.path)
    return f"the standard library has a module {name}" if outside and name in STANDARD_LIBRARY else None


def _reads_like_named(ask: Question, row: Row) -> str | None:
    """Some pattern of the table selects what the path reads like; the row's own patterns are the exceptions."""
    if _named(ask, row) is not None:
        return None
    shown = skeleton(ask.path)
    if not matches(_FOLDED_PATTERNS, shown):
        return None
    pairs = zip(NAMED_PATTERNS, _FOLDED_PATTERNS, strict=True)
    return f"reads like {next(pattern for pattern, folded in pairs if matches((folded,), shown))}"


def _escapes(ask: Question, _row: Row) -> str | None:
    """A link among the sources, or above them, that leads anywhere but to candidate sources."""
    roots = ask.index.paths.source_roots | ask.index.paths.base_sources
    if not ask.is_link or not (
        ask.index.paths.is_candidate(ask.path) or any(relpath.is_within(root, ask.path) for root in roots if root)
    ):
        return None
    if ask.target is None:
        return "nobody said where it leads"
    end = _resolve(ask.path, ask.target)
    return f"leads to {ask.target!r}, which is no candidate source" if end is None or not _stays(ask, end) else None


def _resolve(path: str, target: str) -> str | None:
    """The path that a target names, or None. Only leading `..` are resolved: after a name they may follow a link."""
    parts = target.rstrip("/").split("/")
    folder = relpath.parent(path)
    while parts and parts[0] in (".", ".."):
        if parts.pop(0) == "..":
            if not folder:
                return None
            folder = relpath.parent(folder)
    rest = "/".join(parts)
    end = relpath.join(folder, rest)
    return end if not target.startswith("/") and (not rest or relpath.problem(rest) is None) else None


def _stays(ask: Question, end: str) -> bool:
    """A source, or a folder that holds sources, holds no oracle file and doesn't hold the link."""
    sources = ask.index.paths.candidate_sources
    if end in sources:
        return end != ask.path
    if not end or relpath.is_within(ask.path, end) or end in ask.index.folders:
        return False
    return any(source.startswith(end + "/") for source in sources)


def _collides(ask: Question, _row: Row) -> str | None:
    """A new source whose name, or a folder of it, differs from another source's by case or normalisation only."""
    if not ask.is_new or ask.path not in ask.index.paths.candidate_sources:
        return None
    for part in prefixes(ask.path):
        others = ask.index.folded.get(relpath.fold(part), frozenset()) - {part}
        if others:
            return f"is {min(others)} on a file system that folds names"
    return None


def _compiled(ask: Question, _row: Row) -> str | None:
    return "" if _COMPILED.search(ask.path) and ask.index.paths.is_candidate(ask.path) else None


def _source(ask: Question, _row: Row) -> str | None:
    paths = ask.index.paths
    return "" if ask.path in paths.base_sources or ask.path in paths.candidate_sources else None


KINDS: Mapping[str, Callable[[Question, Row], str | None]] = MappingProxyType(
    {
        "declared": _declared,
        "above": _above,
        "below": _below,
        "odd": _odd,
        "look_alike": _look_alike,
        "shadow": _shadow,
        "home": _home,
        "named": _named,
        "named_outside": _named_outside,
        "library": _library,
        "reads_like_named": _reads_like_named,
        "escapes": _escapes,
        "collides": _collides,
        "compiled": _compiled,
        "source": _source,
        "always": lambda ask, row: "",
    }
)
