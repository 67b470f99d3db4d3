"""The folder: its layout and modes, and what becomes of it under other users, full disks, kills and many processes."""

from __future__ import annotations

import errno
import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from oracle_rules.digest import Digest
from oracle_rules.errors import Exit, UsageError
from oracle_rules.reapi.messages import ActionResult
from oracle_rules.storage.disk import open_disk
from oracle_rules.storage.folder import malfunction
from oracle_rules.storage.local import open_local

from . import programs

BARE = ActionResult(output_files=(), exit_code=3)


def _entries(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file() and path.parent.parent.name in ("cas", "ac"))


def test_layout(tmp_path: Path) -> None:
    """SHA-256 of `abc` from FIPS 180-2, appendix B.1."""
    name = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    cache = open_local(tmp_path / "c", cap_bytes=1 << 30)
    cache.content.put(b"abc")
    cache.actions.put(Digest.of(b"abc"), BARE)
    assert _entries(tmp_path / "c") == [tmp_path / "c" / "ac" / "ba" / name, tmp_path / "c" / "cas" / "ba" / name]
    assert (tmp_path / "c" / "cas" / "ba" / name).read_bytes() == b"abc"


def test_opening_and_reading_write_nothing(tmp_path: Path) -> None:
    cache = open_local(tmp_path / "c", cap_bytes=1 << 30)
    assert cache.content.get(Digest.of(b"x")) is None
    assert cache.actions.get(Digest.of(b"x")) is None
    cache.content.discard(Digest.of(b"x"))
    assert list(tmp_path.iterdir()) == []


def test_a_cap_that_holds_nothing_is_refused(tmp_path: Path) -> None:
    for cap in (0, -1):
        with pytest.raises(UsageError):
            open_local(tmp_path, cap_bytes=cap)


def test_a_relative_root_stays_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cache = open_local(Path("c"), cap_bytes=1 << 30)
    digest = cache.content.put(b"x")
    monkeypatch.chdir("/")
    assert cache.content.get(digest) == b"x"


@pytest.mark.parametrize("umask", ["0", "022", "077", "0777"])
def test_modes_do_not_depend_on_the_umask(tmp_path: Path, umask: str) -> None:
    # Without the capabilities of root, so that a mode is felt.
    output = programs.run("with_umask", tmp_path / "c", umask, before=("unshare", "-U"))
    assert output == "b'data' True\n"
    modes = {path.name[:5]: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "c").rglob("*")}
    name = Digest.of(b"data").hash
    assert modes == {
        "ac": 0o755,
        "cas": 0o755,
        "tmp": 0o755,
        name[:2]: 0o755,
        name[:5]: 0o444,
        "usage": 0o644,
        "sweep": 0o644,
    }
    assert stat.S_IMODE((tmp_path / "c").stat().st_mode) == 0o755


def _kept(root: Path) -> None:
    cache = open_local(root, cap_bytes=1 << 30)
    cache.content.put(b"kept")
    cache.actions.put(Digest.of(b"action"), BARE)


READ_ONLY = [
    "get b'kept'",
    "missing 1",
    "path True",
    "result 3",
    "put cache_read_only 5 True",
    "put again done",
    "put result cache_read_only 5 True",
]


def test_a_folder_without_write_permission_serves_reads(tmp_path: Path) -> None:
    root = tmp_path / "c"
    _kept(root)
    folders = [root, *(path for path in root.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    before = {path: path.read_bytes() for path in _entries(root)}
    try:
        # A user namespace without a mapping: still the owner, no longer above permissions.
        output = programs.run("write_and_read", root, before=("unshare", "-U"))
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert output.splitlines() == READ_ONLY
    assert {path: path.read_bytes() for path in _entries(root)} == before


def test_a_read_only_file_system_serves_reads(tmp_path: Path) -> None:
    root = tmp_path / "c"
    _kept(root)
    before = {path: path.read_bytes() for path in _entries(root)}
    script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    output = programs.run("write_and_read", root, before=("unshare", "-Urm", "sh", "-c", script, str(root)))
    assert output.splitlines() == READ_ONLY
    assert {path: path.read_bytes() for path in _entries(root)} == before


def test_the_same_writes_succeed_where_they_may(tmp_path: Path) -> None:
    _kept(tmp_path / "c")
    output = programs.run("write_and_read", tmp_path / "c", before=("unshare", "-Urm")).splitlines()
    assert output == [*READ_ONLY[:4], "put done", "put again done", "put result done"]
    assert len(_entries(tmp_path / "c")) == 2, "two of four were discarded"


def test_a_full_disk_is_a_malfunction_and_loses_nothing(tmp_path: Path) -> None:
    script = 'mount -t tmpfs -o size=1m none "$0" && exec "$@"'
    before = ("unshare", "-Urm", "sh", "-c", script, str(tmp_path))
    lines = programs.run("fill", tmp_path / "c", before=before).splitlines()
    assert lines[0] == ("ended cache_full 5 free space there, lower the cap of the cache, or name another cache folder")
    # A mebibyte holds at most 20 blobs of 50,000 bytes; folders take a few blocks too.
    assert 5 <= int(lines[1].removeprefix("put ")) <= 20
    assert lines[2:] == ["whole True", "refused is missing 1", "left over []", "put after room was made True"]


def test_each_kind_of_failure_has_a_code_and_a_remedy() -> None:
    expected = {
        errno.ENOSPC: "cache_full",
        errno.EDQUOT: "cache_full",
        errno.EACCES: "cache_read_only",
        errno.EPERM: "cache_read_only",
        errno.EROFS: "cache_read_only",
        errno.EIO: "cache_unusable",
        errno.EFBIG: "cache_unusable",
    }
    for number, code in expected.items():
        error = malfunction(OSError(number, ""), "/c/x")
        assert (error.code, error.where, error.exit_code) == (code, "/c/x", Exit.MALFUNCTION)
        assert error.remedy
        assert os.strerror(number) in error.detail


def test_a_process_without_descriptors_is_a_malfunction_and_not_a_miss(tmp_path: Path) -> None:
    """A miss would blame the cache, and run everything again, for a limit of this process."""
    code = (
        "import os, resource, sys\n"
        "from pathlib import Path\n"
        "from oracle_rules.digest import Digest\n"
        "from oracle_rules.errors import Malfunction\n"
        "from oracle_rules.storage.local import open_local\n"
        "cache = open_local(Path(sys.argv[1]), cap_bytes=1 << 30)\n"
        "digest = cache.content.put(b'x')\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))\n"
        "held = []\n"
        "try:\n"
        "    while True: held.append(os.open('/', 0))\n"
        "except OSError: pass\n"
        "try: print(cache.content.get(digest))\n"
        "except Malfunction as error: print(error.code)\n"
        "os.close(held.pop())\n"
        "print(cache.content.get(digest))\n"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "c")]
    output = subprocess.run(words, cwd=programs.TOP, capture_output=True, text=True, check=True).stdout
    assert output == "cache_unusable\nb'x'\n"


def test_a_kill_leaves_no_half_entry_and_its_leftovers_are_collected(tmp_path: Path) -> None:
    root = tmp_path / "c"
    for seed in range(12):
        process = programs.start("put_for_ever", root, seed)
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.007 * seed)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        process.stdout.close()
    # A leftover that is certain, beside those that chance made.
    (root / "tmp" / "1.dead").write_bytes(b"half of a bl")
    entries = _entries(root)
    blobs = [path for path in entries if path.parent.parent.name == "cas"]
    assert len(blobs) >= 12
    for path in blobs:
        assert Digest.of(path.read_bytes()).hash == path.name
    later = open_disk(root, cap_bytes=1 << 30, now=lambda: time.time() + 3600)
    for path in entries:
        if path.parent.parent.name == "ac":
            assert later.actions.get(Digest(path.name, 1)) is not None
    later.cap.sweep()
    assert [path.name for path in (root / "tmp").iterdir()] == ["sweep"]
    assert _entries(root) == entries
    total = sum(-(-path.stat().st_size // 4096) * 4096 for path in entries)
    assert re.fullmatch(rb"%d \d+\n *" % total, (root / "usage").read_bytes())


def test_what_a_writer_has_in_hand_is_no_leftover(tmp_path: Path) -> None:
    disk = open_disk(tmp_path, cap_bytes=1 << 30)
    disk.content.put(b"x")
    (tmp_path / "tmp" / "2.alive").write_bytes(b"half of a bl")
    disk.cap.sweep()
    assert sorted(path.name for path in (tmp_path / "tmp").iterdir()) == ["2.alive", "sweep"]


@pytest.mark.parametrize(("cap", "keep"), [(1 << 30, 600.0), (300_000, 600.0), (300_000, 0.2), (300_000, 0.0)])
def test_many_processes_at_once(tmp_path: Path, cap: int, keep: float) -> None:
    root = tmp_path / "c"
    processes = [programs.start("hammer", root, seed, 250, cap, keep) for seed in range(5)]
    hits = 0
    for process in processes:
        output, _ = process.communicate(timeout=60)
        assert process.returncode == 0, output
        assert re.fullmatch(r"hits \d+\n", output), output
        hits += int(output.split()[1])
    assert hits
    for path in _entries(root):
        if path.parent.parent.name == "cas":
            assert Digest.of(path.read_bytes()).hash == path.name
    assert [path.name for path in (root / "tmp").iterdir()] == ["sweep"]
