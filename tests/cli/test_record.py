"""What `score` says: the JSON record field by field, the text report line by line, and nothing else on stdout."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .kit import Ran, Repo, build_file, command, environment, make, oracle, workspace

HASH = re.compile(r"[0-9a-f]{64}\Z")


def of(record: dict[str, Any], label: str) -> dict[str, Any]:
    """The row of one target."""
    [found] = [target for target in record["targets"] if target["label"] == label]
    assert isinstance(found, dict)
    return found


def test_the_record_of_an_honest_patch(score: Callable[..., Ran], repo: Repo) -> None:
    ran = score("good", "--format", "json")
    assert (ran.status, ran.err) == (0, "")
    record = ran.record
    ids = {name: repo.git("rev-parse", name) for name in ("main", "good")}
    expected = {
        "schema": "oracle_rules/record/v1",
        "base": ids["main"],
        "candidate": ids["good"],
        "parent": ids["main"],
        "author": "agent",
        "edits": [],
        "decision": "accept",
        "bit": 1,
        "replayable": True,
        "reasons": [],
        "frozen": ["asleep"],
        # The ledger was read, so the day is an input of the score: which it was, the debt says as well.
        "repro": f"oracle-rules score --base {ids['main']} --head {ids['good']} --today {record['debt'][0]['today']}",
        "exit": 0,
        "row": "all-held",
        "properties": ["alive", "clean", "shout", "stamp", "total"],
    }
    assert {key: record[key] for key in expected} == expected
    [owed] = record["debt"]
    assert (owed["id"], owed["property_id"], owed["label"], owed["bit"]) == ("FRZ-1", "asleep", "//:asleep", 0)
    assert set(record) == {*expected, "oracle", "targets", "debt", "journals", "summary"}
    cached = sum(target["served_from"] == "local" for target in record["targets"])
    assert record["summary"] == {"targets": 5, "held": 5, "falsified": 0, "cached": cached, "frozen": 1}
    assert [target["label"] for target in record["targets"]] == [
        "//:clean",
        "//:shout",
        "//:total",
        "//:alive",
        "//:stamp",
    ]
    for target in record["targets"]:
        assert (target["bit"], target["reason"], target["detail"], target["counterexample"]) == (1, None, "", None)


def test_each_target_of_a_record(score: Callable[..., Ran], cache: Path) -> None:
    clean = of(score("red", "--format", "json").record, "//:clean")
    for name in ("action", "verdict"):
        digest = clean.pop(name)
        assert set(digest) == {"hash", "size_bytes"} and HASH.match(digest["hash"]) and digest["size_bytes"] > 0
        blob = cache / "cas" / digest["hash"][:2] / digest["hash"]
        assert blob.stat().st_size == digest["size_bytes"]
        if name == "action":
            assert clean.pop("repro") == f"oracle-rules replay {digest['hash']}/{digest['size_bytes']}"
    assert clean.pop("served_from") in ("executed", "local")
    pinned = clean.pop("profile")
    assert pinned["name"] == "standard" and HASH.match(pinned["policy"]["hash"])
    assert (cache / "cas" / pinned["policy"]["hash"][:2] / pinned["policy"]["hash"]).exists()
    assert clean == {
        "label": "//:clean",
        "property_id": "clean",
        "lane": "replay",
        "bit": 0,
        "reason": "property_failed",
        "detail": "hold answered False",
        "counterexample": {"index": 0, "case": {"in": " A ", "out": "a"}},
        "assurance": "apart",
        "planned": 2,
        "held": 0,
        "corpora": [{"name": "committed", "cases": 2}],
        "change": None,
        "attribution": None,
    }


def test_the_record_of_each_other_decision(score: Callable[..., Ran]) -> None:
    red = score("red", "--format", "json")
    assert (red.status, red.record["decision"], red.record["bit"], red.record["exit"]) == (1, "reject", 0, 1)
    [reason] = red.record["reasons"]
    assert reason == {
        "code": "property_failed",
        "lane": "replay",
        "subject": "//:clean",
        "row": "falsified",
        "detail": 'clean:seed=0 hold answered False: {"in":" A ","out":"a"}',
        "remedy": "Run the repro command; mend the code.",
    }
    mixed = score("mixed", "--format", "json")
    assert (mixed.status, mixed.record["decision"]) == (4, "refused")
    assert [target["reason"] for target in mixed.record["targets"]] == [
        "property_failed",
        None,
        None,
        "candidate_crashed",
        "entropy_clock",
    ]
    assert "src/stamp.py:5" in of(mixed.record, "//:stamp")["detail"]
    assert mixed.record["summary"]["falsified"] == 3 and mixed.record["replayable"]
    edited = score("edited", "--format", "json")
    assert (edited.status, edited.record["decision"], edited.record["targets"]) == (4, "refused", [])
    assert [reason["code"] for reason in edited.record["reasons"]] == ["oracle_edit_forbidden", "seed_rewritten"]
    assert not edited.record["replayable"]


def test_the_report_of_an_edit_names_its_path_once_in_a_line(score: Callable[..., Ran]) -> None:
    lines = [line for line in score("edited").out.splitlines() if "seeds/clean.json" in line]
    assert lines[0] == "oracle_edit_forbidden: seeds/clean.json"
    assert lines[1].startswith("seed_rewritten seeds/clean.json: ") and len(lines) == 2
    assert all(line.count("seeds/clean.json") == 1 for line in lines)


def test_the_repro_command_names_every_input(score: Callable[..., Ran], repo: Repo, cache: Path) -> None:
    """It is run as it is printed, and gives the same decision as on the day that was given."""
    late = score("good", "--format", "json", "--today", "3000-01-01")
    assert late.status == 4 and {reason["code"] for reason in late.record["reasons"]} == {"freeze_expired"}
    words = late.record["repro"].split()[1:]
    again = oracle(*words, "--format", "json", "--cache-dir", str(cache), cwd=repo.top)
    assert (again.status, again.record["reasons"]) == (4, late.record["reasons"])
    without = [word for word in words if word not in ("--today", "3000-01-01")]
    assert oracle(*without, "--cache-dir", str(cache), cwd=repo.top).status == 0
    assert late.record["repro"] in score("good", "--today", "3000-01-01").out
    given = ("--author", "human", "--attribute", "--today", "2999-12-30", "//:alive")
    line = score("good", "--format", "json", *given).record["repro"]
    assert line.endswith(" --author human --today 2999-12-30 --attribute //:alive")
    gated = oracle("gate", "--base", "main", "--head", "good", "--format", "json", cwd=repo.top).record["repro"]
    assert gated.startswith("oracle-rules gate --base ") and re.search(r" --today \d{4}-\d\d-\d\d\Z", gated)


def test_no_day_is_named_where_none_counts(repo: Repo, cache: Path, tmp_path: Path) -> None:
    """A record without a ledger is the same on every day; one whose declarations can't be read names its options."""
    place = make(tmp_path / "one", workspace() | {"BUILD.bazel": "".join(
        line for line in build_file(["clean"]).splitlines(True) if not line.startswith("oracle_freeze("))})
    words = ("score", "--base", "main", "--head", "good", "--format", "json", "--cache-dir", str(cache))
    first, second = (oracle(*words, "--today", day, cwd=place.top) for day in ("2026-01-01", "3000-01-01"))
    assert first.status == 0 and "--today" not in first.record["repro"]
    assert first.record["repro"] == second.record["repro"]
    place.commit({"seeds/clean.json": None})
    place.git("checkout", "-q", "-b", "late")
    place.commit({"src/x.py": ""})
    ran = oracle("score", "--base", "main", "--head", "late", "--format", "json", "--author", "human", "--attribute",
                 "--cache-dir", str(cache), "//:clean", cwd=place.top)
    assert ran.status == 3 and ran.record["repro"].endswith(" --author human --attribute //:clean")


def test_the_worktree_is_named_by_its_tree(repo: Repo, cache: Path, tmp_path: Path) -> None:
    repo.git("clone", "-q", str(repo.top), str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    clone.write({"src/new.py": "x = 1\n"})
    ran = oracle("score", "--worktree", "--format", "json", "--cache-dir", str(cache), cwd=clone.top)
    clone.git("add", "--all")
    assert ran.status == 0 and ran.record["candidate"] == clone.git("write-tree")


def test_the_text_report_line_by_line(score: Callable[..., Ran], repo: Repo) -> None:
    score("red")
    ran = score("red", "--today", "2999-12-30")
    record = score("red", "--format", "json").record
    [target] = [target for target in record["targets"] if not target["bit"]]
    assert ran.out.splitlines() == [
        f"base      {repo.git('rev-parse', 'main')[:12]}",
        f"candidate {repo.git('rev-parse', 'red')[:12]}",
        "",
        "broken //:clean  replay  replayed  0/2 cases",
        "       property_failed: hold answered False",
        '       case 0: {"in":" A ","out":"a"}',
        f"       {target['repro']}",
        "held   //:shout  replay  replayed  21/21 cases",
        "held   //:total  replay  replayed  2/2 cases",
        "held   //:alive  replay  replayed  1/1 cases",
        "held   //:stamp  replay  replayed  1/1 cases",
        "",
        "frozen (debt, no evidence): 1",
        "  FRZ-1 //:asleep: order-dependent, Ada Lindqvist, until 2999-12-31, 1 day left; red now (property_failed)",
        f"    {record['debt'][0]['repro']}",
        "",
        "REJECT  4 held, 1 not; 0 executed, 5 replayed",
    ]
    assert (ran.status, ran.err) == (1, "")


def on_a_terminal(words: list[str], cwd: Path, **env: str) -> str:
    """What a run writes to a terminal of its own."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(words, cwd=cwd, env=environment(**env), stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:
        pass  # how Linux says that nobody has the other end open any more
    os.close(ours)
    assert running.wait(60) == 0
    return shown.decode()


def test_colour_and_progress_are_for_terminals_alone(repo: Repo, cache: Path, score: Callable[..., Ran]) -> None:
    words = command("score", "--base", "main", "--head", "good", "--cache-dir", str(cache))
    assert "\x1b[32mACCEPT\x1b[0m" in on_a_terminal(words, repo.top, TERM="xterm")
    plain = on_a_terminal(words, repo.top, TERM="xterm", NO_COLOR="1")
    assert "ACCEPT" in plain and "\x1b[" not in plain.replace("\r\x1b[K", "")
    assert "\x1b[32m" not in on_a_terminal(words, repo.top, TERM="dumb")
    piped = score("good")
    assert "\x1b" not in piped.out and piped.err == "" and "\r" not in piped.out


def test_a_report_is_for_every_encoding_and_cannot_steer_a_terminal(repo: Repo, cache: Path, tmp_path: Path) -> None:
    repo.git("clone", "-q", str(repo.top), str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    clone.write(
        {
            "src/text.py": "def clean(name):\n    raise ValueError('\\x1b[2J\\u20ac')\n\n\ndef shout(text):\n    return text\n"
        }
    )
    words = ("score", "--worktree", "--cache-dir", str(cache), "//:clean")
    ran = oracle(*words, cwd=clone.top, env={"PYTHONIOENCODING": "ascii:strict", "LC_ALL": "C", "PYTHONUTF8": "0"})
    assert ran.status == 1 and "\\x1b[2J\\u20ac" in ran.out and "\x1b" not in ran.out
    assert oracle(*words, cwd=clone.top, env={"LC_ALL": "C.UTF-8"}).out.count("\u20ac") == 1
