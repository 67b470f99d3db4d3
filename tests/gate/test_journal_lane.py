"""A person's change of a journal: what may follow what, and that nothing that was found is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oracle_rules.gate.author import Author

from ..artifacts.journals.values import PARENT, TOOLS, document, realised
from .sides import BUILD, DOMAIN, codes, gated, signs, workspace

PATH = "oracles/p.json"
DECLARED = BUILD.replace('domain_lock = ":domains")', 'domain_lock = ":domains", journal = "oracles/p.json")')
CASE = {seed: realised(seed, case="x").data for seed in (8, 21, 34)}
HIT = {"owner": None, "state": "hit"}
REPLAY = document()["replay"]


def kept(**more: Any) -> dict[str, str | bytes | None]:
    """A workspace with this journal and the cases that it names."""
    journal = document(**more)
    cases = {path: CASE[int(path.split("/")[-1][:-5])] for path in journal["replay"]["fixtures"]}
    return {"BUILD.bazel": DECLARED, PATH: json.dumps(journal), **cases}


ADDED = {"seeds": [8, 21, 34], "fixtures": [*REPLAY["fixtures"], "oracles/p/34.json"], "hits": 3,
         "last_hit_at": "2026-01-06"}
FEWER = {**REPLAY, "fixtures": ["oracles/p/8.json"], "hits": 1}
PROPOSED = {"owner": None, "state": "proposed"}
EMPTY: dict[str, Any] = {"replay": {"seeds": [], "fixtures": [], "hits": 0, "last_hit_at": None}, "seen": [2],
                         "noise": [], "tools": None}
HOLDOUT = {"count": 3, "generator_saw": False, "commitment": None}
BOTH = {"replay_flakes": 1, "holdout_flakes": 0, "seeds": [8], "freeze_replay_until": "2026-02-01T00:00:00Z"}

# What a person does to a locked journal -> the steps that the lane sees, and the codes that stand against it.
CASES: dict[str, tuple[dict[str, Any], list[str], list[str]]] = {
    "nothing": (kept(), [], []),
    "unlocked": (kept(**HIT), ["journal-moved"], []),
    "frozen": (kept(state="replay-frozen", flake=BOTH), ["journal-moved", "journal-frozen"], []),
    "a replay seed dropped": (kept(replay={**REPLAY, "seeds": [8]}), ["journal-seed-dropped"], ["journal_case_lost"]),
    "a replay seed of other versions": (
        kept(replay={**REPLAY, "seeds": [8]}, tools={**document()["tools"], "hypothesis": "6.170.18"}),
        ["journal-changed", "journal-seed-history"], []),
    "a replay seed of another domain": (
        kept(replay={**REPLAY, "seeds": [8]}, tools={**document()["tools"], "domain": "another"}),
        ["journal-changed", "journal-seed-history"], []),
    "committed to a secret": (kept(holdout={**HOLDOUT, "commitment": "c" * 64}), ["journal-secret-changed"], []),
    "back to the beginning": (kept(**PROPOSED), ["journal-jumped"], ["journal_move_unknown"]),
    "a hit more": (kept(**HIT, replay=ADDED, seen=[2, 3, 8, 21, 34]), ["journal-moved", "journal-case-new"], []),
    "a hit less": (kept(replay=FEWER), ["journal-case-lost"], ["journal_case_lost"]),
    "a case rewritten": (kept() | {"oracles/p/8.json": realised(8, case="y").data}, ["journal-case-lost"],
                         ["journal_case_lost"]),
    "a case deleted": (kept() | {"oracles/p/8.json": None}, ["journal-case-lost"], ["journal_case_lost"]),
    "a seed forgotten": (kept(seen=[3, 8, 21]), ["journal-seed-unseen"], ["journal_case_lost"]),
    "a seed seen": (kept(seen=[2, 3, 7, 8, 21]), ["journal-changed"], []),
    "less held out": (kept(holdout={"count": 2, "generator_saw": False, "commitment": None}), ["journal-held-less"], []),
    "more held out": (kept(holdout={"count": 5, "generator_saw": False, "commitment": None}), ["journal-changed"], []),
    "another owner": (kept(owner="Bo Ek"), ["journal-changed"], []),
    "an owner who is none": (kept(owner="bot"), ["journal-changed"], ["journal_unlawful"]),
    "no case, and locked": (kept(replay={"seeds": [8, 21], "fixtures": [], "hits": 0, "last_hit_at": None}),
                            ["journal-case-lost"] * 2, ["journal_case_lost"] * 2),
    "broken": (kept() | {PATH: "{"}, ["malformed"], ["artifact_malformed"]),
    "deleted": (kept() | {PATH: None}, ["malformed", "journal-removed"], ["artifact_malformed", "journal_case_lost"]),
    "undeclared": (kept() | {"BUILD.bazel": BUILD}, ["journal-undeclared"], ["journal_case_lost"]),
}  # fmt: skip
NEW = {
    "a journal begun": (kept(**PROPOSED, replay={"seeds": [], "fixtures": [], "hits": 0, "last_hit_at": None}, seen=[],
                             noise=[], tools=None), ["journal-new"], []),
    "a journal hunted and locked": (kept(), ["journal-case-new", "journal-case-new", "journal-new"], []),
    "a journal locked without a hit": (kept(replay={"seeds": [8], "fixtures": [], "hits": 0, "last_hit_at": None}),
                                       ["journal-new"], ["journal_unlawful"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_persons_change(name: str) -> None:
    changes, expected, against = CASES[name]
    found = gated(workspace(**kept()), workspace(**changes))
    assert (sorted(signs(found)), sorted(codes(found))) == (sorted(expected), sorted(against))


@pytest.mark.parametrize("name", NEW)
def test_a_persons_new_journal(name: str) -> None:
    changes, expected, against = NEW[name]
    found = gated(workspace(), workspace(**changes))
    assert (sorted(signs(found)), sorted(codes(found))) == (sorted(expected), sorted(against))


@pytest.mark.parametrize("name", [name for name in CASES if name not in ("nothing", "undeclared")])
def test_an_agents_change_is_refused_whatever_it_is(name: str) -> None:
    found = gated(workspace(**kept()), workspace(**CASES[name][0]), Author.AGENT)
    assert "journal_changed" in codes(found) and signs(found) == []


def test_a_test_that_goes_away_takes_no_journal_with_it() -> None:
    gone = DECLARED[: DECLARED.index('oracle_property_test(name = "p"')]
    found = gated(workspace(**kept()), workspace(**kept() | {"BUILD.bazel": gone}))
    assert "journal-undeclared" in signs(found) and "journal_case_lost" in codes(found)


def test_the_values_of_this_file_are_of_the_workspace() -> None:
    assert PARENT == document()["parent_sha"] and TOOLS["python"] in json.dumps(document()) and DOMAIN["max_size"] == 8


# Base's journal -> what a person makes of it.
FROM: dict[str, tuple[dict[str, Any], dict[str, Any], list[str], list[str]]] = {
    "another secret": (
        kept(holdout={**HOLDOUT, "commitment": "b" * 64}), kept(holdout={**HOLDOUT, "commitment": "c" * 64}),
        ["journal-secret-changed"], []),
    "no secret any more": (
        kept(holdout={**HOLDOUT, "commitment": "b" * 64}), kept(), ["journal-secret-dropped"], ["journal_move_unknown"]),
    "a freeze that ends later": (
        kept(state="replay-frozen", flake=BOTH),
        kept(state="replay-frozen", flake={**BOTH, "freeze_replay_until": "2026-03-01T00:00:00Z"}),
        ["journal-frozen"], []),
    "a freeze of more": (
        kept(state="replay-frozen", flake=BOTH), kept(state="replay-frozen", flake={**BOTH, "seeds": [8, 21]}),
        ["journal-frozen"], []),
    "a freeze of less": (
        kept(state="replay-frozen", flake={**BOTH, "seeds": [8, 21]}), kept(state="replay-frozen", flake=BOTH),
        ["journal-changed"], []),
    "a dead candidate deleted": (
        kept(**PROPOSED, **EMPTY), {**kept(**PROPOSED, **EMPTY), PATH: None, "BUILD.bazel": BUILD},
        ["journal-dropped"], []),
    "a candidate that hit deleted": (
        kept(**HIT), {**kept(**HIT), PATH: None, "BUILD.bazel": BUILD},
        ["journal-undeclared"], ["journal_case_lost"]),
}  # fmt: skip


@pytest.mark.parametrize("name", FROM)
def test_a_persons_change_of_another_base(name: str) -> None:
    base, changes, expected, against = FROM[name]
    found = gated(workspace(**base), workspace(**changes))
    assert (sorted(signs(found)), sorted(codes(found))) == (sorted(expected), sorted(against))


def test_what_changed_beside_the_state_is_named() -> None:
    found = gated(workspace(**kept()), workspace(**kept(owner="Bo Ek", noise=[])))
    assert found.gated is not None
    assert [step.detail for step in found.gated.steps] == ["locked as before; other owner, noise"]
