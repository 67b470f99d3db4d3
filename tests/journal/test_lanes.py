"""The decision table of the lanes, row by row, on real repositories with a real bug mended between parent and patch."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..cli.kit import Ran, make, oracle
from .kit import OWNER, Bench, begin, bug, by_chance, lanes, lock

BUG = bug("merged_spans")
PATH = "oracles/merged_spans.json"
SPANS = "src/spans.py"
FIX = str(BUG.fix[SPANS])
# Right, but where the wrong fix would be wrong it never answers.
SLOW = (str(BUG.wrong[SPANS]).replace("def merge", "def _merge") + FIX.replace("def merge", "def _right") +
        "\n\ndef merge(spans):\n    while _merge(spans) != _right(spans):\n        pass\n    return _right(spans)\n")
SECRET = bytes(range(7, 71))


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Bench:
    """The locked journal of a real bug, and every patch; not to be changed by a test."""
    made = begin(tmp_path_factory.mktemp("lanes") / "repo", cache, BUG)
    lock(made, BUG.seeds)
    for name, source in (("fix", FIX), ("wrong", str(BUG.wrong[SPANS])), ("slow", SLOW),
                         ("chance", by_chance(FIX, "merge"))):
        made.branch(name, {SPANS: source})
    made.branch("same", {"src/more.py": "MORE = 1\n"})
    made.branch("tested", {SPANS: FIX, "tests/test_spans.py": "def test_spans():\n    assert False\n"})
    return made


@pytest.fixture
def copy(bench: Bench, tmp_path: Path) -> Iterator[Bench]:
    """A clone of it, to be changed by one test."""
    make(tmp_path / "unused", {"a": "a"})
    bench.repo.git("clone", "-q", "--mirror", str(bench.repo.top), str(tmp_path / "bare"))
    bench.repo.git("clone", "-q", str(tmp_path / "bare"), str(tmp_path / "copy"))
    repo = type(bench.repo)(tmp_path / "copy")
    for name in ("fix", "wrong", "slow"):
        repo.git("branch", "-q", name, f"origin/{name}")
    yield Bench(repo=repo, cache=bench.cache, name=bench.name)


def changed(bench: Bench, **more: Any) -> None:
    """Commits the journal with other fields, and puts each patch on top of that."""
    journal = json.loads((bench.repo.top / PATH).read_bytes())
    rebase(bench, {PATH: json.dumps(journal | more)})


def rebase(bench: Bench, changes: dict[str, str | None]) -> None:
    """Commits changes of a person's, and puts each patch on top of them."""
    bench.repo.commit(changes)
    for name in ("fix", "wrong", "slow"):
        bench.repo.git("checkout", "-q", name)
        bench.repo.git("rebase", "-q", "main")
    bench.repo.git("checkout", "-q", "main")


def told(ran: Ran, lane: str) -> dict[str, Any]:
    [found] = [target for target in ran.record["targets"] if target["lane"] == lane]
    assert isinstance(found, dict)
    return found


ROWS: dict[str, tuple[str, int, dict[str, int], dict[str, str | None]]] = {
    "hit, and the patch fails": ("same", 1, {"replay": 0, "holdout": 0},
                                 {"replay": "property_failed", "holdout": "property_failed"}),
    "hit, and the patch passes": ("fix", 0, {"replay": 1, "holdout": 1}, {"replay": None, "holdout": None}),
    # Wrong in an eighth of its answers: that more than eighty in a row are right has a chance of 2 in 100,000.
    "hit, and the patch answers by chance": ("chance", 1, {"replay": 0, "holdout": 0},
                                             {"replay": "property_failed", "holdout": "property_failed"}),
    "held out, and the patch fails": ("wrong", 1, {"replay": 1, "holdout": 0},
                                      {"replay": None, "holdout": "property_failed"}),
    "held out, and the patch never answers": ("slow", 1, {"replay": 1, "holdout": 0},
                                              {"replay": None, "holdout": "timeout"}),
    "tests of the patch say nothing": ("tested", 0, {"replay": 1, "holdout": 1}, {"replay": None, "holdout": None}),
}


@pytest.mark.parametrize("row", ROWS)
def test_each_row(bench: Bench, row: str) -> None:
    head, status, bits, reasons = ROWS[row]
    ran = bench.score(head)
    assert (ran.status, lanes(ran)) == (status, bits), ran
    assert {target["lane"]: target["reason"] for target in ran.record["targets"]} == reasons
    [line] = ran.record["journals"]
    assert (line["state"], line["row"], line["cases"], line["seeds"]) == ("locked", "asked", 2, [3, 4])
    assert ran.record["properties"] == (["merged_spans"] if status == 0 else [])


def test_tests_that_a_patch_adds_are_in_neither_action(bench: Bench) -> None:
    assert [target["action"] for target in bench.score("tested").record["targets"]] == [
        target["action"] for target in bench.score("fix").record["targets"]]


def test_both_lanes_are_cached_and_ask_what_they_say(bench: Bench) -> None:
    bench.score("fix")
    ran = bench.score("fix")
    assert [target["served_from"] for target in ran.record["targets"]] == ["local", "local"]
    replay, holdout = (told(ran, lane) for lane in ("replay", "holdout"))
    assert [part["name"] for part in replay["corpora"]] == ["committed", "given", "seed-1", "seed-3", "seed-4"]
    assert [part["cases"] for part in replay["corpora"]] == [2, 2, 30, 30, 30] and replay["planned"] == 94
    assert [part["name"] for part in holdout["corpora"]] == [f"holdout-{number}" for number in range(10)]
    assert holdout["planned"] == 300 and holdout["action"] != replay["action"]


def test_nothing_that_is_told_shows_a_held_out_seed_or_case(bench: Bench) -> None:
    ran = bench.score("wrong")
    parent = ran.record["parent"]
    seeds = bench.run("journal", "holdout", "merged_spans", "--parent", parent).out.strip().split(",")
    shown = bench.cached("score", "--base", "main", "--head", "wrong").out
    assert len(seeds) == 10 and told(ran, "holdout")["counterexample"] is None
    text = json.dumps({key: value for key, value in ran.record.items() if key not in ("base", "candidate", "parent")})
    for seed in seeds:
        assert f" {seed}" not in text and f"seed-{seed}" not in text + shown
    case = json.loads(bench.cached("replay", f"{told(ran, 'holdout')['action']['hash']}/"
                                   f"{told(ran, 'holdout')['action']['size_bytes']}").out)["counterexample"]["case"]
    assert json.dumps(case, separators=(",", ":")) not in ran.out.replace(" ", "") + shown
    # The digest of a red verdict would let whoever has it try cases until one fits; what holds gives nothing away.
    assert told(ran, "holdout")["verdict"] is None and told(ran, "replay")["verdict"] is not None
    assert told(bench.score("fix"), "holdout")["verdict"] is not None
    assert told(bench.score("same"), "replay")["counterexample"] is not None


def test_the_seeds_are_those_of_the_formula_and_none_has_been_seen(bench: Bench) -> None:
    record = bench.score("fix").record
    journal = json.loads((bench.repo.top / PATH).read_bytes())
    expected: list[int] = []
    number = 0
    while len(expected) < 10:
        digest = hashlib.sha256(f"{record['parent']}:{number}".encode()).digest()
        seed = int.from_bytes(digest[:4], "big") % 10_000
        if seed not in (*journal["seen"], 1, *expected):
            expected.append(seed)
        number += 1
    said = bench.run("journal", "holdout", "merged_spans", "--parent", record["parent"])
    assert said.out == ",".join(map(str, expected)) + "\n"
    canonical = json.dumps(expected, separators=(",", ":")).encode() + b"\n"
    assert record["journals"][0]["holdout"] == {
        "count": 10, "scheme": "parent", "commitment": None,
        "seeds": {"hash": hashlib.sha256(canonical).hexdigest(), "size_bytes": len(canonical)}}


def test_a_seed_that_was_seen_moves_to_replay(copy: Bench) -> None:
    parent = copy.score("wrong").record["parent"]
    seeds = copy.run("journal", "holdout", "merged_spans", "--parent", parent).out.strip()
    assert copy.run("journal", "saw", "merged_spans", "--seeds", seeds).status == 0
    rebase(copy, {})
    ran = copy.score("wrong")
    assert (ran.status, lanes(ran)["replay"]) == (1, 0)
    names = [part["name"] for part in told(ran, "replay")["corpora"]]
    assert set(names) >= {f"seed-{seed}" for seed in seeds.split(",")}
    later = copy.run("journal", "holdout", "merged_spans", "--parent", ran.record["parent"]).out.strip().split(",")
    assert not set(later) & set(seeds.split(","))


def test_a_journal_that_shows_its_held_out_seeds_has_them_replayed(copy: Bench) -> None:
    journal = json.loads((copy.repo.top / PATH).read_bytes())
    for name in ("schema", "seen", "noise", "owner"):
        del journal[name]
    journal["holdout"] = {"seeds": [55, 89, 144], "generator_saw": False}
    rebase(copy, {PATH: json.dumps(journal)})
    ran = copy.score("fix")
    assert ran.status == 0 and [part["name"] for part in told(ran, "replay")["corpora"]][-3:] == [
        "seed-55", "seed-89", "seed-144"]


def test_frozen_seeds_wait_their_cases_do_not_and_on_the_day_they_block_again(copy: Bench) -> None:
    froze = copy.run("journal", "freeze", "merged_spans", "--seeds", "3", "--until", "2026-02-01T08:00:00Z",
                     "--owner", OWNER, "--today", "2026-01-10")
    assert froze.status == 0, froze
    rebase(copy, {})
    before = copy.score("fix", "--today", "2026-01-31")
    assert (before.status, before.record["journals"][0]["state"]) == (0, "replay-frozen")
    assert [part["name"] for part in told(before, "replay")["corpora"]] == ["committed", "given", "seed-1", "seed-4"]
    assert before.record["journals"][0]["frozen"]["seeds"] == [3]
    after = copy.score("fix", "--today", "2026-02-01")
    assert [part["name"] for part in told(after, "replay")["corpora"]][-2:] == ["seed-3", "seed-4"]
    wrong = copy.score("wrong", "--today", "2026-01-31")
    assert lanes(wrong) == {"replay": 1, "holdout": 0}, "nothing that is held out is frozen"
    held = copy.run("journal", "freeze", "merged_spans", "--seeds", "9999", "--until", "2999-02-01T08:00:00Z",
                    "--owner", OWNER)
    assert (held.status, held.out.split()[0]) == (4, "journal_unlawful")


def test_seeds_of_another_version_are_history_and_what_is_realised_is_asked(copy: Bench) -> None:
    journal = json.loads((copy.repo.top / PATH).read_bytes())
    changed(copy, tools={**journal["tools"], "hypothesis": "6.0.0"})
    ran = copy.score("fix")
    assert (ran.status, ran.record["decision"]) == (3, "incomplete")
    [reason] = ran.record["reasons"]
    assert reason["code"] == "journal_stale" and "6.0.0" in reason["detail"]
    assert "journal hunt merged_spans --seeds 3,4" in reason["remedy"]
    assert [part["name"] for part in told(ran, "replay")["corpora"]] == ["committed", "given", "seed-1"]
    assert lanes(ran) == {"replay": 1, "holdout": 1}
    again = copy.cached("journal", "hunt", "merged_spans", "--seeds", "3,4", "--parent", "HEAD")
    assert again.status == 0 and copy.cached("journal", "lock", "merged_spans", "--owner", OWNER).status == 0
    rebase(copy, {})
    assert copy.score("fix").status == 0


def test_a_secret_holds_out_other_seeds_for_each_patch_and_an_audit_finds_them_again(
    copy: Bench, tmp_path: Path
) -> None:
    place, other = tmp_path / "secret", tmp_path / "other"
    for each, data in ((place, SECRET), (other, SECRET[::-1])):
        each.write_bytes(data)
        each.chmod(0o600)
    committed = copy.run("journal", "commit", "merged_spans", "--secret-file", str(place))
    assert committed.status == 0, committed
    rebase(copy, {})
    without, with_other = copy.score("fix"), copy.score("fix", "--secret-file", str(other))
    for ran in (without, with_other):
        assert (ran.status, [reason["code"] for reason in ran.record["reasons"]]) == (3, ["holdout_secret_missing"])
    ran = copy.score("fix", "--secret-file", str(place))
    assert ran.status == 0 and '--secret-file "$SECRET_FILE"' in ran.record["repro"]
    line = ran.record["journals"][0]["holdout"]
    commitment = hashlib.sha256(b"oracle_rules/holdout-secret/v1\0" + SECRET).hexdigest()
    assert (line["scheme"], line["commitment"]) == ("hmac-sha256", commitment)
    tree = copy.repo.git("rev-parse", "fix^{tree}")
    message = f"{ran.record['parent']}\n{tree}\nmerged_spans\n0".encode()
    first = int(hmac.new(SECRET, message, hashlib.sha256).hexdigest()[:16], 16)
    audit = copy.run("journal", "holdout", "merged_spans", "--parent", ran.record["parent"], "--tree", tree,
                     "--secret-file", str(place))
    assert audit.out.split(",")[0] == str(first)
    seeds = json.dumps([int(each) for each in audit.out.strip().split(",")], separators=(",", ":")).encode() + b"\n"
    assert line["seeds"]["hash"] == hashlib.sha256(seeds).hexdigest()
    place.chmod(0o644)
    assert copy.score("fix", "--secret-file", str(place)).status == 2


def test_a_journal_that_breaks_a_law_stands_in_the_way(copy: Bench) -> None:
    changed(copy, owner="merge-bot")
    ran = copy.score("fix")
    assert (ran.status, [reason["code"] for reason in ran.record["reasons"]]) == (4, ["journal_unlawful"])


def test_a_journal_that_nobody_locked_asks_nothing(copy: Bench) -> None:
    changed(copy, state="hit", owner=None)
    ran = copy.score("fix")
    assert ran.status == 0 and [target["lane"] for target in ran.record["targets"]] == ["replay"]
    assert ran.record["journals"][0]["row"] == "open"


def test_an_agent_touches_no_journal(copy: Bench) -> None:
    for path in (PATH, "oracles/merged_spans/3.json"):
        name = path.replace("/", "-")
        copy.branch(name, {path: "{}"})
        ran = copy.score(name)
        assert ran.status == 4 and "journal_changed" in [reason["code"] for reason in ran.record["reasons"]]


def test_a_lock_can_be_signed_and_what_is_signed_is_what_is_there(copy: Bench, tmp_path: Path) -> None:
    key, public, trust = tmp_path / "key.pem", tmp_path / "public.pem", tmp_path / "trust.json"
    for words in (("genpkey", "-algorithm", "ed25519", "-out", str(key)),
                  ("pkey", "-in", str(key), "-pubout", "-out", str(public))):
        import subprocess
        subprocess.run(["openssl", *words], check=True, capture_output=True)
    key.chmod(0o600)
    trust.write_text(json.dumps({"schema": "oracle_rules/trust/v1", "role": "oracle", "threshold": 1, "keys": [
        {"name": OWNER, "public_key": public.read_text(), "valid_from": "2020-01-01", "valid_until": "2999-01-01",
         "revoked": False}]}))
    assert copy.run("journal", "unlock", "merged_spans", "--owner", OWNER, "--why", "to sign it").status == 0
    locked = copy.cached("journal", "lock", "merged_spans", "--owner", OWNER, "--key", str(key))
    assert locked.status == 0 and "signed in oracles/merged_spans.dsse.json" in locked.out
    words = ("journal", "verify", "merged_spans", "--trust", str(trust))
    good = copy.run(*words)
    assert (good.status, good.out) == (0, f"{PATH} is signed by {OWNER}\n")
    assert copy.run("journal", "saw", "merged_spans", "--seeds", "7777").status == 0
    assert copy.run(*words).status == 7


def test_bad_words_are_one_line(bench: Bench) -> None:
    for words, text in (
        (("hunt", "merged_spans", "--seeds", "x"), "no list of seeds"),
        (("hunt", "merged_spans", "--seeds", "5..1"), "names no seed"),
        (("hunt", "nothing", "--seeds", "1"), "is no property"),
        (("propose", "merged_spans"), "is there already"),
        (("freeze", "merged_spans", "--seeds", "3", "--until", "soon", "--owner", OWNER), "no moment"),
        (("holdout", "merged_spans"), "--parent has to be a whole id"),
    ):
        ran = oracle("journal", *words, cwd=bench.repo.top)
        assert ran.status == 2 and text in ran.err and len(ran.err.splitlines()) == 1 and not ran.out, ran
