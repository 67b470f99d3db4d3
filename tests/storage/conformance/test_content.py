"""Laws of a ContentStore."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest

from oracle_rules.digest import EMPTY, Digest
from oracle_rules.errors import Exit, UsageError
from oracle_rules.storage.interface import MAX_BLOB_BYTES, ContentStore

BLOBS = [b"a", b"\0", b"x" * 4096, b"x" * 4097, bytes(range(256)) * 5000, b"\n", "ä".encode()]


@pytest.mark.parametrize("data", BLOBS, ids=[f"{len(data)}-bytes" for data in BLOBS])
def test_what_is_put_is_got(content: ContentStore, data: bytes) -> None:
    digest = content.put(data)
    assert (digest.hash, digest.size_bytes) == (hashlib.sha256(data).hexdigest(), len(data))
    assert content.get(digest) == data
    assert content.contains(digest)
    assert content.find_missing([digest]) == frozenset()


def test_what_was_not_put_is_missing(content: ContentStore) -> None:
    content.put(b"here")
    absent = Digest.of(b"absent")
    assert content.get(absent) is None
    assert not content.contains(absent)
    assert content.path(absent) is None
    assert content.find_missing([absent, Digest.of(b"here")]) == {absent}


def test_the_empty_blob_is_always_there(content: ContentStore) -> None:
    assert content.get(EMPTY) == b""
    assert content.contains(EMPTY)
    assert content.find_missing([EMPTY]) == frozenset()
    content.discard(EMPTY)
    assert content.get(EMPTY) == b""
    assert content.put(b"") == EMPTY


def test_the_size_is_part_of_the_digest(content: ContentStore) -> None:
    digest = content.put(b"abc")
    for size in (0, 2, 4, MAX_BLOB_BYTES, MAX_BLOB_BYTES + 1, 2**62):
        wrong = Digest(digest.hash, size)
        assert content.get(wrong) is None
        assert not content.contains(wrong)
        assert content.path(wrong) is None
        assert content.find_missing([wrong, digest]) == {wrong}
    assert content.get(digest) == b"abc"


def test_put_twice_is_put_once(content: ContentStore) -> None:
    assert content.put(b"same") == content.put(b"same")
    assert content.get(Digest.of(b"same")) == b"same"


def test_put_many_keeps_order_and_takes_an_iterator(content: ContentStore) -> None:
    blobs = [b"%d" % (number % 7) for number in range(20)]
    assert content.put_many(iter(blobs)) == tuple(Digest.of(data) for data in blobs)
    assert all(content.get(Digest.of(data)) == data for data in blobs)
    assert content.put_many([]) == ()
    assert content.find_missing([]) == frozenset()


def test_what_was_put_before_a_failure_is_kept(content: ContentStore) -> None:
    def blobs() -> Iterator[bytes]:
        yield b"first"
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        content.put_many(blobs())
    assert content.get(Digest.of(b"first")) == b"first"


def test_discard_forgets_and_put_brings_back(content: ContentStore) -> None:
    digest, other = content.put_many([b"one", b"two"])
    content.discard(digest)
    content.discard(digest)
    assert content.get(digest) is None
    assert not content.contains(digest)
    assert content.get(other) == b"two"
    content.put(b"one")
    assert content.get(digest) == b"one"


def test_a_path_holds_the_blob(content: ContentStore) -> None:
    path = content.path(content.put(b"on disk"))
    assert path is None or path.read_bytes() == b"on disk"


def test_a_blob_over_the_limit_is_refused_and_one_at_it_is_not(content: ContentStore) -> None:
    large = bytes(MAX_BLOB_BYTES + 1)
    with pytest.raises(UsageError, match="larger than") as caught:
        content.put(large)
    assert (caught.value.code, caught.value.exit_code) == ("blob_too_large", Exit.USAGE)
    assert caught.value.remedy
    digest = content.put(memoryview(large)[:-1].tobytes())
    found = content.get(digest)
    assert found is not None
    assert len(found) == MAX_BLOB_BYTES
