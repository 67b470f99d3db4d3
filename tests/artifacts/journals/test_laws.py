"""The laws of a journal, each broken alone beside a journal that keeps all; staleness; what the lanes ask."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from oracle_rules.artifacts.journals.asked import LANES, asks, frozen_on
from oracle_rules.artifacts.journals.journal import Tools
from oracle_rules.artifacts.journals.laws import LAWS, check_journal, stale
from oracle_rules.artifacts.journals.outcomes import MIXED, OUTCOMES, outcome
from oracle_rules.artifacts.journals.states import STATES
from oracle_rules.errors import Exit
from oracle_rules.gate.codes import CATALOGUE

from .values import TOOLS, cases, document, domain, journal, realised, short

FROZEN = {"replay_flakes": 1, "holdout_flakes": 0, "seeds": [8], "freeze_replay_until": "2026-02-01T12:00:00Z"}
REPLAY = document()["replay"]


def broken(**more: Any) -> list[str]:
    found = journal(**more)
    held = {path: realised(int(path.split("/")[-1][:-5])) for path in found.cases}
    return [each.row for each in check_journal(found, property_id="p", domain=domain(), cases=held)]


BROKEN: dict[str, tuple[dict[str, Any], list[str]]] = {
    "nothing": ({}, []),
    "another's": ({"id": "q"}, ["journal-of-another"]),
    "hits that nobody realised": ({"replay": {**REPLAY, "hits": 3}}, ["journal-hits"]),
    "a case whose seed is history": ({"replay": {**REPLAY, "seeds": [8]}}, []),
    "a case whose seed nobody has seen": ({"replay": {**REPLAY, "seeds": [8]}, "seen": [3, 8]}, ["journal-unseen"]),
    "a replay seed that nobody has seen": ({"replay": {**REPLAY, "seeds": [8, 21, 34]}}, ["journal-unseen"]),
    "noise that nobody has seen": ({"noise": [3, 5]}, ["journal-unseen"]),
    "seen by the generator, and not which": ({"holdout": {"count": 3, "generator_saw": True, "commitment": None}},
                                             ["journal-saw-unnamed"]),
    "nothing left to hold out": ({"seen": list(range(4998))}, ["journal-none-left"]),
    "just enough left to hold out": ({"seen": list(range(4997))}, []),
    "seeds that are never held out take none away": ({"seen": [3, 8, 21, *range(10_000, 16_000)]}, []),
    "nothing left without a secret": ({"seen": list(range(6000)), "holdout": {
        "count": 3, "generator_saw": False, "commitment": "c" * 64}}, []),
    "frozen, and no seed": ({"state": "replay-frozen", "flake": {**FROZEN, "seeds": []}},
                            ["journal-frozen-without-end"]),
    "locked without a hit": ({"replay": {"seeds": [], "fixtures": [], "hits": 0, "last_hit_at": None}},
                             ["journal-without-hit"]),
    "hit without a hit": ({"state": "hit", "owner": None, "replay": {**REPLAY, "fixtures": [], "hits": 0}},
                          ["journal-without-hit"]),
    "frozen without a hit": ({"state": "replay-frozen", "flake": FROZEN, "replay": {**REPLAY, "fixtures": [], "hits": 0}},
                             ["journal-without-hit"]),
    "proposed with a hit": ({"state": "proposed", "owner": None}, ["journal-without-hit"]),
    "proposed": ({"state": "proposed", "owner": None, "replay": {**REPLAY, "fixtures": [], "hits": 0}}, []),
    "locked by nobody": ({"owner": None}, ["journal-owner"]),
    "locked by a machine": ({"owner": "merge-bot"}, ["journal-owner"]),
    "frozen, and not said so": ({"flake": FROZEN}, ["journal-frozen-unstated"]),
    "said to be frozen": ({"state": "replay-frozen"}, ["journal-frozen-without-end"]),
    "frozen": ({"state": "replay-frozen", "flake": FROZEN}, []),
    "frozen beyond replay": ({"state": "replay-frozen", "flake": {**FROZEN, "seeds": [9]}},
                             ["journal-frozen-beyond-replay"]),
    "open without an owner": ({"state": "hit", "owner": None}, []),
}


@pytest.mark.parametrize("name", BROKEN)
def test_each_law(name: str) -> None:
    changes, rows = BROKEN[name]
    assert broken(**changes) == (rows if name != "another's" else [*rows, *["journal-case-of-another"] * 2])


def test_a_realised_case_is_of_its_seed_and_in_the_domain() -> None:
    def rows(**more: Any) -> list[str]:
        held = {**cases(), "oracles/p/8.json": realised(**{"seed": 8, **more})}
        return [each.row for each in check_journal(journal(), property_id="p", domain=domain(), cases=held)]

    assert rows() == [] and rows(case=9) == []
    for case in (10, -1, True, "7", 7.0):
        assert rows(case=case) == ["journal-case-outside"]
    assert rows(seed=9) == ["journal-case-of-another"] and rows(id="q") == ["journal-case-of-another"]


@pytest.mark.parametrize(("reason", "rows"), [
    ("property_failed", []), ("candidate_raised", []), ("timeout", ["journal-case-no-hit"]),
    ("oracle_error", ["journal-case-no-hit"]), ("made_up", ["journal-case-no-hit"])])
def test_a_realised_case_was_kept_for_a_hit(reason: str, rows: list[str]) -> None:
    held = {**cases(), "oracles/p/8.json": realised(8, reason=reason)}
    assert [each.row for each in check_journal(journal(), property_id="p", domain=domain(), cases=held)] == rows


def test_the_case_of_a_suite_is_of_no_domain_and_still_of_its_seed() -> None:
    def rows(suite: bool = True, **more: Any) -> list[str]:
        held = {**cases(), "oracles/p/8.json": realised(8, **more)}
        return [each.row for each in check_journal(journal(), property_id="p", domain=domain(), cases=held, suite=suite)]

    assert rows(case=[1, "x"]) == [] and rows(suite=False, case=[1, "x"]) == ["journal-case-outside"]
    assert rows(id="q") == ["journal-case-of-another"]


def test_each_law_is_broken_by_something_here() -> None:
    elsewhere = {"journal-without-domain", "journal-case-of-another", "journal-case-no-hit", "journal-case-outside"}
    told = {row for _, rows in BROKEN.values() for row in rows}
    assert told | elsewhere == {law.name for law in LAWS} and len({law.name for law in LAWS}) == len(LAWS)


def test_the_older_shape_is_held_to_what_it_can_say() -> None:
    held = {"oracles/p/8.json": realised(8)}
    assert check_journal(journal(short()), property_id="p", domain=domain(), cases=held) == ()
    exempt = {law.name for law in LAWS if not law.short}
    assert exempt == {"journal-unseen", "journal-owner"}


def test_a_journal_without_a_locked_domain() -> None:
    found = check_journal(journal(), property_id="p", domain=None, cases=cases())
    assert [(each.code, each.row) for each in found] == [("journal_unlawful", "journal-without-domain")]


@pytest.mark.parametrize(("name", "value"), [("hypothesis", "6.170.18"), ("python", "3.12.0"), ("unicode", "15.0.0")])
def test_another_version_makes_the_seeds_history(name: str, value: str) -> None:
    assert stale(journal(), Tools(**TOOLS), domain()) is None
    why = stale(journal(), Tools(**{**TOOLS, name: value}), domain())
    assert why is not None and TOOLS[name] in why and value in why


def test_another_domain_or_no_word_of_versions_makes_the_seeds_history() -> None:
    assert "another locked domain" in str(stale(journal(), Tools(**TOOLS), domain(max_examples=6)))
    assert "does not say" in str(stale(journal(short()), Tools(**TOOLS), domain()))


def test_the_table_of_what_is_asked_is_total_and_each_row_counts() -> None:
    for state in STATES:
        for is_stale in (False, True):
            fits = [row.name for row in LANES if state in row.states and row.stale in (None, is_stale)]
            assert len(fits) == 1
    assert {row.name for row in LANES} == {"stale", "asked", "open"}


def test_what_the_lanes_ask() -> None:
    today = datetime.date(2026, 1, 10)
    locked = asks(journal(), stale=False, today=today)
    assert (locked.seeds, locked.held_out, len(locked.cases)) == ((8, 21), 3, 2)
    old = asks(journal(), stale=True, today=today)
    assert (old.seeds, old.held_out, len(old.cases)) == ((), 3, 2)
    unlocked = asks(journal(state="hit"), stale=False, today=today)
    assert (unlocked.seeds, unlocked.held_out, unlocked.cases) == ((), 0, ())


def test_frozen_seeds_wait_until_the_day_and_their_cases_do_not() -> None:
    frozen = journal(state="replay-frozen", flake=FROZEN)
    before = asks(frozen, stale=False, today=datetime.date(2026, 1, 31))
    assert (before.seeds, before.frozen, before.held_out) == ((21,), (8,), 3)
    assert before.cases == ("oracles/p/8.json", "oracles/p/21.json")
    on_the_day = asks(frozen, stale=False, today=datetime.date(2026, 2, 1))
    assert (on_the_day.seeds, on_the_day.frozen) == ((8, 21), ())
    assert frozen_on(journal(), datetime.date(1, 1, 1)) == ()


def test_every_reason_of_a_verdict_has_one_outcome() -> None:
    lanes = [code.code for code in CATALOGUE.values() if code.lane == "candidate" and code.exit is Exit.FALSIFIED]
    observed = {"entropy_clock", "entropy_random", "entropy_uuid", "entropy_urandom", "entropy_env", "entropy_host",
                "entropy_network", "entropy_hash", "entropy_native", "oracle_error", "property_broken",
                "suite_unpinned", "suite_case_unfit"}
    told = [reason for row in OUTCOMES for reason in row.reasons]
    assert len(told) == len(set(told)) and set(told) == {None, *lanes, *observed}


@pytest.mark.parametrize(("reason", "expected"), [
    (None, "miss"), ("property_failed", "hit"), ("candidate_raised", "hit"), ("candidate_exited", "hit"),
    ("timeout", "noise"), ("memory_limit", "noise"), ("candidate_crashed", "noise"), ("import_failed", "noise"),
    ("entropy_clock", "noise"), ("protocol_violation", "noise"), ("oracle_error", "stop"), ("property_broken", "stop"),
])
def test_only_a_case_that_is_seen_to_fail_is_a_hit(reason: str | None, expected: str) -> None:
    seen = {"reason": reason, "detail": "", "counterexample": None}
    assert outcome([seen]).outcome == outcome([seen, seen]).outcome == expected


def test_two_runs_that_disagree_are_noise() -> None:
    failed = {"reason": "property_failed", "detail": "d", "counterexample": {"index": 1, "case": 2}}
    for other in ({**failed, "reason": None}, {**failed, "counterexample": {"index": 2, "case": 2}}):
        assert outcome([failed, other]) is MIXED and MIXED.outcome == "noise"
    with pytest.raises(KeyError):
        outcome([{**failed, "reason": "made_up"}])
