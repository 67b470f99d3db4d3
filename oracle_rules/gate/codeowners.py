"""A CODEOWNERS file as rules in order, and whose review a path needs: the last rule that selects it decides.

The syntax is that of the forge: on GitHub that of gitignore without negation and ranges, where a line that can't be
read is skipped; a pattern without owners takes a path's owners away. A file with section headers, or in `.gitlab/`, is
GitLab's: there each section has a rule of its own for a path, and a pattern covers a folder only when it ends with a
slash. Says nothing about who the owners are, and reads no file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

# Where it is looked for, in the order of precedence; the first one that exists is the only one that counts.
PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
# A larger file is not loaded by GitHub, so that nobody would be asked.
SIZE_LIMIT = 3 * 1024 * 1024

_SECTION = re.compile(r"(\^?)\[([^\]]+)\](?:\[[0-9]+\])?(?:\s+(.*))?\Z")
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?"
_OWNER = re.compile(rf"@{_NAME}(?:/{_NAME})*(?:\[bot\])?\Z|[^@\s]+@[^@\s]+\.[^@\s]+\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One line that could be read; without owners it takes them away. `section` is empty outside of sections."""

    line: int
    pattern: str
    owners: tuple[str, ...]
    section: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeOwners:
    """A file that was read. `skipped` says of each line that could not be, why: its number and the reason."""

    path: str
    forge: str
    rules: tuple[Rule, ...]
    skipped: tuple[tuple[int, str], ...]

    def owners(self, path: str) -> tuple[str, ...]:
        """Whose review a change of the path needs, sorted; empty when nobody's does."""
        deciding: dict[str, Rule] = {}
        for rule in self.rules:
            if selects(rule.pattern, path, self.forge):
                deciding[rule.section] = rule
        return tuple(sorted({owner for rule in deciding.values() if not rule.optional for owner in rule.owners}))


def parse_codeowners(data: bytes, *, path: str) -> CodeOwners:
    """Reads a file. Never fails: what can't be read protects nothing, and is listed."""
    if len(data) >= SIZE_LIMIT:
        why = f"the file has {len(data)} bytes; from {SIZE_LIMIT} bytes on none of it is read"
        return CodeOwners(path=path, forge="github", rules=(), skipped=((1, why),))
    lines = [line.strip("\r\t ") for line in data.decode("utf-8", "surrogateescape").removeprefix("\ufeff").split("\n")]
    forge = "gitlab" if path.startswith(".gitlab/") or (
        not path.startswith(".github/") and any(_SECTION.match(line) for line in lines)) else "github"
    rules: list[Rule] = []
    skipped: list[tuple[int, str]] = []
    section, optional, default = "", False, tuple[str, ...]()
    for number, line in enumerate(lines, 1):
        header = _SECTION.match(line) if forge == "gitlab" else None
        if header is not None:
            section, optional = header[2].strip().casefold(), header[1] == "^"
            default = tuple(word for word in (header[3] or "").split() if _OWNER.match(word))
        elif line and not line.startswith("#"):
            pattern, owners, wrong = _read(line, forge)
            if wrong:
                skipped.append((number, wrong))
            else:
                rules.append(Rule(line=number, pattern=pattern, owners=owners or default, section=section,
                                  optional=optional))
    return CodeOwners(path=path, forge=forge, rules=tuple(rules), skipped=tuple(skipped))


def _read(line: str, forge: str) -> tuple[str, tuple[str, ...], str]:
    """Pattern, owners, and why the line is skipped if it is. A space in a pattern is escaped by a backslash."""
    pattern, rest = _first_word(line)
    words = rest.partition("#")[0].split()
    wrong = [word for word in words if not _OWNER.match(word)]
    if forge == "gitlab":
        return pattern, tuple(word for word in words if word not in wrong), ""
    if pattern.startswith("!"):
        return pattern, (), "a pattern can't be negated"
    if pattern.startswith("\\#"):
        return pattern, (), "a pattern can't start with an escaped #"
    if "[" in pattern or "]" in pattern:
        return pattern, (), "a pattern has no ranges"
    if "***" in pattern:
        return pattern, (), "three stars stand for nothing"
    return pattern, tuple(words), f"{wrong[0]!r} is neither @name, @organisation/team nor an address" if wrong else ""


def _first_word(line: str) -> tuple[str, str]:
    word = ""
    characters = iter(enumerate(line))
    for index, char in characters:
        if char == "\\" and index + 1 < len(line):
            word += char + line[index + 1]
            next(characters)
        elif char in " \t":
            return word, line[index:]
        else:
            word += char
    return word, ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dialect:
    """What a pattern without a slash before its end stands for, and whether one without a slash at its end is a folder.

    `deep`: a pattern is looked for at every depth unless it starts with a slash; else only one of a single component.
    """

    deep: bool
    folders: bool


_DIALECTS = MappingProxyType({
    "github": _Dialect(deep=False, folders=True),
    "gitlab": _Dialect(deep=True, folders=False),
})


def selects(pattern: str, path: str, forge: str = "github") -> bool:
    """Whether a pattern selects a file's path."""
    found = _compiled(pattern, _DIALECTS[forge])
    return found is not None and found.fullmatch(path) is not None


@lru_cache(maxsize=4096)
def _compiled(pattern: str, dialect: _Dialect) -> re.Pattern[str] | None:
    """None for a pattern that selects nothing: the root by itself is no file."""
    parts = pattern.split("/")
    if pattern.strip("/") == "":
        return None
    rooted = parts[0] == ""
    parts = parts[1:] if rooted else parts
    whole = len(parts) == 1 or (len(parts) == 2 and parts[1] == "")
    if not rooted and (whole or dialect.deep) and parts[0] != "**":
        parts = ["**", *parts]
    if parts[-1] == "":
        parts[-1] = "**"
        inside = False
    else:
        # `docs/*` is the files in docs and no folder below it; any other last component may name a folder.
        inside = dialect.folders and parts[-1] not in ("*", "**")
    return re.compile("".join(_expressions(parts)) + ("(?:/.*)?" if inside else ""), re.DOTALL)


def _expressions(parts: list[str]) -> list[str]:
    """Each component with the slash that parts it from the next; two stars are any number of whole components."""
    found = []
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part == "**":
            if not last and parts[index + 1] == "**":
                continue
            found.append(".+" if last else "(?:[^/]+/)*")
        else:
            found.append(_component(part) + ("" if last else "/"))
    return found


def _component(part: str) -> str:
    if part == "*":
        return "[^/]+"
    found, characters = "", iter(part)
    for char in characters:
        if char == "\\":
            found += re.escape(next(characters, "\\"))
        else:
            found += {"*": "[^/]*", "?": "[^/]"}.get(char, re.escape(char))
    return found
