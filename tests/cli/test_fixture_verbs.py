"""`canon` and `fixtures` as people run them, and what conversion by a real git does to a checkout."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from .kit import Repo, make, oracle, workspace

ADA = ("--origin", "human: Ada", "--purpose", "the largest total, raised")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:  # noqa: F811  - one of its own, to be changed
    return make(tmp_path / "repo")


def test_canon_check_names_the_place_and_canon_write_mends_it(tmp_path: Path) -> None:
    good, bad, none = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "none.json"
    good.write_bytes(b'{"a":1}')
    bad.write_bytes(b'{"a":1,\n"b": 2}\n')
    none.write_bytes(b"{")
    os.chmod(bad, 0o640)
    ran = oracle("canon", "--check", "good.json", "bad.json", "none.json", cwd=tmp_path)
    assert ran.status == 4
    assert ran.out == ("bad.json:1:8: fixture_not_canonical: is not in canonical form, from line 1 column 8 on\n"
                       "none.json:1:2: fixture_not_canonical: is not JSON: Expecting property name enclosed in "
                       "double quotes\n")
    assert oracle("canon", "--write", "bad.json", "none.json", cwd=tmp_path).status == 2
    assert bad.read_bytes() == b'{"a":1,\n"b": 2}\n'  # nothing is written when one of them can't be
    before = good.stat()
    ran = oracle("canon", "--write", "good.json", "bad.json", cwd=tmp_path)
    assert ran.status == 0 and bad.read_bytes() == b'{"a":1,"b":2}\n'
    assert hashlib.sha256(bad.read_bytes()).hexdigest() in ran.out
    assert "oracle-rules fixtures add bad.json --origin 'human: NAME' --purpose" in ran.err
    assert bad.stat().st_mode & 0o777 == 0o640
    assert (good.stat().st_mtime_ns, good.stat().st_ino) == (before.st_mtime_ns, before.st_ino)
    assert oracle("canon", "--check", "good.json", "bad.json", cwd=tmp_path).status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.json", "good.json", "none.json"]


def test_canon_changes_no_number(tmp_path: Path) -> None:
    """Neither file is written; the control is the same file with a number that floats hold."""
    other, exact = tmp_path / "other.json", tmp_path / "exact.json"
    other.write_bytes(b"[2, 1]")
    for text in (b'{"a": 1,\n "b": 0.12345678901234567890123}', b'{"a": 1,\n "b": -0}'):
        exact.write_bytes(text)
        ran = oracle("canon", "--write", "other.json", "exact.json", cwd=tmp_path)
        assert ran.status == 2 and "exact.json:2:7" in ran.err and "holds the number" in ran.err
        assert (other.read_bytes(), exact.read_bytes()) == (b"[2, 1]", text)
        ran = oracle("canon", "--check", "exact.json", cwd=tmp_path)
        assert ran.status == 4 and ran.out.startswith("exact.json:2:7: fixture_not_canonical: holds the number ")
    exact.write_bytes(b'{"a": 1, "b": 0.1}')
    assert oracle("canon", "--write", "other.json", "exact.json", cwd=tmp_path).status == 0
    assert (other.read_bytes(), exact.read_bytes()) == (b"[2,1]\n", b'{"a":1,"b":0.1}\n')


def test_canon_writes_through_no_link_and_reads_nothing_but_files(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_bytes(b'{ "a":1}')
    (tmp_path / "link.json").symlink_to("real.json")
    os.mkfifo(tmp_path / "pipe.json")
    for name, words in (("link.json", "is a link"), ("pipe.json", "no regular file"), ("gone.json", "No such file"), (".", "no regular")):
        for way in ("--check", "--write"):
            ran = oracle("canon", way, name, cwd=tmp_path, timeout=20)
            assert ran.status == 2 and words in ran.err, (name, ran.err)
    assert (tmp_path / "real.json").read_bytes() == b'{ "a":1}'
    assert oracle("canon", "real.json", cwd=tmp_path).status == oracle("canon", "--check", cwd=tmp_path).status == 2


def test_a_fixture_from_file_to_row(repo: Repo) -> None:
    assert oracle("fixtures", "check", cwd=repo.top).out == "1 declared fixture, each as its row says\n"
    repo.write({"fixtures/limits.json": '{"most": 10}\n'})
    ran = oracle("fixtures", "check", cwd=repo.top)
    assert ran.status == 4 and ran.out.startswith("fixture_hash_mismatch fixtures/limits.json: is ")
    ran = oracle("fixtures", "add", "fixtures/limits.json", *ADA, cwd=repo.top)
    assert ran.status == 4 and "fixture_not_canonical" in ran.out and "canon --write fixtures/limits.json" in ran.out
    assert oracle("canon", "--write", "fixtures/limits.json", cwd=repo.top).status == 0
    for words, code in ((("--origin", "bot", "--purpose", "new"), "fixture_unexplained"),
                        (("--origin", "human", "--purpose", "the largest total"), "fixture_unexplained"),
                        (("--origin", "human", "--purpose", "the\u200b  largest total"), "fixture_unexplained"),
                        (("--origin", "human-free bot", "--purpose", "new"), "fixture_unexplained"),
                        (("--origin", "bot", "--purpose", "new", "--rewritable-by-agent"), "fixture_agent_rewritable")):
        before = (repo.top / "fixtures/manifest.json").read_bytes()
        ran = oracle("fixtures", "add", "fixtures/limits.json", *words, cwd=repo.top)
        assert ran.status == 4 and ran.out.startswith(code) and (repo.top / "fixtures/manifest.json").read_bytes() == before
    ran = oracle("fixtures", "add", "limits.json", *ADA, cwd=repo.top / "fixtures")
    assert ran.status == 0 and "a patch of an agent's that holds this change is refused" in ran.err
    assert oracle("fixtures", "check", cwd=repo.top).status == 0
    written = json.loads((repo.top / "fixtures/manifest.json").read_bytes())["limits.json"]
    assert written == {"sha256": hashlib.sha256(b'{"most":10}\n').hexdigest(), "origin": "human: Ada",
                       "purpose": "the largest total, raised", "rewritable_by_agent": False}
    # What it said: an agent's patch is refused, and the same by a person keeps the laws.
    assert oracle("gate", "--worktree", cwd=repo.top).status == 4
    assert oracle("gate", "--worktree", "--author", "human", cwd=repo.top).status == 0


@pytest.mark.parametrize(("name", "words"), [
    ("src/sums.py", "is not declared as a fixture"), ("fixtures/gone.json", "is not declared as a fixture"),
    ("/etc/hostname", "is not in this repository"), ("../x", "is not in this repository")])
def test_what_is_no_fixture_gets_no_row(repo: Repo, name: str, words: str) -> None:
    ran = oracle("fixtures", "add", name, *ADA, cwd=repo.top)
    assert ran.status == 2 and words in ran.err


def test_words_that_say_nothing(repo: Repo) -> None:
    for words in (("--origin", " ", "--purpose", "x"), ("--origin", "human", "--purpose", "a\nb")):
        assert oracle("fixtures", "add", "fixtures/limits.json", *words, cwd=repo.top).status == 2


def test_a_manifest_that_cannot_be_read_is_incomplete(repo: Repo) -> None:
    repo.write({"fixtures/manifest.json": "{"})
    ran = oracle("fixtures", "check", cwd=repo.top)
    assert ran.status == 3 and ran.out.startswith("oracle_incomplete fixtures/manifest.json:1:2")
    assert oracle("fixtures", "add", "fixtures/limits.json", *ADA, cwd=repo.top).status == 3


def test_a_checkout_that_git_converted_says_so_and_the_printed_command_mends_it(repo: Repo, tmp_path: Path) -> None:
    clone = Repo(tmp_path / "clone")
    repo.git("-c", "core.autocrlf=true", "clone", "-q", "-c", "core.autocrlf=true", str(repo.top), str(clone.top))
    assert (clone.top / "fixtures/limits.json").read_bytes() == b'{"most":9}\r\n'
    ran = oracle("fixtures", "check", cwd=clone.top)
    assert ran.status == 4 and "with its CRLF line endings as LF it has that hash" in ran.out and "core.autocrlf" in ran.out
    ran = oracle("score", "--worktree", "--format", "json", cwd=clone.top)
    assert ran.status == 4
    [reason] = [row for row in ran.record["reasons"] if row["row"] == "fixture-line-endings"]
    assert reason["code"] == "fixture_hash_mismatch" and "core.autocrlf" in reason["detail"]
    # Commits are judged by their blobs, whatever the checkout looks like.
    assert oracle("gate", "--base", "origin/main", "--head", "origin/good", cwd=clone.top).status == 0
    ran = oracle("gate", "--worktree", cwd=clone.top)
    for command in ("rm fixtures/limits.json", "git -c core.autocrlf=false -c core.eol=lf checkout -- fixtures/limits.json"):
        clone.git(*command.split()[1:]) if command.startswith("git") else (clone.top / command.split()[1]).unlink()
    assert oracle("fixtures", "check", cwd=clone.top).status == 0


def test_a_checkout_by_attribute_is_refused_before_it_happens(tmp_path: Path) -> None:
    repo = make(tmp_path / "repo", {**workspace(), ".gitattributes": "* text=auto eol=crlf\n"})
    clone = Repo(tmp_path / "clone")
    repo.git("clone", "-q", str(repo.top), str(clone.top))
    assert (clone.top / "fixtures/limits.json").read_bytes() == b'{"most":9}\r\n'
    ran = oracle("gate", "--base", "main", "--head", "good", cwd=repo.top)
    assert ran.status == 4 and "fixture_converted fixtures/limits.json: is converted by git" in ran.out
    assert "text=auto at .gitattributes:1" in ran.out


def test_with_the_line_that_is_asked_for_no_checkout_changes_a_fixture(tmp_path: Path) -> None:
    repo = make(tmp_path / "repo", {**workspace(), ".gitattributes": "* text=auto eol=crlf\nfixtures/** -text\n"})
    clone = Repo(tmp_path / "clone")
    repo.git("clone", "-q", "-c", "core.autocrlf=true", str(repo.top), str(clone.top))
    assert (clone.top / "fixtures/limits.json").read_bytes() == b'{"most":9}\n'
    assert oracle("gate", "--base", "main", "--head", "good", cwd=repo.top).status == 0


@pytest.mark.parametrize(("row", "status"), [({}, 4), ({"form": "bytes"}, 0)], ids=["as JSON", "as bytes"])
def test_bases_json_is_held_to_its_form_when_a_patch_is_judged(tmp_path: Path, row: dict[str, str], status: int) -> None:
    files = workspace()
    loose = '{"most": 9}\n'
    manifest = json.loads(files["fixtures/manifest.json"])
    manifest["limits.json"] |= {"sha256": hashlib.sha256(loose.encode()).hexdigest(), **row}
    repo = make(tmp_path / "repo", {**files, "fixtures/limits.json": loose, "fixtures/manifest.json": json.dumps(manifest)})
    ran = oracle("gate", "--base", "main", "--head", "good", cwd=repo.top)
    assert ran.status == status and ("fixture_not_canonical fixtures/limits.json: is not in canonical form, from line 1 column 9 on"
                                     in ran.out) is (status == 4)
