"""Input and output in oracle files, by a table of what does it. Reading a fixture is not counted.

Names are resolved through imports. What only reads the machine (clock, environment, host, network) is the scan's.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatchcase

from ..entropy.names import read
from ..entropy.source import Source

# Dotted names, with wildcards, of what does input or output.
CALLS = (
    "print", "input", "breakpoint", "io.open", "io.open_code", "io.FileIO", "os.open", "os.popen", "os.system",
    "os.write", "os.read", "os.remove", "os.unlink", "os.rename", "os.replace", "os.rmdir", "os.removedirs", "os.mkdir",
    "os.makedirs", "os.symlink", "os.link", "os.truncate", "os.chmod", "os.chown", "os.chdir", "os.fork*", "os.exec*",
    "os.spawn*", "os.posix_spawn*", "os.kill*", "os._exit", "os.putenv", "sys.exit", "sys.stdout*", "sys.stderr*",
    "sys.stdin*", "sys.__stdout__*", "sys.__stderr__*", "subprocess.*", "shutil.*", "sqlite3.*", "dbm.*", "shelve.*",
    "mmap.*", "fcntl.*", "multiprocessing.*", "logging.*", "pdb.*", "webbrowser.*", "fileinput.*", "codecs.open",
    "gzip.open", "bz2.open", "lzma.open", "tarfile.open", "zipfile.ZipFile",
)  # fmt: skip
# Methods that do it on a path, whatever the path is; those that read are allowed on fixtures.
WRITES = ("write_text", "write_bytes", "unlink", "mkdir", "rmdir", "touch", "rename", "symlink_to", "hardlink_to")
READS = ("read_text", "read_bytes", "open")
_PATHS = ("pathlib.Path().", "pathlib.PosixPath().")


def io_of(source: Source, fixtures: frozenset[str]) -> Iterator[tuple[ast.AST, str]]:
    """Every call that does input or output, with what it calls."""
    names = read(source.tree)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call):
            for name in names.every(node.func):
                called = name.removeprefix("builtins.")
                if called in ("open", "io.open"):
                    if not _reads_fixture(node, fixtures):
                        yield node, f"{called} of what is no fixture"
                elif any(fnmatchcase(called, pattern) for pattern in CALLS):
                    yield node, called
                elif called.startswith(_PATHS) and isinstance(node.func, ast.Attribute):
                    last = node.func.attr
                    if last in WRITES or (last in READS and not _names_fixture(node.func.value, fixtures)):
                        yield node, f"Path.{last}"


def _reads_fixture(call: ast.Call, fixtures: frozenset[str]) -> bool:
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    mode = call.args[1] if len(call.args) > 1 else given.get("mode")
    if mode is not None and not (isinstance(mode, ast.Constant) and set(str(mode.value)) <= set("rbt")):
        return False
    return _names_fixture(call.args[0] if call.args else given.get("file"), fixtures)


def _names_fixture(node: ast.AST | None, fixtures: frozenset[str]) -> bool:
    """Whether the first text in an expression is a fixture, or a folder that holds fixtures."""
    if node is None:
        return False
    texts = [each for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    first = min(texts, key=lambda each: (each.lineno, each.col_offset), default=None)
    if first is None:
        return False
    start = str(first.value).removeprefix("./")
    return start in fixtures or (bool(start.rstrip("/")) and any(
        path.startswith(start.rstrip("/") + "/") for path in fixtures))
