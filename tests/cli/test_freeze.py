"""The verb `freeze` on a real work tree: debt, laws, the changes of people, imports and drafts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oracle_rules.artifacts.freezing.ledger import parse_freeze

from .kit import Ran, Repo, make, oracle, workspace

DAY = ("--today", "2026-12-01")
ADD = {"--id": "FRZ-2", "--property": "clean", "--class": "time-dependent", "--seam": "src/text.py::clean",
       "--evidence": "red behind a zone change, 2 of 40 runs", "--owner": "Grace Hopper",
       "--last-green": "2026-11-30"}  # fmt: skip


@pytest.fixture
def work(tmp_path: Path) -> Repo:
    """A work tree with room for one more row."""
    text = workspace()["freeze.json"].replace('"budget": 1', '"budget": 2')
    return make(tmp_path / "repo", {**workspace(), "freeze.json": text, "tests/test_a.py": "def test_b(): ...\n"})


def freeze(repo: Repo, action: str, *words: str) -> Ran:
    return oracle("freeze", action, *words, cwd=repo.top)


def add(repo: Repo, **more: str | None) -> Ran:
    options = {**ADD, **{f"--{name.replace('_', '-').strip('-')}": value for name, value in more.items()}}
    return freeze(repo, "add", *DAY, *(word for name, value in options.items() if value for word in (name, value)))


def rows(repo: Repo) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((repo.top / "freeze.json").read_text())["rows"]
    return found


def test_the_ledger_as_debt(work: Repo) -> None:
    ran = freeze(work, "list", *DAY)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "freeze.json: 1 of 2 frozen",
        "  FRZ-1  asleep  order-dependent  Ada Lindqvist  until 2999-12-31, 355411 days left, longer than the usual 7",
    ]
    [ledger] = freeze(work, "list", *DAY, "--format", "json").record["ledgers"]
    assert ledger["budget"] == 2 and ledger["rows"][0]["days_left"] == 355411


def test_a_row_is_added_for_a_week_and_the_score_leaves_its_property_out(
    work: Repo, cache: Path, score: Callable[..., Ran]
) -> None:
    before = rows(work)
    ran = add(work)
    assert (ran.status, ran.err) == (0, "")
    assert "FRZ-2 freezes clean, until 2026-12-08, 7 days left; 2 of 2 in freeze.json" in ran.out
    assert rows(work)[:-1] == before
    assert rows(work)[-1] == {
        "id": "FRZ-2", "property": "clean", "class": "time-dependent", "seam": "src/text.py::clean",
        "evidence": "red behind a zone change, 2 of 40 runs", "owner": "Grace Hopper", "last_green": "2026-11-30",
        "expires": "2026-12-08", "agent_may_extend": False,
    }  # fmt: skip
    assert freeze(work, "check", *DAY).status == 0
    work.commit({}, "frozen")
    work.commit({"src/sums.py": workspace()["src/sums.py"] + "\n"}, "patch")
    sides = ("--base", "frozen", "--head", "patch", "--cache-dir", str(cache))
    record = oracle("score", *sides, *DAY, "--format", "json", "//:total", "//:clean", cwd=work.top).record
    assert (record["decision"], record["properties"], record["frozen"]) == ("accept", ["total"], ["clean"])
    late = oracle("score", *sides, "--today", "2026-12-09", "--format", "json", "//:total", cwd=work.top)
    assert late.status == 4 and [reason["row"] for reason in late.record["reasons"]] == ["not-expired"]


REFUSED: dict[str, tuple[dict[str, str | None], str]] = {
    "class": ({"class_": "network"}, "[class-freezable]"),
    "placeholder": ({"evidence": "came too late on a busy worker", "skew": "SKEW"}, "[skew-given]"),
    "id": ({"id": "FRZ-1"}, "[id-once]"),
    "nothing": ({"property": "cleaner"}, "[property-declared]"),
    "no test": ({"property": None, "nodeid": "tests/test_a.py::test_c"}, "[test-found]"),
    "past": ({"expires": "2026-11-30"}, "[not-expired]"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_row_that_breaks_a_law_is_not_written(name: str, work: Repo) -> None:
    more, row = REFUSED[name]
    before = (work.top / "freeze.json").read_bytes()
    ran = add(work, **more)
    assert ran.status == 4 and row in ran.out and ran.err == "nothing was written\n"
    assert (work.top / "freeze.json").read_bytes() == before
    assert [path.name for path in work.top.iterdir() if "freeze" in path.name] == ["freeze.json"]


def test_a_test_is_frozen_by_its_exact_id_and_for_longer_where_it_is_said(work: Repo) -> None:
    ran = add(work, property=None, nodeid="tests/test_a.py::test_b", expires="2027-03-01")
    assert ran.status == 0 and "90 days left, longer than the usual 7" in ran.out


def test_a_third_row_is_over_budget(work: Repo) -> None:
    assert add(work).status == 0
    ran = add(work, id="FRZ-3", property="shout")
    assert ran.status == 4 and "3 rows, the budget is 2 [budget]" in ran.out
    assert len(rows(work)) == 2


@pytest.mark.parametrize(("more", "word"), [({"last_green": "yesterday"}, "YYYY-MM-DD"), ({"owner": " "}, "empty"),
    ({"id": "F\x1b[31m"}, "--id holds"), ({"evidence": "a\nb"}, "--evidence holds")])
def test_a_row_that_is_none_is_usage(more: dict[str, str], word: str, work: Repo) -> None:
    ran = add(work, **more)
    assert ran.status == 2 and word in ran.err and len(rows(work)) == 1


def test_what_is_past_its_day_is_removed_and_comes_back(work: Repo) -> None:
    assert add(work).status == 0
    assert freeze(work, "expire", "--today", "2026-12-08").out == "freeze.json: no row is past its day on 2026-12-08\n"
    late = ("--today", "2026-12-09")
    assert freeze(work, "check", *late).status == 4
    ran = freeze(work, "expire", "--dry-run", *late)
    assert "FRZ-2 expired on 2026-12-08 and would go: property clean comes back" in ran.out and len(rows(work)) == 2
    ran = freeze(work, "expire", *late)
    assert ran.status == 0 and "FRZ-2 expired on 2026-12-08 and is removed" in ran.out
    assert [row["id"] for row in rows(work)] == ["FRZ-1"]
    assert freeze(work, "check", *late).status == 0


def test_check_exits_as_score_would(work: Repo) -> None:
    assert freeze(work, "check", *DAY).out == "freeze.json: keeps every law on 2026-12-01\n"
    work.write({"freeze.json": '{"budget": 1}'})
    ran = freeze(work, "check", *DAY)
    assert ran.status == 3 and ran.out.startswith("oracle_incomplete freeze.json:1:1: (top): has no 'rows'")
    work.write({"freeze.json": None})
    assert freeze(work, "check", *DAY).status in (2, 3)


def test_a_property_that_is_frozen_and_still_collected(work: Repo) -> None:
    build = workspace()["BUILD.bazel"]
    other = 'oracle_freeze(name = "other", ledger = "other.json")\n'
    text = workspace()["freeze.json"].replace('"asleep"', '"total"').replace('"budget": 1', '"budget": 2')
    work.write({"BUILD.bazel": build + other, "other.json": text})
    ran = freeze(work, "check", *DAY)
    assert ran.status == 4 and "freeze_still_collected other.json" in ran.out and "freeze.json: keeps" in ran.out
    ran = add(work)
    assert ran.status == 2 and "--ledger freeze.json or other.json" in ran.err
    assert freeze(work, "list", *DAY, "--ledger", "freeze.json").out.count("frozen") == 1


def test_what_is_red_in_every_record_is_refused(repo: Repo, score: Callable[..., Ran], tmp_path: Path) -> None:
    for branch in ("good", "red"):
        score(branch, "--format", f"json={tmp_path}/{branch}.json", *DAY)
    one, other = (("--record", f"{tmp_path}/{name}.json") for name in ("good", "red"))
    assert freeze(repo, "check", *DAY, *one).status == 0
    assert freeze(repo, "check", *DAY, *one, *one).status == 0  # the same Action is one run
    ran = freeze(repo, "check", *DAY, *one, *other)
    assert ran.status == 4 and "asleep is red in 2 of 2 runs [sometimes-green]" in ran.out
    record = json.loads((tmp_path / "red.json").read_text())
    record["debt"][0]["bit"] = 1
    (tmp_path / "red.json").write_text(json.dumps(record))
    assert freeze(repo, "check", *DAY, *one, *other).status == 0
    (tmp_path / "red.json").write_text("{}")
    ran = freeze(repo, "check", *DAY, *one, *other)
    assert ran.status == 3 and "is no record" in ran.err


def test_excluded_ids_become_a_ledger_when_everything_is_answered(work: Repo) -> None:
    work.write({"freeze.json": '{"excluded_property_ids": ["asleep"], "reason": {"asleep": "races the log writer"}}'})
    ran = freeze(work, "check", *DAY)
    assert ran.status == 4 and "oracle-rules freeze import freeze.json --out freeze.json" in ran.out
    before = (work.top / "freeze.json").read_bytes()
    ran = freeze(work, "import", *DAY, "freeze.json", "--out", "freeze.json")
    assert ran.status == 3
    assert [line.partition(":")[0] for line in ran.out.splitlines()] == [
        "the ledger lacks budget", *(f"asleep lacks {name}" for name in ("class", "seam", "owner", "last_green", "expires"))
    ]  # fmt: skip
    assert (work.top / "freeze.json").read_bytes() == before
    drafted = (work.top / "freeze.draft.json").read_text()
    with pytest.raises(Exception, match="null"):
        parse_freeze(drafted.encode(), path="freeze.draft.json")
    answers = {"class": "time-dependent", "seam": "src/life.py::alive", "owner": "Ada Lindqvist", "skew": "-1 s",
               "last_green": "2026-11-01", "expires": "2026-12-05"}  # fmt: skip
    work.write({"answers.json": json.dumps({"budget": 1, "rows": {"asleep": answers}})})
    words = ("freeze.draft.json", "--out", "freeze.json", "--answers", "answers.json")
    ran = freeze(work, "import", *DAY, *words)
    assert ran.status == 0, ran
    assert freeze(work, "check", *DAY).status == 0
    ran = freeze(work, "import", *DAY, "answers.json", "--out", "freeze.json", "--shape", "native")
    assert ran.status == 2 and "is there already" in ran.err


def test_an_import_that_breaks_a_law_leaves_a_draft(work: Repo) -> None:
    text = (
        "budget: 1\nfreezes:\n  - {id: FZ-1, nodeid: 'tests/test_a.py::test_b', class: network, seam: transport,\n"
        "     evidence: 'refused on the second run', owner: Ada, last_green: 2026-11-01, expires: 2026-12-05}\n"
    )
    work.write({"old.yaml": text})
    ran = freeze(work, "import", *DAY, "old.yaml", "--out", "new.json")
    assert ran.status == 4 and "[class-freezable]" in ran.out and not (work.top / "new.json").exists()
    assert json.loads((work.top / "new.draft.json").read_text())["rows"][0]["class"] == "network"
    for words, word in ((("nowhere.yaml",), "cannot be read"), (("old.yaml", "--shape", "odd"), "--shape 'odd'")):
        ran = freeze(work, "import", *words, "--out", "n.json")
        assert ran.status == 2 and word in ran.err


LOG = """=== FAILURES ===
___ test_b ___
>   assert time.time() == 1
E   assert 2.0 == 1
=== short test summary info ===
FAILED tests/test_a.py::test_b - assert 2.0 == 1
"""


def test_a_draft_is_printed_and_the_ledger_stays(work: Repo) -> None:
    before = (work.top / "freeze.json").read_bytes()
    work.write({"log.txt": LOG, "green.txt": "tests/test_a.py::test_b PASSED\n", "none.txt": "hello\n"})
    ran = freeze(work, "draft", *DAY, "--log", "log.txt")
    assert ran.status == 0 and "class     time-dependent (rule clock-read)" in ran.out
    assert "  expires   2026-12-08\n  asks for  skew, owner, last_green\n  oracle-rules freeze add --id FZ-b --" in ran.out
    work.write({"odd.txt": LOG.replace("time.time() == 1", "f() == 1")})
    odd = freeze(work, "draft", *DAY, "--log", "odd.txt").out
    assert "  asks for  class, seam, owner, last_green\n" in odd and " --class CLASS --seam SEAM " in odd
    [got] = freeze(work, "draft", *DAY, "--log", "log.txt", "--format", "json").record["proposals"]
    assert got["row"]["owner"] is None and got["evidence"][0] == ">   assert time.time() == 1"
    assert freeze(work, "draft", "--log", "green.txt").out == "1 tests, none failed\n"
    assert freeze(work, "draft", "--log", "none.txt").status == 2
    assert (work.top / "freeze.json").read_bytes() == before


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-24", "9999-12-25", "9999-12-31"])
def test_the_ends_of_the_calendar(work: Repo, day: str) -> None:
    """No verb breaks off there; seven days from the last week there is no day to name, unless one is given."""
    work.write({"log.txt": LOG})
    last = day > "9999-12-24"
    given = ("--today", day)
    words = [word for name, value in (ADD | {"--last-green": "0001-01-01"}).items() for word in (name, value)]
    drafted, added = freeze(work, "draft", *given, "--log", "log.txt"), freeze(work, "add", *given, *words)
    assert (drafted.status, added.status) == ((2, 2) if last else (0, 4))  # the ledger's own row breaks a law that day
    assert last or day != "9999-12-24" or "expires   9999-12-31" in drafted.out
    for ran in (drafted, added):
        assert not last or "leaves no 7 days until the last day of the calendar" in ran.err
    for ran in (freeze(work, "list", *given), freeze(work, "expire", *given, "--dry-run")):
        assert (ran.status, ran.err) == (0, ""), ran
    ran = freeze(work, "add", *given, *words, "--id", "FRZ-3", "--expires", "9999-12-31", "--property", "asleep")
    assert ran.status in (0, 4) and "Traceback" not in ran.err
    signed = oracle("oracle", "sign", "--key", "none.pem", "--expires", day, cwd=work.top)
    assert signed.status == 2 and "none.pem" in signed.err and "Traceback" not in signed.err


def test_usage(work: Repo, tmp_path: Path) -> None:
    for words, word in ((("freeze",), "ACTION"), (("freeze", "add"), "--id"), (("freeze", "list", "--ledger", "x"), "x"),
                        (("freeze", "list", "--today", "soon"), "--today")):  # fmt: skip
        ran = oracle(*words, cwd=work.top)
        assert ran.status == 2 and word in ran.err, ran
    (work.top / "elsewhere.json").write_bytes((work.top / "freeze.json").read_bytes())
    (work.top / "freeze.json").unlink()
    (work.top / "freeze.json").symlink_to("elsewhere.json")
    assert add(work).status != 0
