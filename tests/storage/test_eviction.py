"""The cap: who goes first, who stays, and that the count on the disk is right."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.digest import Digest
from oracle_rules.reapi.messages import ActionResult, OutputFile
from oracle_rules.storage.disk import Disk, open_disk
from oracle_rules.storage.folder import Folder

BLOCK = 4096


class Clock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.time = 1_000_000.0

    def __call__(self) -> float:
        return self.time


class Cache:
    """A disk cache with a clock of its own."""

    def __init__(self, root: Path, *, blocks: int, keep: float = 0.0) -> None:
        self.root = root
        self.clock = Clock()
        self.disk: Disk = open_disk(root, cap_bytes=blocks * BLOCK, now=self.clock, keep_seconds=keep)

    def put(self, name: str) -> Digest:
        """A blob of one block, one second after whatever was before."""
        self.clock.time += 1
        return self.disk.content.put(name.encode())

    def put_result(self, name: str, *blobs: Digest) -> Digest:
        """A result that names these blobs."""
        self.clock.time += 1
        files = tuple(OutputFile(path=f"o{n}", digest=blob, is_executable=False) for n, blob in enumerate(blobs))
        action = Digest.of(name.encode())
        self.disk.actions.put(action, ActionResult(output_files=files, exit_code=0))
        return action

    def names(self, kind: str) -> set[str]:
        """The entries of that kind."""
        return {path.name for path in (self.root / kind).glob("*/*")}

    def has(self, digest: Digest) -> bool:
        """Whether a blob is there, without marking it as used."""
        return digest.hash in self.names("cas")

    def used(self) -> int:
        """What entries take, measured by hand."""
        paths = [*(self.root / "cas").glob("*/*"), *(self.root / "ac").glob("*/*")]
        return sum(max(BLOCK, -(-path.stat().st_size // BLOCK) * BLOCK) for path in paths)

    def count(self) -> int:
        """What the cache believes they take."""
        return int((self.root / "usage").read_bytes().split()[0])


def test_below_the_cap_nothing_goes(tmp_path: Path) -> None:
    cache = Cache(tmp_path, blocks=10)
    digests = [cache.put(f"{number}") for number in range(10)]
    assert all(map(cache.has, digests))
    assert cache.count() == cache.used() == 10 * BLOCK


def test_the_least_recently_put_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, blocks=10)
    digests = [cache.put(f"{number}") for number in range(11)]
    # Down to nine tenths of the cap: two of eleven go.
    assert [cache.has(digest) for digest in digests] == [False] * 2 + [True] * 9
    assert cache.count() == cache.used() == 9 * BLOCK


@pytest.mark.parametrize("use", ["get", "contains", "find_missing", "path", "put"])
def test_use_keeps_an_entry(tmp_path: Path, use: str) -> None:
    cache = Cache(tmp_path, blocks=10)
    digests = [cache.put(f"{number}") for number in range(10)]
    cache.clock.time += 1
    argument: object = {"find_missing": [digests[0]], "put": b"0"}.get(use, digests[0])
    getattr(cache.disk.content, use)(argument)
    cache.put("one more")
    assert [cache.has(digest) for digest in digests] == [True] + [False] * 2 + [True] * 7


def test_what_was_used_lately_stays_whatever_the_cap_says(tmp_path: Path) -> None:
    cache = Cache(tmp_path, blocks=10, keep=100)
    old = [cache.put(f"old {number}") for number in range(5)]
    cache.clock.time += 200
    new = [cache.put(f"new {number}") for number in range(20)]
    assert not any(map(cache.has, old))
    assert all(map(cache.has, new))
    assert cache.count() == cache.used() == 20 * BLOCK
    cache.clock.time += 200
    cache.put("one more")
    cache.put("and one")
    assert cache.used() <= 10 * BLOCK
    assert cache.count() == cache.used()


def test_a_cap_that_all_is_in_use_under_does_not_start_a_sweep_per_write(tmp_path: Path) -> None:
    cache = Cache(tmp_path, blocks=100, keep=1000)
    for number in range(200):
        cache.put(f"{number}")
    sweep = tmp_path / "tmp" / "sweep"
    stamps = set()
    for number in range(10):
        os.utime(sweep, (1, 1))
        cache.put(f"more {number}")
        total, due = map(int, (tmp_path / "usage").read_bytes().split())
        stamps.add(due)
        assert total <= due
    assert len(stamps) <= 3


@pytest.mark.parametrize("count", [7, 8])  # two go at a time: with one of these, the result and the blob part
def test_a_result_goes_before_its_blobs(tmp_path: Path, count: int) -> None:
    cache = Cache(tmp_path, blocks=count + 2)
    blob = cache.put("named")
    others = [cache.put(f"{number}") for number in range(count)]
    action = cache.put_result("action", blob)
    # The blob is the oldest, but counts as used when its result was: the others go first.
    cache.put("one more")
    assert [cache.has(digest) for digest in others] == [False] * 2 + [True] * (count - 2)
    assert cache.has(blob)
    assert cache.names("ac") == {action.hash}
    for number in range(7):
        cache.put(f"more {number}")
        assert cache.names("ac") == set() or cache.has(blob)
    for number in range(20):
        cache.put(f"yet more {number}")
    assert not cache.has(blob)
    assert cache.names("ac") == set()


def test_a_time_in_the_future_does_not_keep_an_entry_for_ever(tmp_path: Path) -> None:
    cache = Cache(tmp_path, blocks=10, keep=100)
    wrong = cache.put("from the future")
    path = tmp_path / "cas" / wrong.hash[:2] / wrong.hash
    os.utime(path, (cache.clock.time + 1e6,) * 2)
    for number in range(10):
        cache.put(f"{number}")
    assert not cache.has(wrong)
    right = cache.put("from the future")
    os.utime(path, (cache.clock.time + 1e6,) * 2)
    assert cache.disk.content.get(right) == b"from the future"
    assert path.stat().st_mtime == cache.clock.time, "a use sets the time right"


def test_the_count_is_made_good_when_it_is_lost_or_nonsense(tmp_path: Path) -> None:
    cache = Cache(tmp_path, blocks=100)
    for number in range(5):
        cache.put(f"{number}")
    for nonsense in (b"", b"x", b"-1 5\n", b"1", b"9" * 99, b"\0" * 48):
        (tmp_path / "usage").write_bytes(nonsense)
        cache.put(f"after {nonsense!r}")
        assert cache.count() == cache.used()
    (tmp_path / "usage").unlink()
    cache.put("after that")
    assert cache.count() == cache.used() == 12 * BLOCK


def test_large_blobs_count_by_their_blocks(tmp_path: Path) -> None:
    cache = Cache(tmp_path, blocks=100)
    cache.disk.content.put(b"x" * (3 * BLOCK + 1))
    cache.disk.content.put(b"")
    assert cache.count() == cache.used() == 5 * BLOCK


def test_what_is_not_an_entry_is_left_alone_and_what_can_be_none_is_removed(tmp_path: Path) -> None:
    cache = Cache(tmp_path, blocks=10)
    digest = cache.put("x")
    shard = tmp_path / "cas" / digest.hash[:2]
    stranger = shard / "README"
    stranger.write_bytes(b"mine")
    misplaced = tmp_path / "cas" / "zz" / ("0" * 64)
    misplaced.parent.mkdir()
    misplaced.write_bytes(b"mine")
    odd = shard / (digest.hash[:2] + "0" * 62)
    odd.mkdir()
    link = shard / (digest.hash[:2] + "1" * 62)
    link.symlink_to(stranger)
    cache.disk.cap.sweep()
    assert stranger.read_bytes() == misplaced.read_bytes() == b"mine"
    assert not odd.exists()
    assert not link.is_symlink()
    assert cache.has(digest)
    assert cache.count() == BLOCK


def test_a_file_that_is_being_read_stays_whole_when_it_is_evicted(tmp_path: Path) -> None:
    cache = Cache(tmp_path, blocks=10)
    digest = cache.put("in hand")
    path = cache.disk.content.path(digest)
    assert path is not None
    with path.open("rb") as handle:
        for number in range(20):
            cache.put(f"{number}")
        assert not cache.has(digest)
        assert handle.read() == b"in hand"


def test_an_entry_used_since_it_was_chosen_is_put_back(tmp_path: Path) -> None:
    """The race between a sweep and a use, one step at a time."""
    folder = Folder(tmp_path, now=lambda: 2000.0, keep_seconds=0, durable=False)
    name = "ab" + "0" * 62
    folder.write("cas", name, b"x")
    assert not folder.retire("cas", name, 1999.0)
    assert folder.read("cas", name, max_bytes=1, mark=False) == b"x"
    assert folder.retire("cas", name, 2000.0)
    assert folder.read("cas", name, max_bytes=1) is None
    assert not folder.retire("cas", name, 2000.0)
    assert list((tmp_path / "tmp").iterdir()) == []


class Meddler(Clock):
    """A clock that does something once when it is next read: what another process might do at that moment."""

    def __init__(self) -> None:
        super().__init__()
        self.deed: Callable[[], None] | None = None
        self.skip = 0

    def __call__(self) -> float:
        if self.skip and self.deed is not None:
            self.skip -= 1
            return super().__call__()
        deed, self.deed = self.deed, None
        if deed is not None:
            deed()
        return super().__call__()


def test_an_entry_that_goes_while_it_is_asked_for_is_missing(tmp_path: Path) -> None:
    clock = Meddler()
    content = open_disk(tmp_path, cap_bytes=1 << 30, now=clock, keep_seconds=100).content
    digest = content.put(b"x")
    path = tmp_path / "cas" / digest.hash[:2] / digest.hash
    assert content.contains(digest)
    clock.time += 1000  # nobody evicts what was used just now
    clock.deed = path.unlink
    assert not content.contains(digest)
    content.put(b"x")
    # An old entry that goes after put has compared it: put must not trust what it has read.
    clock.time += 1000
    clock.deed = path.unlink
    assert content.put(b"x") == digest
    assert path.read_bytes() == b"x"


def test_a_writer_whose_file_was_collected_writes_it_again(tmp_path: Path) -> None:
    clock = Meddler()
    content = open_disk(tmp_path, cap_bytes=1 << 30, now=clock).content
    content.put(b"x")

    def collect() -> None:
        for path in (tmp_path / "tmp").iterdir():
            path.unlink()

    clock.deed = collect
    digest = content.put(b"y")
    assert clock.deed is None
    assert content.get(digest) == b"y"


def _full(root: Path) -> tuple[Meddler, Disk, Digest, Digest]:
    """A cache over its cap, a result and its blob being the oldest; what happens next does so while it is swept."""
    clock = Meddler()
    disk = open_disk(root, cap_bytes=10 * BLOCK, now=clock, keep_seconds=1000)
    blob = disk.content.put(b"named")
    action = Digest.of(b"action")
    files = (OutputFile(path="o", digest=blob, is_executable=False),)
    disk.actions.put(action, ActionResult(output_files=files, exit_code=0))
    for number in range(10):
        clock.time += 1
        disk.content.put(b"%d" % number)
    clock.time += 2000
    # The first reading looks for leftovers, the second is when all entries have been seen and none is gone.
    clock.skip = 1
    return clock, disk, action, blob


def test_a_result_used_while_a_sweep_is_on_keeps_its_blobs(tmp_path: Path) -> None:
    clock, disk, action, blob = _full(tmp_path / "used")
    path = tmp_path / "used" / "ac" / action.hash[:2] / action.hash
    clock.deed = lambda: os.utime(path, (clock.time, clock.time))
    disk.cap.sweep()
    assert clock.deed is None
    assert disk.actions.get(action) is not None
    assert disk.content.contains(blob)
    _, disk, action, blob = _full(tmp_path / "unused")
    disk.cap.sweep()
    assert disk.actions.get(action) is None
    assert not disk.content.contains(blob)


def test_what_is_written_while_a_sweep_is_on_is_counted(tmp_path: Path) -> None:
    clock, disk, _, _ = _full(tmp_path)
    # Too little to start a sweep of its own, which would have to wait for this one.
    clock.deed = lambda: disk.cap.wrote([3 * BLOCK])
    disk.cap.sweep()
    assert clock.deed is None
    there = len([*(tmp_path / "cas").glob("*/*"), *(tmp_path / "ac").glob("*/*")])
    assert int((tmp_path / "usage").read_bytes().split()[0]) == (there + 3) * BLOCK


def test_no_count_is_lost_between_threads(tmp_path: Path) -> None:
    disk = open_disk(tmp_path, cap_bytes=1 << 40)
    disk.content.put(b"x")

    def count() -> None:
        for _ in range(300):
            disk.cap.wrote([1])

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert int((tmp_path / "usage").read_bytes().split()[0]) == (4 * 300 + 1) * BLOCK


operations = st.lists(
    st.tuples(st.sampled_from(["put", "result", "get", "wait"]), st.integers(0, 15), st.integers(0, 15)), max_size=60
)


@settings(max_examples=40, deadline=None)
@given(operations, st.sampled_from([0.0, 3.0]))
def test_laws_of_eviction(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, int]], keep: float
) -> None:
    """After any history the count is right, what is in use is there, no result lacks a blob, and the cap holds."""
    cache = Cache(tmp_path_factory.mktemp("c"), blocks=8, keep=keep)
    last: dict[str, float] = {}
    named: dict[str, list[Digest]] = {}
    for kind, one, other in steps:
        if kind == "wait":
            cache.clock.time += one
        elif kind == "put":
            last[cache.put(f"{one}").hash] = cache.clock.time
        elif kind == "get":
            digest = Digest.of(f"{one}".encode())
            if cache.disk.content.get(digest) is not None and not keep:
                last[digest.hash] = cache.clock.time
        else:
            blobs = [cache.put(f"{one}"), cache.put(f"{other}")]
            action = cache.put_result(f"action {one}", *blobs)
            last.update((digest.hash, cache.clock.time) for digest in blobs)
            named[action.hash] = blobs
    cache.disk.cap.sweep()
    if not last:
        return
    assert cache.count() == cache.used()
    there = cache.names("cas")
    if not keep:
        assert cache.used() <= 8 * BLOCK
        for action_name in cache.names("ac"):
            assert {digest.hash for digest in named[action_name]} <= there
    for name, moment in last.items():
        if cache.clock.time - moment < keep * 3 / 4:
            assert name in there
