"""The document: the same wherever it is made, different when anything in it changes, never stale."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from oracle_rules.errors import Malfunction, UsageError
from oracle_rules.execution.toolchain import Image, Toolchain, default_interpreter, describe
from oracle_rules.execution.toolchain.sources import clean_sysconfig
from oracle_rules.protocol import canonical

from .support import REPOSITORY, copy_of

Built = tuple[Toolchain, Image, Path]


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from texts(key)
            yield from texts(item)


def test_the_document_holds_no_path_but_the_loader(built: Built) -> None:
    toolchain, _, _ = built
    loader = toolchain.document["loader"]["path"]
    assert [text for text in texts(toolchain.document) if "/" in text] == ["oracle_rules/toolchain/v1", loader]
    assert canonical.is_canonical(toolchain.data)
    assert toolchain.digest.hash == hashlib.sha256(toolchain.data).hexdigest()


def test_the_facts_are_those_of_the_interpreter(built: Built) -> None:
    toolchain, _, _ = built
    ask = """if True:
        import platform, sys
        print(platform.python_version(), platform.machine(), platform.libc_ver()[1])
        print(sys.implementation.cache_tag, sys.hash_info.algorithm)"""
    words = [str(toolchain.interpreter), "-c", ask]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    document = toolchain.document
    ours = [document[key] for key in ("version", "machine")] + [document["libc"]["version"], document["cache_tag"]]
    assert [*ours, document["hash"]["algorithm"]] == said


def test_digests_are_those_of_the_files(built: Built) -> None:
    toolchain, image, _ = built
    document = toolchain.document

    def measured(path: Path) -> dict[str, Any]:
        return {"hash": hashlib.sha256(path.read_bytes()).hexdigest(), "size_bytes": path.stat().st_size}

    assert document["interpreter"] == measured(Path(os.path.realpath(toolchain.interpreter)))
    assert document["libraries"] == {path.name: measured(path) for path in (image.root / "lib").iterdir()}
    assert document["loader"]["digest"] == measured(Path(document["loader"]["path"]))
    library = image.root / "python" / "lib"
    modules = sorted(path for path in library.rglob("*.py"))
    listing = [[f"python/lib/{path.relative_to(library)}", *measured(path).values()] for path in modules]
    whole = json.dumps(sorted(listing), separators=(",", ":")).encode() + b"\n"
    assert document["stdlib"]["files"] == len(modules) > 300
    assert document["stdlib"]["digest"] == {"hash": hashlib.sha256(whole).hexdigest(), "size_bytes": len(whole)}


_PRINT = (
    "import os, sys; sys.path.insert(0, sys.argv[1]); from oracle_rules.execution.toolchain import describe;"
    "from pathlib import Path; print(describe(Path(sys.argv[2])).data.decode())"
)


def test_the_surroundings_change_nothing(one: Built, tmp_path: Path) -> None:
    toolchain, _, _ = one
    environment = {
        "HOME": str(tmp_path),
        "USER": "somebody",
        "TZ": "Asia/Tokyo",
        "LC_ALL": "C",
        "PYTHONHASHSEED": "7",
        "PYTHONPATH": str(tmp_path),
        "LD_LIBRARY_PATH": str(tmp_path),
        "PATH": "/usr/bin",
    }
    (tmp_path / "json.py").write_text("raise SystemExit('the caller reached the probe')")
    (tmp_path / "sitecustomize.py").write_text("")
    inner = [sys.executable, "-I", "-c", _PRINT, str(REPOSITORY), str(toolchain.interpreter)]
    words = ["unshare", "-r", "--uts", "sh", "-c", 'umask 077; hostname elsewhere; exec "$@"', "sh", *inner]
    done = subprocess.run(words, env=environment | {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}, cwd=tmp_path,
                          capture_output=True, check=False)  # fmt: skip
    assert done.stderr == b""
    assert done.stdout.strip() == toolchain.data.strip()


def test_a_virtual_environment_is_seen_through(tmp_path: Path) -> None:
    base = default_interpreter()
    subprocess.run([base, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    subprocess.run([base, "-m", "venv", "--without-pip", "--copies", str(tmp_path / "copied")], check=True)
    expected = describe(base).document
    assert describe(tmp_path / "venv" / "bin" / "python").document == expected
    assert describe(tmp_path / "copied" / "bin" / "python").document == expected
    assert describe().document == expected


@pytest.fixture
def private(one: Built, tmp_path: Path) -> Path:
    """An interpreter of the test's own, with its standard library."""
    return copy_of(one[1].root, tmp_path / "own")


def in_library(interpreter: Path, name: str) -> Path:
    found = next((interpreter.parents[1] / "lib").iterdir()) / name
    found.parent.mkdir(exist_ok=True)
    return found


def same_size_and_time(path: Path) -> None:
    before = path.stat()
    path.write_bytes(path.read_bytes()[:-2] + b"#\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)


CHANGES: list[tuple[str, str, Callable[[Path], object]]] = [
    ("stdlib", "this.py", lambda path: path.write_text("print('other')\n")),
    ("stdlib", "this.py", same_size_and_time),
    ("stdlib", "brand_new.py", lambda path: path.write_text("")),
    ("stdlib", "json/brand_new.py", lambda path: path.write_text("")),
    ("stdlib", "this.py", Path.unlink),
    ("stdlib", "new_package/__init__.py", lambda path: path.write_text("")),
    ("extensions", "lib-dynload", lambda path: next(path.glob("_asyncio*")).unlink()),
    ("interpreter", "../../bin/python3", lambda path: path.write_bytes(path.read_bytes() + b"\0")),
]


@pytest.mark.parametrize(("part", "name", "change"), CHANGES)
def test_a_change_is_noticed_though_digests_are_remembered(
    private: Path, tmp_path: Path, part: str, name: str, change: Callable[[Path], object]
) -> None:
    before = describe(private, cache_root=tmp_path / "cache").document
    assert describe(private, cache_root=tmp_path / "cache").document == before
    change(in_library(private, name))
    after = describe(private, cache_root=tmp_path / "cache").document
    assert {key for key in after if after[key] != before[key]} == {part}
    assert after == describe(private).document


@pytest.mark.parametrize("name", ["site-packages/x.py", "test/x.py", "__pycache__/x.pyc", "sitecustomize.py", "x.txt"])
def test_what_is_left_out_changes_nothing(private: Path, name: str) -> None:
    before = describe(private).document
    in_library(private, name).write_text("")
    assert describe(private).document == before


def test_memory_is_used_while_nothing_changed_and_survives_damage(private: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    true = describe(private, cache_root=cache)
    assert describe(private, cache_root=cache) == true
    (memory,) = (cache / "toolchains" / "described").iterdir()
    record = json.loads(memory.read_bytes())
    record["document"]["build"] = "remembered"
    memory.write_bytes(canonical.dumps(record))
    assert describe(private, cache_root=cache).document["build"] == "remembered"
    for damage in (b"", b"{}", b"[]", memory.read_bytes()[:-9], b'{"schema":1,"layout":1}'):
        memory.write_bytes(damage)
        assert describe(private, cache_root=cache) == true
    os.utime(in_library(private, "this.py"))
    memory.write_bytes(canonical.dumps(record))
    assert describe(private, cache_root=cache) == true


def script(path: Path, text: str) -> Path:
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def test_what_is_no_interpreter_is_a_malfunction(tmp_path: Path) -> None:
    for path, said in (
        (tmp_path / "absent", "does not start"),
        (script(tmp_path / "fails", "echo broken library >&2; exit 127"), "status 127 and said: broken library"),
        (script(tmp_path / "talks", "echo hello"), "status 0"),
    ):
        with pytest.raises(Malfunction, match=said) as caught:
            describe(path)
        assert (caught.value.where, caught.value.exit_code) == (str(path), 5)
        assert caught.value.remedy


@pytest.mark.parametrize(
    ("swap", "said"),
    [
        (("3, 11", "3, 9"), "cpython 3.9.0 is not CPython 3.11 or newer"),
        (('"cpython"', '"pypy"'), "pypy 3.11.0 is not CPython"),
        (('"glibc"', '"musl"'), "C library 'musl'"),
        (('"Linux"', '"Other"'), "runs on Other"),
    ],
)
def test_an_interpreter_that_is_not_supported_is_a_usage_error(
    tmp_path: Path, swap: tuple[str, str], said: str
) -> None:
    answer = (
        '{"document": {"implementation": "cpython", "version": "3.11.0", "system": "Linux",'
        ' "libc": {"name": "glibc", "version": "2.36"}},'
        ' "places": {"executable": "/x", "stdlib": "/x", "extensions": "", "version": [3, 11]}}'
    )
    # Control: unchanged, the answer is believed, and it is the missing files that are reported.
    with pytest.raises(Malfunction, match="unreadable"):
        describe(script(tmp_path / "good", f"echo '{answer}'"))
    changed = answer.replace(*swap)
    if swap[0] == "3, 11":
        changed = changed.replace("3.11.0", "3.9.0")
    with pytest.raises(UsageError, match=said):
        describe(script(tmp_path / "bad", f"echo '{changed}'"))


def test_build_configuration_loses_places_and_keeps_facts() -> None:
    source = b"""# generated
build_time_vars = {'EXT_SUFFIX': '.cpython-311.so', 'CC': 'gcc -pthread', 'LIBDIR': '/home/me/lib', 'Py_DEBUG': 0,
 'TZPATH': '/usr/share/zoneinfo', 'prefix': '/home/me', 'VERSION': '3.11', 'SRC': './x', 'EMPTY': ''}
"""
    cleaned = ast.parse(clean_sysconfig(source)).body[0]
    assert isinstance(cleaned, ast.Assign)
    assert ast.literal_eval(cleaned.value) == {
        "EXT_SUFFIX": ".cpython-311.so",
        "Py_DEBUG": 0,
        "VERSION": "3.11",
        "EMPTY": "",
        "TZPATH": "",
        "prefix": "/python",
        "exec_prefix": "/python",
        "BINDIR": "/python/bin",
        "LIBDIR": "/python/lib",
    }
    for bad in (b"import os", b"x = __import__('os')", b"a = {}\nb = {}", b"x ="):
        with pytest.raises(ValueError):
            clean_sysconfig(bad)
