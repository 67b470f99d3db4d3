"""The decision over every mixture of evidence, against an answer worked out by hand for each."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.errors import Exit
from oracle_rules.gate.codes import CATALOGUE
from oracle_rules.gate.decide import SIGNS, TABLE, Outcome, decide, sign_of
from oracle_rules.gate.finding import Finding
from oracle_rules.gate.review import review

from .trees import PATHS, rewritten


def outcome(bit: Any, reason: str | None, label: str = "//:p", cause: str = "") -> Outcome:
    return Outcome(label=label, lane="replay", bit=bit, reason=reason, cause=cause)


def finding(code: str = "seed_rewritten", subject: str = "seeds/p.json", edits: bool = True) -> Finding:
    return Finding(
        code=code, lane="seed", subject=subject, detail="d", row="seed-file-changed", remedy="r", edits_oracle=edits
    )


HELD = outcome(1, None, "//:held")
EVIDENCE: dict[str, tuple[list[Finding], list[Outcome]]] = {
    "held": ([], [HELD]),
    "falsified": ([], [outcome(0, "property_failed")]),
    "incomplete": ([], [outcome(None, "oracle_incomplete", "//:empty")]),
    "refused by an outcome": ([], [outcome(0, "entropy_clock", "//:clock")]),
    "refused by the gate": ([finding()], []),
    "untrusted": ([], [outcome(None, "untrusted", "//:odd")]),
    "malfunction": ([], [outcome(None, "malfunction", "//:broken")]),
}


def by_hand(kinds: set[str]) -> tuple[str, int, int | None]:
    """Decision, status and bit, written as the sentences that people are told."""
    if "malfunction" in kinds:
        return "malfunction", 5, None
    if "untrusted" in kinds:
        return "untrusted", 7, 0
    if any(kind.startswith("refused") for kind in kinds):
        return "refused", 4, 0
    if "incomplete" in kinds:
        return "incomplete", 3, 0
    if "falsified" in kinds:
        return "reject", 1, 0
    return ("accept", 0, 1) if kinds == {"held"} else ("nothing", 6, 0)


MIXTURES = [set(mix) for size in range(len(EVIDENCE) + 1) for mix in itertools.combinations(EVIDENCE, size)]


@pytest.mark.parametrize("kinds", MIXTURES, ids=lambda kinds: "+".join(sorted(kinds)) or "none")
def test_every_mixture(kinds: set[str]) -> None:
    findings = [one for kind in kinds for one in EVIDENCE[kind][0]]
    outcomes = [one for kind in kinds for one in EVIDENCE[kind][1]]
    result = decide(findings, outcomes)
    assert (result.decision, int(result.exit), result.bit) == by_hand(kinds)
    assert bool(result.reasons) == (result.decision != "accept")
    if result.reasons:
        weights = [SIGNS[CATALOGUE[reason.code].exit] for reason in result.reasons]
        order = [row.sign for row in TABLE]
        assert result.decision == "nothing" or weights == sorted(weights, key=order.index)
        assert all(reason.row for reason in result.reasons)


def test_the_table_is_total_and_every_row_is_reached() -> None:
    assert TABLE[-1].sign == ""
    reached = {decide(*_gather(kinds)).row for kinds in MIXTURES}
    assert reached == {row.row for row in TABLE}
    assert len({row.sign for row in TABLE}) == len(TABLE)
    assert set(SIGNS) | {Exit.ACCEPT} == set(Exit)


def _gather(kinds: set[str]) -> tuple[list[Finding], list[Outcome]]:
    pairs = [EVIDENCE[kind] for kind in sorted(kinds)]
    return [one for pair in pairs for one in pair[0]], [one for pair in pairs for one in pair[1]]


def test_only_one_row_accepts_and_it_asks_for_evidence() -> None:
    accepting = [row for row in TABLE if row.exit is Exit.ACCEPT or row.bit == 1 or row.decision == "accept"]
    assert [(row.exit, row.bit, row.decision, row.sign) for row in accepting] == [(Exit.ACCEPT, 1, "accept", "held")]


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_no_known_reason_is_ever_accepted(code: str) -> None:
    for bit in (None, 0, 1):
        result = decide([], [HELD, outcome(bit, code)])
        assert result.exit is not Exit.ACCEPT
        assert result.bit != 1
    result = decide([], [outcome(0, code)])
    expected = {Exit.USAGE: Exit.MALFUNCTION, Exit.NOTHING: Exit.MALFUNCTION}
    assert result.exit is expected.get(CATALOGUE[code].exit, CATALOGUE[code].exit)
    assert [reason.code for reason in result.reasons] == [code]


@pytest.mark.parametrize(
    "bad",
    [
        outcome(1, "property_failed"),
        outcome(0, None),
        outcome(None, None),
        outcome(True, None),
        outcome(False, "property_failed"),
        outcome(2, None),
        outcome(1.0, None),
        outcome("1", None),
        outcome(0, "no_such_code"),
    ],
)
def test_an_outcome_that_contradicts_itself_is_our_fault(bad: Outcome) -> None:
    assert sign_of(bad) == "malfunction"
    result = decide([], [HELD, bad])
    assert result.exit is Exit.MALFUNCTION
    assert [reason.code for reason in result.reasons] == ["malfunction"]
    assert "is no outcome" in result.reasons[0].detail


def test_a_finding_without_a_known_code_is_our_fault() -> None:
    assert decide([finding("no_such_code")], [HELD]).exit is Exit.MALFUNCTION


def test_the_summary_leads_and_every_reason_keeps_its_row() -> None:
    findings = review([rewritten("seeds/retry_date.json"), rewritten("noxfile.py")], PATHS)
    outcomes = [outcome(0, "timeout", "//:b", "5 s"), outcome(0, "property_failed", "//:a", "case 3"), HELD]
    result = decide(findings, outcomes)
    assert result.row == "refused"
    assert [(reason.code, reason.subject, reason.row) for reason in result.reasons] == [
        ("oracle_edit_forbidden", "", "oracle-edit"),
        ("config_changed", "noxfile.py", "sessions"),
        ("seed_rewritten", "seeds/retry_date.json", "seed-file-changed"),
        ("property_failed", "//:a", "falsified"),
        ("timeout", "//:b", "falsified"),
    ]
    assert [reason.detail for reason in result.reasons[3:]] == ["case 3", "5 s"]


def test_findings_that_are_no_edits_refuse_without_a_summary() -> None:
    result = decide([finding("candidate_symlink", "src/x", edits=False)], [HELD])
    assert (result.exit, [reason.code for reason in result.reasons]) == (Exit.REFUSED, ["candidate_symlink"])


def test_nothing_says_so() -> None:
    result = decide([], [])
    assert (result.decision, result.exit) == ("nothing", Exit.NOTHING)
    assert [reason.code for reason in result.reasons] == ["nothing_to_score"]


OUTCOMES = st.builds(
    Outcome,
    label=st.sampled_from(["//:a", "//:b", "//:c"]),
    lane=st.sampled_from(["replay", "holdout"]),
    bit=st.sampled_from([None, 0, 1]),
    reason=st.none() | st.sampled_from(sorted(CATALOGUE)),
)


@given(st.lists(OUTCOMES, max_size=5), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_the_order_of_evidence_does_not_matter_and_more_evidence_never_helps(
    outcomes: list[Outcome], shuffle: Any
) -> None:
    result = decide([], outcomes)
    mixed = list(outcomes)
    shuffle.shuffle(mixed)
    assert decide([], mixed) == result
    assert (result.exit is Exit.ACCEPT) == (
        bool(outcomes) and all(one.bit == 1 and one.reason is None for one in outcomes)
    )
    if outcomes and result.exit is not Exit.ACCEPT:
        assert decide([], [*outcomes, HELD]).exit is result.exit
