"""`glob`: which files of a package a list of patterns selects, as Bazel does it. Knows nothing of trees or packages.

A pattern is matched component by component. `**` stands for any number of components and only as a whole one; `*` is
any text and `?` any one character inside a component. A component that starts with a dot is matched by `*` and `**`
alone or by a pattern that starts with a dot, not by `*.py`. `x/**` selects what is below the folder x, never a file x.

Excluding is looser, as in Bazel: `x/**` also drops a file x, and `HEAD**/*TAIL` without other wildcards drops whatever
starts with HEAD and ends with TAIL, dots or no dots.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence


def problem(pattern: str) -> str | None:
    """Why this is no glob pattern, or None if it is one."""
    if not pattern:
        return "is empty"
    if pattern.startswith("/"):
        return "is absolute"
    for part in pattern.split("/"):
        if not part:
            return "has an empty component"
        if part in (".", ".."):
            return f"has the component '{part}'"
        if "**" in part and part != "**":
            return "uses '**' inside a component; it must be a whole one"
    return None


def select(files: Iterable[str], include: Sequence[str], exclude: Sequence[str] = ()) -> list[str]:
    """The files that some include pattern and no exclude pattern matches, sorted, each once.

    Every pattern must be free of `problem`s.
    """
    ordered = sorted(set(files))
    included = {path for pattern in include for path in _matching(ordered, pattern)}
    return sorted(path for path in included if not any(excludes(pattern, path) for pattern in exclude))


def includes(pattern: str, path: str) -> bool:
    """Whether an include pattern selects this file."""
    return bool(list(_matching([path], pattern)))


def excludes(pattern: str, path: str) -> bool:
    """Whether an exclude pattern drops this file."""
    if not _wild(pattern):
        return pattern == path
    head, mark, tail = pattern.partition("**/*")
    if mark and not _wild(head) and not _wild(tail):
        return path.startswith(head) and path.endswith(tail)
    return _match(pattern.split("/"), path.split("/"))


def component(pattern: str, name: str) -> bool:
    """Whether one component of a pattern, `**` included, matches one component of a path."""
    if pattern in ("*", "**"):
        return True
    if name.startswith(".") and not pattern.startswith("."):
        return False
    return _wildcards(pattern, name)


def _matching(ordered: Sequence[str], pattern: str) -> Iterator[str]:
    """The files of a sorted list that an include pattern selects; only those under its literal start are tried."""
    if not _wild(pattern):
        index = bisect.bisect_left(ordered, pattern)
        yield from (path for path in ordered[index : index + 1] if path == pattern)
        return
    head, rest = _literal_start(pattern.split("/"))
    if rest[-1] == "**":
        # It has to stand for at least the file's own name, else it would be the folder that is matched.
        rest = [*rest, "*"]
    name_only = len(rest) == 2 and rest[0] == "**" and rest[1] != "**"
    for index in range(bisect.bisect_left(ordered, head), len(ordered)):
        path = ordered[index]
        if not path.startswith(head):
            return
        if component(rest[1], path.rpartition("/")[2]) if name_only else _match(rest, path[len(head) :].split("/")):
            yield path


def _literal_start(parts: list[str]) -> tuple[str, list[str]]:
    """The folders before the first component with a wildcard, as a prefix of paths, and the components left over."""
    size = next(index for index, part in enumerate(parts) if _wild(part))
    return "".join(part + "/" for part in parts[:size]), parts[size:]


def _match(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    """Both sides met by a set of reachable pattern positions: linear in each, whatever the number of `**`."""
    reached = _skip(pattern, {0})
    for part in parts:
        following = set()
        for index in reached:
            if index < len(pattern) and component(pattern[index], part):
                following.add(index if pattern[index] == "**" else index + 1)
        reached = _skip(pattern, following)
        if not reached:
            return False
    return len(pattern) in reached


def _skip(pattern: Sequence[str], positions: set[int]) -> set[int]:
    """Adds what is reached by letting `**` stand for nothing."""
    found = set()
    for position in positions:
        found.add(position)
        while position < len(pattern) and pattern[position] == "**":
            position += 1
            found.add(position)
    return found


def _wildcards(pattern: str, name: str) -> bool:
    """`*` and `?` by the greedy two-finger walk: on a mismatch the last star takes one character more."""
    at = star = mark = 0
    starred = False
    index = 0
    while index < len(name):
        if at < len(pattern) and pattern[at] == "*":
            starred, star, mark = True, at, index
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", name[index]):
            at += 1
            index += 1
        elif starred:
            mark += 1
            at, index = star + 1, mark
        else:
            return False
    return pattern[at:].strip("*") == ""


def _wild(pattern: str) -> bool:
    return "*" in pattern or "?" in pattern
