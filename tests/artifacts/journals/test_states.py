"""The table of moves, against the same drawing written down as arrows; and each move on a journal."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import Any

import pytest

from oracle_rules.artifacts.journals import moves
from oracle_rules.artifacts.journals.journal import Journal, Tools
from oracle_rules.artifacts.journals.states import MOVES, NONE, STATES, NoMove, advance, drawing, reachable

from .values import TOOLS, document, journal, short

# What people were promised: proposed -> hit -> locked -> replay-frozen, and the ways back that a person has.
ARROWS = """
 -propose> proposed; proposed -hunt> hit; proposed -miss> proposed; hit -hunt> hit; hit -miss> hit; hit -lock> locked
locked -freeze> replay-frozen; replay-frozen -freeze> replay-frozen; replay-frozen -thaw> locked
locked -hunt> hit; replay-frozen -hunt> hit; locked -miss> locked; replay-frozen -miss> replay-frozen
locked -unlock> hit; replay-frozen -unlock> hit; hit -saw> hit; locked -saw> locked; replay-frozen -saw> replay-frozen
proposed -saw> proposed; proposed -commit> proposed; hit -commit> hit; locked -commit> locked
replay-frozen -commit> replay-frozen
"""
DRAWN = {}
for arrow in ARROWS.replace("\n", ";").split(";"):
    if arrow.strip():
        before, _, rest = arrow.partition("-" + arrow.split(">")[0].rpartition("-")[2] + ">")
        DRAWN[before.strip(), arrow.split(">")[0].rpartition("-")[2]] = rest.strip()
PEOPLE = {"lock", "freeze", "thaw", "unlock", "saw", "commit"}
TODAY = datetime.date(2026, 1, 10)
UNTIL = datetime.datetime(2026, 2, 1, tzinfo=datetime.UTC)
ADA = "Ada Lindqvist"


def test_the_table_is_the_drawing() -> None:
    assert {(row.before, row.name): row.after for row in MOVES} == DRAWN and len(MOVES) == len(DRAWN) == 23
    assert {row.name for row in MOVES if row.person} == PEOPLE
    assert {row.before for row in MOVES} == {NONE, *STATES} and {row.after for row in MOVES} == set(STATES)


@pytest.mark.parametrize("state", [NONE, *STATES])
@pytest.mark.parametrize("move", sorted({row.name for row in MOVES} | {"accept", "replay-frozen"}))
def test_no_other_move_exists(state: str, move: str) -> None:
    if (state, move) in DRAWN:
        assert advance(state, move) == DRAWN[state, move]
    else:
        with pytest.raises(NoMove):
            advance(state, move)


def test_what_can_follow_what() -> None:
    back = {(state, "proposed") for state in ("hit", "locked", "replay-frozen")}
    for before in (NONE, *STATES):
        for after in STATES:
            assert reachable(before, after) == ((before, after) not in back)
        assert reachable(before, NONE) == (before == NONE)


def test_the_drawing_marks_where_a_journal_is() -> None:
    lines = drawing("hit")
    assert len(lines) == 23 and [line.split()[1] for line in lines if line.startswith(">")] == ["hit"] * 5


def test_hits_are_added_and_everything_hunted_has_been_seen() -> None:
    found = moves.hunted(journal(state="hit", owner=None), hits=(34,), noise=(40,), missed=(41,), mixed=1,
                         parent_sha="a" * 40, tools=Tools(**TOOLS), domain=str(document()["tools"]["domain"]), today=TODAY)
    assert found.seeds == (8, 21, 34) and found.hits == 3 and found.cases[-1] == "oracles/p/34.json"
    assert found.seen == (2, 3, 8, 21, 34, 40, 41) and found.noise == (3, 40) and found.replay_flakes == 1
    assert (found.state, found.last_hit_at, found.owner) == ("hit", "2026-01-10", None)


def test_seeds_of_other_versions_are_history_and_their_cases_stay() -> None:
    newer = Tools(**{**TOOLS, "hypothesis": "7.0.0"})
    found = moves.hunted(journal(), hits=(5,), noise=(), missed=(8, 21), mixed=0, parent_sha="b" * 40, tools=newer,
                         domain="d", today=TODAY)
    assert found.seeds == (5,) and found.hits == 3 and {8, 21, 5} <= set(found.seen)
    assert found.cases == ("oracles/p/8.json", "oracles/p/21.json", "oracles/p/5.json")
    assert (found.state, found.owner, found.tools) == ("hit", None, newer)


def test_zero_hits_pad_nothing_and_lock_nothing() -> None:
    began = moves.propose("oracles/p.json", property_id="p", selector="//:p", parent_sha="a" * 40, held_out=3)
    found = moves.hunted(began, hits=(), noise=(1,), missed=(2,), mixed=0, parent_sha="a" * 40, tools=Tools(**TOOLS),
                         domain="d", today=TODAY)
    assert (found.state, found.seeds, found.hits, found.seen) == ("proposed", (), 0, (1, 2))
    with pytest.raises(moves.Unmet) as caught:
        moves.lock(found, owner=ADA, stale=None, hunt="hunt")
    assert caught.value.code == "journal_zero_hit"


def test_a_lock_needs_a_hit_a_person_and_these_versions() -> None:
    ready = journal(state="hit", owner=None)
    assert moves.lock(ready, owner=ADA, stale=None, hunt="h").state == "locked"
    for owner, stale, code in (("bot", None, "journal_unlawful"), ("", None, "journal_unlawful"),
                               (ADA, "other python", "journal_stale")):
        with pytest.raises(moves.Unmet) as caught:
            moves.lock(ready, owner=owner, stale=stale, hunt="h")
        assert caught.value.code == code
    with pytest.raises(NoMove):
        moves.lock(journal(), owner=ADA, stale=None, hunt="h")


def test_only_replay_seeds_are_frozen_and_only_for_a_while() -> None:
    frozen = moves.freeze(journal(), seeds=(8,), until=UNTIL, owner=ADA, today=TODAY)
    assert frozen.freeze is not None and frozen.freeze.seeds == (8,) and frozen.state == "replay-frozen"
    assert moves.freeze(frozen, seeds=(21,), until=UNTIL, owner=ADA, today=TODAY).freeze == replace(
        frozen.freeze, seeds=(8, 21))
    for seeds, until in (((2,), UNTIL), ((), UNTIL), ((8,), UNTIL.replace(month=1, day=10))):
        with pytest.raises(moves.Unmet):
            moves.freeze(journal(), seeds=seeds, until=until, owner=ADA, today=TODAY)
    with pytest.raises(NoMove):
        moves.freeze(journal(state="hit"), seeds=(8,), until=UNTIL, owner=ADA, today=TODAY)
    for state, back in (("locked", moves.thaw(frozen, owner=ADA)), ("hit", moves.unlock(frozen, owner=ADA)),
                        ("hit", moves.hunted(frozen, hits=(8,), noise=(), missed=(), mixed=0, parent_sha="a" * 40,
                                             tools=Tools(**TOOLS), domain="d", today=TODAY))):
        assert (back.state, back.freeze) == (state, None)


def test_a_seed_that_the_proposer_saw_is_replayed_and_never_held_out() -> None:
    found = moves.saw(journal(), seeds=(55, 8))
    assert found.seeds == (8, 21, 55) and 55 in found.known and found.hits == 2
    moved = moves.saw(journal(short(state="hit")), seeds=(7,))
    assert moved.seeds == (8, 21, 55, 89, 144, 7) and moved.shown == ()


def test_a_lock_of_the_older_shape_is_taken_back_before_it_changes() -> None:
    old = journal(short())
    for change in (lambda each: moves.saw(each, seeds=(7,)), lambda each: moves.commit(each, commitment="c" * 64)):
        with pytest.raises(moves.Unmet, match="nobody answers"):
            change(old)
        assert change(moves.unlock(old, owner=ADA)).state == "hit"


def test_a_seed_of_replay_stays_while_it_draws_what_it_drew() -> None:
    def hunted(**more: Any) -> Journal:
        given = {"hits": (34,), "noise": (8,), "missed": (21,), "mixed": 0, "parent_sha": "b" * 40, "today": TODAY,
                 "tools": Tools(**TOOLS), "domain": str(document()["tools"]["domain"])}
        return moves.hunted(journal(), **{**given, **more})

    assert hunted().seeds == (8, 21, 34) and hunted().parent_sha == "b" * 40
    assert hunted(domain="d").seeds == hunted(tools=Tools(**{**TOOLS, "unicode": "15.0.0"})).seeds == (34,)


def test_a_seed_that_was_seen_before_the_first_hit_is_replayed_after_it() -> None:
    began = moves.saw(moves.propose("oracles/p.json", property_id="p", selector="//:p", parent_sha="a" * 40, held_out=3),
                      seeds=(55,))
    assert (began.state, began.seeds) == ("proposed", (55,))
    assert moves.hunted(began, hits=(5,), noise=(), missed=(), mixed=0, parent_sha="a" * 40, tools=Tools(**TOOLS),
                        domain="d", today=TODAY).seeds == (55, 5)


def test_a_secret_is_committed_to_in_every_state() -> None:
    found = moves.commit(journal(), commitment="c" * 64)
    assert (found.state, found.commitment, found.seeds) == ("locked", "c" * 64, (8, 21))
