"""`--oracle REPO@REV`: the oracle of another repository judges, whatever the candidate's own tree says about oracles."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from .kit import PATCHES, SOURCES, Ran, Repo, environment, make, oracle, workspace

ORACLE = {path: text for path, text in workspace().items() if path not in SOURCES}


@dataclass(frozen=True)
class Pair:
    """A repository that holds an oracle and no source, and one that holds sources and no oracle."""

    oracle: Repo
    code: Repo
    cache: Path

    def run(self, verb: str, head: str, *words: str, at: str = "main") -> Ran:
        """Runs a verb on a branch of the code, with the oracle at a revision."""
        cache = [] if verb == "gate" else ["--cache-dir", str(self.cache)]
        given = ["--base", "main", "--head", head, *cache, "--oracle", f"{self.oracle.top}@{at}"]
        return oracle(verb, *given, *words, cwd=self.code.top)

    def score(self, head: str, *words: str, at: str = "main") -> Ran:
        """Scores, for the record."""
        return self.run("score", head, "--format", "json", *words, at=at)


def branch(repo: Repo, name: str, files: dict[str, str | None]) -> str:
    """A commit on a branch of its own from main."""
    try:
        return repo.commit(files, name)
    finally:
        repo.git("checkout", "-q", "main")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Pair:
    """Branches of the code as in the kit: good, red, entropy. No test may change either main."""
    top = tmp_path_factory.mktemp("pair")
    found = Pair(make(top / "oracle", ORACLE), make(top / "code", SOURCES), cache)
    for name in ("red", "entropy"):
        branch(found.code, name, dict(PATCHES[name]))
    return found


def test_the_same_bits_as_with_the_oracle_in_base(pair: Pair, score: Callable[..., Ran]) -> None:
    for head in ("good", "red", "entropy"):
        apart, together = pair.score(head), score(head, "--format", "json")
        assert apart.status == together.status
        kept = ("decision", "bit", "exit", "row", "properties", "reasons", "frozen")
        assert {key: apart.record[key] for key in kept} == {key: together.record[key] for key in kept}
        # The very same Actions: where the oracle came from is in no key.
        actions = [[target["action"] for target in ran.record["targets"]] for ran in (apart, together)]
        assert actions[0] == actions[1] and len(actions[0]) == 5


def test_the_record_says_which_oracle_and_names_no_path(pair: Pair, score: Callable[..., Ran]) -> None:
    record = pair.score("good").record
    commit = pair.oracle.git("rev-parse", "main")
    assert record["oracle"]["commit"] == commit and record["oracle"]["source"] == "separate"
    assert record["oracle"]["signed_by"] == []
    assert record["base"] == record["parent"] == pair.code.git("rev-parse", "main")
    together = score("good", "--format", "json").record
    assert together["oracle"]["source"] == "base" and together["oracle"]["commit"] == together["base"]
    # The same oracle in two repositories, once beside sources and once without.
    assert record["oracle"]["digest"] == together["oracle"]["digest"]
    assert str(pair.oracle.top) not in json.dumps(record)
    assert f'--oracle "$ORACLE_REPOSITORY@{commit}"' in record["repro"]


def test_the_repro_command_scores_the_same_again(pair: Pair) -> None:
    ran = pair.score("red", "//:clean")
    words = shlex.split(ran.record["repro"].replace("$ORACLE_REPOSITORY", str(pair.oracle.top)))
    again = oracle(*words[1:], "--cache-dir", str(pair.cache), "--format", "json", cwd=pair.code.top)
    assert again.status == ran.status == 1
    assert again.record["targets"][0]["action"] == ran.record["targets"][0]["action"]
    # In a shell, as it is printed.
    line = ran.record["repro"].replace("oracle-rules score", "printf '%s\\n'")
    env = {**environment(), "ORACLE_REPOSITORY": "/srv/the oracle"}
    shown = subprocess.run(["bash", "-c", line], env=env, capture_output=True, text=True, check=True).stdout
    assert f"/srv/the oracle@{ran.record['oracle']['commit']}\n" in shown
    unset = oracle("score", "--oracle", "@main", cwd=pair.code.top)
    assert unset.status == 2 and "names no repository" in unset.err


def test_why_and_gate_take_the_same_oracle(pair: Pair) -> None:
    pair.score("good")
    told = pair.run("why", "good", "//:clean")
    assert told.status == 0 and told.out.startswith("//:clean: ")
    assert pair.run("gate", "good").status == 0


def test_owners_are_those_of_the_oracles_repository(pair: Pair, tmp_path: Path) -> None:
    """Whose review the exam needs is said where the exam is; CODEOWNERS beside the sources says nothing about it."""
    branch(pair.oracle, "owned", {"CODEOWNERS": "* @ada\n"})
    code = make(tmp_path / "code", {**SOURCES, "CODEOWNERS": "* @bo\n"})
    words = ("gate", "--base", "main", "--head", "good", "--require-codeowners", "--oracle")
    assert oracle(*words, f"{pair.oracle.top}@owned", cwd=code.top).status == 0
    bare = oracle(*words, f"{pair.oracle.top}@main", cwd=code.top)
    assert bare.status == 4 and "codeowners_missing" in bare.out


def test_what_the_candidates_repository_says_about_oracles_has_no_effect(pair: Pair, tmp_path: Path) -> None:
    """Its base holds a lax copy of everything, declared; only the second repository is asked."""
    lax = {
        path: text.replace("def hold(case):\n", "def hold(case):\n    if case is not None:\n        return True\n")
        if path.startswith("properties/") else text
        for path, text in workspace().items()
    }
    code = make(tmp_path / "lax", lax)
    branch(code, "red", dict(PATCHES["red"]))
    given = ("score", "--base", "main", "--head", "red", "--cache-dir", str(pair.cache), "--format", "json")
    assert oracle(*given, cwd=code.top).record["decision"] == "accept"  # what the copy says
    judged = oracle(*given, "--oracle", f"{pair.oracle.top}@main", cwd=code.top)
    assert judged.status == 1
    assert judged.record["targets"][0]["action"] == pair.score("red").record["targets"][0]["action"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("seeds/clean.json", "seed_appended"),
        ("properties/clean.py", "property_changed"),
        ("BUILD.bazel", "build_changed"),
        ("src/BUILD.bazel", "build_changed"),
        (".github/workflows/ci.yml", "config_changed"),
        ("conftest.py", "config_changed"),
    ],
)
def test_a_patch_that_plants_an_oracle_path_is_refused(pair: Pair, path: str, code: str) -> None:
    name = path.replace("/", "-").strip(".")
    branch(pair.code, name, {path: "[]\n"})
    ran = pair.score(name)
    assert ran.status == 4 and code in {reason["code"] for reason in ran.record["reasons"]}


def test_another_revision_is_another_oracle(pair: Pair) -> None:
    strict = {"seeds/clean.json": json.dumps([{"in": "A", "out": "A"}])}
    commit = branch(pair.oracle, "strict", dict(strict))
    assert pair.score("good", "//:clean").status == 0
    for at in ("strict", commit, commit[:12]):
        ran = pair.score("good", "//:clean", at=at)
        assert ran.status == 1 and ran.record["oracle"]["commit"] == commit


def test_globs_that_must_not_be_empty_and_files_by_name(pair: Pair, tmp_path: Path) -> None:
    """Both look for sources in the candidate's repository; neither is a reason to refuse the oracle's own tree."""
    build = ORACLE["BUILD.bazel"]
    sources = 'glob(["src/**/*.py"])'
    assert sources in build
    named = '["src/__init__.py", "src/text.py", "src/sums.py", "src/life.py", "src/stamp.py"]'
    first = pair.score("good").record["targets"]
    for number, instead in enumerate(('glob(["src/**/*.py"], allow_empty = False)', named, '[":group"]')):
        text = build.replace(sources, instead) + f'filegroup(name = "group", srcs = {named})\n'
        branch(pair.oracle, f"written-{number}", {"BUILD.bazel": text})
        ran = pair.score("good", at=f"written-{number}")
        assert [target["action"] for target in ran.record["targets"]] == [target["action"] for target in first]
        assert ran.status == 0


def test_an_oracle_that_lacks_what_it_declares_is_incomplete(pair: Pair) -> None:
    branch(pair.oracle, "seedless", {"seeds/clean.json": None})
    ran = pair.score("good", at="seedless")
    assert ran.status == 3 and "seeds/clean.json" in ran.record["reasons"][0]["detail"]
    branch(pair.code, "helpful", {"seeds/clean.json": "[1]"})  # a file of the candidate's does not stand in for it
    assert pair.score("helpful", at="seedless").status == 3


def test_a_removed_or_misspelt_target_of_the_oracle_is_still_seen(pair: Pair) -> None:
    build = ORACLE["BUILD.bazel"].replace('candidate = ":src"', 'candidate = ":scr"')
    branch(pair.oracle, "misspelt", {"BUILD.bazel": build})
    ran = pair.score("good", at="misspelt")
    assert ran.status == 2 and "did you mean :src" in ran.err


def test_a_candidate_may_not_hide_a_module_that_the_oracle_imports(pair: Pair, tmp_path: Path) -> None:
    """Base's sources decide which names are the candidate's; none may be the name of the oracle's own helper."""
    build = ORACLE["BUILD.bazel"].replace('srcs = glob(["src/**/*.py"])', 'srcs = glob(["**/*.py"])')
    build = build.replace('seeds = "seeds/stamp.json"', 'seeds = "seeds/stamp.json", deps = ["bounds/low.py"]')
    files = {
        "BUILD.bazel": build,
        "bounds/low.py": "LEAST = 8\n",
        "properties/stamp.py": "from bounds.low import LEAST\nfrom src.stamp import stamp\n\n\n"
        "def hold(case):\n    return stamp() >= LEAST\n",
    }
    branch(pair.oracle, "helper", dict(files))
    assert pair.score("good", "//:stamp", at="helper").status == 1  # 7 is less than 8
    for hidden in ("bounds/other.py", "bounds.py"):
        code = make(tmp_path / hidden.replace("/", "-"), {**SOURCES, hidden: "LEAST = 0\n"})
        words = ("--base", "main", "--head", "good", "--cache-dir", str(pair.cache), "--format", "json", "//:stamp")
        ran = oracle("score", *words, "--oracle", f"{pair.oracle.top}@helper", cwd=code.top)
        [reason] = ran.record["reasons"]
        assert ran.status == 4 and reason["code"] == "candidate_overlaps_oracle" and "bounds" in reason["detail"]
        assert reason["row"] == "candidate-hides-oracle" and reason["subject"] == "bounds/low.py"


def test_bare_repositories_file_urls_and_paths_with_at_signs(pair: Pair, tmp_path: Path) -> None:
    bare = tmp_path / "a@b c.git"
    pair.oracle.git("clone", "-q", "--bare", str(pair.oracle.top), str(bare))
    wanted = pair.score("good").record
    url = f"file://{bare}".replace(" ", "%20")
    for address in (f"{bare}@main", f"{url}@main", f"file://localhost{bare}@main".replace(" ", "%20"),
                    f"{pair.oracle.top}/.git@main", f"../oracle@{wanted['oracle']['commit']}"):
        words = ("score", "--base", "main", "--head", "good", "--cache-dir", str(pair.cache), "--format", "json")
        ran = oracle(*words, "--oracle", address, cwd=pair.code.top)
        assert ran.status == 0 and ran.record["oracle"] == wanted["oracle"], address
        assert ran.record["repro"] == wanted["repro"]


def test_object_formats_mix(pair: Pair, tmp_path: Path) -> None:
    """An oracle under SHA-256 judges sources under SHA-1; its digest is that of the same files under SHA-1."""
    other = Repo(tmp_path / "sha256")
    other.top.mkdir()
    other.git("init", "-q", "-b", "main", "--object-format=sha256")
    commit = other.commit(dict(ORACLE))
    wanted = pair.score("red")
    words = ("score", "--base", "main", "--head", "red", "--cache-dir", str(pair.cache), "--format", "json")
    ran = oracle(*words, "--oracle", f"{other.top}@main", cwd=pair.code.top)
    assert ran.status == wanted.status == 1 and len(commit) == 64
    assert ran.record["oracle"] == {**wanted.record["oracle"], "commit": commit}
    assert [t["action"] for t in ran.record["targets"]] == [t["action"] for t in wanted.record["targets"]]


def test_uncommitted_work_is_judged_by_a_second_repository_too(pair: Pair, tmp_path: Path) -> None:
    code = make(tmp_path / "code", SOURCES)
    code.write(dict(PATCHES["red"]))
    words = ("--cache-dir", str(pair.cache), "--format", "json", "--oracle", f"{pair.oracle.top}@main")
    ran = oracle("score", *words, cwd=code.top)
    assert ran.status == 1 and re.search(" --worktree --today .* --oracle ", ran.record["repro"])


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("https://example.org/oracle.git@main", "git clone --mirror https://example.org/oracle.git"),
        ("git@example.org:team/oracle@main", "reaches no network"),
        ("ssh://git@example.org/oracle", "reaches no network"),
        ("ext::sh -c touch% x@main", "reaches no network"),
        ("file://example.org/srv/oracle@main", "another machine"),
        ("file:///srv/%zz@main", "no file URL"),
        ("../oracle", "names no revision"),
        ("../oracle@", "names no revision"),
        ("../oracle@absent", "there is no revision 'absent'"),
        ("../oracle@main:seeds", "not one commit"),
        ("../oracle@--all", "starts with a dash"),
        ("../nowhere@main", "cannot be read"),
        ("../oracle/seeds@main", "this is no git repository"),
        ("../code/src@main", "this is no git repository"),
    ],
)
def test_an_address_that_is_none(pair: Pair, address: str, said: str) -> None:
    if said == "not one commit":
        said = "not a commit"
    ran = oracle("score", "--base", "main", "--head", "good", "--oracle", address, cwd=pair.code.top)
    assert ran.status == 2 and said in ran.err and ran.out == "", ran.err
    assert ran.err.count("\n") == 1


def test_a_repository_among_the_files_under_judgement_is_refused(pair: Pair, tmp_path: Path) -> None:
    """Whoever writes the patch could have put it there, or moved its branches."""
    code = make(tmp_path / "code", SOURCES)
    code.git("clone", "-q", str(pair.oracle.top), "nested")
    (tmp_path / "link").symlink_to(code.top / "nested")
    words = ("score", "--base", "main", "--head", "good", "--cache-dir", str(pair.cache))
    for address in ("nested@main", f"{tmp_path}/link@main", "nested/.git@main"):
        ran = oracle(*words, "--oracle", address, cwd=code.top)
        assert ran.status == 2 and "inside the work tree" in ran.err, ran.err
    (code.top / "nested").rename(tmp_path / "beside")
    assert oracle(*words, "--oracle", f"{tmp_path}/beside@main", cwd=code.top).status == 0


def test_the_repository_under_judgement_is_no_second_one(tmp_path: Path, cache: Path) -> None:
    """By any of its folders and work trees; a clone of it beside is another, as far as anybody can tell."""
    repo = make(tmp_path / "repo")
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "tree"), "main")
    (tmp_path / "link").symlink_to(repo.top)
    words = ("--base", "main", "--head", "good", "--oracle")
    for address in (".@main", ".git@main", f"{repo.top}@good", f"{tmp_path}/link@main", f"{tmp_path}/tree@main"):
        for verb in ("score", "gate"):
            ran = oracle(verb, *words, address, cwd=repo.top)
            assert (ran.status, ran.out) == (2, "") and "is the repository that is judged" in ran.err, ran.err
    repo.git("clone", "-q", str(repo.top), str(tmp_path / "clone"))
    ran = oracle("gate", *words, f"{tmp_path}/clone@main", cwd=repo.top)
    assert ran.status == 0 and "of another repository" in ran.out


def test_nothing_of_the_second_repository_is_run_or_believed(pair: Pair, tmp_path: Path) -> None:
    """Hooks, filters, configuration and replace refs of it, as of the first."""
    wanted = pair.score("good").record["oracle"]
    other, trap = tmp_path / "other", tmp_path / "sprung"
    pair.oracle.git("clone", "-q", str(pair.oracle.top), str(other))
    repo = Repo(other)
    main, lax = repo.git("rev-parse", "main"), branch(repo, "lax", {"seeds/clean.json": '[{"in": "", "out": ""}]'})
    repo.git("replace", main, lax)
    repo.git("config", "core.fsmonitor", f"touch {trap}")
    repo.git("config", "core.hooksPath", str(tmp_path / "hooks"))
    repo.git("config", "core.attributesFile", str(tmp_path / "attributes"))
    (tmp_path / "attributes").write_text("* filter=evil working-tree-encoding=UTF-16\n")
    repo.git("config", "filter.evil.smudge", f"touch {trap}; cat")
    words = ("score", "--base", "main", "--head", "good", "--cache-dir", str(pair.cache), "--format", "json")
    ran = oracle(*words, "--oracle", f"{other}@main", cwd=pair.code.top)
    assert ran.status == 0 and ran.record["oracle"] == wanted and not trap.exists()


def test_a_frozen_test_may_stand_in_base_of_what_is_judged(pair: Pair, tmp_path: Path) -> None:
    """The ledger of the oracle names a test that lives with the code; what only the candidate has doesn't count."""
    row = {"id": "FZ-2", "nodeid": "tests/test_flaky.py::test_step", "class": "time-dependent",
           "seam": "src/life.py::alive", "evidence": "went backwards under a clock step, 1 of 4000 runs",
           "owner": "Ada Lindqvist", "last_green": "2026-01-01", "expires": "2999-12-31", "agent_may_extend": False}
    ledger = json.loads(ORACLE["freeze.json"])
    rules = make(tmp_path / "rules", ORACLE | {"freeze.json": json.dumps({"budget": 2, "rows": [*ledger["rows"], row]})})
    test = {"tests/test_flaky.py": "def test_step():\n    assert True\n"}
    words = ("--base", "main", "--head", "good", "--cache-dir", str(pair.cache), "--format", "json")
    for name, base, head, status in (("in-base", test, {}, 0), ("in-candidate", {}, test, 4),
                                     ("other", {"tests/test_flaky.py": "def test_other():\n    pass\n"}, {}, 4)):
        code = make(tmp_path / name, SOURCES | base)
        code.git("checkout", "-q", "good")
        code.commit(dict(head))
        ran = oracle("score", *words, "--oracle", f"{rules.top}@main", "//:alive", cwd=code.top)
        assert ran.status == status, name
        assert [reason["code"] for reason in ran.record["reasons"]] == ["freeze_matches_nothing"] * (status != 0), name


@pytest.mark.parametrize("gone", ["fixtures/limits.json", "properties/clean.py", "seeds/clean.json", "freeze.json",
                                  "domain_lock.json", "fixtures/manifest.json"])
def test_what_is_declared_and_missing_is_exit_3_and_has_a_record(gone: str, tmp_path: Path, cache: Path) -> None:
    repo = make(tmp_path / "one", {path: text for path, text in workspace().items() if path != gone})
    ran = oracle("score", "--base", "main", "--head", "good", "--format", "json", "--cache-dir", str(cache), cwd=repo.top)
    [reason] = ran.record["reasons"]
    assert (ran.status, ran.record["decision"], reason["code"]) == (3, "incomplete", "oracle_incomplete")
    assert gone in reason["detail"] and reason["subject"].startswith("BUILD.bazel:")
