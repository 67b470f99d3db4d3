"""Compiles a folder of Python sources to bytecode that is the same wherever and whenever it is made.

The bytecode is hash-based and unchecked (PEP 552): it holds no time, and an import reads it without looking at the
source. The code names the path that the source has inside the sandbox. Knows nothing of what the sources are.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from oracle_rules.errors import Malfunction

# How references are marked in a code object depends on what the same process compiled before. A fixed number of
# shards in a fixed order makes that history part of the input instead of an accident of the machine's size.
_SHARDS = 4

# Runs in the interpreter that will read the bytecode; pairs of (file, shown name) come as NUL-separated text.
_SCRIPT = r"""
import importlib.util, marshal, os, sys
words = sys.stdin.buffer.read().split(b"\0")[:-1]
for path, shown in zip(words[::2], words[1::2]):
    with open(path, "rb") as stream:
        source = stream.read()
    try:
        code = compile(source, os.fsdecode(shown), "exec", dont_inherit=True, optimize=0)
    except (SyntaxError, ValueError, RecursionError):
        continue  # a template or a file for another version: importing it fails with or without bytecode
    folder, name = os.path.split(os.fsdecode(path))
    cache = os.path.join(folder, "__pycache__")
    os.makedirs(cache, exist_ok=True)
    flags = (1).to_bytes(4, "little")
    data = importlib.util.MAGIC_NUMBER + flags + importlib.util.source_hash(source) + marshal.dumps(code)
    with open(os.path.join(cache, "%s.%s.pyc" % (name[:-3], sys.implementation.cache_tag)), "wb") as stream:
        stream.write(data)
"""


def compile_folder(interpreter: Path, top: Path, shown: str) -> None:
    """Writes `__pycache__` beside every module below `top`, which is seen as `shown` in the sandbox.

    Raises Malfunction when the interpreter fails.
    """
    pairs = []
    for folder, below, names in os.walk(top):
        below.sort()
        inside = os.path.relpath(folder, top)
        place = shown if inside == "." else f"{shown}/{inside}"
        pairs += [(f"{folder}/{name}", f"{place}/{name}") for name in sorted(names) if name.endswith(".py")]
    running = [_start(interpreter, pairs[shard::_SHARDS]) for shard in range(_SHARDS)]
    failed = [text for text in map(_finish, running) if text]
    if failed:
        raise Malfunction(f"the interpreter could not compile: {failed[0]}", where=str(interpreter))


def _start(interpreter: Path, pairs: list[tuple[str, str]]) -> tuple[subprocess.Popen[bytes], bytes]:
    # Not -I, which would ignore the hash seed; -s -S -P and an environment of our own shut out the same things.
    process = subprocess.Popen(
        [os.fspath(interpreter), "-s", "-S", "-P", "-B", "-W", "ignore", "-c", _SCRIPT],
        env={"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"},
        cwd="/",
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    return process, b"".join(os.fsencode(path) + b"\0" + os.fsencode(shown) + b"\0" for path, shown in pairs)


def _finish(started: tuple[subprocess.Popen[bytes], bytes]) -> str:
    process, words = started
    _, said = process.communicate(words)
    if process.returncode == 0:
        return ""
    return said.decode("utf-8", "replace").strip()[-500:] or f"status {process.returncode}"
