"""Profiles through the real command line: what a run sees of them and of the host, and who may change one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from .kit import Ran, Repo, make, oracle

CET = "CET-1CEST,M3.5.0,M10.5.0/3"
LOOK = """import datetime
import os
import tempfile
import time
from pathlib import Path


def look():
    cache = Path(os.environ["CACHE_DIR"])
    before = sorted(path.name for path in cache.iterdir())
    (cache / "note").write_text("x")
    mask = os.umask(0)
    os.umask(mask)
    return {
        "random": os.urandom(4).hex(),
        "environment": sorted([name, value] for name, value in os.environ.items()),
        "cache": [str(cache), before, (cache / "note").read_text()],
        "home": [os.path.expanduser("~"), tempfile.gettempdir(), os.getcwd()],
        "now": [str(datetime.datetime.now()), str(datetime.datetime.utcnow()), str(datetime.date.today()),
                time.strftime("%H %Z"), time.asctime(), time.localtime().tm_gmtoff,
                str(datetime.datetime.fromtimestamp(1782864000)), time.localtime(0).tm_hour],
        "aware": str(datetime.datetime.now(datetime.timezone.utc)),
        "umask": mask,
        "locale": __import__("locale").setlocale(0),
    }
"""
SEEN = """from src.look import look


def hold(case):
    found = look()
    wrong = {name: found[name] for name in found if found[name] != case[name]}
    assert not wrong and found.keys() == case.keys(), wrong
    return True
"""
FIXED = {
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F", "HOME": "/tmp", "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8", "TMPDIR": "/tmp",
}  # fmt: skip
# What the host has of the same names, and more; none of it may reach the run.
HOSTS = {"TZ": "Asia/Tokyo", "APP_SEED": "host", "SECRET": "host", "LANG": "de_DE.UTF-8", "CACHE_DIR": "/nonexistent",
         "XDG_CACHE_HOME": "/nonexistent/x", "PYTHONHASHSEED": "3"}  # fmt: skip


def stream(seed: int) -> str:
    """The first bytes that a program gets of SHA-256 in counter mode; one block seeds the shared generator."""
    return hashlib.sha256(seed.to_bytes(32, "big") + (1).to_bytes(8, "big")).digest()[:4].hex()


def seen(variables: Mapping[str, str], cache: str, now: list[Any], aware: str, seed: int) -> dict[str, Any]:
    """What `look` has to see."""
    environment = {**FIXED, **variables, "CACHE_DIR": cache, "XDG_CACHE_HOME": cache}
    return {"environment": sorted([name, value] for name, value in environment.items()), "cache": [cache, [], "x"],
            "home": ["/tmp", "/tmp", "/tmp"], "now": now, "aware": aware, "random": stream(seed), "umask": 0o022,
            "locale": "C.UTF-8"}  # fmt: skip


STANDARD = seen(
    {"TZ": "UTC", "PYTHONHASHSEED": "20260916"},
    "/tmp/cache",
    ["2026-01-01 00:00:00", "2026-01-01 00:00:00", "2026-01-01", "00 UTC", "Thu Jan  1 00:00:00 2026", 0,
     "2026-07-01 00:00:00", 0],
    "2026-01-01 00:00:00+00:00",
    20260916,
)  # fmt: skip
# Half past midnight in Berlin, still the day before in Greenwich, in summer.
GATE = seen(
    {"TZ": CET, "PYTHONHASHSEED": "7", "APP_SEED": "11"},
    "/tmp/a/b",
    ["2026-07-01 00:30:00", "2026-06-30 22:30:00", "2026-07-01", "00 CEST", "Wed Jul  1 00:30:00 2026", 7200,
     "2026-07-01 02:00:00", 1],
    "2026-06-30 22:30:00+00:00",
    5,
)  # fmt: skip
PROFILE = {"profile": "patch-gate", "seed": 5, "clock": "2026-06-30T22:30:00Z",
           "env": {"TZ": CET, "PYTHONHASHSEED": "7", "APP_SEED": "11", "CACHE_DIR": "a/b"}}  # fmt: skip
LOCK = {"min_size": 0, "max_size": 4, "alphabet": "letters", "max_examples": 5, "deadline_ms": 100, "seed": 7}
NAMES = ("candidate", "domain_lock", "profile", "property_test")


def target(name: str, profile: str = "", more: str = "") -> str:
    named = f', profile = ":{profile}"' if profile else ""
    return (f'oracle_property_test(name = "{name}", property = "properties/{name}.py", candidate = ":src", '
            f'seeds = "seeds/{name}.json", allow = ["clock", "env", "urandom"]{named}{more})\n')  # fmt: skip


def workspace(**changed: str) -> dict[str, str]:
    """Three ways to run the same code: standard, profile of a file, profile of attributes."""
    build = (
        f'load("@oracle_rules//oracle_rules:defs.bzl", {", ".join(json.dumps("oracle_" + name) for name in NAMES)})\n'
        'oracle_candidate(name = "src", srcs = glob(["src/*.py"]))\n'
        'oracle_domain_lock(name = "domains", lock = "domain_lock.json")\n'
        'oracle_profile(name = "gate", profile = "patch-gate.json")\n'
        f'oracle_profile(name = "here", seed = 5, clock = "2026-07-01T00:30:00+02:00", tz = "{CET}", hash_seed = 7, '
        'cache_dir = "a/b", env = {"APP_SEED": "11"})\n'
    )
    build += target("plain") + target("filed", "gate") + target("placed", "here")
    cases = {"plain": STANDARD, "filed": GATE, "placed": GATE}
    files = {
        "BUILD.bazel": build,
        "patch-gate.json": json.dumps(PROFILE),
        "domain_lock.json": json.dumps({"plain": LOCK, "filed": LOCK}),
        "src/__init__.py": "",
        "src/look.py": LOOK,
        "src/sums.py": "",
        **{f"properties/{name}.py": SEEN for name in cases},
        **{f"seeds/{name}.json": json.dumps([case]) for name, case in cases.items()},
    }
    return {**files, **changed}


def score(repo: Repo, cache: Path, head: str = "good", **env: str) -> Ran:
    words = ("--base", "main", "--head", head, "--format", "json", "--cache-dir", str(cache))
    return oracle("score", *words, cwd=repo.top, env=env)


def test_a_run_sees_its_profile_and_nothing_of_the_host(tmp_path: Path) -> None:
    repo = make(tmp_path / "repo", workspace())
    ran = score(repo, tmp_path / "cache", **HOSTS)
    assert (ran.status, ran.err) == (0, ""), ran
    rows = {row["property_id"]: row for row in ran.record["targets"]}
    assert {name: row["profile"]["name"] for name, row in rows.items()} == {
        "plain": "standard", "filed": "patch-gate", "placed": "here"
    }  # fmt: skip
    policies = {name: row["profile"]["policy"]["hash"] for name, row in rows.items()}
    assert policies["filed"] == policies["placed"] != policies["plain"]
    again = score(repo, tmp_path / "cache")
    assert again.record["summary"]["cached"] == 3
    assert [row["action"] for row in again.record["targets"]] == [row["action"] for row in ran.record["targets"]]


PATCHES = {
    "the file": ({"patch-gate.json": json.dumps({**PROFILE, "seed": 6})}, "config_changed", "patch-gate.json"),
    "its layout": ({"patch-gate.json": json.dumps(PROFILE, indent=1)}, "config_changed", "patch-gate.json"),
    "its absence": ({"patch-gate.json": None}, "config_changed", "patch-gate.json"),
    "an attribute": ({"BUILD.bazel": workspace()["BUILD.bazel"].replace("seed = 5", "seed = 6")}, "build_changed",
                     "BUILD.bazel"),
    "the name in a target": ({"BUILD.bazel": workspace()["BUILD.bazel"].replace(', profile = ":gate"', "")},
                             "build_changed", "BUILD.bazel"),
}  # fmt: skip


def test_a_patch_that_changes_a_profile_is_refused(tmp_path: Path) -> None:
    repo = make(tmp_path / "repo", workspace())
    for number, (files, code, path) in enumerate(PATCHES.values()):
        repo.commit(files, f"patch{number}")  # type: ignore[arg-type]
        repo.git("checkout", "-q", "main")
        ran = score(repo, tmp_path / "cache", f"patch{number}")
        assert (ran.status, ran.record["decision"], ran.record["targets"]) == (4, "refused", []), ran
        assert (code, path) in {(reason["code"], reason["subject"]) for reason in ran.record["reasons"]}, ran


WRONG: dict[str, tuple[dict[str, str], str, str]] = {
    "a profile that asks for more than the lock": (
        {"patch-gate.json": '{"max_examples": 6}'}, "domain_lock.json",
        "filed.max_examples: the lock draws 5 cases, profile 'gate' says 6"),
    "a profile that asks for less": (
        {"patch-gate.json": '{"max_examples": 4}'}, "domain_lock.json",
        "filed.max_examples: the lock draws 5 cases, profile 'gate' says 4"),
    "two sources": (
        {"BUILD.bazel": workspace()["BUILD.bazel"].replace('name = "gate",', 'name = "gate", seed = 5,')},
        "patch-gate.json:1:35", "seed: is also an attribute of //:gate"),
    "an attribute": (
        {"BUILD.bazel": workspace()["BUILD.bazel"].replace(f'tz = "{CET}"', 'tz = "Europe/Berlin"')}, "//:here",
        "tz: 'Europe/Berlin' is neither UTC nor a rule"),
    "frozen tests": (
        {"patch-gate.json": '{"freeze": ["test_legacy_race"]}'}, "patch-gate.json:1:12",
        "freeze: a profile freezes nothing"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_profile_that_is_wrong_leaves_the_oracle_incomplete(name: str, tmp_path: Path) -> None:
    files, where, detail = WRONG[name]
    build = files.get("BUILD.bazel", workspace()["BUILD.bazel"])
    build = build.replace('profile = ":gate")', 'profile = ":gate", domain_lock = ":domains")')
    ran = score(make(tmp_path / "repo", workspace(**{**files, "BUILD.bazel": build})), tmp_path / "cache")
    assert (ran.status, ran.record["decision"]) == (3, "incomplete"), ran
    [reason] = ran.record["reasons"]
    assert (reason["code"], reason["subject"]) == ("oracle_incomplete", where), reason
    assert reason["detail"].startswith(detail) and reason["remedy"]


def test_a_profile_and_a_lock_that_agree_are_judged_together(tmp_path: Path) -> None:
    """The control of the two contradictions above; the property holds for what the lock draws, too."""
    build = workspace()["BUILD.bazel"].replace('profile = ":gate")', 'profile = ":gate", domain_lock = ":domains")')
    easy = "from src.look import look\n\n\ndef hold(case):\n    return look() != case\n"
    files = workspace(**{"BUILD.bazel": build, "patch-gate.json": '{"max_examples": 5}', "properties/filed.py": easy})
    ran = score(make(tmp_path / "repo", files), tmp_path / "cache")
    assert ran.status == 0, ran
    assert [row["planned"] for row in ran.record["targets"] if row["property_id"] == "filed"] == [6]


def test_a_profile_that_is_declared_and_missing(tmp_path: Path) -> None:
    files = workspace()
    del files["patch-gate.json"]
    ran = score(make(tmp_path / "repo", files), tmp_path / "cache")
    [reason] = ran.record["reasons"]
    assert ran.status == 3 and reason["code"] == "oracle_incomplete", ran
    assert "patch-gate.json" in reason["detail"] and reason["subject"].startswith("BUILD.bazel:4:"), reason
