"""The determinism profile: shapes that are read, fields that are refused with their place, and the rows as a table."""

from __future__ import annotations

import dataclasses
import datetime
import json
import subprocess
import sys
from typing import Any
from zoneinfo import _zoneinfo  # type: ignore[attr-defined]

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_rules.artifacts import variables, zone
from oracle_rules.artifacts.profile import (
    ATTRIBUTES,
    LIMITS,
    SETTINGS,
    STANDARD,
    Profile,
    check_lock,
    declared_profile,
    parse_profile,
)
from oracle_rules.errors import IncompleteError
from oracle_rules.loading.schema import RULES

CET = "CET-1CEST,M3.5.0,M10.5.0/3"


def read(given: Any, **beside: Any) -> Profile:
    return parse_profile(json.dumps(given).encode(), path="patch-gate.json", **beside)


def refused(text: str, **beside: Any) -> IncompleteError:
    with pytest.raises(IncompleteError) as caught:
        parse_profile(text.encode(), path="p.json", **beside)
    assert caught.value.remedy
    return caught.value


def test_a_profile_file_with_an_environment() -> None:
    found = read({"profile": "patch-gate", "seed": 20260830, "freeze": [], "env": {
        "TZ": "UTC", "PYTHONHASHSEED": "0", "APP_SEED": "20260830", "CACHE_DIR": ".cache/gate"}})  # fmt: skip
    assert found == dataclasses.replace(STANDARD, name="patch-gate", seed=20260830, hash_seed=0,
                                        cache_dir=".cache/gate", env={"APP_SEED": "20260830"})  # fmt: skip


def test_one_configuration_object() -> None:
    found = read({"seed": 20260830, "max_examples": 200, "tz": "UTC", "cache_dir": "tmp"})
    assert found == dataclasses.replace(STANDARD, name="patch-gate", seed=20260830, max_examples=200, cache_dir="tmp")


def test_the_older_form() -> None:
    found = read({"clock": "1970-01-01T01:00:01+01:00", "hash_seed": 7, "entropy_seed": 8, "limits": {"processes": 8}})
    assert (found.clock_ns, found.hash_seed, found.seed) == (10**9, 7, 8)
    assert found.limits == {**STANDARD.limits, "processes": 8}


def test_nothing_given_is_the_standard_and_so_is_the_standard_spelled_out() -> None:
    spelled = {row.name: json.loads(row.default) for row in SETTINGS if row.default}
    assert set(spelled) == {row.name for row in SETTINGS} - {"max_examples"}
    for some in ({}, spelled, *({name: value} for name, value in spelled.items())):
        assert read({"profile": "standard", **some}) == STANDARD


def test_a_profile_is_named_by_itself_then_by_its_label_then_by_its_file() -> None:
    assert read({"profile": "a b"}, label="//x:gate").name == "a b"
    assert read({}, label="//x:gate").name == "gate"
    assert read({}).name == "patch-gate"
    assert declared_profile({"seed": 1}, label="//x:gate").name == "gate"


# What is wrong -> where, and the field that is named.
WRONG: dict[str, tuple[str, str]] = {
    "": ("p.json:1:1", "is empty"),
    "{": ("p.json:1:2", "is not JSON"),
    "[]": ("p.json:1:1", "(top): has to be an object"),
    '{"seed": 1, "seed": 2}': ("p.json:1:21", "seed: stands twice"),
    '{\n "clok": 1}': ("p.json:2:10", "clok: is not a field"),
    '{"profile": ""}': ("p.json:1:13", "profile: must not be empty"),
    '{"seed": -1}': ("p.json:1:10", "seed: has to be from 0"),
    '{"seed": 4294967296}': ("p.json:1:10", "seed: has to be from 0"),
    '{"seed": "1"}': ("p.json:1:10", "seed: has to be a whole number"),
    '{"seed": true}': ("p.json:1:10", "seed: has to be a whole number"),
    '{"entropy_seed": 1.5}': ("p.json:1:18", "entropy_seed: has to be a whole number"),
    '{"max_examples": 0}': ("p.json:1:18", "max_examples: has to be from 1"),
    '{"tz": "Europe/Berlin"}': ("p.json:1:8", "tz: 'Europe/Berlin' is neither UTC nor a rule"),
    '{"env": {"TZ": "CET"}}': ("p.json:1:16", "env.TZ: 'CET' is neither UTC nor a rule"),
    '{"tz": 5}': ("p.json:1:8", "tz: has to be text"),
    '{"hash_seed": 4294967296}': ("p.json:1:15", "hash_seed: has to be from 0"),
    '{"env": {"PYTHONHASHSEED": 0}}': ("p.json:1:28", "env.PYTHONHASHSEED: has to be text"),
    '{"env": {"PYTHONHASHSEED": "random"}}': ("p.json:1:28", "env.PYTHONHASHSEED: has to be a whole number"),
    '{"env": {"PYTHONHASHSEED": "4294967296"}}': ("p.json:1:28", "env.PYTHONHASHSEED: has to be a whole number"),
    '{"env": {"PYTHONHASHSEED": "-1"}}': ("p.json:1:28", "env.PYTHONHASHSEED: has to be a whole number"),
    '{"env": {"PYTHONHASHSEED": "\\u0661"}}': ("p.json:1:28", "env.PYTHONHASHSEED: has to be a whole number"),
    '{"cache_dir": "/var/cache"}': ("p.json:1:15", "cache_dir: '/var/cache' is absolute"),
    '{"cache_dir": "a/../../b"}': ("p.json:1:15", "cache_dir: 'a/../../b' is not normalised"),
    '{"cache_dir": "a/b/c/d/e/f/g/h/i"}': ("p.json:1:15", "cache_dir: is more than 8 folders deep"),
    '{"env": {"CACHE_DIR": "."}}': ("p.json:1:23", "env.CACHE_DIR: '.' is not normalised"),
    '{"clock": "yesterday"}': ("p.json:1:11", "clock: has to be an ISO 8601 time"),
    '{"clock": "2026-01-01T00:00:00"}': ("p.json:1:11", "clock: needs an offset"),
    '{"limits": {"speed": 1}}': ("p.json:1:22", "limits.speed: is not a field"),
    '{"limits": {"processes": 0}}': ("p.json:1:26", "limits.processes: has to be from 1"),
    '{"limits": {"tmp_files": 15}}': ("p.json:1:26", "limits.tmp_files: has to be from 16"),
    '{"env": []}': ("p.json:1:9", "env: has to be an object"),
    '{"env": {"a b": "c"}}': ("p.json:1:17", 'env."a b": is no name'),
    '{"env": {"\\u00e4": "c"}}': ("p.json:1:20", 'env."ä": is no name'),
    '{"env": {"A": 1}}': ("p.json:1:15", "env.A: has to be text; write '1' in quotes"),
    '{"env": {"A": "\\u0000"}}': ("p.json:1:15", "env.A: holds a NUL"),
    '{"tz": "UTC", "env": {"TZ": "JST-9"}}': ("p.json:1:29", "env.TZ: is 'JST-9', and tz is 'UTC'"),
    '{"seed": 1, "entropy_seed": 2}': ("p.json:1:29", "entropy_seed: is 2, and seed is 1"),
    '{"hash_seed": 1, "env": {"PYTHONHASHSEED": "2"}}': ("p.json:1:44", "env.PYTHONHASHSEED: is '2', and hash_seed is 1"),
    '{"cache_dir": "a", "env": {"CACHE_DIR": "b"}}': ("p.json:1:41", "env.CACHE_DIR: is 'b', and cache_dir is 'a'"),
    '{"freeze": "x"}': ("p.json:1:12", "freeze: has to be a list"),
    '{"freeze": ["test_legacy_race"]}': ("p.json:1:12", "freeze: a profile freezes nothing, and this one lists test_l"),
    '{"network": "host"}': ("p.json:1:13", "network: is not a field"),
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_named_with_its_place(text: str) -> None:
    where, detail = WRONG[text]
    error = refused(text)
    assert (error.where, error.detail[: len(detail)]) == (where, detail)


@pytest.mark.parametrize(
    "name", [pin.name for pin in variables.PINS] + ["LC_TIME", "LD_PRELOAD", "PYTHONPATH", "TZDIR"]
)
def test_a_pinned_variable_is_set_by_nobody_but_its_setting(name: str) -> None:
    value = {"TZ": CET, "PYTHONHASHSEED": "5", "CACHE_DIR": "x"}.get(name, "x")
    if name in ("TZ", "PYTHONHASHSEED", "CACHE_DIR"):
        found = read({"env": {name: value}})
        assert found.env == {} and found != dataclasses.replace(STANDARD, name="patch-gate")
    else:
        assert refused(json.dumps({"env": {name: value}})).detail.startswith(f"env.{name}: can't be set")
    assert read({"env": {"MY_" + name: "x"}}).env == {"MY_" + name: "x"}


def test_a_declared_file_that_is_missing_and_a_declaration_of_nothing() -> None:
    with pytest.raises(IncompleteError, match="declared and does not exist"):
        parse_profile(None, path="p.json")
    with pytest.raises(IncompleteError, match="declares nothing") as caught:
        declared_profile({}, label="//x:gate")
    assert caught.value.where == "//x:gate" and "tz" in caught.value.remedy


VALUES: dict[str, Any] = {
    "seed": 1, "max_examples": 9, "tz": CET, "hash_seed": 2, "cache_dir": "a/b", "clock": "2000-01-01T00:00:00Z",
    "env": {"A": "1"},
}  # fmt: skip


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_an_attribute_means_what_the_field_means_and_has_no_second_source(name: str) -> None:
    only = {name: VALUES[name]}
    whole = read({**VALUES, "profile": "gate", "limits": {"processes": 3}})
    rest = {"limits": {"processes": 3}, **{key: value for key, value in VALUES.items() if key != name}}
    assert read(rest, label="//x:gate", attributes=only) == whole != read({**rest, "profile": "gate"})
    assert declared_profile(VALUES, label="//x:gate") == read({**VALUES, "profile": "gate"})
    error = refused(json.dumps(only), label="//x:gate", attributes=only)
    assert error.detail == f"{name}: is also an attribute of //x:gate; give it in one of the two places"
    assert error.where.startswith("p.json:1:")


@given(st.sets(st.sampled_from(ATTRIBUTES)), st.sets(st.sampled_from(ATTRIBUTES)), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_however_settings_are_spread_and_ordered_they_are_one_profile(
    here: set[str], beside: set[str], random: Any
) -> None:
    """A field in both places is refused; else the whole is what a single file of all of it says."""
    order = sorted(here)
    random.shuffle(order)
    file, attributes = {name: VALUES[name] for name in order}, {name: VALUES[name] for name in beside}
    if here & beside:
        assert refused(json.dumps(file), label="//x:gate", attributes=attributes).where.startswith("p.json:1:")
    else:
        whole = read({"profile": "gate", **{name: VALUES[name] for name in sorted(here | beside)}})
        assert read(file, label="//x:gate", attributes=attributes) == whole


def test_a_wrong_attribute_is_named_with_its_label() -> None:
    for attributes, field in (({"tz": "Mars"}, "tz"), ({"env": {"HOME": "x"}}, "env.HOME"), ({"clock": "x"}, "clock")):
        for read_it in (
            lambda given=attributes: declared_profile(given, label="//x:gate"),
            lambda given=attributes: read({}, label="//x:gate", attributes=given),
        ):
            with pytest.raises(IncompleteError) as caught:
                read_it()
            assert caught.value.where == "//x:gate" and caught.value.detail.startswith(field + ": ")


def test_a_spelling_in_one_source_meets_the_setting_in_the_other() -> None:
    error = refused('{"env": {"TZ": "UTC"}}', label="//x:gate", attributes={"tz": "UTC"})
    assert (error.where, error.detail.partition(":")[0]) == ("p.json:1:16", "env.TZ")
    error = refused('{"tz": "UTC"}', label="//x:gate", attributes={"env": {"TZ": "UTC"}})
    assert error.where == "p.json:1:8"
    assert read({"env": {"TZ": "UTC"}}, label="//x:g", attributes={"env": {"A": "1"}}).env == {"A": "1"}


def test_the_rows_are_the_fields_and_the_rule() -> None:
    fields = [field.name for field in dataclasses.fields(Profile) if field.name != "name"]
    assert [row.target for row in SETTINGS] == fields
    assert set(RULES["oracle_profile"].attributes) == {*ATTRIBUTES, "profile"}
    assert len({row.name for row in SETTINGS}) == len(SETTINGS) and all(row.effect and row.shape for row in SETTINGS)
    assert set(variables.SPELLED.values()) < {row.name for row in SETTINGS}
    assert {limit.name: limit.standard for limit in LIMITS} == STANDARD.limits
    assert all(0 < limit.least <= limit.standard and limit.counts for limit in LIMITS)


def test_every_row_moves_its_own_field_and_no_other() -> None:
    for row in SETTINGS:
        changed = read({"profile": "standard", row.name: {**VALUES, "limits": {"processes": 3}}[row.name]})
        moved = [each.target for each in SETTINGS if getattr(changed, each.target) != getattr(STANDARD, each.target)]
        assert moved == [row.target]


def test_a_lock_that_says_another_number_is_named_beside_the_profile() -> None:
    for number in (None, 200):
        check_lock(
            dataclasses.replace(STANDARD, max_examples=number), property_id="p", max_examples=200, where="d.json"
        )
    for number in (199, 201):
        profile = dataclasses.replace(STANDARD, name="gate", max_examples=number)
        with pytest.raises(
            IncompleteError, match=f"p.max_examples: the lock draws 200 cases, profile 'gate' says {number}"
        ):
            check_lock(profile, property_id="p", max_examples=200, where="d.json")


# The last lines of zone files, as the database spells them.
RULES_OF_ZONES = (
    "UTC", "UTC0", "GMT0BST,M3.5.0/1,M10.5.0", CET, "EET-2EEST,M3.5.0/3,M10.5.0/4", "EST5EDT,M3.2.0,M11.1.0",
    "CST6CDT,M3.2.0,M11.1.0", "JST-9", "IST-5:30", "IST-1GMT0,M10.5.0,M3.5.0/1", "<+0545>-5:45", "<-03>3",
    "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "IST-2IDT,M3.4.4/26,M10.5.0",
    "EET-2EEST,M3.4.4/50,M10.4.4/50", "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45", "<-04>4<-03>,M9.1.6/24,M4.1.6/24",
    "AEST-10AEDT,M10.1.0,M4.1.0/3", "XXX3EDT4,0/0,J365/23", "<+00>0<+02>-2,M3.5.0/1,M10.5.0/3",
)  # fmt: skip
NO_RULES = (
    "", " UTC", "UTC ", "utc", "Europe/Berlin", "Etc/UTC", ":UTC", "CET", "CE-1", "CET-1CEST", "CET-25", "CET-1:60",
    "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
    "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,J0,J366", "CET-1CEST,366,1", "/etc/passwd", "UTC0\n", "\u0661ET-1",
    "CET-\u0661", "<>0", "<A/B>0", "ABCDEFGHIJK0",
)  # fmt: skip


@pytest.mark.parametrize("text", RULES_OF_ZONES)
def test_a_rule_of_a_zone_is_read(text: str) -> None:
    assert zone.problem(text) is None
    if text != "UTC":
        _zoneinfo._parse_tz_str(text)


@pytest.mark.parametrize("text", NO_RULES)
def test_what_is_no_rule_is_refused(text: str) -> None:
    assert zone.problem(text) is not None


@given(st.from_regex(zone._RULE, fullmatch=True))
@settings(max_examples=200, deadline=None)
def test_what_is_read_as_a_rule_another_reader_reads_too(text: str) -> None:
    _zoneinfo._parse_tz_str(text)


SHOW = """
import os, sys, time
for stamp in (9000000, 1768000000, 1783000000):
    for text in sys.argv[1:]:
        os.environ["TZ"] = text
        time.tzset()
        print(text, time.localtime(stamp).tm_gmtoff, time.localtime(stamp).tm_zone)
"""


def test_the_c_library_takes_each_rule_for_what_it_says() -> None:
    """Offsets by a second reader: a rule that the library did not understand would silently be UTC."""
    done = subprocess.run([sys.executable, "-c", SHOW, *RULES_OF_ZONES[1:]], capture_output=True, text=True, check=True)
    seen = [tuple(line.rsplit(" ", 2)) for line in done.stdout.splitlines()]
    assert len(seen) == 3 * (len(RULES_OF_ZONES) - 1)
    for number, (text, offset, name) in enumerate(seen):
        stamp = (9000000, 1768000000, 1783000000)[number // (len(RULES_OF_ZONES) - 1)]
        rule = _zoneinfo._parse_tz_str(text)
        moment = datetime.datetime.fromtimestamp(stamp, datetime.UTC)
        if hasattr(rule, "get_trans_info_fromutc"):
            info, _ = rule.get_trans_info_fromutc(stamp, moment.year)
        else:
            info = rule
        assert (int(info.utcoff.total_seconds()), info.tzname) == (int(offset), name), text
