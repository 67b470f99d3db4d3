"""`toolchain.json`: what an interpreter is made of, as one document that is the same on every host that has it.

The document names no path, user, time or host, so two workers with the same build agree on its digest. Digests are
remembered by what `stat` says of every file, so a second call reads directories instead of files. Knows nothing of
how an image is laid down.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oracle_rules.digest import Digest
from oracle_rules.errors import Malfunction
from oracle_rules.protocol import canonical

from . import probe, tree
from .sources import Source, Sources, collect

SCHEMA = "oracle_rules/toolchain/v1"
# Part of the document: a change of what goes into an image, or of its layout, is a change of toolchain.
_LAYOUT = 1
_MEMORY = "oracle_rules/toolchain-memory/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """An interpreter with all that it loads. Equal documents mean equal images, byte for byte."""

    document: dict[str, Any]
    interpreter: Path
    files: tuple[tuple[Source, Digest], ...]

    @property
    def data(self) -> bytes:
        """The bytes of `toolchain.json`."""
        return canonical.dumps(self.document)

    @property
    def digest(self) -> Digest:
        """The digest of `toolchain.json`."""
        return Digest.of(self.data)


def default_interpreter() -> Path:
    """The interpreter that runs us, seen through any virtual environment."""
    # CPython's own name for "the interpreter that this environment was made from"; not in its documentation.
    return Path(getattr(sys, "_base_executable", None) or sys.executable)


def describe(interpreter: Path | None = None, *, cache_root: Path | None = None) -> Toolchain:
    """The toolchain of this interpreter (default: the one that runs us, seen through any virtual environment).

    With a cache folder, digests of files that `stat` shows unchanged are not computed again. Raises UsageError for an
    interpreter that is not supported, Malfunction for one that is broken or can't be read.
    """
    path = Path(os.path.abspath(interpreter or default_interpreter()))
    memory = None
    if cache_root is not None:
        memory = cache_root / "toolchains" / "described" / (hashlib.sha256(os.fsencode(path)).hexdigest() + ".json")
        remembered = _recall(memory, path)
        if remembered is not None:
            return remembered
    facts = probe.ask(path)
    sources = collect(facts)
    watched = sorted({str(path), str(facts.executable), *sources.watched, *(source.host for source in sources.every())})
    before = _state(watched)
    toolchain = _digest(facts, sources)
    if _state(watched) != before:
        raise Malfunction("the toolchain changed while it was read", where=str(path), remedy="try again")
    if memory is not None:
        _remember(memory, toolchain, watched, before)
    return toolchain


def _digest(facts: probe.Facts, sources: Sources) -> Toolchain:
    try:
        digests = {source.path: Digest.of(source.content()) for source in sources.every()}
    except (OSError, ValueError) as error:
        raise Malfunction(f"a toolchain file is unreadable: {error}", where=str(facts.executable)) from None

    def by_name(part: Iterable[Source]) -> dict[str, Any]:
        return {os.path.basename(source.path): digests[source.path].as_json() for source in part}

    def tree_of(part: Iterable[Source]) -> dict[str, Any]:
        listing = sorted([each.path, digests[each.path].hash, digests[each.path].size_bytes] for each in part)
        return {"files": len(listing), "digest": Digest.of(canonical.dumps(listing)).as_json()}

    document = {
        "schema": SCHEMA,
        "layout": _LAYOUT,
        **facts.document,
        "interpreter": digests[sources.interpreter.path].as_json(),
        "stdlib": tree_of(sources.stdlib),
        "locale": tree_of(sources.locale),
        "extensions": by_name(sources.extensions),
        "libraries": by_name(sources.libraries),
        "loader": {"path": "/" + sources.loader.path, "digest": digests[sources.loader.path].as_json()},
    }
    return Toolchain(
        document=document,
        interpreter=facts.executable,
        files=tuple((source, digests[source.path]) for source in sources.every()),
    )


def _state(watched: Iterable[str]) -> str:
    return hashlib.sha256(b"".join(tree.stat_line(path, follow=True) for path in watched)).hexdigest()


def _remember(memory: Path, toolchain: Toolchain, watched: list[str], state: str) -> None:
    files = [
        [source.path, source.host, source.executable, source.cleaned, str(digest)] for source, digest in toolchain.files
    ]
    record = {
        "schema": _MEMORY,
        "layout": _LAYOUT,
        "state": state,
        "watched": watched,
        "interpreter": str(toolchain.interpreter),
        "document": toolchain.document,
        "files": files,
    }
    try:
        data = canonical.dumps(record)
        tree.ensure_folder(memory.parent)
        tree.write_atomically(memory, data)
    except (OSError, ValueError):
        return  # a cache that can't be written, or a path that is not text: the next call computes again


def _recall(memory: Path, path: Path) -> Toolchain | None:
    try:
        record = canonical.loads(memory.read_bytes())
        if (record["schema"], record["layout"]) != (_MEMORY, _LAYOUT) or str(path) not in record["watched"]:
            return None
        if _state(record["watched"]) != record["state"]:
            return None
        files = tuple(
            (Source(path=place, host=host, executable=executable, cleaned=cleaned), Digest.parse(digest))
            for place, host, executable, cleaned, digest in record["files"]
        )
        return Toolchain(document=record["document"], interpreter=Path(record["interpreter"]), files=files)
    except (OSError, ValueError, KeyError, TypeError):
        return None  # absent or damaged: a miss, never an error
