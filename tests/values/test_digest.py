"""Digests: published SHA-256 vectors, one spelling, and nothing that is not a digest."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.digest import EMPTY, Digest

# FIPS 180-2, appendix B, and the digest of nothing.
VECTORS = [
    (b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
        b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ),
    (b"a" * 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
]
HASH = VECTORS[1][1]


@pytest.mark.parametrize(("data", "expected"), VECTORS, ids=["empty", "abc", "two-blocks", "million"])
def test_published_vectors(data: bytes, expected: str) -> None:
    digest = Digest.of(data)
    assert (digest.hash, digest.size_bytes) == (expected, len(data))
    assert str(digest) == f"{expected}/{len(data)}"
    assert digest.as_json() == {"hash": expected, "size_bytes": len(data)}


def test_the_empty_digest() -> None:
    assert Digest(VECTORS[0][1], 0) == EMPTY


@given(st.binary(max_size=300))
def test_text_and_back(data: bytes) -> None:
    digest = Digest.of(data)
    assert Digest.parse(str(digest)) == digest


@given(st.binary(min_size=1, max_size=100), st.integers(0, 99), st.integers(1, 255))
def test_one_changed_byte_makes_another_digest(data: bytes, place: int, change: int) -> None:
    other = bytearray(data)
    other[place % len(data)] ^= change
    assert Digest.of(bytes(other)) != Digest.of(data)
    assert Digest.of(data + b"\0") != Digest.of(data)


NOT_A_HASH: list[Any] = [
    "",
    "ab",
    HASH.upper(),
    HASH[:-1],
    HASH + "0",
    HASH + "\n",
    "g" * 64,
    "٣" * 64,
    None,
    HASH.encode(),
]
NOT_A_SIZE: list[Any] = [-1, 1.0, "3", None, True]


@pytest.mark.parametrize("name", NOT_A_HASH)
def test_not_a_hash(name: Any) -> None:
    with pytest.raises(ValueError, match="SHA-256"):
        Digest(name, 3)


@pytest.mark.parametrize("size", NOT_A_SIZE)
def test_not_a_size(size: Any) -> None:
    with pytest.raises(ValueError, match="size in bytes"):
        Digest(HASH, size)


@pytest.mark.parametrize(
    "text", ["", HASH, f"{HASH}/", f"{HASH}/-1", f"{HASH}/+3", f"{HASH}/ 3", f"{HASH}/٣", f"{HASH}/3/3"]
)
def test_not_the_text_of_a_digest(text: str) -> None:
    with pytest.raises(ValueError):
        Digest.parse(text)


def test_the_text_of_one() -> None:
    assert Digest.parse(f"{HASH}/3") == Digest.of(b"abc")


def test_a_digest_can_not_be_changed() -> None:
    with pytest.raises(AttributeError):
        Digest.of(b"abc").size_bytes = 4  # type: ignore[misc]
