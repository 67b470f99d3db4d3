"""Who is to blame, over every mixture of evidence, against an answer worked out by hand for each."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.errors import Exit
from oracle_rules.gate.attribution import (
    BLAMES,
    CHANGES,
    TABLE,
    VARYING,
    WHEN,
    asks_variations,
    change,
    classify,
    codes,
)
from oracle_rules.gate.codes import CATALOGUE
from oracle_rules.gate.decide import Outcome, decide
from oracle_rules.gate.evidence import KINDS, Evidence, Sight, Varied, is_mass

HELD = Sight(kind="held")
RED = Sight(kind="red", reason="property_failed", index=0)
LATER = Sight(kind="red", reason="property_failed", index=3)
CLOCK = Sight(kind="red", reason="entropy_clock")
SLOW = Sight(kind="timeout", reason="timeout", index=None)
BROKEN = Sight(kind="error", reason="oracle_error", index=0)
ABSENT, UNJUDGED = Sight(kind="absent"), Sight(kind="unjudged")
CANDIDATES = (RED, CLOCK, SLOW, BROKEN)
OTHERS = (HELD, RED, LATER, SLOW, BROKEN, ABSENT, UNJUDGED)

# What flips: (axis, whether the parent does, whether the candidate does), or a word.
STEADY = (("clock", False, False), ("hash seed", False, False))
PATTERNS: dict[str, object] = {
    "not varied": None,
    "nothing asked": (),
    "steady": STEADY,
    "parent flips": (("clock", True, False), ("hash seed", False, False)),
    "candidate flips": (("clock", False, False), ("hash seed", False, True)),  # one whose time is up doesn't
    "both flip alike": (("clock", True, True), ("hash seed", False, False)),
    "both flip on one axis at other points": (("clock", True, False), ("clock", False, True)),
    "both flip apart": (("clock", True, False), ("hash seed", False, True)),
    "both flip, the candidate more": (("clock", True, True), ("hash seed", False, True)),
    "slow each time": "slow",
    "one counts": "one",
}


def other(sight: Sight) -> Sight:
    """Another verdict that can be replayed."""
    return RED if sight.kind == "held" else HELD if sight.kind == "red" else sight


def varied(pattern: str, parent: Sight, candidate: Sight) -> tuple[Varied, ...] | None:
    found = PATTERNS[pattern]
    if found is None:
        return None
    if found == "slow":
        return tuple(Varied(name=axis, axis=axis, parent=HELD, candidate=SLOW) for axis, _, _ in STEADY)
    if found == "one":
        return (Varied(name="a", axis="clock", parent=HELD, candidate=RED),
                Varied(name="b", axis="clock", parent=HELD, candidate=BROKEN))
    assert isinstance(found, tuple)
    return tuple(Varied(name=axis, axis=axis, parent=other(parent) if theirs else parent,
                        candidate=other(candidate) if ours else candidate) for axis, theirs, ours in found)


MIXTURES = [
    (pattern, Evidence(candidate=candidate, parent=parent, base=base, mass=mass,
                       varied=varied(pattern, parent, candidate)))
    for candidate, parent, base, mass, pattern in itertools.product(
        CANDIDATES, OTHERS, OTHERS, (False, True), PATTERNS)
]


def by_hand(pattern: str, seen: Evidence) -> str:
    """The row, as the sentences that people are told."""
    candidate, parent, base = seen.candidate, seen.parent.kind, seen.base.kind
    if "unjudged" in (parent, base):
        return "not-judged"
    if candidate is BROKEN:
        return "harness-error"
    base_red = base in ("red", "timeout", "error")
    if base_red and parent in ("held", "absent"):
        return "base-red"
    if seen.parent is LATER and candidate is RED and seen.base in (HELD, LATER, ABSENT):
        return "broke-more"
    if parent in ("red", "timeout", "error"):
        if base == "held":
            return "behind-base"
        if parent == "error":
            return "parent-error"
        if seen.mass:
            return "mass-failure"
        if parent == "timeout":
            return "parent-timed-out"
        # A variation says nothing where the candidate's time is up. "slow each time" says nothing at all, and in
        # "one counts" the parent holds where it is moved.
        flips = pattern.startswith(("parent flips", "both flip", "one counts"))
        return "environment-red" if flips and (candidate.kind == "red" or pattern == "one counts") else "pre-existing"
    if parent == "absent":
        return "no-parent"
    if candidate is CLOCK:
        return "ambient-introduced"
    if candidate is SLOW:
        return "slow" if pattern in ("slow each time", "steady", "candidate flips") else "timed-out"
    return {
        "not varied": "candidate-not-varied", "nothing asked": "too-few", "slow each time": "too-few",
        "one counts": "too-few", "steady": "candidate", "parent flips": "candidate-throughout",
        "candidate flips": "introduced-nondeterminism", "both flip alike": "environment",
        "both flip on one axis at other points": "environment", "both flip apart": "introduced-nondeterminism",
        "both flip, the candidate more": "introduced-nondeterminism"}[pattern]


def test_every_mixture_fires_the_row_that_was_worked_out_by_hand() -> None:
    for pattern, seen in MIXTURES:
        assert classify(seen).name == by_hand(pattern, seen), (pattern, seen)


@pytest.mark.parametrize("name", [row.name for row in TABLE])
def test_every_row_is_reached_and_missed_when_it_is_gone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    [witness, *_] = [seen for _, seen in MIXTURES if classify(seen).name == name]
    rest = tuple(row for row in TABLE if row.name != name)
    monkeypatch.setattr("oracle_rules.gate.attribution.TABLE", rest)
    try:
        assert classify(witness).name != name
    except StopIteration:
        assert name == TABLE[-1].name


def test_words_are_known_and_the_last_row_takes_everything() -> None:
    assert len({row.name for row in TABLE}) == len(TABLE)
    assert {row.blame for row in TABLE} == set(BLAMES)
    assert {row.when for row in TABLE} == set(WHEN)
    for row in TABLE:
        assert {*row.candidate, *row.parent, *row.base} <= set(KINDS)
        assert row.code is None or CATALOGUE[row.code].exit in (Exit.FALSIFIED, Exit.INCOMPLETE)
        assert row.why and not row.why.endswith(".")
    last = TABLE[-1]
    assert (last.candidate, last.parent, last.base, last.when) == ((), (), (), "always")


def test_variations_are_asked_for_exactly_where_they_can_make_a_difference() -> None:
    by_sides: dict[tuple[Sight, Sight, Sight, bool], set[str]] = {}
    for _, seen in MIXTURES:
        by_sides.setdefault((seen.candidate, seen.parent, seen.base, seen.mass), set()).add(classify(seen).name)
    for (candidate, parent, base, mass), rows in by_sides.items():
        asked = asks_variations(Evidence(candidate=candidate, parent=parent, base=base, mass=mass))
        assert asked or len(rows) == 1
        # A candidate whose time is up is varied too, although its parent's red is then explained without.
        assert not asked or len(rows) > 1 or (candidate.kind, parent.kind) == ("timeout", "red") or candidate is CLOCK
    assert VARYING < set(WHEN)


@pytest.mark.parametrize("own", [
    ("property_failed",), ("property_failed", "candidate_crashed"), ("entropy_clock",), ("oracle_error",),
    ("property_failed", "timeout")])
def test_an_attribution_never_forgives(own: tuple[str, ...]) -> None:
    """Whatever the row, the target stays red; and what refuses is taken away only where the parent does the same."""
    plain = decide([], [Outcome(label="//:p", lane="replay", bit=0, reason=code) for code in own])
    for _, seen in MIXTURES:
        found = codes(classify(seen), seen, own)
        told = decide([], [Outcome(label="//:p", lane="replay", bit=0, reason=code) for code in found])
        assert told.bit == 0 and told.exit in (Exit.FALSIFIED, Exit.INCOMPLETE, Exit.REFUSED)
        if plain.exit is Exit.REFUSED and "entropy_clock" not in (seen.parent.reason, seen.base.reason):
            assert told.exit is Exit.REFUSED
        if told.exit is Exit.INCOMPLETE and plain.exit is Exit.FALSIFIED:
            assert {"property_red_on_base", "property_unstable"} & set(found)


def test_what_base_breaks_is_said_to_be_red_on_base() -> None:
    for _, seen in MIXTURES:
        row = classify(seen)
        base_red = seen.base.kind in ("red", "timeout", "error") and seen.parent.kind not in ("unjudged",)
        if row.name == "broke-more":
            assert (seen.candidate, seen.parent) == (RED, LATER) and seen.base is not RED
        elif base_red and seen.candidate is not BROKEN:
            assert row.code in ("property_red_on_base", "property_unstable"), (row, seen)
        if row.code == "property_red_on_base":
            assert seen.base.kind != "held"


def test_a_patch_that_breaks_an_earlier_case_than_its_parent_is_to_blame() -> None:
    """The parent held where the candidate is red; the control: at the same case, or at a later one, it is not known."""
    first, second, third = (Sight(kind="red", reason="property_failed", index=each) for each in range(3))

    def told(candidate: Sight, parent: Sight, base: Sight) -> tuple[str, tuple[str, ...]]:
        seen = Evidence(candidate=candidate, parent=parent, base=base, mass=True)
        row = classify(seen)
        return row.name, codes(row, seen, ["property_failed"])

    mine = ("broke-more", ("property_failed",))
    late, broken = Sight(kind="timeout", reason="timeout", index=1), Sight(kind="error", reason="oracle_error", index=1)
    for parent in (second, third, late, broken):
        assert told(first, parent, parent) == told(first, parent, HELD) == told(first, parent, ABSENT) == mine
    theirs = ("mass-failure", ("property_red_on_base",))
    for candidate, parent, base in ((second, second, second), (third, second, second), (second, third, first),
                                    (second, third, second), (second, third, SLOW)):
        assert told(candidate, parent, base) == theirs
    assert told(first, SLOW, SLOW) == theirs and told(CLOCK, second, second)[0] == "mass-failure"
    assert told(Sight(kind="timeout", reason="timeout", index=0), second, second)[0] == "mass-failure"


def test_a_patch_that_breaks_everything_is_no_mass_failure() -> None:
    assert not is_mass([(HELD, RED)] * 100)
    assert not is_mass([(RED, RED)] * 4)
    assert is_mass([(RED, RED)] * 5)
    assert not is_mass([(RED, RED)] * 4 + [(HELD, RED)])  # 80 % is not more than 80 %
    assert is_mass([(RED, RED)] * 5 + [(HELD, HELD)])
    assert not is_mass([(ABSENT, RED)] * 9) and not is_mass([])


def test_changes() -> None:
    assert [change(a, b) for a, b in ((RED, HELD), (HELD, HELD), (HELD, RED), (RED, RED))] == [
        "fixed", "kept", "broke", "still-red"]
    assert change(SLOW, BROKEN) == "still-red"
    assert change(ABSENT, RED) is None and change(UNJUDGED, HELD) is None
    assert len(CHANGES) == 4


@given(st.sampled_from(sorted(CATALOGUE)), st.none() | st.integers(0, 9), st.text())
def test_a_sight_is_what_can_be_compared(reason: str, index: int | None, detail: str) -> None:
    example = None if index is None else {"index": index, "case": detail}
    sight = Sight.of({"reason": reason, "counterexample": example, "detail": detail})
    assert (sight.reason, sight.index) == (reason, index)
    assert sight == Sight.of({"reason": reason, "counterexample": example, "detail": "words of another day"})
    assert sight.kind in ("red", "timeout", "error")
    assert Sight.of({"reason": None, "counterexample": None, "detail": ""}) == HELD
