"""Library search against the two programs that know: the dynamic loader and ldconfig."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from oracle_rules.execution.toolchain import Image, Toolchain, search

from .support import write_elf

Built = tuple[Toolchain, Image, Path]
KIND = (2, 1, 62)


def loader_says(loader: str, file: str) -> dict[str, str]:
    """Name to file, as the dynamic loader itself resolves them (it maps the files and starts none)."""
    done = subprocess.run([loader, "--list", file], capture_output=True, text=True, env={}, check=True)
    return {
        name: os.path.realpath(path) for name, path in re.findall(r"^\s(\S+) => (/\S+) \(", done.stdout, re.MULTILINE)
    }


def test_the_loader_agrees_on_every_library(built: Built) -> None:
    toolchain, _, _ = built
    loader = toolchain.document["loader"]["path"]
    hosts = {source.path: source.host for source, _ in toolchain.files}
    ours = {path.removeprefix("lib/"): host for path, host in hosts.items() if path.startswith("lib/")}
    expected: dict[str, str] = {}
    for path, host in hosts.items():
        if "lib-dynload" in path or path == "python/bin/python3":
            expected |= loader_says(loader, host)
    expected.pop(os.path.basename(loader), None)
    assert len(expected) > 10
    assert {name: ours.get(name) for name in expected} == expected
    # What is there beyond that is opened at run time, or needed by what is.
    beyond = {"libgcc_s.so.1", "libstdc++.so.6", "libresolv.so.2", "libdl.so.2", "libpthread.so.0", "librt.so.1"}
    assert set(ours) - set(expected) <= beyond | {"libutil.so.1"}


def test_ldconfig_agrees_on_the_cache() -> None:
    ldconfig = shutil.which("ldconfig", path="/sbin:/usr/sbin:/bin:/usr/bin")
    assert ldconfig
    printed = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=True).stdout
    expected: dict[str, list[str]] = {}
    for name, facts, path in re.findall(r"^\t(\S+) \((.*)\) => (.*)$", printed, re.MULTILINE):
        if "hwcap" not in facts:
            expected.setdefault(name, []).append(path)
    assert expected
    assert search.loader_cache() == expected


def test_a_damaged_cache_is_an_empty_one(tmp_path: Path) -> None:
    whole = Path(search.CACHE).read_bytes()
    good, short, other = tmp_path / "good", tmp_path / "short", tmp_path / "other"
    good.write_bytes(whole)
    short.write_bytes(whole[:200])
    other.write_bytes(b"something else")
    assert search.loader_cache(str(good))
    for path in (short, other, tmp_path / "absent"):
        assert search.loader_cache(str(path)) == {}


def put(folder: Path, name: str, **facts: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(write_elf(**facts))  # type: ignore[arg-type]
    return path


def test_runpath_with_origin_is_followed_and_not_inherited(tmp_path: Path) -> None:
    near = put(tmp_path / "lib", "libnear.so", needed=("libfar.so",))
    put(tmp_path / "lib", "libfar.so")
    user = put(tmp_path, "user", needed=("libnear.so",), runpath="$ORIGIN/lib")
    resolver = search.Resolver(kind=KIND)
    with pytest.raises(search.NotResolved, match=r"libnear\.so needs libfar\.so"):
        resolver.add(str(user))
    assert resolver.found == {}
    near.write_bytes(write_elf(needed=("libfar.so",), runpath="${ORIGIN}"))
    resolver.add(str(user))
    assert resolver.found == {name: str(tmp_path / "lib" / name) for name in ("libnear.so", "libfar.so")}
    assert str(tmp_path / "lib") in resolver.watched


def test_rpath_is_inherited_and_yields_to_runpath(tmp_path: Path) -> None:
    put(tmp_path / "lib", "liba.so", needed=("libb.so",))
    put(tmp_path / "lib", "libb.so")
    by_rpath = put(tmp_path, "rpath", needed=("liba.so",), rpath=f"{tmp_path}/lib")
    resolver = search.Resolver(kind=KIND)
    resolver.add(str(by_rpath))
    assert set(resolver.found) == {"liba.so", "libb.so"}
    both = put(tmp_path, "both", needed=("liba.so",), rpath=f"{tmp_path}/lib", runpath=f"{tmp_path}/empty")
    with pytest.raises(search.NotResolved):
        search.Resolver(kind=KIND).add(str(both))


def test_a_library_for_another_machine_is_passed_over(tmp_path: Path) -> None:
    put(tmp_path / "arm", "liba.so", machine=183)
    fit = put(tmp_path / "fit", "liba.so")
    put(tmp_path / "text", "liba.so").write_text("INPUT(liba.so.1)")
    user = put(tmp_path, "user", needed=("liba.so",), runpath=f"{tmp_path}/text:{tmp_path}/arm:{tmp_path}/fit")
    resolver = search.Resolver(kind=KIND)
    resolver.add(str(user))
    assert resolver.found == {"liba.so": str(fit)}


def test_cycles_end_and_paths_are_refused(tmp_path: Path) -> None:
    put(tmp_path, "liba.so", needed=("libb.so",), runpath="$ORIGIN")
    start = put(tmp_path, "libb.so", needed=("liba.so",), runpath="$ORIGIN")
    resolver = search.Resolver(kind=KIND)
    resolver.add(str(start))
    assert set(resolver.found) == {"liba.so", "libb.so"}
    absolute = put(tmp_path, "user", needed=(f"{tmp_path}/liba.so",))
    with pytest.raises(search.NotResolved, match="by its path"):
        resolver.add(str(absolute))
