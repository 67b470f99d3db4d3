"""Input trees: against a tree built by recursion with the stubs, round trips, and hostile trees."""

from __future__ import annotations

from typing import Any

import pytest
from buildgrid.common.protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as pb
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules import relpath
from oracle_rules.digest import EMPTY, Digest
from oracle_rules.reapi.directory import Directory, DirectoryNode, FileNode, SymlinkNode
from oracle_rules.reapi.tree import FileInput, MissingDirectory, Tree, merkle, walk

from . import strategies

A, B = Digest.of(b"a"), Digest.of(b"b")


@st.composite
def _file_sets(draw: st.DrawFn) -> dict[str, FileInput]:
    short = st.sampled_from(["a", "b", "a.b", "ä", "Z", "a-", "\uffee", "\U00010000"]) | strategies.names
    paths = draw(st.lists(st.lists(short, min_size=1, max_size=4).map("/".join), max_size=10, unique=True))
    folders = {above for path in paths for above in relpath.ancestors(path)}
    return {path: FileInput(draw(strategies.digests), draw(st.booleans())) for path in paths if path not in folders}


def _by_recursion(files: dict[str, FileInput], found: dict[Digest, bytes]) -> Digest:
    message = pb.Directory()
    below: dict[str, dict[str, FileInput]] = {}
    for path, item in files.items():
        head, slash, rest = path.partition("/")
        if slash:
            below.setdefault(head, {})[rest] = item
    for name in sorted((path for path in files if "/" not in path), key=str.encode):
        digest = pb.Digest(hash=files[name].digest.hash, size_bytes=files[name].digest.size_bytes)
        message.files.add(name=name, digest=digest, is_executable=files[name].is_executable)
    for name in sorted(below, key=str.encode):
        inner = _by_recursion(below[name], found)
        message.directories.add(name=name, digest=pb.Digest(hash=inner.hash, size_bytes=inner.size_bytes))
    data: bytes = message.SerializeToString(deterministic=True)
    found[Digest.of(data)] = data
    return Digest.of(data)


@given(_file_sets())
def test_the_tree_equals_one_made_by_recursion_with_the_stubs(files: dict[str, FileInput]) -> None:
    found: dict[Digest, bytes] = {}
    root = _by_recursion(files, found)
    assert merkle(files) == Tree(root=root, directories=found)


@given(_file_sets())
def test_walk_undoes_merkle_in_the_order_of_components(files: dict[str, FileInput]) -> None:
    tree = merkle(files)
    walked = list(walk(tree.root, tree.directories.get))
    assert {path: FileInput(node.digest, node.is_executable) for path, node in walked} == files
    assert [path for path, _ in walked] == sorted(files, key=lambda path: [part.encode() for part in path.split("/")])


@given(_file_sets(), st.randoms(use_true_random=False))
def test_the_order_of_the_mapping_does_not_matter(files: dict[str, FileInput], rng: Any) -> None:
    assert merkle(dict(rng.sample(list(files.items()), len(files)))) == merkle(files)


@given(_file_sets(), st.data())
def test_every_part_of_every_file_counts(files: dict[str, FileInput], data: st.DataObject) -> None:
    if not files:
        return
    path = data.draw(st.sampled_from(sorted(files)))
    item = files[path]
    root = merkle(files).root
    assert merkle({**files, path: FileInput(item.digest, not item.is_executable)}).root != root
    assert merkle({**files, path: FileInput(Digest.of(b"other"), item.is_executable)}).root != root
    assert merkle({name: file for name, file in files.items() if name != path}).root != root
    assert merkle({**files, path + "~": item}).root != root


def test_no_files_are_the_empty_directory() -> None:
    assert merkle({}) == Tree(root=EMPTY, directories={EMPTY: b""})
    assert list(walk(EMPTY, {EMPTY: b""}.get)) == []


@pytest.mark.parametrize("path", ["", "/a", "a//b", "a/", "./a", "a/../b", "..", "a\\b", "a\0", "\udcff", "x" * 256])
def test_a_path_that_can_not_be_an_input_is_refused(path: str) -> None:
    with pytest.raises(ValueError):
        merkle({path: FileInput(A)})


def test_a_path_below_a_file_is_refused() -> None:
    for one, other in (("a", "a/b"), ("x/a", "x/a/b/c")):
        with pytest.raises(ValueError, match="two children have the name 'a'"):
            merkle({one: FileInput(A), other: FileInput(A)})
    assert merkle({"a": FileInput(A), "a.b/c": FileInput(A), "ab": FileInput(A)})


def test_a_deep_tree_neither_recurses_nor_is_refused() -> None:
    path = "/".join(["d"] * 2000)
    tree = merkle({path: FileInput(A, True)})
    assert list(walk(tree.root, tree.directories.get)) == [(path, FileNode(name="d", digest=A, is_executable=True))]


def _stored(*directories: Directory) -> dict[Digest, bytes]:
    return {Digest.of(item.encode()): item.encode() for item in directories}


def test_a_tree_deeper_than_a_path_can_be_is_refused() -> None:
    level = Directory()
    found = _stored(level)
    for _ in range(2001):
        level = Directory(directories=(DirectoryNode(name="d", digest=Digest.of(level.encode())),))
        found.update(_stored(level))
    with pytest.raises(ValueError, match="4000 bytes"):
        list(walk(Digest.of(level.encode()), found.get))


def test_a_tree_that_repeats_itself_is_cut_off() -> None:
    level = Directory(files=(FileNode(name="f", digest=A, is_executable=False),))
    found = _stored(level)
    for _ in range(40):
        digest = Digest.of(level.encode())
        level = Directory(directories=tuple(DirectoryNode(name=name, digest=digest) for name in "ab"))
        found.update(_stored(level))
    with pytest.raises(ValueError, match="more than 5000 nodes"):
        list(walk(Digest.of(level.encode()), found.get, max_nodes=5000))
    tree = merkle({f"{name}/f": FileInput(A) for name in "abc"})
    assert len(list(walk(tree.root, tree.directories.get, max_nodes=6))) == 3
    with pytest.raises(ValueError, match="more than 5 nodes"):
        list(walk(tree.root, tree.directories.get, max_nodes=5))


def test_symlinks_are_refused_unless_asked_for() -> None:
    link = SymlinkNode(name="l", target="/etc/passwd")
    inner = Directory(symlinks=(link,), files=(FileNode(name="f", digest=B, is_executable=False),))
    outer = Directory(directories=(DirectoryNode(name="d", digest=Digest.of(inner.encode())),))
    found = _stored(inner, outer)
    root = Digest.of(outer.encode())
    with pytest.raises(ValueError, match="symlink 'd/l'"):
        list(walk(root, found.get))
    seen: list[tuple[str, SymlinkNode]] = []
    files = list(walk(root, found.get, symlink=lambda path, node: seen.append((path, node))))
    assert [path for path, _ in files] == ["d/f"]
    assert seen == [("d/l", link)]


def test_a_missing_directory_is_named() -> None:
    tree = merkle({"a/b/c": FileInput(A)})
    for digest in tree.directories:
        rest = {other: data for other, data in tree.directories.items() if other != digest}
        with pytest.raises(MissingDirectory) as caught:
            list(walk(tree.root, rest.get))
        assert caught.value.digest == digest


def test_bytes_that_are_not_those_asked_for_are_refused() -> None:
    tree = merkle({"a/b": FileInput(A)})
    other = merkle({"a/c": FileInput(A)})
    lies = dict(zip(tree.directories, other.directories.values(), strict=True))
    assert set(lies) == set(tree.directories)
    with pytest.raises(ValueError, match="has the digest"):
        list(walk(tree.root, lies.get))


@pytest.mark.parametrize("name", ["..", "a/b", "", "."])
def test_a_name_that_climbs_is_refused(name: str) -> None:
    digest = pb.Digest(hash=A.hash, size_bytes=1)
    data: bytes = pb.Directory(files=[pb.FileNode(name=name, digest=digest)]).SerializeToString()
    with pytest.raises(ValueError):
        list(walk(Digest.of(data), {Digest.of(data): data}.get))
