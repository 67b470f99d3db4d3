"""What is kept between runs: verdicts of either bit, never a timeout; replay from the cache alone; why a target ran."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle_rules.digest import Digest
from oracle_rules.reapi.messages import ActionResult, OutputFile
from oracle_rules.storage.local import open_local

from .kit import PATCHES, Ran, Repo, build_file, make, make_all, oracle
from .processes import warm
from .test_bad_input import refused


def digest(found: dict[str, str | int]) -> Digest:
    """A digest of a record."""
    return Digest(str(found["hash"]), int(found["size_bytes"]))


def served(ran: Ran) -> dict[str, str]:
    """Where each target's verdict came from."""
    return {target["property_id"]: target["served_from"] for target in ran.record["targets"]}


def test_a_second_run_replays_every_bit_but_a_timeout(score: Callable[..., Ran]) -> None:
    first, second = (score("mixed", "--format", "json") for _ in range(2))
    assert first.status == second.status == 4
    assert set(served(second).values()) == {"local"} and second.record["summary"]["cached"] == 5
    assert [target["verdict"] for target in first.record["targets"]] == [
        target["verdict"] for target in second.record["targets"]
    ]


def test_a_timeout_is_never_kept(tmp_path: Path, cache: Path) -> None:
    repo = make(tmp_path / "repo")
    repo.commit({"BUILD.bazel": build_file().replace("timeout_seconds = 20", "timeout_seconds = 1")})
    repo.commit(PATCHES["slow"], "slow")
    words = ("--base", "main", "--head", "slow", "--cache-dir", str(cache), "--format", "json", "//:alive")
    oracle("score", *words, "//:stamp", cwd=repo.top)
    ran = oracle("score", *words, "//:stamp", cwd=repo.top)
    assert served(ran) == {"alive": "executed", "stamp": "local"}
    assert ran.status == 1 and not ran.record["replayable"]
    found = ran.record["targets"][0]
    assert (found["reason"], found["bit"], found["counterexample"]) == ("timeout", 0, None)
    assert oracle(*found["repro"].split()[1:], "--cache-dir", str(cache), cwd=tmp_path).status == 1


@pytest.fixture
def own(tmp_path: Path, score: Callable[..., Ran], cache: Path) -> Path:
    """A cache that may be damaged, with one red verdict."""
    score("red")
    copied = warm(cache, tmp_path / "own")
    for name in ("cas", "ac"):
        shutil.copytree(cache / name, copied / name)
    return copied


def test_a_damaged_verdict_or_corpus_is_a_miss(own: Path, repo: Repo) -> None:
    words = ("score", "--base", "main", "--head", "red", "--cache-dir", str(own), "--format", "json")
    before = oracle(*words, cwd=repo.top)
    assert set(served(before).values()) == {"local"}
    found = {target["property_id"]: target["verdict"]["hash"] for target in before.record["targets"]}
    (own / "cas" / found["clean"][:2] / found["clean"]).write_bytes(b"{}")
    (own / "cas" / found["total"][:2] / found["total"]).unlink()
    for blob in (own / "cas").rglob("*"):
        if blob.is_file() and b"oracle_rules/corpus/v1" in blob.read_bytes():
            blob.write_bytes(blob.read_bytes().replace(b"corpus/v1", b"corpus/v2"))
    after = oracle(*words, cwd=repo.top)
    assert after.status == 1 and after.err == ""
    assert served(after) == {
        "clean": "executed",
        "shout": "local",
        "total": "executed",
        "alive": "local",
        "stamp": "local",
    }
    assert [target["verdict"] for target in after.record["targets"]] == [
        target["verdict"] for target in before.record["targets"]
    ]


def test_a_result_that_is_no_verdict_is_a_miss(own: Path, repo: Repo) -> None:
    words = ("score", "--base", "main", "--head", "red", "--cache-dir", str(own), "--format", "json", "//:clean")
    action = digest(oracle(*words, cwd=repo.top).record["targets"][0]["action"])
    local = open_local(own, cap_bytes=1 << 30)
    for lie in (b"{}\n", b"1\n", b"\xff"):
        blob = local.content.put(lie)
        files = (OutputFile(path="verdict.json", digest=blob, is_executable=False),)
        local.actions.put(action, ActionResult(output_files=files, exit_code=0))
        ran = oracle(*words, cwd=repo.top)
        assert (ran.status, served(ran)) == (1, {"clean": "executed"})


def test_replay_needs_the_cache_alone(own: Path, tmp_path: Path, score: Callable[..., Ran]) -> None:
    record = score("red", "--format", "json").record
    by_id = {target["property_id"]: target for target in record["targets"]}
    (tmp_path / "elsewhere").mkdir()
    for name, status in (("clean", 1), ("total", 0), ("shout", 0)):
        ran = oracle("replay", str(digest(by_id[name]["action"])), "--cache-dir", str(own), cwd=tmp_path / "elsewhere")
        assert ran.status == status and ran.err.endswith(": as stored\n"), ran
        assert Digest.of(ran.out.encode()) == digest(by_id[name]["verdict"])
        assert json.loads(ran.out)["target"] == f"//:{name}"


def test_replay_after_the_repository_is_gone(tmp_path: Path, cache: Path) -> None:
    repo = make_all(tmp_path / "repo")
    ran = oracle(
        "score",
        "--base",
        "main",
        "--head",
        "crash",
        "--cache-dir",
        str(cache),
        "--format",
        "json",
        "//:alive",
        cwd=repo.top,
    )
    shutil.rmtree(repo.top)
    [target] = ran.record["targets"]
    again = oracle(*target["repro"].split()[1:], "--cache-dir", str(cache), cwd=tmp_path)
    assert again.status == 1 and json.loads(again.out)["reason"] == "candidate_crashed"


def test_replay_of_a_label_and_of_what_there_is_not(score: Callable[..., Ran], repo: Repo, cache: Path) -> None:
    score("entropy", "//:stamp")
    words = ("--cache-dir", str(cache))
    ran = oracle("replay", "//:stamp", *words, cwd=repo.top)
    assert ran.status == 4 and json.loads(ran.out)["reason"] == "entropy_clock"
    refused(oracle("replay", "//:nobody", *words, cwd=repo.top), 2, "//:nobody", "score")
    refused(oracle("replay", "0" * 64 + "/147", *words, cwd=repo.top), 2, "0" * 64)
    refused(oracle("replay", "nonsense", *words, cwd=repo.top), 2, "nonsense")
    refused(oracle("replay", "//a b:c\x01", *words, cwd=repo.top), 2)


def test_replay_tells_a_tampered_result(own: Path, tmp_path: Path, score: Callable[..., Ran]) -> None:
    record = score("red", "--format", "json").record
    clean, total = (next(t for t in record["targets"] if t["property_id"] == name) for name in ("clean", "total"))
    action = digest(clean["action"])
    local = open_local(own, cap_bytes=1 << 30)
    path = "bazel-out/k8-fastbuild/bin/clean.oracle/verdict.json"
    files = (OutputFile(path=path, digest=digest(total["verdict"]), is_executable=False),)
    local.actions.put(action, ActionResult(output_files=files, exit_code=0))
    ran = oracle("replay", str(action), "--cache-dir", str(own), cwd=tmp_path)
    assert ran.status == 7 and total["verdict"]["hash"] in ran.err and clean["verdict"]["hash"] in ran.err
    local.actions.discard(action)
    ran = oracle("replay", str(action), "--cache-dir", str(own), cwd=tmp_path)
    assert ran.status == 1 and "nothing was stored" in ran.err


def test_replay_of_an_action_whose_inputs_are_gone(own: Path, tmp_path: Path, score: Callable[..., Ran]) -> None:
    action = digest(score("red", "--format", "json").record["targets"][0]["action"])
    for blob in (own / "cas").rglob("*"):
        if blob.is_file() and b"return name.strip()" in blob.read_bytes():
            blob.unlink()
    refused(oracle("replay", str(action), "--cache-dir", str(own), cwd=tmp_path), 5, "not in the cache")


def test_why_names_what_changed_and_nothing_else(tmp_path: Path, cache: Path) -> None:
    repo = make_all(tmp_path / "repo")
    words = ("--cache-dir", str(cache))
    refused(oracle("why", *words, cwd=repo.top), 2, "//:name")
    assert "has not run here" in oracle("why", "//:clean", *words, cwd=repo.top).out
    oracle("score", "//:clean", *words, cwd=repo.top)
    assert "only run here" in oracle("why", "//:clean", *words, cwd=repo.top).out
    repo.write({"src/sums.py": str(PATCHES["good"]["src/sums.py"])})
    old, new = (Digest.of(repo.git("show", f"{branch}:src/sums.py").encode() + b"\n") for branch in ("main", "good"))
    changed = oracle("why", "//:clean", *words, cwd=repo.top)
    assert changed.out.splitlines() == [
        "//:clean: would run, its inputs changed since the last run",
        "  src/sums.py",
        f"    {old}",
        f"    {new}",
    ]
    assert "asleep: is frozen" in oracle("why", "//:asleep", *words, cwd=repo.top).out
    repo.git("checkout", "-q", "--", ".")
    repo.commit({"seeds/clean.json": '[{"in": "b", "out": "b"}]'})
    assert oracle("why", "//:clean", *words, cwd=repo.top).out.splitlines()[1::3] == [
        "  seeds/clean.json",
    ]
    oracle("score", "//:clean", *words, cwd=repo.top)
    said = oracle("why", "//:clean", *words, cwd=repo.top).out.splitlines()
    assert said[0] == "//:clean: the inputs are those of the last run; against the run before it"
    assert "  seeds/clean.json" in said


def test_a_frozen_property_is_not_collected_but_listed(score: Callable[..., Ran]) -> None:
    record = score("good", "--format", "json").record
    assert record["frozen"] == ["asleep"] and "asleep" not in record["properties"]
    assert "//:asleep" not in {target["label"] for target in record["targets"]}
