"""Each law with rows that break it alone beside rows that keep it; a law that is taken away refuses nothing."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.artifacts.freezing import laws
from oracle_rules.artifacts.freezing.laws import LEDGER_CHECKS, ROW_CHECKS, check_freeze
from oracle_rules.artifacts.freezing.ledger import CLASS_ALIASES, FreezeRow, parse_freeze
from oracle_rules.artifacts.freezing.persons import why_no_person
from oracle_rules.artifacts.freezing.tables import KINDS, LAWS, NO_NAME, NO_PERSON
from oracle_rules.gate.codes import CATALOGUE

from .rows import DAY, broken, ledger, row

# Law -> rows that break it and no other law, and rows that keep it although they are close.
SIDES: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    "nodeid-exact": (
        [{"nodeid": name} for name in (
            "tests", "tests/", "tests/test_a.py", "tests/test_a.py::", "tests/test_*.py::test_b", "tests/a.py::test_?",
            "../test_a.py::test_b", "/x/test_a.py::test_b", "tests/test_a::test_b", "a.py::t[0xdeadbeef00]", "a.py::t[",
            "a.py::A::", "a.py::a-b", "tests//a.py::t", "[a].py::t",
        )],
        [{"nodeid": name} for name in (
            "test_a.py::test_b", "tests/test_a.py::TestA::test_b", "a.py::test_b[1-x::y*]", "a.py::test_b[0xff]",
            "données.py::test_é", "a.py::test_b[]", "a.py::test_b[a[0]]",
        )],
    ),
    "class-known": ([{"kind": name} for name in ("ordering", "flaky", "Clock", "time dependent")], [{"kind": "time"}]),
    "class-freezable": (
        [{"kind": name} for name in ("network", "unseeded-entropy", "resource")], [{"kind": "time-dependent"}],
    ),
    "order-given": (
        [{"kind": "order", "evidence": "went backwards once under a clock step, 1 of 4000 runs"},
         {"kind": "order", "evidence": "red when shuffled, as it seems"},
         *({"kind": "order", "evidence": "the set came out otherwise", "order": text} for text in (".", "dunno", "an order")),
         {"kind": "order", "evidence": "the set came out otherwise", "skew": "+1 s"}],
        [{"kind": "order", "evidence": "red after test_b, 1 of 400 runs"},
         {"kind": "order", "evidence": "the set came out otherwise", "order": "test_b test_a"}],
    ),
    "skew-given": (
        [{"evidence": "came too late on a busy worker, 1 of 4000 runs"}, {"evidence": "went backwards under a step"},
         {"evidence": "came too late on a busy worker", "order": "test_b test_a"}],
        [{"evidence": "red behind a zone change, 2/40 runs"},
         {"evidence": "clock drift, 12 of the last 4,000 runs"},
         {"evidence": "came too late on a busy worker", "skew": "+1 s"}],
    ),
    "evidence-says": (
        [{"evidence": text, "skew": "-1 s"} for text in (
            "flaky", "it is flaky sometimes", "see FRZ-0001", "time dependent", "Ada Lindqvist", "TODO",
            "tests/test_retry.py::TestClock::test_wall_clock_moves")],
        [{"evidence": "step of -1 s", "skew": "-1 s"}],
    ),
    "evidence-varies": (
        [{"evidence": f"went backwards under a clock step, {count} runs"} for count in (
            "4 of 4", "0 of 9", "9/8", "40 of 40 CI", "40 of the last 40 nightly CI")]
        + [{"evidence": "went backwards under a clock step, red in 7 of 7 builds"}],
        [{"evidence": f"went backwards under a clock step, {count}"} for count in (
            "3 of 4 runs", "39 of 40 CI runs", "red on 2 of 2 machines, 3 of 40 runs")],
    ),
    "seam-known": (
        [{"seam": text} for text in (None, "unknown", "UNKNOWN ", "?", "n/a", "TBD", "-", "--", "??", "unknown seam",
                                      "not known yet", "unkn\u043ewn")],
        [{"seam": text} for text in ("clock", "map order", "id", "I/O", "src/a.py:7")],
    ),
    "owner-person": ([{"owner": "merge-bot"}, {"owner": "@retries/platform"}], [{"owner": "@ada"}]),
    "once-green": ([{"last_green": None}], [{"last_green": "2020-01-01"}]),
    "not-future": ([{"last_green": "2026-10-02"}], [{"last_green": "2026-10-01"}]),
    "dates-ordered": (
        [{"last_green": "2026-12-01", "expires": "2026-11-30"}],
        [{"last_green": "2026-12-01", "expires": "2026-12-01"}],
    ),
    "not-expired": ([{"expires": "2026-09-30"}], [{"expires": "2026-10-01"}]),
    "people-extend": ([{"agent_may_extend": True}], [{"agent_may_extend": None}]),
}  # fmt: skip
PAIRS = [(name, side, more) for name, sides in SIDES.items() for side in (0, 1) for more in sides[side]]
# Law -> the ledger that breaks it and no other law, and one that keeps it although it is close.
LEDGERS = {
    "row-accounted": (
        parse_freeze(b'{"excluded_property_ids": ["a"], "reason": {"a": "race"}}', path="freeze.json"), ledger(row())),
    "budget": (ledger(row(), row(id="F-2", nodeid="a.py::t"), budget=1), ledger(row(), budget=1)),
    "id-once": (ledger(row(), row(id="frz-0001", nodeid="a.py::t")), ledger(row(), row(id="FRZ-0002", nodeid="a.py::t"))),
    "thing-once": (ledger(row(), row(id="F-2")), ledger(row(), row(id="F-2", nodeid=f"{row()['nodeid']}s"))),
}
# What breaks dates-ordered alone lies in the future of DAY.
LATE = {"dates-ordered": date(2026, 11, 30)}


@pytest.mark.parametrize(("name", "side", "more"), PAIRS)
def test_each_law_has_its_sides(name: str, side: int, more: dict[str, Any]) -> None:
    found = broken(ledger(row(**more)), LATE.get(name, DAY))
    if name == "dates-ordered":
        found.remove("not-future")
    assert found == ([name] if side == 0 else [])


def test_every_law_of_a_row_is_tested_and_every_predicate_is_used() -> None:
    assert set(SIDES) == {law.name for law in LAWS if law.scope == "row"}
    assert set(LEDGERS) == {law.name for law in LAWS if law.scope == "ledger"}
    assert {law.check for law in LAWS if law.scope == "row"} == set(ROW_CHECKS)
    assert {law.check for law in LAWS if law.scope == "ledger"} == set(LEDGER_CHECKS)
    assert len({law.name for law in LAWS}) == len(LAWS)


@pytest.mark.parametrize("name", SIDES)
def test_a_law_that_is_removed_refuses_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "LAWS", tuple(law for law in LAWS if law.name != name))
    for more in SIDES[name][0]:
        assert name not in broken(ledger(row(**more)), LATE.get(name, DAY))


@pytest.mark.parametrize("name", [law.name for law in LAWS if law.scope == "ledger"])
def test_each_law_of_a_ledger_has_its_sides_and_is_missed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    breaks, keeps = LEDGERS[name]
    assert (broken(breaks), broken(keeps)) == ([name], [])
    monkeypatch.setattr(laws, "LAWS", tuple(law for law in LAWS if law.name != name))
    assert broken(breaks) == []


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_every_law_has_a_code_with_that_exit_and_says_what_to_do(law: Any) -> None:
    assert CATALOGUE[law.code].exit == 4 and CATALOGUE[law.code].lane == "freeze"
    assert law.says.endswith(".") and law.remedy
    fields = set(FreezeRow.__dataclass_fields__) | {"class", "nodeid", "property", "property or nodeid", "budget", ""}
    assert law.field in fields


def test_a_refusal_names_row_field_and_way_out() -> None:
    [found] = check_freeze(ledger(row(), row(id="F-2", nodeid="a.py::t", kind="network")), today=DAY)
    assert found.detail.startswith("rows[1].class (F-2): network is not freezable: record the exchanges as fixtures")
    assert found.code == "freeze_class_unfreezable"


def test_classes_are_those_of_the_issue() -> None:
    assert [kind.name for kind in KINDS if kind.freezable] == ["order-dependent", "time-dependent"]
    assert [kind.name for kind in KINDS if not kind.freezable] == ["network", "unseeded-entropy", "resource"]
    assert all(kind.instead and bool(kind.words) is kind.freezable is bool(kind.needs) for kind in KINDS)
    assert set(CLASS_ALIASES.values()) == {kind.name for kind in KINDS if kind.freezable}


def test_a_list_of_excluded_ids_breaks_one_law() -> None:
    text = b'{"excluded_property_ids": ["a", "b"], "reason": {"a": "race", "b": "race"}}'
    assert broken(parse_freeze(text, path="freeze.json")) == ["row-accounted"]


PEOPLE = (
    "Ada Lindqvist", "ada", "@ada", "Claude Shannon", "Ai Weiwei", "Talbot Abbott", "ada.lindqvist@example.org",
    "李小龙", "Zoë", "Grace Hopper (retries)", "Ada Lindqvist <ada@example.org>", "O'Neil", "ada@bots.example.org",
)  # fmt: skip
NOBODY = (
    "nobody", "TBD", "n/a", "-", "?", "merge-bot", "MergeBot", "dependabot[bot]", "dependabot", "@platform/retries",
    "the retry agent", "Platform Team", "claude", "Claude Code", "claude-3-opus", "GPT-5", "ChatGPT", "Copilot", "42",
    "A", "noreply@example.org", "41898282+ci[bot]@users.example.org", "root", "ｂｏｔ", "everyone",
    "on-call group", "AI", "merge b\u200bot", "subagent", "retrybot", "CI Runner", "GitHub Actions", "nobody yet",
    "\u0430gent", "\u0430g\u0435nt Ada", "a\u0301gent", "b\u00f6t", "Retry\u0412ot", "not assigned: nobody",
    "Ada \x1b[31mLindqvist", "Ada\nLindqvist", "Ada \u202eLindqvist",
)  # fmt: skip


@pytest.mark.parametrize("name", PEOPLE)
def test_people_are_people(name: str) -> None:
    assert why_no_person(name) is None


@pytest.mark.parametrize("name", NOBODY)
def test_what_is_no_person_is_none(name: str) -> None:
    assert why_no_person(name)


@given(st.sampled_from(sorted(NO_PERSON)), st.sampled_from(PEOPLE[:4]))
def test_one_such_word_settles_it(word: str, name: str) -> None:
    for owner in (word, word.upper(), f"{name} {word}", f"{word}-{name}"):
        assert why_no_person(owner)


@given(st.lists(st.sampled_from(sorted(NO_NAME)), min_size=1, max_size=4))
def test_words_that_are_no_name_add_up_to_none(words: list[str]) -> None:
    assert why_no_person(" ".join(words)) and why_no_person("-".join(words).title())
    assert why_no_person(" ".join([*words, "Lindqvist"])) is None
