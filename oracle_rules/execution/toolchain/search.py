"""Where the dynamic loader finds shared libraries, without starting anything.

Follows ld.so(8): RPATH of the file and of what loaded it (only without RUNPATH), RUNPATH of the file, the loader's
cache, the default folders. `LD_LIBRARY_PATH` and `LD_PRELOAD` are left out on purpose: a toolchain that needs the
caller's environment is not one that another worker has. So are the builds for special processors (glibc-hwcaps): the
baseline library is the one that every worker can run. Knows nothing of Python.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from . import elf

CACHE = "/etc/ld.so.cache"
_MAGIC = b"glibc-ld.so.cache1.1"
_HEADER, _ENTRY = struct.Struct("<20sIIB3xI12x"), struct.Struct("<iIIIQ")


class NotResolved(Exception):
    """A needed library is not where the loader would look; the text names it and who needs it."""


@dataclass(slots=True, kw_only=True)
class Resolver:
    """Collects the libraries that a set of ELF files needs; the first answer for a name serves all, as in a process.

    `found` maps the needed name to the file, `watched` holds every folder whose content could change an answer.
    """

    kind: tuple[int, int, int]
    inherited: tuple[str, ...] = ()
    found: dict[str, str] = field(default_factory=dict)
    watched: set[str] = field(default_factory=set)
    cache: dict[str, list[str]] = field(default_factory=dict)

    def add(self, path: str) -> None:
        """Adds all that this file needs, directly and through others. Raises NotResolved and then adds nothing."""
        pending = [(os.path.realpath(path), self.inherited)]
        fresh: dict[str, str] = {}
        while pending:
            user, inherited = pending.pop(0)
            facts = read(user)
            rpath = () if facts.runpath else (*expand(facts.rpath, user), *inherited)
            for name in facts.needed:
                if name in self.found or name in fresh:
                    continue
                fresh[name] = self._resolve(name, user, (*rpath, *expand(facts.runpath, user)))
                pending.append((fresh[name], rpath))
        self.found.update(fresh)

    def add_by_name(self, name: str) -> bool:
        """Adds a library that is opened at run time and that no file lists; says whether the loader finds it."""
        if name not in self.found:
            try:
                path = self._resolve(name, name, ())
                self.add(path)
            except NotResolved:
                return False
            self.found[name] = path
        return True

    def _resolve(self, name: str, user: str, folders: tuple[str, ...]) -> str:
        if "/" in name:
            # A path, not a name: it has no place in an image whose layout is ours.
            raise NotResolved(f"{user} needs {name} by its path")
        self.watched.update(folders)
        for candidate in self._candidates(name, folders):
            if os.path.isfile(candidate):
                try:
                    if read(candidate).kind == self.kind:
                        return os.path.realpath(candidate)
                except (ValueError, OSError):
                    continue  # as the loader does: a file that is not fit is passed over
        raise NotResolved(f"{user} needs {name}, which the dynamic loader does not find")

    def _candidates(self, name: str, folders: tuple[str, ...]) -> Iterator[str]:
        yield from (f"{folder}/{name}" for folder in folders)
        yield from self.cache.get(name, ())
        yield from (f"{folder}/{name}" for folder in default_folders())


def read(path: str) -> elf.Elf:
    """The loading facts of the file at this path. Raises ValueError or OSError."""
    with open(path, "rb") as stream:
        return elf.parse(stream.read())


def loader_cache(path: str = CACHE) -> dict[str, list[str]]:
    """Baseline entries of the loader's cache, name to files in the cache's order; empty if there is no readable one."""
    try:
        with open(path, "rb") as stream:
            return parse_cache(stream.read())
    except (OSError, ValueError, struct.error):
        return {}


def parse_cache(data: bytes) -> dict[str, list[str]]:
    """Entries of an ld.so.cache of glibc 2.2 or newer. Raises ValueError or struct.error."""
    base = data.find(_MAGIC)  # an old-format table may stand before it
    if base < 0:
        raise ValueError("not a cache of the dynamic loader")
    _, count, _, _, _ = _HEADER.unpack_from(data, base)
    found: dict[str, list[str]] = {}
    for index in range(count):
        _, key, value, _, capabilities = _ENTRY.unpack_from(data, base + _HEADER.size + index * _ENTRY.size)
        if capabilities == 0:
            found.setdefault(_string(data, base + key), []).append(_string(data, base + value))
    return found


def default_folders() -> tuple[str, ...]:
    """The folders that a glibc looks into last, for the usual layouts of distributions."""
    machine = os.uname().machine
    return (
        f"/lib/{machine}-linux-gnu",
        f"/usr/lib/{machine}-linux-gnu",
        "/lib64",
        "/usr/lib64",
        "/lib",
        "/usr/lib",
    )


def _string(data: bytes, at: int) -> str:
    return os.fsdecode(data[at : data.index(b"\0", at)])


def expand(folders: Iterable[str], user: str) -> list[str]:
    """Search folders with $ORIGIN filled in; those that would depend on the loader or the cwd left out."""
    origin = os.path.dirname(user)
    replaced = (folder.replace("${ORIGIN}", origin).replace("$ORIGIN", origin) for folder in folders)
    # Other dynamic string tokens ($LIB, $PLATFORM) depend on the loader's build; relative folders on the cwd.
    return [os.path.normpath(folder) for folder in replaced if folder.startswith("/") and "$" not in folder]
