"""`REPO@REV`: which repository on this machine, and which revision of it. Reads the text alone, touches no disk.

The last `@` divides, so a path may hold some and a revision none (give its id instead). REPO is a path, or a `file://`
URL. What git would take for a repository on the network is refused by git's own rule: `SCHEME://…`, `HELPER::…`, and
`HOST:PATH`, which is anything with a colon before its first slash.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote_to_bytes

from ..errors import UsageError

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_FORM = "write PATH@REV, such as ../oracle@main; PATH leads to a clone or a bare repository on this machine"
_FETCH = "scoring reaches no network: fetch it first, `git clone --mirror {} oracle.git`, then give oracle.git@{}"


def split_address(text: str) -> tuple[Path, str]:
    """The repository's path, as it was given, and the revision. UsageError for anything that is not `REPO@REV`."""
    place, at, revision = text.rpartition("@")
    if not at or not revision:
        raise UsageError(f"{text!r} names no revision", remedy=_FORM)
    if not place:
        raise UsageError(f"{text!r} names no repository", remedy=_FORM)
    if "\0" in place:
        raise UsageError("a path cannot hold a NUL byte", where=repr(place), remedy=_FORM)
    scheme = _SCHEME.match(place)
    if scheme and scheme[0].lower() == "file://":
        return _local(place, place[len(scheme[0]) :]), revision
    if scheme or ":" in place.partition("/")[0]:
        raise UsageError(f"{place!r} is not on this machine", remedy=_FETCH.format(place, revision))
    return Path(place), revision


def _local(url: str, rest: str) -> Path:
    """The path of a file URL (RFC 8089): no host but this one, percent-escapes undone once."""
    host, slash, path = rest.partition("/")
    if host.lower() not in ("", "localhost") or not slash:
        raise UsageError(f"{url!r} names another machine", remedy="write file:///PATH, with three slashes")
    if _ESCAPE.search(path) or "?" in path or "#" in path:
        raise UsageError(f"{url!r} is no file URL", remedy="write %25, %3F and %23 for the characters %, ? and #")
    decoded = unquote_to_bytes(path).decode("utf-8", "surrogateescape")
    if "\0" in decoded:
        raise UsageError("a path cannot hold a NUL byte", where=repr(url), remedy=_FORM)
    return Path("/" + decoded)
