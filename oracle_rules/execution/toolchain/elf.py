"""What an ELF file says about its own loading: interpreter, needed libraries, search folders.

Reads the program header and the dynamic section only (System V ABI, chapters 4 and 5); runs nothing and opens
nothing. Knows nothing of where libraries live; `search.py` does.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

_PT_LOAD, _PT_DYNAMIC, _PT_INTERP = 1, 2, 3
_DT_NULL, _DT_NEEDED, _DT_STRTAB, _DT_SONAME, _DT_RPATH, _DT_RUNPATH = 0, 1, 5, 14, 15, 29
_LIMIT = 10_000  # headers or dynamic entries; real files hold dozens


@dataclass(frozen=True, slots=True, kw_only=True)
class Elf:
    """The loading facts of one ELF file; `kind` is what must agree between files of one process."""

    kind: tuple[int, int, int]  # class (1 = 32 bit, 2 = 64 bit), byte order, machine
    interpreter: str | None
    soname: str | None
    needed: tuple[str, ...]
    rpath: tuple[str, ...]
    runpath: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Segment:
    kind: int
    offset: int
    address: int
    size: int


def parse(data: bytes) -> Elf:
    """The loading facts of this file. Raises ValueError for anything that is not a well-formed ELF file."""
    try:
        return _parse(data)
    except (struct.error, IndexError, UnicodeDecodeError):
        raise ValueError("truncated or malformed ELF file") from None


def _parse(data: bytes) -> Elf:
    if data[:4] != b"\x7fELF" or data[4] not in (1, 2) or data[5] not in (1, 2):
        raise ValueError("not an ELF file")
    order = "<" if data[5] == 1 else ">"
    (machine,) = struct.unpack_from(order + "H", data, 18)
    segments = _segments(data, order)
    interpreter = None
    entries: list[tuple[int, int]] = []
    for segment in segments:
        if segment.kind == _PT_INTERP:
            interpreter = _text(data, segment.offset)
        elif segment.kind == _PT_DYNAMIC:
            entries = _dynamic(data, order, segment)
    names = [value for tag, value in entries if tag == _DT_STRTAB]
    table = _file_offset(segments, names[0]) if names else 0

    def texts(wanted: int) -> list[str]:
        return [_text(data, table + value) for tag, value in entries if tag == wanted]

    def folders(wanted: int) -> tuple[str, ...]:
        return tuple(folder for text in texts(wanted) for folder in text.split(":") if folder)

    return Elf(
        kind=(data[4], data[5], machine),
        interpreter=interpreter,
        soname=next(iter(texts(_DT_SONAME)), None),
        needed=tuple(texts(_DT_NEEDED)),
        rpath=folders(_DT_RPATH),
        runpath=folders(_DT_RUNPATH),
    )


def _segments(data: bytes, order: str) -> list[_Segment]:
    wide = data[4] == 2
    if wide:
        (start,) = struct.unpack_from(order + "Q", data, 32)
        step, count = struct.unpack_from(order + "HH", data, 54)
    else:
        (start,) = struct.unpack_from(order + "I", data, 28)
        step, count = struct.unpack_from(order + "HH", data, 42)
    if count > _LIMIT:
        raise ValueError("implausible number of program headers")
    found = []
    for index in range(count):
        at = start + index * step
        if wide:  # Elf64_Phdr: type, flags, offset, vaddr, paddr, filesz
            kind, _, offset, address, _, size = struct.unpack_from(order + "IIQQQQ", data, at)
        else:  # Elf32_Phdr: type, offset, vaddr, paddr, filesz
            kind, offset, address, _, size = struct.unpack_from(order + "IIIII", data, at)
        found.append(_Segment(kind=kind, offset=offset, address=address, size=size))
    return found


def _dynamic(data: bytes, order: str, segment: _Segment) -> list[tuple[int, int]]:
    entry = struct.Struct(order + ("qQ" if data[4] == 2 else "iI"))
    found = []
    for index in range(min(segment.size // entry.size, _LIMIT)):
        tag, value = entry.unpack_from(data, segment.offset + index * entry.size)
        if tag == _DT_NULL:
            break
        found.append((tag, value))
    return found


def _file_offset(segments: list[_Segment], address: int) -> int:
    for segment in segments:
        if segment.kind == _PT_LOAD and segment.address <= address < segment.address + segment.size:
            return segment.offset + address - segment.address
    raise ValueError("the string table lies outside every loaded segment")


def _text(data: bytes, at: int) -> str:
    end = data.find(b"\0", at, at + 4096)
    if end < 0 or at >= len(data):
        raise ValueError("a string has no end")
    return data[at:end].decode("utf-8")
