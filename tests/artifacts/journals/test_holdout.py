"""Held-out seeds: the published formula worked out another way, vectors of HMAC, and what is never drawn."""

from __future__ import annotations

import hashlib
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.artifacts.journals import holdout

PARENT = "0123456789abcdef0123456789abcdef01234567"
SECRET = bytes(range(32))


def by_hand(parent: str, number: int) -> int:
    """The first four bytes of the digest as a number, big end first, modulo 10000."""
    return int.from_bytes(hashlib.sha256(b"%s:%d" % (parent.encode(), number)).digest()[:4], "big") % 10_000


def test_the_seeds_of_a_merge_base_are_those_of_the_formula() -> None:
    # `printf '0123456789abcdef0123456789abcdef01234567:0' | sha256sum` and so on, first eight digits modulo 10000.
    digests = [subprocess.run(["sha256sum"], input=f"{PARENT}:{number}".encode(), capture_output=True, check=True)
               .stdout[:8].decode() for number in range(3)]
    assert holdout.from_parent(PARENT, 3, seen=()) == tuple(int(digits, 16) % 10_000 for digits in digests)


@given(st.text("0123456789abcdef", min_size=40, max_size=40), st.integers(1, 12), st.sets(st.integers(0, 9_999)))
def test_seen_seeds_are_skipped_and_the_next_digest_is_drawn(parent: str, wanted: int, seen: set[int]) -> None:
    found = holdout.from_parent(parent, wanted, seen=seen)
    expected: list[int] = []
    number = 0
    while len(expected) < wanted:
        if (seed := by_hand(parent, number)) not in seen and seed not in expected:
            expected.append(seed)
        number += 1
    assert list(found) == expected


def test_a_seed_that_was_drawn_is_replaced_once_it_has_been_seen() -> None:
    first = holdout.from_parent(PARENT, 3, seen=())
    again = holdout.from_parent(PARENT, 3, seen=first[:1])
    assert again[:2] == first[1:] and again[2] not in first


def test_the_seeds_of_a_secret_are_those_of_openssl() -> None:
    told = f"{PARENT}\n{'b' * 40}\nparse/headers\n0"
    done = subprocess.run(["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", f"hexkey:{SECRET.hex()}"],
                          input=told.encode(), capture_output=True, check=True)
    digits = done.stdout.decode().rpartition("= ")[2].strip()
    found = holdout.from_secret(SECRET, parent_sha=PARENT, patch_tree="b" * 40, property_id="parse/headers", wanted=1,
                                seen=())
    assert found == (int(digits[:16], 16),)


def test_the_seeds_of_a_secret_hang_on_everything_that_they_are_to_hang_on() -> None:
    def drawn(secret: bytes = SECRET, parent: str = PARENT, tree: str = "b" * 40, name: str = "p") -> tuple[int, ...]:
        return holdout.from_secret(secret, parent_sha=parent, patch_tree=tree, property_id=name, wanted=3, seen=())

    others = [drawn(secret=SECRET[::-1]), drawn(parent="c" * 40), drawn(tree="c" * 40), drawn(name="q")]
    assert drawn() == drawn() and len({drawn(), *others}) == 5
    assert all(seed < 2**64 for seed in drawn())


def test_a_commitment_is_the_digest_of_the_secret_behind_its_name() -> None:
    assert holdout.commitment(SECRET) == hashlib.sha256(b"oracle_rules/holdout-secret/v1\0" + SECRET).hexdigest()


@pytest.mark.parametrize("secret", [b"", b"short", bytes(31), bytes(64), b"ab" * 40, bytes(5000)])
def test_a_secret_that_can_be_guessed_or_is_none_is_refused(secret: bytes) -> None:
    with pytest.raises(holdout.WeakSecret):
        holdout.commitment(secret)


def test_more_seeds_than_there_are_to_hold_out_are_refused() -> None:
    with pytest.raises(ValueError, match="more than can be held out"):
        holdout.from_parent(PARENT, 3, seen=range(9_999))
    with pytest.raises(ValueError, match="more than"):
        holdout.from_parent(PARENT, 101, seen=())
    assert len(holdout.from_parent(PARENT, 100, seen=())) == 100
