"""Lays the wheels of a PEX out as one site folder, believing nothing that the archive says.

Every path is checked before a file is made, every size counted while it is written. Left behind: scripts and data
outside the packages, `.pth` files and other start-up hooks, foreign bytecode, Pex's own notes. Runs nothing. Knows
nothing of caches.
"""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from oracle_rules import relpath
from oracle_rules.digest import Digest
from oracle_rules.errors import Malfunction, UntrustedError, UsageError

MAX_FILES = 200_000
MAX_BYTES = 8 << 30
_WHEELS = ".deps/"
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    wheel: str
    path: str
    info: zipfile.ZipInfo


def lay_out(pex: Path, digest: Digest, folder: Path, *, max_files: int = MAX_FILES, max_bytes: int = MAX_BYTES) -> None:
    """Writes the packages of the PEX into the empty folder.

    Raises UntrustedError for other bytes than the digest's, a path that leaves the folder, a link, or too much of
    anything; UsageError when two wheels hold different files of one name; Malfunction when the PEX can't be read.
    """
    try:
        data = pex.read_bytes()
        if Digest.of(data) != digest:
            raise UntrustedError(f"the PEX is not the one with the digest {digest}", where=str(pex))
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = list(_files(archive, str(pex)))
            if len(files) > max_files:
                raise UntrustedError(f"{len(files)} files, at most {max_files} are laid out", where=str(pex))
            _write(archive, files, folder, str(pex), max_bytes)
    except OSError as error:
        raise Malfunction(f"the packages can't be laid out: {error.strerror or error}", where=str(pex)) from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise Malfunction(f"the PEX can't be read: {error}", where=str(pex)) from None


def _files(archive: zipfile.ZipFile, where: str) -> Iterator[_File]:
    for info in archive.infolist():
        if not info.filename.startswith(_WHEELS) or info.is_dir():
            continue
        wheel, slash, path = info.filename.removeprefix(_WHEELS).partition("/")
        wrong = relpath.problem(path) if slash else "is not inside a wheel"
        kind = stat.S_IFMT(info.external_attr >> 16)
        if wrong is None and kind not in (0, stat.S_IFREG):
            wrong = "is neither a file nor a folder"
        if wrong is not None:
            raise UntrustedError(f"{info.filename!r} {wrong}", where=where)
        if not _left_behind(path):
            yield _File(wheel=wheel, path=path, info=info)


def _left_behind(path: str) -> bool:
    top, _, below = path.partition("/")
    if not below:
        return top in (".layout.json", "sitecustomize.py", "usercustomize.py") or top.endswith(".pth")
    return top == ".prefix" or top.endswith(".pex-info") or "__pycache__" in path.split("/")


def _write(archive: zipfile.ZipFile, files: list[_File], folder: Path, where: str, max_bytes: int) -> None:
    owners: dict[str, str] = {}
    left = max_bytes
    for file in files:
        target = folder / file.path
        clash = next((above for above in relpath.ancestors(file.path) if above and (folder / above).is_file()), None)
        if clash is not None or target.is_dir():
            raise UsageError(
                f"{clash or file.path} is a file in one package and a folder in another",
                where=file.wheel,
                remedy="leave one of the two packages out of the lock",
            )
        before = target.read_bytes() if file.path in owners else None
        target.parent.mkdir(parents=True, exist_ok=True)
        left -= _copy(archive, file, target, left, where)
        if before is not None and before != target.read_bytes():
            raise UsageError(
                f"{owners[file.path]} and {file.wheel} hold different files named {file.path}",
                where=file.wheel,
                remedy="leave one of the two packages out of the lock",
            )
        owners[file.path] = file.wheel


def _copy(archive: zipfile.ZipFile, file: _File, target: Path, left: int, where: str) -> int:
    written = 0
    with archive.open(file.info) as source, target.open("wb") as stream:
        while chunk := source.read(_CHUNK):
            written += len(chunk)
            if written > left:  # counted here: what the archive says about sizes is only a claim
                raise UntrustedError("the packages are larger than what is laid out at most", where=where)
            stream.write(chunk)
    return written
