"""The image: enough by itself, the same bytes whoever builds it, readable by everybody."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from oracle_rules.errors import Malfunction
from oracle_rules.execution.toolchain import INTERPRETER, Image, Toolchain, describe, image, tree

from .support import REPOSITORY, chroot, copy_of, public_interpreter

Built = tuple[Toolchain, Image, Path]

_INSIDE = r"""
import asyncio, bz2, ctypes, dbm, decimal, hashlib, json, locale, lzma, os, sqlite3, ssl, sys, sysconfig, uuid, zlib
import zoneinfo
async def answer():
    return 42
try:
    zone = zoneinfo.ZoneInfo("Europe/Paris").key
except zoneinfo.ZoneInfoNotFoundError:
    zone = None
print(json.dumps({
    "prefix": [sys.prefix, sys.exec_prefix, sys.base_prefix], "path": sys.path, "executable": sys.executable,
    "locale": locale.setlocale(locale.LC_ALL, ""), "utf8": [sys.flags.utf8_mode, sys.getfilesystemencoding()],
    "asyncio": asyncio.run(answer()), "sqlite": sqlite3.connect(":memory:").execute("select 6 * 7").fetchone()[0],
    "decimal": str(decimal.Decimal(1) / 3), "c": ctypes.CDLL(None).abs(-42), "c++": bool(ctypes.CDLL("libstdc++.so.6")),
    "sha256": hashlib.sha256(b"abc").hexdigest(), "md5": hashlib.md5(b"").hexdigest(),
    "lzma": lzma.decompress(lzma.compress(b"x" * 99)) == bz2.decompress(bz2.compress(b"x" * 99)),
    "ssl": ssl.create_default_context().verify_mode.name, "zone": zone, "suffix": sysconfig.get_config_var("EXT_SUFFIX"),
    "cached": json.__cached__, "loaded": json.__spec__.loader.__class__.__name__, "code": json.dumps.__code__.co_filename,
    "root": sorted(os.listdir("/")),
}))
"""


def test_it_works_as_the_only_content_of_a_root(built: Built) -> None:
    toolchain, made, _ = built
    env = {"LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "TZ": "UTC"}
    done = chroot(made.root, INTERPRETER, "-I", "-S", "-B", "-c", _INSIDE, env=env)
    assert done.stderr == ""
    said = json.loads(done.stdout)
    major, minor, _ = toolchain.document["version"].split(".")
    home = f"/python/lib/python{major}.{minor}"
    assert said["prefix"] == ["/python"] * 3
    assert said["path"] == [f"/python/lib/python{major}{minor}.zip", home, f"{home}/lib-dynload"]
    assert said["executable"] == "/python/bin/python3"
    assert (said["locale"], said["utf8"]) == ("C.UTF-8", [0, "utf-8"])
    assert (said["asyncio"], said["sqlite"], said["c"], said["c++"]) == (42, 42, 42, True)
    assert said["decimal"] == "0.3333333333333333333333333333"
    assert said["sha256"].startswith("ba7816bf8f01cfea")
    assert said["md5"] == "d41d8cd98f00b204e9800998ecf8427e"
    assert (said["lzma"], said["ssl"], said["zone"]) == (True, "CERT_REQUIRED", None)
    assert said["suffix"] in next(iter(toolchain.document["extensions"]))
    assert said["cached"] == f"{home}/json/__pycache__/__init__.{toolchain.document['cache_tag']}.pyc"
    assert said["code"] == f"{home}/json/__init__.py"
    assert said["root"] == sorted(made.tops)


def test_without_the_image_nothing_runs(tmp_path: Path) -> None:
    assert chroot(tmp_path, INTERPRETER, "-c", "pass").returncode == 127  # control: the root really is all there is


def test_each_extension_can_be_imported(built: Built) -> None:
    toolchain, made, _ = built
    names = sorted(name.partition(".")[0] for name in toolchain.document["extensions"])
    script = f"import importlib\nfor name in {names!r}: importlib.import_module(name)\nprint('all')"
    done = chroot(made.root, INTERPRETER, "-I", "-S", "-B", "-c", script)
    assert (done.stdout, done.stderr) == ("all\n", "")
    assert len(names) > 25


def test_no_source_or_bytecode_names_a_place_on_the_host(built: Built) -> None:
    toolchain, made, root = built
    host = {str(root), str(REPOSITORY), str(toolchain.interpreter.parent), str(Path.home() / ".")}
    places = [os.fsencode(place) for place in host if place not in ("/", "/usr/bin", "/root", "/usr/local/bin")]
    for path in made.root.rglob("*.py*"):
        content = path.read_bytes()
        assert not [place for place in places if place in content], path


def test_bytecode_is_complete_unchecked_and_of_its_source(built: Built) -> None:
    _, made, _ = built
    from importlib.util import source_hash

    sources = {path for path in made.root.rglob("*.py")}
    compiled = {path.parents[1] / (path.name.partition(".")[0] + ".py"): path for path in made.root.rglob("*.pyc")}
    assert set(compiled) == sources
    for source, path in compiled.items():
        head = path.read_bytes()[:16]
        assert head[4:8] == b"\1\0\0\0"  # PEP 552: hash-based, unchecked
        assert head[8:16] == source_hash(source.read_bytes())


def fingerprint(root: Path) -> dict[str, tuple[object, ...]]:
    """Name, type, mode, time, content of everything below."""
    found: dict[str, tuple[object, ...]] = {}
    for path in sorted(root.rglob("*")):
        facts = path.lstat()
        if path.is_symlink():
            content = os.readlink(path)
        else:
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(root))] = (stat.S_IFMT(facts.st_mode), facts.st_mode, facts.st_mtime_ns, content)
    return found


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter and write, with a copy of our package that every user may read."""
    folder = Path(tempfile.mkdtemp(prefix="toolchain-"))
    try:
        folder.chmod(0o777)
        package = folder / "package" / "oracle_rules"
        for name in (
            "errors.py",
            "digest.py",
            "__init__.py",
            "protocol",
            "execution/__init__.py",
            "execution/toolchain",
        ):
            source, target = REPOSITORY / "oracle_rules" / name, package / name
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
        subprocess.run(["chmod", "-R", "a+rX", str(folder / "package")], check=True)
        yield folder
    finally:
        tree.remove(folder)


_BUILD = (
    "import os, sys; os.umask(int(sys.argv[3], 8)); sys.path.insert(0, sys.argv[1]);"
    "from pathlib import Path; from oracle_rules.execution.toolchain import describe, image;"
    "print(image(describe(cache_root=Path(sys.argv[2])), Path(sys.argv[2])).root)"
)


def test_two_users_build_the_same_bytes(open_folder: Path) -> None:
    interpreter = public_interpreter()
    drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    package = str(open_folder / "package")
    first = ["-B", "-c", _BUILD, package, str(open_folder / "a"), "022"]
    second = ["-B", "-c", _BUILD, package, str(open_folder / "b"), "077"]
    system = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    odd = system | {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "77", "HOME": "/nowhere"}
    runs = [
        subprocess.Popen([interpreter, *first], env=system, cwd="/", stdout=subprocess.PIPE, text=True),
        subprocess.Popen([*drop, interpreter, *second], env=odd, cwd=open_folder, stdout=subprocess.PIPE, text=True),
    ]
    roots = [Path(run.communicate(timeout=120)[0].strip()) for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert roots[0].parents[1] == open_folder / "a" and roots[1].parents[1] == open_folder / "b"
    assert (roots[0].stat().st_uid != roots[1].stat().st_uid) is bool(drop)
    assert fingerprint(roots[0]) == fingerprint(roots[1])
    assert len(fingerprint(roots[0])) > 1000


def test_everything_is_read_only_and_readable_by_all(built: Built) -> None:
    _, made, _ = built
    for path in (made.root, *made.root.rglob("*")):
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            assert not os.path.isabs(os.readlink(path))
            assert path.resolve().is_relative_to(made.root)
        else:
            assert stat.S_IMODE(mode) == (0o555 if path.is_dir() or mode & 0o100 else 0o444), path
    loader = built[0].document["loader"]["path"]
    assert os.access(made.root / loader.lstrip("/"), os.X_OK)


def test_mounts_cover_the_image(built: Built) -> None:
    _, made, _ = built
    assert dict(made.mounts()) == {made.root / name: f"/{name}" for name in os.listdir(made.root)}
    assert {"/python", "/lib"} <= {inside for _, inside in made.mounts()}


def test_an_image_is_found_again_and_rebuilt_after_damage(one: Built) -> None:
    toolchain, made, root = one
    inode = made.root.stat().st_ino
    assert image(toolchain, root) == made
    assert made.root.stat().st_ino == inode
    before = fingerprint(made.root)
    victim = made.root / "lib" / "libc.so.6"
    victim.chmod(0o644)
    with victim.open("r+b") as stream:
        stream.seek(100)
        stream.write(b"\xff")
    image(toolchain, root)
    assert made.root.stat().st_ino != inode
    assert fingerprint(made.root) == before


def test_a_host_that_changed_after_its_description_is_a_malfunction(one: Built, tmp_path: Path) -> None:
    interpreter = copy_of(one[1].root, tmp_path / "own")
    toolchain = describe(interpreter)
    changed = next((interpreter.parents[1] / "lib").iterdir()) / "this.py"
    changed.write_text("x = 1\n")
    with pytest.raises(Malfunction, match="not the one that was described") as caught:
        image(toolchain, tmp_path)
    assert caught.value.where == str(changed)
    assert not (tmp_path / "toolchains" / toolchain.digest.hash).exists()


_FULL = """
import sys; sys.path.insert(0, sys.argv[1])
from pathlib import Path
from oracle_rules.errors import Malfunction
from oracle_rules.execution.toolchain import describe, image
cache = Path(sys.argv[2])
try:
    image(describe(Path(sys.argv[3]), cache_root=cache), cache)
except Malfunction as error:
    left = [path.name for path in (cache / "toolchains").iterdir() if path.suffix != ".lock"]
    print(error.exit_code, error, left)
else:
    print("built")
"""


@pytest.mark.parametrize(("size", "said"), [("4m", "5 "), ("400m", "built")])
def test_a_full_disk_is_a_malfunction_and_leaves_nothing(one: Built, tmp_path: Path, size: str, said: str) -> None:
    script = f"mount -t tmpfs -o size={size},mode=755 none '{tmp_path}' && exec \"$@\""
    words = [sys.executable, "-c", _FULL, str(REPOSITORY), str(tmp_path), str(one[0].interpreter)]
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    outer = ["unshare", "-r", "-m", "sh", "-c", script, "sh", *words]
    done = subprocess.run(outer, env=env, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.startswith(said), done.stdout
    if size == "4m":
        assert "No space left on device" in done.stdout
        assert done.stdout.rstrip().endswith("['described']")
