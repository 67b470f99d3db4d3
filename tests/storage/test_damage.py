"""Whatever happens to an entry on the disk, it is a miss or it is right; and the next put mends it."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle_rules.digest import EMPTY, Digest
from oracle_rules.errors import Malfunction
from oracle_rules.reapi.messages import ActionResult, OutputFile
from oracle_rules.storage.disk import open_disk
from oracle_rules.storage.local import LocalCache, open_local

DATA = b"the blob" * 100
DIGEST = Digest.of(DATA)
ACTION = Digest.of(b"an action")
RESULT = ActionResult(
    output_files=(OutputFile(path="o", digest=DIGEST, is_executable=False),), exit_code=1, stdout_digest=EMPTY
)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(bytes(data))


def _zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _full_directory(path: Path) -> None:
    path.unlink()
    (path / "below").mkdir(parents=True)
    (path / "below" / "file").write_bytes(b"x")


def _symlink_to_a_copy(path: Path) -> None:
    copy = path.parent.parent / "copy"
    path.rename(copy)
    path.symlink_to(copy)


def _dangling_symlink(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def _symlink_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def _fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _gone(path: Path) -> None:
    path.unlink()


def _shard_gone(path: Path) -> None:
    shutil.rmtree(path.parent)


def _all_gone(path: Path) -> None:
    shutil.rmtree(path.parent.parent.parent)


DAMAGES: list[Callable[[Path], None]] = [
    _empty,
    _truncate,
    _lengthen,
    _flip,
    _zero,
    _directory,
    _full_directory,
    _symlink_to_a_copy,
    _dangling_symlink,
    _symlink_loop,
    _fifo,
    _gone,
    _shard_gone,
    _all_gone,
]


@pytest.fixture
def cache(tmp_path: Path) -> LocalCache:
    """A cache that holds one result and its blob."""
    made = open_local(tmp_path / "cache", cap_bytes=1 << 30)
    made.content.put(DATA)
    made.actions.put(ACTION, RESULT)
    for path in (tmp_path / "cache").rglob("*"):
        if path.is_file():
            path.chmod(0o644)
    return made


def _blob(root: Path) -> Path:
    return root / "cache" / "cas" / DIGEST.hash[:2] / DIGEST.hash


def _result(root: Path) -> Path:
    return root / "cache" / "ac" / ACTION.hash[:2] / ACTION.hash


def test_an_undamaged_entry_is_a_hit(cache: LocalCache, tmp_path: Path) -> None:
    assert cache.content.get(DIGEST) == DATA
    assert cache.actions.get(ACTION) == RESULT
    assert cache.content.path(DIGEST) == _blob(tmp_path)
    assert _blob(tmp_path).read_bytes() == DATA
    assert _result(tmp_path).is_file()


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_blob_is_a_miss_and_put_mends_it(
    cache: LocalCache, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    damage(_blob(tmp_path))
    assert cache.actions.get(ACTION) is None
    assert cache.content.get(DIGEST) is None
    assert cache.content.path(DIGEST) is None
    assert cache.content.put(DATA) == DIGEST
    assert cache.content.get(DIGEST) == DATA
    assert _blob(tmp_path).is_file()
    assert not _blob(tmp_path).is_symlink()


@pytest.mark.parametrize("damage", DAMAGES)
def test_put_mends_a_damaged_blob_that_nobody_read(
    cache: LocalCache, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    damage(_blob(tmp_path))
    assert cache.content.put(DATA) == DIGEST
    assert cache.content.get(DIGEST) == DATA


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_result_is_a_miss_and_put_mends_it(
    cache: LocalCache, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    damage(_result(tmp_path))
    assert cache.actions.get(ACTION) is None
    cache.content.put(DATA)
    cache.actions.put(ACTION, RESULT)
    assert cache.actions.get(ACTION) == RESULT


def test_a_blob_with_wrong_bytes_is_removed_when_it_is_read(cache: LocalCache, tmp_path: Path) -> None:
    _flip(_blob(tmp_path))
    assert cache.content.contains(DIGEST)
    assert cache.content.get(DIGEST) is None
    assert not _blob(tmp_path).exists()
    assert not cache.content.contains(DIGEST)


def test_what_is_no_file_is_not_there_whatever_its_size(cache: LocalCache, tmp_path: Path) -> None:
    path = _blob(tmp_path)
    assert cache.content.contains(DIGEST)
    path.unlink()
    path.symlink_to("./" * (len(DATA) // 2))
    assert path.lstat().st_size == DIGEST.size_bytes
    assert not cache.content.contains(DIGEST)
    assert open_disk(tmp_path / "cache", cap_bytes=1 << 30).content.path(DIGEST) is None


def test_no_path_is_given_to_a_blob_with_wrong_bytes(cache: LocalCache, tmp_path: Path) -> None:
    assert cache.content.path(DIGEST) == _blob(tmp_path)
    _flip(_blob(tmp_path))
    assert cache.content.path(DIGEST) is None


def test_the_disk_alone_does_not_look_at_bytes(cache: LocalCache, tmp_path: Path) -> None:
    """Why the factory wraps it: this is what `Verifying` is there for."""
    _flip(_blob(tmp_path))
    bare = open_disk(tmp_path / "cache", cap_bytes=1 << 30)
    assert bare.content.get(DIGEST) not in (None, DATA)
    assert bare.actions.get(ACTION) == RESULT


def test_a_socket_in_place_of_a_blob_is_a_miss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = open_local(tmp_path / "cache", cap_bytes=1 << 30).content
    content.put(DATA)
    blob = _blob(tmp_path)
    monkeypatch.chdir(blob.parent)
    blob.unlink()
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(blob.name)
        assert content.get(DIGEST) is None
        assert not content.contains(DIGEST)
        content.put(DATA)
        assert content.get(DIGEST) == DATA


def test_every_cut_and_every_flip_of_a_result_is_a_miss(cache: LocalCache, tmp_path: Path) -> None:
    path = _result(tmp_path)
    whole = path.read_bytes()
    for place in range(len(whole)):
        for bad in (whole[:place], whole[:place] + bytes((whole[place] ^ 1,)) + whole[place + 1 :]):
            path.write_bytes(bad)
            assert cache.actions.get(ACTION) is None, place
            assert not path.exists()
    path.write_bytes(whole)
    assert cache.actions.get(ACTION) == RESULT


def test_a_result_under_another_key_is_a_miss(cache: LocalCache, tmp_path: Path) -> None:
    other = Digest.of(b"another action")
    target = tmp_path / "cache" / "ac" / other.hash[:2] / other.hash
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(_result(tmp_path).read_bytes())
    assert cache.actions.get(other) is None
    assert cache.actions.get(ACTION) == RESULT


def test_a_file_where_a_folder_has_to_be_is_a_miss_and_a_malfunction(cache: LocalCache, tmp_path: Path) -> None:
    shard = _blob(tmp_path).parent
    shutil.rmtree(shard)
    shard.write_bytes(b"")
    assert cache.content.get(DIGEST) is None
    assert cache.content.find_missing([DIGEST]) == {DIGEST}
    with pytest.raises(Malfunction) as caught:
        cache.content.put(DATA)
    assert caught.value.code == "cache_unusable"
    assert caught.value.remedy
    shard.unlink()
    assert cache.content.put(DATA) == DIGEST


def test_a_root_that_is_a_file_is_a_malfunction(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for root in (tmp_path / "file", tmp_path / "file" / "below"):
        cache = open_local(root, cap_bytes=1)
        assert cache.content.get(DIGEST) is None
        with pytest.raises(Malfunction, match="cache can't be used"):
            cache.content.put(DATA)
