"""Moving one pin: another policy, another key, nothing else moved."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.analysis.policy import Policy, policy
from oracle_rules.analysis.variations import VARIATIONS, vary
from oracle_rules.artifacts.profile import STANDARD

PROFILES = st.builds(
    lambda hash_seed, seed, clock: replace(STANDARD, hash_seed=hash_seed, seed=seed, clock_ns=clock),
    st.sampled_from([0, 1, 2**32 - 2, 2**32 - 1]) | st.integers(0, 2**32 - 1), st.integers(0, 2**64 - 1),
    st.integers(0, 2**61))
# What a row of each axis may move in the document.
MOVES = {"hash seed": {"hash_seed", "environment"}, "clock": {"clock_ns"}, "entropy": {"entropy"},
         "addresses": {"environment"}, "time zone": {"timezone", "environment"}}


@given(PROFILES)
def test_each_variation_is_another_policy_in_its_own_axis_alone(profile: object) -> None:
    pinned = policy(profile)  # type: ignore[arg-type]
    varied = {each.name: vary(pinned, each) for each in VARIATIONS}
    assert len({pinned.data, *(each.data for each in varied.values())}) == len(VARIATIONS) + 1
    for row in VARIATIONS:
        found = varied[row.name]
        moved = {name for name in pinned.document if pinned.document[name] != found.document[name]}
        assert moved and moved <= MOVES[row.axis], (row.name, moved)
        assert set(found.document) == set(pinned.document)
        consistent(found)
    assert {row.axis for row in VARIATIONS} == set(MOVES)


def consistent(found: Policy) -> None:
    """What the document says is what the processes get, and every number is in its range."""
    assert found.document["environment"] == found.environment
    assert found.environment["PYTHONHASHSEED"] == str(found.document["hash_seed"])
    assert found.environment["TZ"] == found.document["timezone"]
    assert 0 <= found.document["hash_seed"] < 2**32 and len(bytes.fromhex(found.document["entropy"])) == 32


def test_no_variation_switches_the_salt_of_hashes_off() -> None:
    """A seed of 0 is no other order, but none."""
    last = replace(STANDARD, hash_seed=2**32 - 1)
    assert "0" not in {vary(policy(last), each).environment["PYTHONHASHSEED"] for each in VARIATIONS}


def test_what_the_rows_say_is_what_they_do() -> None:
    pinned = policy()
    by_name = {each.name: vary(pinned, each) for each in VARIATIONS}
    year = 365 * 86_400 * 10**9
    assert 0 < by_name["clock-398-days"].document["clock_ns"] - pinned.document["clock_ns"] - year < year // 10
    sixteen = by_name["clock-16-years"].document["clock_ns"] - pinned.document["clock_ns"]
    assert sixteen == (16 * 365 + 4) * 86_400 * 10**9  # four leap days in any sixteen years of this century
    assert by_name["allocator"].environment["PYTHONMALLOC"] == "malloc"


def test_four_other_salts_are_tried() -> None:
    """Two texts in a set change places under about every second salt: four leave one such answer of 16 unseen."""
    assert sorted(row.hash_step for row in VARIATIONS if row.axis == "hash seed") == [1, 2, 3, 4]
