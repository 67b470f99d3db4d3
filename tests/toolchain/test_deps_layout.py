"""Laying out a PEX: hostile archives are refused, honest ones beside them are not."""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle_rules.digest import Digest
from oracle_rules.errors import Malfunction, OracleError, UntrustedError, UsageError
from oracle_rules.execution import deps_layout

Entry = tuple[str, bytes]
GOOD: list[Entry] = [(".deps/a-1.whl/a/__init__.py", b"x = 1\n"), ("__main__.py", b""), ("PEX-INFO", b"{}")]


@pytest.fixture
def lay(tmp_path: Path) -> Callable[..., dict[str, bytes]]:
    """Writes an archive of these entries, lays it out and returns what is there."""

    def run(entries: list[Entry], modes: dict[str, int] | None = None, **caps: int) -> dict[str, bytes]:
        pex = tmp_path / "x.pex"
        with pex.open("wb") as stream:
            stream.write(b"#!/usr/bin/env python3\n")  # as a PEX has it before the archive
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, data in entries:
                    info = zipfile.ZipInfo(name)
                    info.external_attr = ((modes or {}).get(name, 0o100644)) << 16
                    archive.writestr(info, data)
        folder = tmp_path / "out"
        folder.mkdir()
        deps_layout.lay_out(pex, Digest.of(pex.read_bytes()), folder, **caps)
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    return run


def test_wheels_are_merged_and_the_rest_left_behind(lay: Callable[..., dict[str, bytes]]) -> None:
    left = [
        ".deps/a-1.whl/.layout.json",
        ".deps/a-1.whl/start.pth",
        ".deps/a-1.whl/.prefix/bin/run",
        ".deps/a-1.whl/a-1.pex-info/original-whl-info.json",
        ".deps/a-1.whl/a/__pycache__/__init__.cpython-311.pyc",
        ".bootstrap/pex/x.py",
    ]
    kept = [
        ("ns/one.py", ".deps/a-1.whl/ns/one.py"),
        ("ns/two.py", ".deps/b-1.whl/ns/two.py"),
        ("a-1.dist-info/entry_points.txt", ".deps/a-1.whl/a-1.dist-info/entry_points.txt"),
        ("a/data.pth", ".deps/a-1.whl/a/data.pth"),
        ("same.txt", ".deps/a-1.whl/same.txt"),
        ("same.txt", ".deps/b-1.whl/same.txt"),
    ]
    found = lay([*GOOD, *((name, b"left") for name in left), *((name, b"kept") for _, name in kept)])
    assert found == {"a/__init__.py": b"x = 1\n"} | {inside: b"kept" for inside, _ in kept}


@pytest.mark.parametrize(
    "name",
    [
        ".deps/a-1.whl/../../escape.py",
        ".deps/a-1.whl/a/../../../escape.py",
        ".deps/a-1.whl//etc/escape.py",
        ".deps/a-1.whl/./a.py",
        ".deps/a-1.whl/a\\..\\b.py",
        ".deps/a-1.whl/a\n.py",
        ".deps/escape.py",
        ".deps/a-1.whl/" + "n" * 256,
    ],
)
def test_a_path_that_leaves_is_refused(lay: Callable[..., dict[str, bytes]], tmp_path: Path, name: str) -> None:
    with pytest.raises(UntrustedError):
        lay([*GOOD, (name, b"x")])
    assert sorted(os.listdir(tmp_path)) == ["out", "x.pex"]
    assert os.listdir(tmp_path / "out") == []  # nothing is written before all paths are judged


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_a_link_or_device_is_refused(lay: Callable[..., dict[str, bytes]], kind: int) -> None:
    name = ".deps/a-1.whl/a/link"
    with pytest.raises(UntrustedError, match="neither a file nor a folder"):
        lay([*GOOD, (name, b"/etc/passwd")], modes={name: kind | 0o644})


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("a/x.py", "a/x.py", "hold different files named a/x.py"),
        ("x", "x/y.py", "file in one package and a folder in another"),
        ("x/y.py", "x", "file in one package and a folder in another"),
    ],
)
def test_packages_that_collide_are_a_usage_error(
    lay: Callable[..., dict[str, bytes]], first: str, second: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        lay([*GOOD, (f".deps/a-1.whl/{first}", b"one"), (f".deps/b-1.whl/{second}", b"two")])


@pytest.mark.parametrize("caps", [{"max_files": 2}, {"max_bytes": 1006}])
def test_too_much_is_refused(lay: Callable[..., dict[str, bytes]], tmp_path: Path, caps: dict[str, int]) -> None:
    entries = [*GOOD, (".deps/a-1.whl/a/b.py", b"b" * 500), (".deps/a-1.whl/a/c.py", b"c" * 501)]
    with pytest.raises(UntrustedError, match=r"at most|larger"):
        lay(entries, **caps)
    (tmp_path / "out").rename(tmp_path / "first")
    assert len(lay(entries, max_files=3, max_bytes=1007)) == 3  # control: one more of each is enough


def test_other_bytes_are_refused(tmp_path: Path) -> None:
    good, bad, folder = tmp_path / "good", tmp_path / "bad", tmp_path / "out"
    folder.mkdir()
    with zipfile.ZipFile(good, "w") as archive:
        archive.writestr(".deps/a-1.whl/a.py", b"a" * 1000)
    whole = good.read_bytes()
    deps_layout.lay_out(good, Digest.of(whole), folder)
    bad.write_bytes(whole.replace(b"aaaa", b"aaab", 1))
    cases: list[tuple[Path, Digest, type[OracleError]]] = [
        (bad, Digest.of(whole), UntrustedError),
        (bad, Digest.of(bad.read_bytes()), Malfunction),  # the checksum inside
        (tmp_path / "absent", Digest.of(whole), Malfunction),
    ]
    for path, digest, error in cases:
        with pytest.raises(error):
            deps_layout.lay_out(path, digest, folder)
    bad.write_bytes(b"no archive")
    with pytest.raises(Malfunction, match="can't be read"):
        deps_layout.lay_out(bad, Digest.of(b"no archive"), folder)
