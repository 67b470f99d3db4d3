"""Symptoms of the oracle and of what a patch does to it, on the workspace of `tests/cli`: nothing has to be run.

`GATE` differs by commits, `FREEZE` and `FIXTURES` in the work tree. Knows no product code.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ..cli.kit import LIMITS, PATCHES, SEEDS, build_file, workspace
from .kit import SCORE, Files, Show

COMMON: dict[str, str] = {**workspace(), "CODEOWNERS": "* @ada\n"}
DAY = "2026-12-01"
HEADER = 'from src.text import clean\n\n\ndef hold(case):\n    '
_CLEAN, _AGENT, _HUMAN = "seeds/clean.json", "oracle-rules gate", "oracle-rules gate --author human"
_PROPERTY, _LOCK, _LIMITS = "properties/clean.py", "domain_lock.json", "fixtures/limits.json"
_MANIFEST = "fixtures/manifest.json"
_ANY_ORACLE_EDIT = "oracle_edit_forbidden"


def _seeds(*cases: Any) -> Files:
    return {_CLEAN: json.dumps(cases)}


_FIRST, _SECOND = SEEDS["clean"]
_OTHER = {"in": "C", "out": "c"}
_GONE: Files = _seeds(_SECOND)
_REWRITTEN: Files = _seeds(_FIRST, {"in": "b", "out": "B"})


def _domain(**more: Any) -> Files:
    lock = json.loads(COMMON[_LOCK])
    lock["shout"] |= more
    return {_LOCK: json.dumps(lock)}


def _fixture(data: str, *, listed: bool = True, **more: Any) -> Files:
    row = json.loads(COMMON[_MANIFEST])["limits.json"] | more
    if listed:
        row["sha256"] = hashlib.sha256(data.encode()).hexdigest()
    return {_LIMITS: data, _MANIFEST: json.dumps({"limits.json": row})}


def _edit(patch: Files, subject: str) -> Show:
    """Whatever an agent does to an oracle is summed up by the score."""
    return Show(code=_ANY_ORACLE_EDIT, subject=subject, patch=patch, via=SCORE)


def _property(body: str, head: str = "") -> Files:
    """The property of `clean` with another body of `hold`."""
    return {_PROPERTY: head + HEADER + body + "\n"}


def _base(code: str, subject: str, base: Files, exit: int = 4) -> tuple[Show, ...]:
    """What base itself lacks, so that any patch on it is refused."""
    return (Show(code=code, subject=subject, base=base, patch=PATCHES["good"], exit=exit),)


_FILTER = "properties/_filters.py"
_TEXT = {"kind": "text", "alphabet": {"named": "ascii"}, "min_size": 0, "max_size": 8}


def _text(**more: Any) -> Files:
    """A lock in the general form, the only one that knows filters."""
    return {_LOCK: json.dumps({"shout": {"domain": _TEXT, "max_examples": 20, "deadline_ms": 100, "seed": 7, **more}})}


_FILTERED: Files = {
    **_text(filters=[f"{_FILTER}:short"], acceptance_floor=0.1), _FILTER: "def short(case):\n    return len(case) < 8\n",
    "BUILD.bazel": COMMON["BUILD.bazel"].replace(':domains"', f':domains", deps = ["{_FILTER}"]', 1),
}
_NO_ROW: Files = {_LOCK: COMMON[_LOCK].replace('"shout"', '"clean"')}
_ASKS = "return clean(case['in']) == case['out']"

_SHA = "a" * 40
_JOURNAL, _REALISED = "oracles/shout.json", "oracles/shout/3.json"


def _journal(*cases: str, **more: Any) -> Files:
    """The journal of `shout`, with the cases of these seeds."""
    replay = {"seeds": [3], "fixtures": [f"oracles/shout/{seed}.json" for seed in cases], "hits": len(cases)}
    whole = {"id": "shout", "selector": "//:shout", "parent_sha": _SHA, "replay": replay, "state": "locked",
             "holdout": {"seeds": [], "generator_saw": False},
             "flake": {"replay_flakes": 0, "holdout_flakes": 0, "freeze_replay_until": None}, **more}
    return {_JOURNAL: json.dumps(whole)}


_KEPT: Files = {
    **_journal("3"),
    "BUILD.bazel": COMMON["BUILD.bazel"].replace(':domains"', ':domains", journal = "oracles/shout.json"', 1),
    _REALISED: json.dumps({
        "schema": "oracle_rules/realised/v1", "id": "shout", "seed": 3, "case": "x", "reason": "property_failed",
        "detail": "", "found": {"corpus": f"{'0' * 64}/1", "index": 0}, "parent_sha": _SHA,
        "tools": {"hypothesis": "1", "python": "1", "unicode": "1"}}),
}

GATE: dict[str, tuple[Show, ...]] = {
    "seed-deleted": (
        Show(code="seed_removed", subject=_CLEAN, patch={_CLEAN: None}),
        Show(code="seed_rewritten", subject=_CLEAN, patch=_GONE),
        Show(code="seed_removed", subject=_CLEAN, patch=_GONE, via=_HUMAN), _edit(_GONE, _CLEAN)),
    "seed-reordered": (
        Show(code="seed_reordered", subject=_CLEAN, patch=_seeds(_SECOND, _FIRST)),
        Show(code="seed_rewritten", subject=_CLEAN, patch=_seeds(_SECOND, _FIRST), via=_AGENT)),
    "seed-changed": (
        Show(code="seed_rewritten", subject=_CLEAN, patch=_REWRITTEN), _edit(_REWRITTEN, _CLEAN)),
    "seed-added-by-agent": (
        Show(code="seed_appended", subject="seeds/new.json", patch={"seeds/new.json": "[1]"}),
        Show(code="seed_rewritten", subject=_CLEAN, patch=_seeds(_FIRST, _SECOND, _OTHER))),
    "seed-twice": (Show(code="seed_duplicate", subject=_CLEAN, patch=_seeds(_FIRST, _SECOND, _FIRST)),),
    "seeds-missing": (*_base("oracle_incomplete", _CLEAN, {_CLEAN: "[]"}, 3),
                      *_base("oracle_incomplete", "BUILD.bazel", {_CLEAN: None}, 3)),
    "freeze-edited": (
        Show(code="freeze_changed", subject="freeze.json", patch={"freeze.json": '{"budget": 1, "rows": []}'}),
        _edit({"freeze.json": '{"budget": 1, "rows": []}'}, "freeze.json")),
    "fixture-edited": (
        Show(code="fixture_rewritten", subject=_LIMITS, patch={_LIMITS: '{"most":10}\n'}),
        _edit({_LIMITS: '{"most":10}\n'}, _LIMITS)),
    "harness-edited": (
        Show(code="config_changed", subject="pytest.ini", patch={"pytest.ini": "[pytest]\n"}),
        Show(code="lock_changed", subject="requirements.lock", patch={"requirements.lock": "# other\n"}),
        Show(code="build_changed", subject="BUILD.bazel", patch={"BUILD.bazel": build_file(["clean"])}),
        Show(code="codeowners_changed", subject="CODEOWNERS", patch={"CODEOWNERS": "* @eve\n"})),
    "narrower-domain": (
        Show(code="domain_changed", subject=_LOCK, patch=_domain(max_size=7)),
        *(Show(code="domain_narrowed", subject=_LOCK, patch=_domain(**more), via=_HUMAN) for more in (
            {"max_size": 7}, {"min_size": 1}, {"alphabet": "digits"}, {"max_examples": 19}, {"seed": 8})),
        Show(code="domain_narrowed", subject=_LOCK, base=_text(), patch=_FILTERED, via=_HUMAN)),
    "shorter-deadline": (
        Show(code="domain_changed", subject=_LOCK, patch=_domain(deadline_ms=99)),
        Show(code="domain_narrowed", subject=_LOCK, patch=_domain(deadline_ms=99), via=_HUMAN)),
    "journal-shrunk": (
        Show(code="journal_case_lost", subject=_JOURNAL, base=_KEPT, patch=_journal()),
        Show(code="journal_case_lost", subject=_REALISED, base=_KEPT, patch={_REALISED: None}),
        Show(code="journal_move_unknown", subject=_JOURNAL, base=_KEPT, patch=_journal("3", state="proposed")),
        Show(code="journal_unlawful", subject=_JOURNAL, patch={**_KEPT, **_journal()}),
        Show(code="journal_changed", subject=_JOURNAL, base=_KEPT, patch=_journal(), via=_AGENT)),
    # The short shape names no versions.
    "journal-stale": (Show(code="journal_stale", subject=_JOURNAL, base=_KEPT, patch=PATCHES["good"], exit=3,
                           label="//:shout"),),
    "secret-missing": (Show(code="holdout_secret_missing", subject=_JOURNAL, base={**_KEPT, **_journal("3", holdout={
        "seeds": [], "generator_saw": False, "commitment": "c" * 64})}, patch=PATCHES["good"], exit=3,
                            label="//:shout"),),
    "domain-unlocked": _base("domain_unlocked", _LOCK, _NO_ROW),
    "fixture-unexplained": (
        Show(code="fixture_unexplained", subject=_LIMITS, patch=_fixture('{"most":10}\n')),),
    "no-owner": (
        *_base("codeowners_missing", "CODEOWNERS", {"CODEOWNERS": None}),
        *_base("codeowners_missing", "freeze.json", {"CODEOWNERS": "* @ada\n/freeze.json @ci-bot\n"})),
    "skip-unnamed": (
        *_base("silence_unnamed", _PROPERTY, _property(f"pytest.skip('slow')\n    {_ASKS}", "import pytest\n")),
        *_base("silence_unnamed", _PROPERTY, _property(_ASKS, "import pytest\n\npytest.importorskip('numpy')\n")),
        *_base("silence_unnamed", _PROPERTY,
               _property(_ASKS, "import pytest\n\npytestmark = pytest.mark.xfail\n"))),
    "is-not-none": _base("property_no_invariant", _PROPERTY, _property("return clean(case['in']) is not None")),
    "cannot-fail": _base("property_cannot_fail", _PROPERTY, _property("return len(clean(case['in'])) >= 0")),
    "restated": (
        *_base("property_restates_generator", _PROPERTY,
               _property("clean(case['in'])\n    return len(case['out']) < 9")),
        *_base("property_asks_nothing", _PROPERTY, _property("return case['in'].strip().lower() == case['out']"))),
    "property-reads": _base("property_does_io", _PROPERTY,
                            _property("return clean(open('/etc/hostname').read()) == case['out']")),
}

# Beside each the same text without the symptom is base's own, and `main..good` is accepted by every command here.


def _row(**more: Any) -> dict[str, Any]:
    row = json.loads(COMMON["freeze.json"])["rows"][0]
    return {key: value for key, value in {**row, **more}.items() if value is not None}


def _ledger(code: str, *rows: dict[str, Any], budget: int = 2) -> Show:
    return Show(code=code, subject="freeze.json", patch={"freeze.json": json.dumps({"budget": budget, "rows": rows})})


def _test(nodeid: str) -> dict[str, Any]:
    return _row(property=None, nodeid=nodeid)


_STAYS: Files = {
    "BUILD.bazel": COMMON["BUILD.bazel"] + 'oracle_freeze(name = "other", ledger = "other.json")\n',
    "other.json": json.dumps({"budget": 1, "rows": [_row(property="total")]}),
}

FREEZE: dict[str, tuple[Show, ...]] = {
    "still-collected": (Show(code="freeze_still_collected", subject="other.json", patch=_STAYS),),
    "class-not-freezable": tuple(_ledger("freeze_class_unfreezable", _row(**{"class": name})) for name in (
        "network", "unseeded-entropy", "resource")),
    "class-unknown": (_ledger("freeze_class_unknown", _row(**{"class": "cosmic"})),),
    "not-reproduced": tuple(_ledger("freeze_unreproduced", _row(
        **{"class": name, "evidence": "seen on a busy worker, 1 of 900 runs"})) for name in (
        "order-dependent", "time-dependent")),
    "past-expiry": (_ledger("freeze_expired", _row(expires="2026-11-30")),),
    "unknown-seam": (_ledger("freeze_seam_unknown", _row(seam="unknown")),),
    "over-budget": (_ledger("freeze_budget_exceeded", _row(), budget=0),),
    "frozen-twice": (_ledger("freeze_duplicate_id", _row(), _row(property="total")),
                     _ledger("freeze_duplicate_id", _row(), _row(id="FRZ-2"))),
    "owner-no-person": tuple(_ledger("freeze_owner_not_person", _row(owner=name)) for name in (
        "the platform team", "renovate[bot]")),
    "no-evidence": (_ledger("freeze_evidence_missing", _row(evidence="flaky")),
                    _ledger("freeze_never_green", _row(last_green=None))),
    "agents-extend": (_ledger("freeze_agent_extendable", _row(agent_may_extend=True)),),
    "always-red": (_ledger("freeze_always_red", _row(evidence="red after clean, 900 of 900 runs")),),
    "prefix-frozen": (_ledger("freeze_nodeid_inexact", _test("tests/test_legacy.py")),
                      _ledger("freeze_matches_nothing", _test("tests/test_legacy.py::test_"))),
    "reasons-only": (Show(code="freeze_unaccounted", subject="freeze.json", patch={"freeze.json": json.dumps(
        {"excluded_property_ids": ["asleep"], "reason": {"asleep": "races the log writer"}})}),),
}

_MORE = COMMON["BUILD.bazel"].replace('srcs = ["fixtures/limits.json"]',
                                      'srcs = ["fixtures/limits.json", "fixtures/more.json"]')
FIXTURES: dict[str, tuple[Show, ...]] = {
    "fixture-unlisted": (Show(code="fixture_unmanifested", subject="fixtures/more.json",
                              patch={"BUILD.bazel": _MORE, "fixtures/more.json": LIMITS.decode()}),),
    "fixture-drifted": (Show(code="fixture_hash_mismatch", subject=_LIMITS, patch={_LIMITS: '{"most":10}\n'}),),
    "fixture-open": (Show(code="fixture_agent_rewritable", subject=_LIMITS, patch=_fixture(
        LIMITS.decode(), origin="the crawler", rewritable_by_agent=True)),),
    "fixture-not-canonical": (Show(code="fixture_not_canonical", subject=_LIMITS, patch=_fixture('{"most": 9}\n')),),
    "line-endings": (Show(code="fixture_converted", subject=_LIMITS,
                          patch={".gitattributes": "* text=auto eol=crlf\n"}),),
}
