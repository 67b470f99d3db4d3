"""Which files of an interpreter make up its toolchain, and what each becomes in the image.

Lists host files and the place each takes in the image; reads no content except to clean one generated module. Knows
nothing of caches, and nothing of how an image is laid down.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from oracle_rules.errors import Malfunction

from . import probe, search

PREFIX = "/python"  # where the image's `python` folder is bound in the sandbox

# Never part of an image: installed packages belong to the lock, tests and GUIs to nobody who is judged, and
# ensurepip carries wheels. `config-*` holds the host's Makefile, with its paths.
_FOLDERS_LEFT_OUT = frozenset(
    {"__pycache__", "site-packages", "dist-packages", "lib-dynload", "test", "tests"}
    | {"ensurepip", "idlelib", "lib2to3", "tkinter", "turtledemo"}
)
# A distribution's start-up hooks are the host's configuration, not the standard library.
_FILES_LEFT_OUT = frozenset({"sitecustomize.py", "usercustomize.py"})
# _tkinter and nis would pull X11 and Kerberos into the image, for windows and directories that a sandbox lacks.
_EXTENSION_LEFT_OUT = re.compile(r"(_tkinter|nis|xx\w*|_xxtestfuzz|_test\w*|_ctypes_test)\.")
_SYSCONFIG = re.compile(r"_sysconfigdata_\w*[\w-]*\.py\Z")
# Opened by glibc or by wheels at run time and listed by no file of the interpreter: thread cancellation needs
# libgcc_s, and the manylinux policy lets wheels count on the others.
_AT_RUN_TIME = (
    "libdl.so.2",
    "libgcc_s.so.1",
    "libpthread.so.0",
    "libresolv.so.2",
    "librt.so.1",
    "libstdc++.so.6",
    "libutil.so.1",
)
# C.UTF-8 is data, not code, up to the newest glibc: without these files `setlocale` refuses the name.
_LOCALES = "/usr/lib/locale"
_LOCALE = re.compile(r"C\.(utf8|UTF-8)\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file of the image: `path` in the image, `host` where its bytes come from, `cleaned` if they are rewritten."""

    path: str
    host: str
    executable: bool = False
    cleaned: bool = False

    def content(self) -> bytes:
        """The bytes that the image holds. Raises OSError or ValueError."""
        with open(self.host, "rb") as stream:
            data = stream.read()
        return clean_sysconfig(data) if self.cleaned else data


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """All files of an image by their part, and the folders and files whose change could change the list."""

    interpreter: Source
    loader: Source
    stdlib: tuple[Source, ...]
    extensions: tuple[Source, ...]
    libraries: tuple[Source, ...]
    locale: tuple[Source, ...]
    watched: tuple[str, ...]

    def every(self) -> Iterator[Source]:
        """Each file once."""
        yield self.interpreter
        yield self.loader
        yield from self.stdlib
        yield from self.extensions
        yield from self.libraries
        yield from self.locale


def collect(facts: probe.Facts) -> Sources:
    """The files of this interpreter. Raises Malfunction when one cannot be read or found."""
    remedy = "use an interpreter that this user can read, with its standard library unpacked as files"
    try:
        return _collect(facts)
    except (OSError, ValueError) as error:
        raise Malfunction(
            f"a toolchain file is unreadable: {error}", where=str(facts.executable), remedy=remedy
        ) from None
    except search.NotResolved as error:
        raise Malfunction(str(error), where=str(facts.executable), remedy="run ldconfig, or mend the library") from None


def _collect(facts: probe.Facts) -> Sources:
    home = f"python/lib/python{facts.version[0]}.{facts.version[1]}"
    executable = search.read(str(facts.executable))
    if executable.interpreter is None or not executable.interpreter.startswith("/"):
        raise ValueError("the interpreter is linked statically and could load no extension")
    folders = {str(facts.stdlib), search.CACHE}
    stdlib = tuple(_modules(facts.stdlib, home, folders))
    if not any(source.path == f"{home}/os.py" for source in stdlib):
        raise ValueError(f"no os.py in {facts.stdlib}")
    resolver = search.Resolver(
        kind=executable.kind,
        inherited=tuple(search.expand(executable.rpath, str(facts.executable))),
        cache=search.loader_cache(),
    )
    resolver.add(str(facts.executable))
    extensions = tuple(_extensions(facts.extensions, home, folders, resolver))
    for name in _AT_RUN_TIME:
        resolver.add_by_name(name)
    loader = executable.interpreter
    libraries = tuple(
        Source(path=f"lib/{name}", host=host)
        for name, host in sorted(resolver.found.items())
        if name != os.path.basename(loader)
    )
    return Sources(
        interpreter=Source(path="python/bin/python3", host=str(facts.executable), executable=True),
        loader=Source(path=loader.lstrip("/"), host=os.path.realpath(loader), executable=True),
        stdlib=stdlib,
        extensions=extensions,
        libraries=libraries,
        locale=tuple(_locale(folders)),
        watched=tuple(sorted(folders | resolver.watched)),
    )


def _modules(stdlib: Path, home: str, folders: set[str]) -> Iterator[Source]:
    for folder, below, names in os.walk(stdlib):
        below[:] = sorted(name for name in below if name not in _FOLDERS_LEFT_OUT and not name.startswith("config-"))
        inside = os.path.relpath(folder, stdlib)
        # Only a folder that holds modules can hide or add one; the rest need no watching.
        found = sorted(name for name in names if name.endswith(".py") and name not in _FILES_LEFT_OUT)
        folders.add(folder)
        for name in found:
            path = f"{home}/{name}" if inside == "." else f"{home}/{inside}/{name}"
            yield Source(path=path, host=f"{folder}/{name}", cleaned=bool(_SYSCONFIG.match(name)))


def _extensions(folder: Path | None, home: str, folders: set[str], resolver: search.Resolver) -> Iterator[Source]:
    if folder is None:
        return  # a build with every extension linked in
    folders.add(str(folder))
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".so") or _EXTENSION_LEFT_OUT.match(name):
            continue
        host = f"{folder}/{name}"
        try:
            resolver.add(host)
        except search.NotResolved:
            continue  # it can't be imported on this host either; its absence shows in the document
        yield Source(path=f"{home}/lib-dynload/{name}", host=host)


def _locale(folders: set[str]) -> Iterator[Source]:
    if not os.path.isdir(_LOCALES):
        return
    folders.add(_LOCALES)
    for name in sorted(filter(_LOCALE.match, os.listdir(_LOCALES))):
        for folder, below, names in os.walk(f"{_LOCALES}/{name}"):
            below.sort()
            folders.add(folder)
            yield from (Source(path=f"{folder}/{each}".lstrip("/"), host=f"{folder}/{each}") for each in sorted(names))


def clean_sysconfig(data: bytes) -> bytes:
    """The build configuration module without anything that names a place on the host or a compiler's options.

    What is left is what programs ask at run time (EXT_SUFFIX, SOABI, Py_DEBUG, sizes). `TZPATH` becomes empty: the
    image has no tz database, so `zoneinfo` uses the `tzdata` package of the lock or says that it knows no zone.
    Raises ValueError if the module is not one literal assignment.
    """
    try:
        values = [node.value for node in ast.parse(data).body if isinstance(node, ast.Assign)]
    except SyntaxError as error:
        raise ValueError(f"_sysconfigdata is not Python: {error}") from None
    if len(values) != 1:
        raise ValueError("_sysconfigdata is not one assignment")
    variables = ast.literal_eval(values[0])
    kept = {
        key: value
        for key, value in variables.items()
        if isinstance(value, int) or (isinstance(value, str) and re.fullmatch(r"[\w.+-]*", value))
    }
    kept |= {
        "TZPATH": "",
        "prefix": PREFIX,
        "exec_prefix": PREFIX,
        "BINDIR": f"{PREFIX}/bin",
        "LIBDIR": f"{PREFIX}/lib",
    }
    lines = [f"    {key!r}: {kept[key]!r},\n" for key in sorted(kept)]
    return ("build_time_vars = {\n" + "".join(lines) + "}\n").encode("utf-8")
