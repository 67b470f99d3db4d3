"""The same workspace in two places gives the same keys and the same verdicts, byte for byte."""

from __future__ import annotations

import copy
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..cli.kit import PATCHES, Repo, build_file, make, workspace
from .places import NOBODY, Place, give, install

# What a candidate may say that hangs on more than its code: the order of a set, an address, the last digits of a sine.
TELLTALE = {
    "order": "def tell():\n    return list({chr(97 + n) * n for n in range(20)})\n",
    "address": "def tell():\n    return [repr(object()), repr(tell)]\n",
    "digits": "import math\n\n\ndef tell():\n    return [math.sin(n) * math.exp(n / 7) ** 0.3 for n in range(1, 60)]\n",
    "machine": "import os\n\n\ndef tell():\n    return [os.cpu_count(), os.uname().nodename, sorted(os.environ)]\n",
}
ASK = "from src.{name} import tell\n\n\ndef hold(case):\n    raise AssertionError(repr(tell()))\n"


def telltale_workspace() -> dict[str, str]:
    """The workspace of the command line's tests, and properties whose verdicts hold what the candidate said."""
    names = [*TELLTALE]
    build = build_file() + "".join(
        f'oracle_property_test(name = "{name}", property = "properties/{name}.py", candidate = ":src", '
        f'seeds = "seeds/{name}.json", allow = ["env", "hash", "host"])\n'
        for name in names
    )
    files = {**workspace(), "BUILD.bazel": build}
    files |= {f"src/{name}.py": text for name, text in TELLTALE.items()}
    files |= {f"properties/{name}.py": ASK.format(name=name) for name in names}
    return files | {f"seeds/{name}.json": "[1]" for name in names}


@pytest.fixture(scope="module")
def places() -> Iterator[tuple[Place, Place]]:
    """Root on one CPU with a tight umask, and an ordinary user on every CPU with a loud environment."""
    assert os.geteuid() == 0, "run as root: what root and an ordinary user see can only be compared by root"
    top = Path(tempfile.mkdtemp(prefix="everywhere-"))
    os.chmod(top, 0o755)
    try:
        repo = make(top / "origin", telltale_workspace())
        repo.commit(PATCHES["mixed"], "mixed")
        yield _root(top, repo), _ordinary(top, repo)
    finally:
        shutil.rmtree(top, ignore_errors=True)


def _root(top: Path, repo: Repo) -> Place:
    home = top / "root"
    install(home / "library")
    repo.git("clone", "-q", "--no-hardlinks", str(repo.top), str(home / "clone"))
    give(home, 0, 1_600_000_000)
    noise = {"LC_ALL": "C", "TZ": "America/St_Johns", "PYTHONHASHSEED": "0"}
    first = frozenset({min(os.sched_getaffinity(0))})
    return Place(home, home / "clone", home / "clone", 0, 0o077, first, noise)


def _ordinary(top: Path, repo: Repo) -> Place:
    home = top / "a folder with spaces" / "und Ümläut" / "nobody"
    install(home / "library")
    repo.git("clone", "-q", "--no-hardlinks", str(repo.top), str(home / "an other name"))
    (home / "startup.py").write_text("raise SystemExit('never run')\n")
    (home / "junk").mkdir()
    give(top / "a folder with spaces", NOBODY, 700_000_000)
    noise = {
        "LC_ALL": "de_DE.UTF-8",
        "LANG": "tr_TR.ISO-8859-9",
        "TZ": "Asia/Kathmandu",
        "PYTHONHASHSEED": "4242",
        "PYTHONOPTIMIZE": "2",
        "PYTHONSTARTUP": str(home / "startup.py"),
        "PYTHONPATH": f"{home / 'junk'}:{home / 'library'}",
        "PYTHONUTF8": "0",
        "CI": "1",
        "USER": "somebody",
        "XDG_CACHE_HOME": str(home / "junk"),
        "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0",
        "SOURCE_DATE_EPOCH": "1",
    }
    every = frozenset(os.sched_getaffinity(0))
    return Place(home, home / "an other name", home / "junk", NOBODY, 0o002, every, noise)


@pytest.fixture(scope="module")
def records(places: tuple[Place, Place]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The record of each place, both executed."""
    one, other = (place.score("origin/mixed") for place in places)
    for record in (one, other):
        assert {target["served_from"] for target in record["targets"]} == {"executed"}
    return one, other


def comparable(record: dict[str, Any]) -> dict[str, Any]:
    """The record without the two fields that say how it was come by."""
    found = copy.deepcopy(record)
    del found["summary"]["cached"]
    for target in found["targets"]:
        del target["served_from"]
    return found


def test_the_places_differ_in_what_they_are_meant_to(places: tuple[Place, Place]) -> None:
    one, other = places
    assert one.user != other.user and one.umask != other.umask and one.clone != other.clone
    probe = "import os, time; print(len(os.sched_getaffinity(0)), os.getuid(), time.tzname, hash('a'), os.getcwd())"
    said = []
    for place in places:
        done = subprocess.run(
            ["/usr/bin/python3", "-c", probe],
            env={**place.environment},
            cwd=place.cwd,
            user=place.user,
            capture_output=True,
            text=True,
            check=True,
        )
        said.append(done.stdout)
    assert said[0] != said[1]


def test_every_kind_of_outcome_is_in_the_workspace(records: tuple[dict[str, Any], dict[str, Any]]) -> None:
    reasons = {target["property_id"]: target["reason"] for target in records[0]["targets"]}
    assert reasons == {
        "clean": "property_failed",
        "shout": None,
        "total": None,
        "alive": "candidate_crashed",
        "stamp": "entropy_clock",
        **{name: "property_failed" for name in TELLTALE},
    }
    [drawn] = [target for target in records[0]["targets"] if target["property_id"] == "shout"]
    assert drawn["planned"] == 21


def test_the_records_are_the_same(records: tuple[dict[str, Any], dict[str, Any]]) -> None:
    one, other = map(comparable, records)
    for mine, theirs in zip(one["targets"], other["targets"], strict=True):
        assert mine == theirs, mine["label"]
    assert one == other


def test_keys_and_verdicts_are_the_same_bytes(
    places: tuple[Place, Place], records: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    for mine, theirs in zip(records[0]["targets"], records[1]["targets"], strict=True):
        for name in ("action", "verdict"):
            assert places[0].blob(mine[name]) == places[1].blob(theirs[name])


def test_the_caches_hold_the_same_blobs(
    places: tuple[Place, Place], records: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    """Inputs and corpora too: whatever one place put there, the other did."""
    assert records[0]["targets"]
    held = [
        {path.name: path.read_bytes() for path in (place.cache / "cas").rglob("*") if path.is_file()}
        for place in places
    ]
    assert held[0].keys() == held[1].keys() and len(held[0]) > 50
    assert held[0] == held[1]


def test_nothing_of_a_place_is_in_a_verdict(
    places: tuple[Place, Place], records: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    for place, record in zip(places, records, strict=True):
        for target in record["targets"]:
            said = place.blob(target["verdict"]).decode()
            assert str(place.home) not in said and os.uname().nodename not in said
