"""Real packages from the index, real Pex: the same bytes twice, importable in a root that holds nothing else."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle_rules.digest import Digest
from oracle_rules.errors import Malfunction, UntrustedError, UsageError
from oracle_rules.execution.deps import PLACE, Pex, build_pex, unpack
from oracle_rules.execution.toolchain import INTERPRETER, Image, Toolchain

from .support import bound, interpreters

Built = tuple[Toolchain, Image, Path]
LOCK = (Path(__file__).parent / "data" / "two.lock").read_bytes()  # iniconfig, and markupsafe with its C extension


@pytest.fixture(scope="module")
def pexes(build: Callable[[Path], Built]) -> Callable[[Path], Pex]:
    """The PEX of LOCK for an interpreter, built once."""
    made: dict[Path, Pex] = {}

    def get(interpreter: Path) -> Pex:
        if interpreter not in made:
            toolchain, _, root = build(interpreter)
            made[interpreter] = build_pex(LOCK, toolchain, root)
        return made[interpreter]

    return get


_INSIDE = """
import sys
sys.path.append("/deps")
import iniconfig, importlib.metadata, json, markupsafe, markupsafe._speedups
print(json.dumps({
    "escaped": str(markupsafe.escape("<a>")), "c": markupsafe._speedups.__file__, "pyc": iniconfig.__cached__,
    "versions": {dist.name.lower(): dist.version for dist in importlib.metadata.distributions()},
    "code": iniconfig.IniConfig.__init__.__code__.co_filename,
}))
"""


@pytest.mark.parametrize("interpreter", interpreters(), ids=str)
def test_the_packages_work_inside(
    interpreter: Path, build: Callable[[Path], Built], pexes: Callable[[Path], Pex], tmp_path: Path
) -> None:
    toolchain, image, cache = build(interpreter)
    pex = pexes(interpreter)
    folder = unpack(pex.path, pex.digest, toolchain, cache)
    root = tmp_path / "root"
    done = bound(root, [*image.mounts(), (folder, PLACE)], INTERPRETER, "-I", "-S", "-B", "-c", _INSIDE)
    assert done.stderr == ""
    said = json.loads(done.stdout)
    assert said["escaped"] == "&lt;a&gt;"
    assert said["versions"] == {"iniconfig": "2.3.1", "markupsafe": "3.0.4"}
    assert said["c"].startswith("/deps/markupsafe/_speedups.cpython-")
    assert said["pyc"].startswith("/deps/iniconfig/__pycache__/")
    assert said["code"] == "/deps/iniconfig/__init__.py"
    without = bound(tmp_path / "bare", list(image.mounts()), INTERPRETER, "-I", "-S", "-B", "-c", _INSIDE)
    assert "No module named 'iniconfig'" in without.stderr  # control
    assert not [path for path in folder.rglob("*") if path.suffix == ".pth" or path.stat().st_mode & 0o222]


def test_two_builds_are_the_same_bytes(
    one: Built, pexes: Callable[[Path], Pex], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toolchain, _, _ = one
    first = pexes(interpreters()[0])
    odd = {"TZ": "Asia/Tokyo", "LANG": "C", "LC_ALL": "C", "PYTHONHASHSEED": "9", "SOURCE_DATE_EPOCH": "5"}
    hostile = {"PEX_ROOT": "/nowhere", "PEX_PYTHON": "/bin/false", "PEX_VERBOSE": "9", "PIP_NO_BINARY": ":all:"}
    monkeypatch.chdir(tmp_path)
    before = os.umask(0o077)
    try:
        second = build_pex(LOCK, toolchain, tmp_path / "cache", environment={**os.environ, **odd, **hostile})
    finally:
        os.umask(before)
    assert second.path != first.path
    assert second.path.read_bytes() == first.path.read_bytes()
    assert second.digest == first.digest == Digest.of(first.path.read_bytes())
    assert second.path.stat().st_mode & 0o777 == 0o444
    assert zipfile.is_zipfile(second.path)
    # From here on the cache answers, so that an index which is not there is not missed.
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple"}
    assert build_pex(LOCK, toolchain, tmp_path / "cache", environment=nowhere) == second


def wheel(folder: Path, files: dict[str, str]) -> str:
    """Writes a wheel of the project `alpha` and returns its requirement line."""
    info = "alpha-1.0.dist-info"
    whole = files | {
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: alpha\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    whole[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*whole, f"{info}/RECORD"])
    folder.mkdir()
    path = folder / "alpha-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in whole.items():
            archive.writestr(name, text)
    return f"alpha==1.0 --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


def test_nothing_of_a_package_runs(one: Built, tmp_path: Path) -> None:
    toolchain, _, _ = one
    trap = tmp_path / "sprung"
    shout = f"open({str(trap)!r}, 'w')"
    line = wheel(
        tmp_path / "wheels",
        {
            "alpha/__init__.py": shout,
            "alpha/broken.py": "this is not python",
            "sitecustomize.py": shout,
            "trap.pth": f"import sys; {shout}\n",
            "alpha-1.0.data/scripts/run": f"#!python\n{shout}\n",
            "alpha-1.0.dist-info/entry_points.txt": "[pytest11]\nalpha = alpha\n[console_scripts]\nalpha = alpha:x\n",
        },
    )
    local = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path / "wheels"), "HOME": str(tmp_path)}
    pex = build_pex(line.encode(), toolchain, tmp_path / "cache", environment=local)
    folder = unpack(pex.path, pex.digest, toolchain, tmp_path / "cache")
    assert sorted(os.listdir(folder)) == ["alpha", "alpha-1.0.dist-info"]
    assert not trap.exists()
    changed = line.replace(line[-10:-1], "0" * 9)
    with pytest.raises(UntrustedError, match=r"other bytes than the lock names for alpha==1\.0") as caught:
        build_pex(changed.encode(), toolchain, tmp_path / "cache", environment=local)
    assert caught.value.exit_code == 7


def test_an_index_that_is_not_there_is_a_malfunction(one: Built, tmp_path: Path) -> None:
    toolchain, _, _ = one
    config = tmp_path / "pip.conf"
    config.write_text("")
    nowhere = {"PIP_INDEX_URL": "http://user:secret@127.0.0.1:9/simple", "PIP_CONFIG_FILE": str(config)}
    with pytest.raises(Malfunction, match="pex ended with status 1: ") as caught:
        build_pex(b"alpha==1.0 --hash=sha256:" + b"0" * 64, toolchain, tmp_path, environment=nowhere)
    assert caught.value.exit_code == 5
    assert "check the network" in caught.value.remedy
    assert "secret" not in str(caught.value)
    assert list((tmp_path / "pex").glob("*.complete")) == []


def test_a_lock_without_hashes_is_refused_before_anything_runs(one: Built, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="pytest has no hash") as caught:
        build_pex(b"pytest==9.2.0\n", one[0], tmp_path, where="deps.lock", environment={})
    assert caught.value.where == "deps.lock:1"
    assert os.listdir(tmp_path) == []


def test_an_empty_lock_is_an_empty_folder(one: Built, tmp_path: Path) -> None:
    toolchain, _, _ = one
    pex = build_pex(b"# no packages\n", toolchain, tmp_path, environment={})
    assert os.listdir(unpack(pex.path, pex.digest, toolchain, tmp_path)) == []
