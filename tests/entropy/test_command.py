"""The verb `scan`: paths, diffs, exits. Each refusal has beside it the same without the cause."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oracle_rules.errors import Exit, UsageError
from oracle_rules.protocol import canonical

from ..scm.kit import Repo
from .kit import commit, scan, write

CLOCK = "import time\n\n\ndef now():\n    return time.time()\n"
CLEAN = "def now(clock):\n    return clock()\n"
BUILD = """
load("@oracle_rules//oracle_rules:defs.bzl", "oracle_candidate", "oracle_property_test")
oracle_candidate(name = "src", srcs = glob(["src/**/*.py"]))
oracle_property_test(name = "p", candidate = ":src", property = "properties/p.py", seeds = "seeds/p.json",
                     deps = ["properties/help.py"])
"""
WORKSPACE = {"BUILD.bazel": BUILD, "WORKSPACE": "", "src/__init__.py": "", "src/a.py": CLEAN, "seeds/p.json": "[1]\n",
             "properties/p.py": "def hold(case):\n    return True\n", "properties/help.py": "", "tests/t.py": ""}


def found(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    document = json.loads(scan(folder, *arguments, "--format", "json")[1])
    assert document["schema"] == "oracle_rules/scan/v1"
    return document["findings"]


def brief(findings: list[dict[str, Any]]) -> list[tuple[str, int, str, str, bool]]:
    return [(each["path"], each["line"], each["rule"], each["role"], each["refuses"]) for each in findings]


def test_paths_are_told_whole_and_refuse(tmp_path: Path) -> None:
    write(tmp_path, {"b.py": CLOCK, "a/x.py": CLOCK, "c.txt": CLOCK, "clean.py": CLEAN})
    code, text = scan(tmp_path)
    assert code is Exit.REFUSED
    assert [line.split(": ")[0] for line in text.splitlines() if not line.startswith((" ", "2", "again"))] == [
        "a/x.py:5:12", "b.py:5:12"]
    assert "again: oracle-rules scan .\n" in text and "2 findings in 3 files: 2 become a fixture or seam, 0 must" in text
    assert scan(tmp_path, "clean.py") == (Exit.ACCEPT, "nothing found in 1 file\n")
    assert brief(found(tmp_path, "c.txt")) == [("c.txt", 5, "clock-read", "path", True)]


def test_links_and_folders_of_tools_are_left_out(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    write(outside, {"x.py": CLOCK})
    write(inside, {"clean.py": CLEAN, ".nox/a.py": CLOCK, ".git/b.py": CLOCK, "venv/c.py": CLOCK,
                   "env2/pyvenv.cfg": "", "env2/lib/d.py": CLOCK, "__pycache__/e.py": CLOCK})
    (inside / "link.py").symlink_to(outside / "x.py")
    (inside / "linked").symlink_to(outside)
    (inside / "loop").symlink_to(inside)
    assert scan(inside) == (Exit.ACCEPT, "nothing found in 1 file\n")
    assert len(found(inside, "env2/lib")) == 1


def test_a_report_is_the_same_bytes_for_the_same_tree(tmp_path: Path) -> None:
    write(tmp_path, {f"{name}.py": CLOCK for name in "zyxab"})
    for form in ("text", "json", "sarif", "github"):
        assert scan(tmp_path, "--format", form) == scan(tmp_path, "--format", form)
    assert scan(tmp_path, "a.py", "z.py", "a.py")[1].count("clock-read") == 2


@pytest.mark.parametrize(("arguments", "says"), [
    (["nowhere"], "is no file and no folder"), (["--diff", "a..b", "x.py"], "exclude each other"),
    (["--diff", ".."], "is no range"), (["--diff", "main..."], "is no range"), (["--diff", "a...b"], "is no range"),
    (["--format", "xml"], "is none of"), (["--format", "json", "--format", "text"], "two formats"),
    (["empty"], "holds no Python source"), (["--diff", "nothing..main"], "no revision"),
])  # fmt: skip
def test_what_can_not_be_scanned_is_usage(tmp_path: Path, arguments: list[str], says: str) -> None:
    repo = Repo(tmp_path / "r")
    commit(repo, WORKSPACE)
    (repo.top / "empty").mkdir()
    with pytest.raises(UsageError, match=says):
        scan(repo.top, *arguments)


def test_several_reports_in_one_run(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": CLOCK})
    _, text = scan(tmp_path, "--format", "text", "--format", "json=out.json", "--format", "sarif=out.sarif", "a.py")
    assert "clock-read" in text
    assert canonical.is_canonical((tmp_path / "out.json").read_bytes())
    assert json.loads((tmp_path / "out.sarif").read_text())["version"] == "2.1.0"


# Diffs.


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "r")
    commit(made, WORKSPACE | {"src/old.py": CLOCK, "tests/old.py": CLOCK})
    made.git("checkout", "-q", "-b", "patch")
    return made


def test_only_what_a_patch_brings_is_told(repo: Repo) -> None:
    commit(repo, {"src/old.py": "# moved\n\n" + CLOCK + "\n\ndef two():\n    return time.time()\n", "src/a.py": CLEAN + "\n"})
    assert brief(found(repo.top, "--diff", "main..patch")) == [("src/old.py", 11, "clock-read", "candidate", True)]
    assert scan(repo.top, "--diff", "main..patch")[0] is Exit.REFUSED


def test_a_patch_without_anything_new_is_left_alone(repo: Repo) -> None:
    commit(repo, {"src/old.py": "# moved\n\n\n" + CLOCK, "README.md": "x"}, "src/a.py")
    assert scan(repo.top, "--diff", "main..patch") == (Exit.ACCEPT, "nothing found in 4 files\n")


def test_the_merge_base_and_not_the_tip_of_base_is_compared_with(repo: Repo) -> None:
    commit(repo, {"src/b.py": CLEAN})
    repo.git("checkout", "-q", "main")
    commit(repo, {"src/old.py": CLEAN, "src/a.py": CLOCK})
    assert found(repo.top, "--diff", "main..patch") == []


def test_every_hit_of_the_oracle_refuses_though_base_holds_it_too(repo: Repo) -> None:
    repo.git("checkout", "-q", "main")
    commit(repo, {"properties/p.py": CLOCK, "properties/help.py": CLOCK})
    repo.git("checkout", "-q", "-B", "patch")
    commit(repo, {"src/a.py": CLEAN + "\n"})
    assert brief(found(repo.top, "--diff", "main..patch")) == [
        ("properties/help.py", 5, "clock-read", "oracle", True), ("properties/p.py", 5, "clock-read", "oracle", True)]


def test_what_no_score_runs_is_a_note(repo: Repo) -> None:
    commit(repo, {"tests/new.py": CLOCK})
    assert brief(found(repo.top, "--diff", "main..patch")) == [("tests/new.py", 5, "clock-read", "test", False)]
    code, text = scan(repo.top, "--diff", "main..patch")
    assert code is Exit.ACCEPT and "note: clock-read" in text and "0 of them refuse" in text


def test_a_renamed_source_is_new(repo: Repo) -> None:
    commit(repo, {"src/new.py": CLOCK}, "src/old.py")
    assert brief(found(repo.top, "--diff", "main..patch")) == [("src/new.py", 5, "clock-read", "candidate", True)]


def test_uncommitted_work_is_a_side_and_nothing_is_checked_out(repo: Repo) -> None:
    write(repo.top, {"src/a.py": CLOCK})
    assert brief(found(repo.top, "--diff", "main")) == [("src/a.py", 5, "clock-read", "candidate", True)]
    commit(repo, {"src/a.py": CLEAN, "src/c.py": CLOCK})
    write(repo.top, {"src/c.py": CLEAN})
    assert [each["path"] for each in found(repo.top, "--diff", "main..patch")] == ["src/c.py"]
    assert (repo.top / "src/c.py").read_text() == CLEAN


def test_the_command_that_is_printed_finds_the_same(repo: Repo) -> None:
    commit(repo, {"src/a.py": CLOCK})
    _, text = scan(repo.top, "--diff", "main..patch")
    again = text.splitlines()[-1].removeprefix("again: oracle-rules scan ").split()
    assert scan(repo.top, *again)[1] == text


def test_without_declarations_every_source_is_a_candidate(tmp_path: Path) -> None:
    made = Repo(tmp_path / "r")
    commit(made, {"x.py": CLEAN})
    commit(made, {"x.py": CLOCK})
    assert brief(found(made.top, "--diff", "HEAD~1..HEAD")) == [("x.py", 5, "clock-read", "candidate", True)]


def test_links_and_unreadable_sources_in_git(repo: Repo) -> None:
    (repo.top / "src/link.py").symlink_to("/etc/passwd")
    commit(repo, {"src/broken.py": "x = (\n"})
    [hit] = found(repo.top, "--diff", "main..patch")
    assert (hit["path"], hit["rule"], hit["code"], hit["line"]) == ("src/broken.py", "unreadable", "source_unreadable", 1)
