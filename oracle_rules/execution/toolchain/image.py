"""Lays a toolchain down as folders that can be the only content of a root: interpreter, library, shared objects.

Inside the sandbox nothing points back at the host: the interpreter is `/python/bin/python3`, its prefix `/python`, the
shared objects stand in the loader's default folders, C.UTF-8 where `setlocale` looks for it. Not in the image: a tz
database (`TZ=UTC` needs none, `zoneinfo` finds the lock's `tzdata`), other locales, the CA bundle, name service
configuration. Knows nothing of namespaces or mounts; it says which folder belongs where.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from oracle_rules.digest import Digest
from oracle_rules.errors import Malfunction

from .bytecode import compile_folder
from .describe import Toolchain
from .sources import PREFIX
from .tree import is_intact, materialise

INTERPRETER = f"{PREFIX}/bin/python3"  # what argv[0] has to be inside: CPython derives its prefix from it


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A toolchain on this host's disk: `root` holds nothing else and could itself be a root folder."""

    root: Path
    tops: tuple[str, ...]

    def mounts(self) -> tuple[tuple[Path, str], ...]:
        """Which folder of the host is to be bound where in the sandbox, read-only."""
        return tuple((self.root / top, f"/{top}") for top in self.tops)


def image(toolchain: Toolchain, cache_root: Path) -> Image:
    """The image of this toolchain under `cache_root/toolchains/DIGEST`, built if it is absent or damaged.

    Everything in it is read-only and readable by every user. Raises Malfunction when a file of the host is no longer
    what the description says, or the cache cannot be written.
    """
    final = cache_root / "toolchains" / toolchain.digest.hash
    tops = sorted({source.path.partition("/")[0] for source, _ in toolchain.files})
    materialise(final, lambda folder: _lay_down(toolchain, folder))
    return Image(root=final, tops=tuple(tops))


def prepared(images: Path, document: bytes) -> Image:
    """An image that `image` has laid down below that folder, of the toolchain with this document; writes nothing.

    Raises Malfunction when it is not there, or no longer as it was laid down.
    """
    digest = Digest.of(document)
    final = images / "toolchains" / digest.hash
    if not is_intact(final):
        raise Malfunction(f"the toolchain {digest} is not here, or was changed", where=str(final),
                          remedy="make the toolchain's repository again: `bazel sync --only=oracle_rules_toolchain`")
    return Image(root=final, tops=tuple(sorted(item.name for item in final.iterdir())))


def _lay_down(toolchain: Toolchain, folder: Path) -> None:
    for source, digest in toolchain.files:
        try:
            data = source.content()
        except (OSError, ValueError) as error:
            raise Malfunction(f"a toolchain file is unreadable: {error}", where=source.host) from None
        if Digest.of(data) != digest:
            raise Malfunction(
                "the file is not the one that was described",
                where=source.host,
                remedy="run again once the interpreter's upgrade has finished",
            )
        path = folder / source.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755 if source.executable else 0o644)
    loader = toolchain.document["loader"]["path"].lstrip("/")
    _link_libraries(folder, os.path.dirname(loader))
    library = next((folder / "python" / "lib").iterdir())
    compile_folder(toolchain.interpreter, library, f"{PREFIX}/lib/{library.name}")


def _link_libraries(folder: Path, beside: str) -> None:
    """Links every library beside the loader too: a glibc searches /lib or /lib64 by how its distribution built it."""
    if beside == "lib":
        return
    up = "/".join([".."] * (beside.count("/") + 1))
    for library in sorted((folder / "lib").iterdir()):
        os.symlink(f"{up}/lib/{library.name}", folder / beside / library.name)
