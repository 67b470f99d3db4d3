"""Journals as files: both shapes read, what is wrong named at its place, one canonical spelling written."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest

from oracle_rules.artifacts.journals.journal import parse_journal
from oracle_rules.errors import IncompleteError
from oracle_rules.protocol import canonical

from .values import PATH, document, journal, realised, short


def test_a_journal_says_what_its_file_says() -> None:
    found = journal()
    assert (found.id, found.seeds, found.hits, found.state, found.owner) == ("p", (8, 21), 2, "locked", "Ada Lindqvist")
    assert found.cases == ("oracles/p/8.json", "oracles/p/21.json") and found.held_out == 3
    assert found.replayed == (8, 21) and found.known == {2, 3, 8, 21} and not found.short


def test_what_is_written_is_what_was_read_in_canonical_bytes() -> None:
    assert journal().data == canonical.dumps(document())
    frozen = document(state="replay-frozen", flake={"replay_flakes": 1, "holdout_flakes": 0, "seeds": [8],
                                                    "freeze_replay_until": "2026-02-01T00:00:00Z"})
    assert journal(frozen).data == canonical.dumps(frozen)


def test_the_older_shape_is_read_and_its_held_out_seeds_have_been_seen() -> None:
    found = journal(short())
    assert found.short and found.shown == (55, 89, 144) and found.held_out == 3
    assert found.replayed == (8, 21, 55, 89, 144) and found.known == {8, 21, 55, 89, 144}
    written = json.loads(found.data)
    assert written["holdout"] == {"count": 3, "generator_saw": False, "commitment": None}
    assert written["replay"]["seeds"] == [8, 21, 55, 89, 144] and written["seen"] == [8, 21, 55, 89, 144]


def test_the_seed_of_a_realised_case_has_been_seen_whatever_the_lists_say() -> None:
    assert journal(short(replay={"seeds": [], "fixtures": ["oracles/p/8.json"], "hits": 1})).known == {8, 55, 89, 144}


def test_seeds_that_the_generator_saw_are_replayed() -> None:
    found = journal(short(holdout={"seeds": [55], "generator_saw": True}))
    assert found.replayed == (8, 21, 55) and 55 in found.known


def test_no_file_of_ours_shows_a_held_out_seed() -> None:
    assert "seeds" not in json.loads(journal(short()).data)["holdout"]
    with pytest.raises(IncompleteError, match="'seeds'|seeds"):
        journal(holdout={"count": 3, "generator_saw": False, "commitment": None, "seeds": [4]})


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "another schema": ({"schema": "oracle_rules/journal/v2"}, "schema"),
    "a state that is none": ({"state": "locked!"}, "state: did you mean 'locked'"),
    "a parent that is a branch": ({"parent_sha": "main"}, "whole id of a commit"),
    "a seed twice": ({"seen": [1, 1]}, "twice"),
    "a seed below nothing": ({"seen": [-1]}, "from 0"),
    "a seed that is true": ({"seen": [True]}, "whole number"),
    "a field that nobody knows": ({"more": 1}, "not a field"),
    "a case elsewhere": ({"replay": {"seeds": [8], "fixtures": ["elsewhere/8.json"], "hits": 1}}, "SEED.json"),
    "a case of a seed that is none": ({"replay": {"seeds": [8], "fixtures": [f"oracles/p/{2**64}.json"], "hits": 1}},
                                      "SEED.json"),
    "a case of a number without end": ({"replay": {"seeds": [8], "fixtures": [f"oracles/p/{'9' * 5000}.json"],
                                                   "hits": 1}}, "SEED.json"),
    "a case in another script": ({"replay": {"seeds": [8], "fixtures": ["oracles/p/\u0668.json"], "hits": 1}},
                                 "SEED.json"),
    "a day that is none": ({"replay": {"seeds": [8], "fixtures": [], "hits": 0, "last_hit_at": "2026-02-30"}},
                           "a day such as"),
    "a moment before all time": ({"flake": {"replay_flakes": 0, "holdout_flakes": 0, "seeds": [8],
                                            "freeze_replay_until": "0001-01-01T00:00:00+23:59"}}, "a moment with"),
    "a case with another name": ({"replay": {"seeds": [8], "fixtures": ["oracles/p/08.json"], "hits": 1}}, "SEED.json"),
    "nothing held out": ({"holdout": {"count": 0, "generator_saw": False, "commitment": None}}, "from 1 to 100"),
    "a commitment that is none": ({"holdout": {"count": 1, "generator_saw": False, "commitment": "x"}}, "64 hexadecimal"),
    "frozen without an end": ({"flake": {"replay_flakes": 0, "holdout_flakes": 0, "seeds": [8],
                                         "freeze_replay_until": None}}, "without an end"),
    "a moment without an offset": ({"flake": {"replay_flakes": 0, "holdout_flakes": 0, "seeds": [8],
                                              "freeze_replay_until": "2026-02-01T00:00:00"}}, "offset"),
    "a day for a moment": ({"flake": {"replay_flakes": 0, "holdout_flakes": 0, "seeds": [8],
                                      "freeze_replay_until": "soon"}}, "a moment with its offset"),
    "no versions": ({"tools": {"python": "3.11.7"}}, "has no 'hypothesis'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named_at_its_place(name: str) -> None:
    changes, text = WRONG[name]
    with pytest.raises(IncompleteError) as caught:
        journal(**changes)
    assert text in caught.value.detail and caught.value.where.startswith(f"{PATH}:1:") and caught.value.remedy


def test_a_journal_that_is_missing_or_no_json_is_incomplete() -> None:
    for data in (None, b"", b"[1", b"[]", b"\xff"):
        with pytest.raises(IncompleteError):
            parse_journal(data, path=PATH)


def test_a_moment_is_read_in_any_zone_and_kept_in_utc() -> None:
    flake = {"replay_flakes": 0, "holdout_flakes": 0, "seeds": [8], "freeze_replay_until": "2026-02-01T01:30:00+02:00"}
    found = journal(flake=flake, state="replay-frozen")
    assert found.freeze is not None
    assert found.freeze.until == datetime.datetime(2026, 1, 31, 23, 30, tzinfo=datetime.UTC)


@pytest.mark.parametrize("seed", [0, 8, 2**64 - 1])
def test_the_least_and_the_largest_seed_have_cases(seed: int) -> None:
    found = journal(replay={"seeds": [seed], "fixtures": [f"oracles/p/{seed}.json"], "hits": 1})
    assert found.cases == (f"oracles/p/{seed}.json",) and seed in found.known


def test_a_realised_case_is_typed_and_written_as_it_was_read() -> None:
    case = realised(case={"$tuple": [1, {"$bytes": "00ff"}]})
    assert case.value == (1, b"\x00\xff")
    assert realised(**json.loads(case.data)) == case
    with pytest.raises(IncompleteError, match="whole id"):
        realised(parent_sha="main")
    with pytest.raises(IncompleteError, match="no spelling"):
        realised(case={"$nothing": 1})
