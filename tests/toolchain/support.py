"""Interpreters to test with, and an ELF writer of our own, independent of the reader under test."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from pathlib import Path

from oracle_rules.execution.toolchain import default_interpreter

REPOSITORY = Path(__file__).resolve().parents[2]
SYSTEM = Path("/usr/bin/python3")


def interpreters() -> list[Path]:
    """The one that runs us, and the distribution's where that is another."""
    found = {os.path.realpath(path): path for path in (SYSTEM, default_interpreter()) if path.exists()}
    return sorted(found.values())


def public_interpreter() -> Path:
    """One that every user of this machine can run."""
    for path in interpreters():
        real = Path(os.path.realpath(path))
        if all(folder.stat().st_mode & 0o001 for folder in real.parents):
            return path
    raise AssertionError("no interpreter that an ordinary user can run; install the distribution's python3")


def chroot(root: Path, *words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Runs words with `root` as the only file system, in a user namespace of its own."""
    outside = [shutil.which("unshare") or "", "-r", shutil.which("chroot", path="/usr/sbin:/sbin:/usr/bin:/bin") or ""]
    words = (*outside, str(root), *words)
    return subprocess.run(words, check=False, env=env or {}, cwd="/", capture_output=True, text=True, timeout=60)


def copy_of(root: Path, to: Path) -> Path:
    """A private, writable copy of an image's interpreter, usable outside a sandbox; returns its executable."""
    shutil.copytree(root / "python", to / "python", ignore=shutil.ignore_patterns("__pycache__"))
    for folder, _, names in os.walk(to):
        os.chmod(folder, 0o755)
        for name in names:
            os.chmod(f"{folder}/{name}", 0o755)
    return to / "python" / "bin" / "python3"


def write_elf(
    *,
    needed: tuple[str, ...] = (),
    runpath: str = "",
    rpath: str = "",
    soname: str = "",
    interpreter: str = "",
    bits: int = 64,
    order: str = "<",
    machine: int = 62,
) -> bytes:
    """A file with an ELF header, PT_LOAD, PT_DYNAMIC and, if asked for, PT_INTERP; loaded at 0x10000."""
    base = 0x10000
    strings = b"\0"
    places: list[tuple[int, int]] = []
    for tag, texts in ((1, needed), (14, (soname,)), (15, (rpath,)), (29, (runpath,))):
        for text in texts:
            if text:
                places.append((tag, len(strings)))
                strings += text.encode() + b"\0"
    wide = bits == 64
    header_size, program_size = (64, 56) if wide else (52, 32)
    programs = 3 if interpreter else 2
    at_interpreter = header_size + programs * program_size
    named = interpreter.encode() + b"\0" if interpreter else b""
    at_strings = at_interpreter + len(named)
    at_dynamic = at_strings + len(strings)
    entry = struct.Struct(order + ("qQ" if wide else "iI"))
    dynamic = b"".join(entry.pack(*place) for place in [*places, (5, base + at_strings), (10, len(strings)), (0, 0)])
    total = at_dynamic + len(dynamic)

    def program(kind: int, offset: int, size: int) -> bytes:
        if wide:
            return struct.pack(order + "IIQQQQQQ", kind, 4, offset, base + offset, base + offset, size, size, 1)
        return struct.pack(order + "IIIIIIII", kind, offset, base + offset, base + offset, size, size, 4, 1)

    table = program(1, 0, total) + program(2, at_dynamic, len(dynamic))
    if interpreter:
        table += program(3, at_interpreter, len(named))
    ident = b"\x7fELF" + bytes([2 if wide else 1, 1 if order == "<" else 2, 1]) + bytes(9)
    rest = (3, machine, 1, 0, header_size, 0, 0, header_size, program_size, programs, 0, 0, 0)
    header = ident + struct.pack(order + ("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH"), *rest)
    return header + table + named + strings + dynamic


def bound(root: Path, mounts: list[tuple[Path, str]], *words: str) -> subprocess.CompletedProcess[str]:
    """Runs words in an empty root with these folders bound into it, read-only, in namespaces of its own."""
    script = "set -e; "
    for host, inside in mounts:
        (root / inside.lstrip("/")).mkdir(parents=True, exist_ok=True)
        script += f"mount --bind '{host}' '{root}{inside}'; mount -o remount,ro,bind '{root}{inside}'; "
    inner = ["unshare", "-r", "-m", "sh", "-c", f"{script} exec chroot '{root}' \"$@\"", "sh", *words]
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    return subprocess.run(inner, check=False, env=env, cwd="/", capture_output=True, text=True, timeout=60)
