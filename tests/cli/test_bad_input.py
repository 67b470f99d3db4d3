"""Bad input through the real command line: one line that says what, where and what to do, and the documented status."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle_rules.loading import load_workspace
from oracle_rules.scm import memory_tree

from .kit import PATCHES, Ran, Repo, build_file, make, oracle, workspace

LINE = re.compile(r"oracle-rules: [a-z_]+: \S.*\n\Z")


def refused(ran: Ran, status: int, *words: str) -> None:
    """One line on stderr, nothing on stdout, the status, and each of these words said."""
    assert ran.status == status, (ran.status, ran.out, ran.err)
    assert ran.out == "", ran.out
    assert LINE.match(ran.err) and ran.err.count("\n") == 1, ran.err
    for word in words:
        assert word in ran.err, (word, ran.err)


def patched(tmp_path: Path, files: dict[str, str | None]) -> Repo:
    """A workspace whose trusted side has these changes."""
    given = {**workspace(), **{path: text for path, text in files.items() if text is not None}}
    return make(tmp_path / "repo", {path: text for path, text in given.items() if files.get(path, "") is not None})


BUILD = {
    "syntax": (build_file() + "oracle_candidate(name = \n", "BUILD.bazel:", "usage"),
    "unknown rule": (build_file() + 'oracle_propertytest(name = "x")\n', "oracle_propertytest", "BUILD.bazel:"),
    "unknown attribute": (build_file().replace(", fixtures =", ", fixture ="), "fixture", "BUILD.bazel:"),
    "missing label": (build_file().replace('":fixtures"]', '":nowhere"]'), "nowhere", "BUILD.bazel:"),
    "cyclic alias": (
        build_file().replace('candidate = ":src"', 'candidate = ":a"')
        + 'alias(name = "a", actual = ":b")\nalias(name = "b", actual = ":a")\n',
        "//:a",
        "BUILD.bazel:",
    ),
    "pinned variable": (
        build_file().replace(", timeout_seconds", ', env = {"TZ": "CET"}, timeout_seconds'),
        "env.TZ",
        "//:alive",
    ),
}


@pytest.mark.parametrize("name", BUILD)
def test_a_declaration_that_is_wrong_is_refused_with_its_place(name: str, tmp_path: Path, cache: Path) -> None:
    text, *words = BUILD[name]
    repo = patched(tmp_path, {"BUILD.bazel": text})
    refused(oracle("score", "--base", "main", "--head", "good", "--cache-dir", str(cache), cwd=repo.top), 2, *words)


ARTIFACTS: dict[str, tuple[str, str | None, str]] = {
    "seeds are no JSON": ("seeds/clean.json", "[1,", "seeds/clean.json:1:"),
    "seeds are empty": ("seeds/clean.json", "[]", "seeds/clean.json"),
    "seeds are missing": ("seeds/clean.json", None, "seeds/clean.json"),
    "seeds are no list": ("seeds/clean.json", "{}", "seeds/clean.json"),
    "manifest": ("fixtures/manifest.json", '{"limits.json": {"sha256": 1}}', "fixtures/manifest.json:1:"),
    "manifest is no JSON": ("fixtures/manifest.json", "\xff", "fixtures/manifest.json"),
    "freeze": ("freeze.json", '{"budget": 1}', "freeze.json:1:"),
    "lock": ("domain_lock.json", '{"shout": {"seed": 1}}', "domain_lock.json:1:"),
    "property is missing": ("properties/clean.py", None, "properties/clean.py"),
}


@pytest.mark.parametrize("name", ARTIFACTS)
def test_an_artifact_that_cannot_be_read_leaves_the_oracle_incomplete(name: str, tmp_path: Path, cache: Path) -> None:
    path, text, place = ARTIFACTS[name]
    repo = patched(tmp_path, {path: text})
    ran = oracle(
        "score", "--base", "main", "--head", "good", "--format", "json", "--cache-dir", str(cache), cwd=repo.top
    )
    assert (ran.status, ran.err) == (3, ""), ran
    record = ran.record
    assert (record["decision"], record["bit"], record["targets"]) == ("incomplete", 0, [])
    [reason] = record["reasons"]
    assert reason["code"] == "oracle_incomplete" and reason["remedy"] and reason["detail"]
    assert place in reason["subject"] + reason["detail"], reason


PROFILES = {
    "no JSON": ("{", "is not JSON"),
    "no object": ("[]", "object"),
    "unknown field": ('{"clok": 1}', "clok"),
    "limit": ('{"limits": {"memory_bytes": -1}}', "limits.memory_bytes"),
    "clock": ('{"clock": "yesterday"}', "clock"),
    "seed": ('{"hash_seed": "1"}', "hash_seed"),
    "variable": ('{"env": {"PYTHONPATH": "/x"}}', "env.PYTHONPATH"),
    "zone": ('{"tz": "Europe/Berlin"}', "tz"),
    "frozen test": ('{"freeze": ["test_legacy_race"]}', "freeze"),
    "contradiction": ('{"tz": "UTC", "env": {"TZ": "JST-9"}}', "env.TZ"),
}


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_that_is_wrong_is_refused_with_its_field(name: str, tmp_path: Path, cache: Path) -> None:
    text, word = PROFILES[name]
    build = build_file().replace('"oracle_freeze",', '"oracle_freeze", "oracle_profile",')
    build = build.replace(", timeout_seconds", ', profile = ":profile", timeout_seconds')
    repo = patched(
        tmp_path,
        {"BUILD.bazel": build + 'oracle_profile(name = "profile", profile = "profile.json")\n', "profile.json": text},
    )
    words = ("--base", "main", "--head", "good")
    ran = oracle("score", *words, "--format", "json", "--cache-dir", str(cache), cwd=repo.top)
    assert (ran.status, ran.err) == (3, ""), ran
    [reason] = ran.record["reasons"]
    assert reason["code"] == "oracle_incomplete" and word in reason["detail"] and reason["remedy"], reason
    assert re.match(r"profile\.json:1:\d+", reason["subject"]), reason
    gated = oracle("gate", *words, cwd=repo.top)
    assert gated.status == 3 and f"oracle_incomplete {reason['subject']}: " in gated.out, gated


@pytest.mark.parametrize(
    ("text", "code", "status", "word"),
    [
        ("def hold(case:\n", "property_broken", 3, "SyntaxError"),
        ("def holds(case):\n    return True\n", "property_broken", 3, "hold(case)"),
        ("from src.text import clean\n\ndef hold(case):\n    return len(clean(case['in']))\n", "oracle_error", 3, "int"),
        ("from src.text import clean\n\ndef hold(case):\n    return len(clean(case['in'])) < 99\n", None, 0, ""),
    ],
)
def test_a_property_that_is_broken_is_no_verdict_on_the_patch(
    text: str, code: str | None, status: int, word: str, tmp_path: Path, cache: Path
) -> None:
    repo = patched(tmp_path, {"BUILD.bazel": build_file(["clean"]), "properties/clean.py": text})
    ran = oracle(
        "score", "--base", "main", "--head", "good", "--format", "json", "--cache-dir", str(cache), cwd=repo.top
    )
    assert ran.status == status, ran
    [target] = ran.record["targets"]
    assert target["reason"] == code and word in target["detail"], target


def empty(top: Path) -> Repo:
    """A repository without a commit."""
    top.mkdir(parents=True)
    repo = Repo(top)
    repo.git("init", "-q", "-b", "main")
    return repo


def test_an_empty_repository_and_an_unborn_branch(tmp_path: Path, cache: Path) -> None:
    repo = empty(tmp_path / "empty")
    for words in (["--base", "main", "--head", "good"], ["--worktree"], []):
        refused(oracle("score", *words, "--cache-dir", str(cache), cwd=repo.top), 2)
    made = make(tmp_path / "made")
    made.git("checkout", "-q", "--orphan", "unborn")
    refused(oracle("score", "--cache-dir", str(cache), cwd=made.top), 2)


def test_a_shallow_clone_says_how_to_get_the_rest(tmp_path: Path, repo: Repo, cache: Path) -> None:
    repo.git(
        "clone",
        "-q",
        "--depth",
        "1",
        "--branch",
        "good",
        "--no-single-branch",
        f"file://{repo.top}",
        str(tmp_path / "shallow"),
    )
    words = ("score", "--base", "origin/main", "--head", "origin/good", "--cache-dir", str(cache))
    refused(oracle(*words, cwd=tmp_path / "shallow"), 2, "shallow")


def test_a_detached_head_is_scored_like_a_branch(tmp_path: Path, repo: Repo, cache: Path) -> None:
    repo.git("clone", "-q", str(repo.top), str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    clone.git("checkout", "-q", "--detach", "origin/main")
    clone.write(PATCHES["red"])
    ran = oracle("score", "--format", "json", "--cache-dir", str(cache), cwd=clone.top)
    assert ran.status == 1 and ran.record["base"] == clone.git("rev-parse", "HEAD")


def test_base_equal_to_candidate_and_unrelated_histories(tmp_path: Path, cache: Path) -> None:
    repo = make(tmp_path / "repo")
    words = ("score", "--cache-dir", str(cache))
    refused(oracle(*words, "--base", "main", "--head", "main", cwd=repo.top), 2, "no patch")
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit({"src/text.py": "x = 1\n"})
    refused(oracle(*words, "--base", "main", "--head", "other", cwd=repo.top), 2, "share no history")
    refused(oracle(*words, "--base", "main", "--head", "nobody", cwd=repo.top), 2, "nobody")
    refused(oracle(*words, "--head", "good", "--worktree", cwd=repo.top), 2, "--worktree", "--head")


def test_no_git_and_no_repository(tmp_path: Path, repo: Repo, cache: Path) -> None:
    words = ("score", "--base", "main", "--head", "good", "--cache-dir", str(cache))
    refused(oracle(*words, cwd=repo.top, env={"PATH": str(tmp_path)}), 2, "git")
    refused(oracle(*words, cwd=tmp_path), 2, str(tmp_path))
    refused(oracle(*words, "--repository", str(tmp_path / "absent"), cwd=tmp_path), 2, "absent")
    assert oracle(*words, "--repository", str(repo.top / "src"), cwd=tmp_path).status == 0


def test_patterns_that_select_nothing(score: Callable[..., Ran]) -> None:
    refused(score("good", "//nowhere/..."), 2, "nowhere")
    refused(score("good", "//:nobody"), 2, "nobody")
    refused(score("good", "clean"), 2, "clean", "//")
    refused(score("good", "//:src"), 2, "//:src")
    ran = score("good", "//:asleep", "--format", "json")
    assert ran.status == 6 and ran.record["frozen"] == ["asleep"] and ran.record["decision"] == "nothing"


def test_a_workspace_without_a_property_has_nothing_to_score(tmp_path: Path, cache: Path) -> None:
    repo = make(tmp_path / "repo", {"README": "x\n"})
    refused(oracle("score", "--base", "main", "--head", "good", "--cache-dir", str(cache), cwd=repo.top), 6)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "yaml"], "yaml"),
        (["--format", "json="], "json="),
        (["--format", "json", "--format", "text"], "stdout"),
        (["--jobs", "0"], "--jobs"),
        (["--jobs", "many"], "--jobs"),
        (["--cache-size", "5"], "--cache-size"),
        (["--today", "tomorrow"], "--today"),
        (["--nonsense"], "--nonsense"),
        (["--form", "json"], "--form"),
    ],
)
def test_options_that_are_wrong(words: list[str], said: str, score: Callable[..., Ran]) -> None:
    refused(score("good", *words), 2, said)


def test_a_command_line_without_a_verb_and_an_unknown_code(tmp_path: Path) -> None:
    refused(oracle(cwd=tmp_path), 2, "--help")
    refused(oracle("juggle", cwd=tmp_path), 2, "juggle")
    refused(oracle("--explain", "seed_rewriten", cwd=tmp_path), 2, "seed_rewritten")
    ran = oracle("--explain", "seed_rewritten", cwd=tmp_path)
    assert ran.status == 0 and "seed_rewritten" in ran.out and "exit 4" in ran.out


def test_a_report_that_cannot_be_written(tmp_path: Path, score: Callable[..., Ran]) -> None:
    refused(score("good", "--format", f"json={tmp_path}"), 2, str(tmp_path))
    refused(score("good", "--format", f"json={tmp_path}/absent/r.json"), 2, "absent/r.json")
    ran = score("good", "--format", f"json={tmp_path}/r.json", "--format", "text")
    assert ran.status == 0 and "ACCEPT" in ran.out and json.loads((tmp_path / "r.json").read_text())["bit"] == 1


def test_a_freeze_row_that_has_run_out_and_one_that_no_target_obeys(tmp_path: Path, cache: Path) -> None:
    repo = make(tmp_path / "one")
    words = ("score", "--base", "main", "--head", "good", "--cache-dir", str(cache), "--format", "json")
    ran = oracle(*words, "--today", "3000-01-01", cwd=repo.top)
    assert ran.status == 4 and {reason["code"] for reason in ran.record["reasons"]} == {"freeze_expired"}
    repo = patched(tmp_path, {"BUILD.bazel": build_file().replace(', freeze = ":freeze"', "")})
    ran = oracle(*words, cwd=repo.top)
    assert ran.status == 4 and {reason["code"] for reason in ran.record["reasons"]} == {"freeze_still_collected"}


def test_one_malformed_file_that_many_targets_name_is_one_reason(tmp_path: Path, cache: Path) -> None:
    build = build_file().replace(", timeout_seconds", ', fixtures = [":fixtures"], timeout_seconds')
    repo = patched(tmp_path, {"BUILD.bazel": build, "fixtures/manifest.json": "{"})
    words = ("score", "--base", "main", "--head", "good", "--cache-dir", str(cache), "--format", "json")
    assert len(oracle(*words, cwd=repo.top).record["reasons"]) == 1


def test_the_workspace_of_these_tests_is_right_before_something_is_broken() -> None:
    tree = memory_tree({path: text.encode() for path, text in workspace().items()})
    assert len(load_workspace(tree).targets) == 10


def test_closed_descriptors_and_a_full_device_end_with_a_status_and_no_noise(repo: Repo, cache: Path) -> None:
    from .kit import command, environment

    words = command("score", "--base", "main", "--head", "good", "--cache-dir", str(cache))
    for shell, status in (('"$@" >&-', 0), ('"$@" >/dev/full', 5), ('"$@" <&- 2>&-', 0)):
        done = subprocess.run(
            ["sh", "-c", shell, "sh", *words],
            cwd=repo.top,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == status, (shell, done)
        assert "Exception" not in done.stderr and done.stderr.count("\n") == (status != 0), done.stderr


def test_a_reader_that_goes_away(repo: Repo, cache: Path) -> None:
    from .kit import command, environment

    out, into = os.pipe()
    os.close(out)
    words = command("score", "--base", "main", "--head", "good", "--cache-dir", str(cache), "--format", "json")
    done = subprocess.run(
        words, cwd=repo.top, env=environment(), stdout=into, stderr=subprocess.PIPE, text=True, timeout=60, check=False
    )
    os.close(into)
    assert (done.returncode, done.stderr) == (141, "")


def test_sources_that_base_cannot_find_in_the_patch_are_the_patchs_fault(tmp_path: Path) -> None:
    files = {
        "src/a.py": "def f(x):\n    return x\n",
        "properties/p.py": "from src.a import f\n\n\ndef hold(case):\n    return f(case) == case\n",
        "seeds/p.json": "[1]",
        "BUILD.bazel": 'load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_property_test")\n'
        'oracle_candidate(name = "src", srcs = glob(["src/**/*.py"], allow_empty = False))\n'
        'oracle_property_test(name = "p", candidate = ":src", property = "properties/p.py", seeds = "seeds/p.json")\n',
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    who = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "base"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    command = [sys.executable, "-c", "from oracle_rules.cli import main; main()", "score", "--format", "json",
               "--repository", str(tmp_path), "--cache-dir", str(tmp_path / ".git" / "cache")]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    (tmp_path / "src" / "big.py").write_bytes(b"#" * ((64 << 20) + 1))
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    record = json.loads(ran.stdout)
    assert (ran.returncode, record["bit"], ran.stderr) == (1, 0, "")
    assert [(reason["code"], reason["subject"]) for reason in record["reasons"]] == [("output_limit", "src/big.py")]
    (tmp_path / "src" / "big.py").unlink()
    (tmp_path / "src" / "a.py").unlink()
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    record = json.loads(ran.stdout)
    assert (ran.returncode, record["decision"], record["bit"], ran.stderr) == (1, "reject", 0, "")
    assert [reason["code"] for reason in record["reasons"]] == ["import_failed"]
    assert record["repro"].endswith(f"--base {record['base']} --worktree")


def test_gate_finds_what_score_finds(tmp_path: Path) -> None:
    """The same broken seed and expired ledger refuse in both; without them neither has anything to say."""
    files = {
        "src/a.py": "def f(x):\n    return x\n",
        "properties/p.py": "from src.a import f\n\n\ndef hold(case):\n    return f(case) == case\n",
        "seeds/p.json": "[1]",
        "tests/test_t.py": "def test_x():\n    pass\n",
        "freeze.json": '{"budget": 1, "rows": [{"id": "F", "nodeid": "tests/test_t.py::test_x", "class": "time-dependent", '
        '"evidence": "red when the clock stepped back, 1 of 900 runs", "seam": "src/a.py::f", "skew": "-1 h", '
        '"last_green": "2026-06-01", "owner": "Ada Lindqvist", "expires": "2026-06-30", "agent_may_extend": false}]}',
        "BUILD.bazel": 'load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_freeze", '
        '"oracle_property_test")\noracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))\n'
        'oracle_freeze(name = "freeze", ledger = "freeze.json")\noracle_property_test(name = "p", candidate = ":src", '
        'property = "properties/p.py", seeds = "seeds/p.json", freeze = ":freeze")\n',
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    who = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "base"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)

    def run(verb: str, day: str, *rest: str) -> int:
        command = [sys.executable, "-c", "from oracle_rules.cli import main; main()", verb, "--today", day,
                   "--repository", str(tmp_path), *rest]
        if verb == "score":
            command += ["--cache-dir", str(tmp_path / ".git" / "cache")]
        return subprocess.run(command, capture_output=True, check=False).returncode

    assert [run(verb, "2026-06-30") for verb in ("score", "gate")] == [0, 0]
    assert [run(verb, "2026-07-01") for verb in ("score", "gate")] == [4, 4]
    assert [run(verb, "2026-06-30", "//:nope") for verb in ("score", "gate")] == [2, 2]
    (tmp_path / "seeds" / "p.json").write_text("[1,]", encoding="utf-8")
    subprocess.run(["git", *who, "commit", "-qam", "broken"], cwd=tmp_path, check=True)
    assert [run(verb, "2026-06-30") for verb in ("score", "gate")] == [3, 3]


def test_a_candidate_that_selects_nothing_is_named_with_its_declaration(tmp_path: Path, cache: Path) -> None:
    words = ("score", "--base", "main", "--head", "good", "--cache-dir", str(cache), "--format", "json", "//:clean")
    wrong = build_file().replace('glob(["src/**/*.py"])', 'glob(["source/**/*.py"])')
    ran = oracle(*words, cwd=make(tmp_path / "glob", workspace() | {"BUILD.bazel": wrong}).top)
    [reason] = ran.record["reasons"]
    assert (ran.status, reason["code"]) == (3, "oracle_incomplete")
    assert reason["detail"] == "oracle_candidate //:src selects no file in base"
    assert reason["subject"].startswith("BUILD.bazel:3:")
    root = build_file().replace("oracle_candidate(", 'oracle_candidate(imports = ["src"], ')
    ran = oracle(*words, cwd=make(tmp_path / "imports", workspace() | {"BUILD.bazel": root}).top)
    [reason] = ran.record["reasons"]
    assert (ran.status, reason["row"]) == (4, "imports-no-candidate")
    assert "`src.text` is no module of the candidate, which has life, stamp, sums, text" in reason["detail"]
    assert oracle(*words, cwd=make(tmp_path / "right").top).status == 0


def test_a_source_that_cannot_be_parsed_is_named_with_its_line(tmp_path: Path, cache: Path) -> None:
    repo = make(tmp_path / "one")
    repo.commit({"src/text.py": "def clean(name):\n    return name.strip(\n"}, "broken")
    ran = oracle("score", "--base", "main", "--head", "broken", "--cache-dir", str(cache), "--format", "json", "//:clean",
                 cwd=repo.top)
    [target] = ran.record["targets"]
    assert (ran.status, target["reason"]) == (1, "import_failed") and target["detail"].endswith(" at src/text.py:2")
