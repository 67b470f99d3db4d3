"""Ids and parsers, against git itself and against hand-written bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle_rules.errors import UsageError
from oracle_rules.scm import Mode, memory_tree
from oracle_rules.scm.objects import ObjectFormat, name_problem, object_id, parse_tree

from .kit import Repo

ID = "ce013625030ba8dba906f756967f9e9ca394464a"  # `git hash-object` of b"hello\n"
RAW = bytes.fromhex(ID)


def test_ids_are_gits(repo: Repo) -> None:
    for data in (b"", b"hello\n", b"\0\xff" * 999):
        assert object_id("blob", data) == repo.git("hash-object", "--stdin", stdin=data)
    assert object_id("blob", b"hello\n") == ID


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_memory_tree_has_the_id_that_write_tree_gives(tmp_path: Path, algorithm: ObjectFormat) -> None:
    repo = Repo(tmp_path / algorithm, f"--object-format={algorithm}")
    files = {
        "a": b"1",
        "a.txt": b"2",
        "a-b/x": b"3",
        "a0": b"4",
        "aa/b/c/d": b"",
        "bin/run": b"#!",
        "link": b"../../etc/passwd",
        "\udcff\udcfe": b"not utf-8",
        "caf\u00e9": b"nfc",
        "cafe\u0301": b"nfd",
        "d/" * 200 + "leaf": b"deep",
        "n" * 255: b"long",
    }
    modes = {"bin/run": Mode.EXECUTABLE, "link": "120000", "sub": "160000"}
    commit = ("1" * 40) if algorithm == "sha1" else "1" * 64
    lines = b"".join(
        modes.get(path, "100644").encode()
        + b" "
        + repo.blob(data).encode()
        + b"\t"
        + path.encode("utf-8", "surrogateescape")
        + b"\0"
        for path, data in files.items()
    )
    repo.git("update-index", "-z", "--index-info", stdin=lines + f"160000 {commit}\tsub\0".encode())
    tree = memory_tree({**files, "sub": commit.encode()}, modes, algorithm=algorithm)
    assert tree.id == repo.git("write-tree", "--missing-ok")
    assert tree.read("caf\u00e9") == b"nfc"
    assert tree.link("link") == "../../etc/passwd"
    assert "link" not in tree.paths() and "sub" not in tree.paths() and "bin/run" in tree.paths()
    for path in ("link", "sub", "absent", "bin"):
        with pytest.raises(KeyError):
            tree.read(path)
    with pytest.raises(KeyError):
        tree.link("bin/run")


NAMES = st.text(alphabet="abA.-0/", min_size=1, max_size=6).filter(
    lambda path: all(part not in ("", ".", "..") for part in path.split("/"))
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(NAMES, st.binary(max_size=3), max_size=8))
def test_a_tree_id_round_trips_through_the_parser(files: dict[str, bytes]) -> None:
    conflict = any(other.startswith(path + "/") for path in files for other in files)
    if conflict:
        with pytest.raises(ValueError, match="twice"):
            memory_tree(files)
        return
    flat = {path.replace("/", "_"): data for path, data in files.items()}
    body = b"".join(
        b"100644 %s\0" % name.encode() + bytes.fromhex(object_id("blob", data)) for name, data in sorted(flat.items())
    )
    assert memory_tree(flat).id == object_id("tree", body)
    assert [node.name.decode() for node in parse_tree(body, "sha1", "t")] == sorted(flat)
    assert memory_tree(files).id == memory_tree(dict(reversed(files.items()))).id


def test_the_empty_tree() -> None:
    assert memory_tree({}).id == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


@pytest.mark.parametrize("path", ["", "a//b", "/a", "a/", "../a", "a/./b", ".git/config", "x/.GIT/y"])
def test_memory_tree_refuses_paths_that_no_tree_holds(path: str) -> None:
    with pytest.raises(ValueError, match="name"):
        memory_tree({path: b""})
    assert memory_tree({"a/.gitignore": b""}).entries


def test_memory_tree_refuses_a_mode_for_nothing() -> None:
    with pytest.raises(ValueError, match="not in the tree"):
        memory_tree({"a": b""}, {"b": "100755"})
    with pytest.raises(ValueError, match="100600"):
        memory_tree({"a": b""}, {"a": "100600"})


GOOD = b"100644 a\0" + RAW


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (GOOD + GOOD, "twice"),
        (b"100644 a\0" + RAW + b"100644 b\0" + RAW + b"40000 a\0" + RAW, "twice"),
        (b"100644 b\0" + RAW + GOOD, "order"),
        (b"40000 a\0" + RAW + b"100644 a.b\0" + RAW, "order"),
        (b"100644 \0" + RAW, "empty name"),
        (b"40000 .\0" + RAW, "'.'"),
        (b"40000 ..\0" + RAW, "'..'"),
        (b"40000 .git\0" + RAW, ".git"),
        (b"40000 .GiT\0" + RAW, "belongs to git"),
        (b"100644 a/b\0" + RAW, "slash"),
        (b"0 a\0" + RAW, "mode '0'"),
        (b"000000 a\0" + RAW, "mode"),
        (b"040000 a\0" + RAW, "mode"),
        (b"100600 a\0" + RAW, "mode"),
        (b" a\0" + RAW, "mode ''"),
        (GOOD[:-1], "cut short"),
        (b"100644 a", "cut short"),
        (b"100644", "cut short"),
        (GOOD + b"\n", "cut short"),
    ],
)
def test_malformed_trees_are_refused(body: bytes, says: str) -> None:
    with pytest.raises(UsageError, match=says) as caught:
        parse_tree(body, "sha1", "tree x")
    assert caught.value.where == "tree x"


def test_well_formed_trees_are_read() -> None:
    body = b"100644 a.b\0" + RAW + b"40000 a\0" + RAW + b"100664 b\0" + RAW + b"120000 c\0" + RAW + b"160000 d\0" + RAW
    assert [(node.mode, node.name) for node in parse_tree(body, "sha1", "t")] == [
        ("100644", b"a.b"),
        ("40000", b"a"),
        ("100644", b"b"),
        ("120000", b"c"),
        ("160000", b"d"),
    ]
    assert parse_tree(b"", "sha1", "t") == []


def test_names_that_only_look_like_git_are_names() -> None:
    for name in (b".gitignore", b".gi", b"git", b"...", b"-x", b"a\nb", b"\xff"):
        assert name_problem(name) is None
