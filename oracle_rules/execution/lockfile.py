"""Reads a lock of third-party packages: exact versions with hashes, and nothing that could lead elsewhere.

The form is the one that `pip-compile --generate-hashes` writes. Options, addresses, paths and includes are refused:
which index a machine uses is the machine's affair, and the hashes make it not matter. Knows nothing of files or
networks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from oracle_rules.errors import UsageError

COMPILE = (
    "compile the lock with: "
    "pip-compile --generate-hashes --strip-extras --allow-unsafe --no-emit-index-url requirements.in"
)

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_REQUIREMENT = re.compile(
    rf"(?P<name>{_NAME})\s*(?P<extras>\[[^\]]*\])?\s*==\s*(?P<version>[A-Za-z0-9][A-Za-z0-9.!+_-]*)"
    r"\s*(?:;(?P<marker>.*))?\Z"
)
_HASH = re.compile(r"\s--hash[= ](\S+)")
_SHA256 = re.compile(r"sha256:[0-9a-f]{64}\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """One package of the lock; `name` is normalised (PEP 503), `line` where the lock names it."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    line: int


def parse(lock: bytes, *, where: str = "requirements.lock") -> tuple[Pinned, ...]:
    """The packages of the lock in its order. Raises UsageError, with the line, for what is not pinned and hashed."""
    try:
        text = lock.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"not UTF-8 at byte {error.start}", where=where, remedy=COMPILE) from None
    found: dict[tuple[str, str], Pinned] = {}
    for line, words in _logical_lines(text):
        pinned = _pinned(words, line, where)
        key = (pinned.name, pinned.marker)
        if key in found:
            raise UsageError(f"{pinned.name} is pinned twice, first on line {found[key].line}", where=f"{where}:{line}")
        found[key] = pinned
    return tuple(found.values())


def normalise(name: str) -> str:
    """The one spelling of a project's name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _logical_lines(text: str) -> list[tuple[int, str]]:
    """Lines with their continuations joined and comments removed, with the number of the first."""
    found: list[tuple[int, str]] = []
    pending, start = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        bare = re.sub(r"(^|\s)#.*$", "", line).rstrip()
        if not pending:
            start = number
        if bare.endswith("\\"):
            pending += bare[:-1] + " "
            continue
        whole = (pending + bare).strip()
        pending = ""
        if whole:
            found.append((start, whole))
    if pending.strip():
        found.append((start, pending.strip()))
    return found


def _pinned(words: str, line: int, where: str) -> Pinned:
    place = f"{where}:{line}"
    if words.startswith("-"):
        detail = f"the option {words.split()[0].partition('=')[0]} has no place in a lock"
        raise UsageError(
            detail, where=place, remedy="remove it; settings of an index belong to the machine's pip configuration"
        )
    hashes = tuple(_HASH.findall(words))
    bare = _HASH.sub("", words).strip()
    matched = _REQUIREMENT.match(bare)
    if matched is None:
        raise UsageError(f"{bare[:80]!r} is not a requirement of the form name==version", where=place, remedy=COMPILE)
    name = normalise(matched["name"])
    if not hashes:
        raise UsageError(f"{name} has no hash", where=place, remedy=COMPILE)
    for each in hashes:
        if not _SHA256.match(each):
            raise UsageError(f"{name} has the hash {each[:80]!r}, which is not SHA-256", where=place, remedy=COMPILE)
    marker = " ".join((matched["marker"] or "").split())
    return Pinned(name=name, version=matched["version"], marker=marker, hashes=hashes, line=line)
