"""Bytes of the messages against protobuf's own, and what a message refuses to say."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from buildgrid.common.protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as pb
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.digest import EMPTY, Digest
from oracle_rules.reapi import action as action_module
from oracle_rules.reapi import messages as ours

from . import strategies
from .stubs import stub, stub_bytes

A, B = Digest.of(b"a"), Digest.of(b"b")


@given(strategies.messages)
def test_bytes_equal_those_of_an_independent_implementation(message: Any) -> None:
    assert message.encode() == stub_bytes(message)


@given(strategies.messages)
def test_decode_undoes_encode_and_the_stubs(message: Any) -> None:
    assert type(message).decode(message.encode()) == message
    assert type(message).decode(stub_bytes(message)) == message


@given(strategies.messages, st.integers(100, 2**29 - 1), st.binary(max_size=30))
def test_unknown_fields_are_skipped(message: Any, number: int, payload: bytes) -> None:
    def varint(value: int) -> bytes:
        return bytes((value & 127 | 128,)) + varint(value >> 7) if value > 127 else bytes((value,))

    for extra in (
        varint(number << 3 | 2) + varint(len(payload)) + payload,
        varint(number << 3) + varint(len(payload)),
        varint(number << 3 | 1) + b"12345678",
        varint(number << 3 | 5) + b"1234",
    ):
        for data in (extra + message.encode(), message.encode() + extra):
            assert type(message).decode(data) == message
            type(stub(message)).FromString(data)  # what we call a field is one for protobuf too


@given(strategies.messages, st.data())
def test_a_message_cut_short_is_refused_or_is_a_shorter_message(message: Any, data: st.DataObject) -> None:
    whole = message.encode()
    part = whole[: data.draw(st.integers(0, max(0, len(whole) - 1)))]
    try:
        found = type(message).decode(part)
    except ValueError:
        return
    assert stub(found) == type(stub(message)).FromString(part)


@given(strategies.messages, st.data())
def test_a_changed_message_is_refused_or_read_as_protobuf_reads_it(message: Any, data: st.DataObject) -> None:
    whole = bytearray(message.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        if whole:
            whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = type(message).decode(bytes(whole))
    except ValueError:
        return
    theirs = type(stub(message)).FromString(bytes(whole))
    theirs.DiscardUnknownFields()
    again = stub(found)
    assert found == type(message).decode(again.SerializeToString(deterministic=True))
    if isinstance(message, (ours.Command, ours.Action, ours.Platform, ours.OutputFile)):
        # The other messages have fields that we skip, or a list that we put in order.
        known = [field.name for field, _ in again.ListFields()]
        assert all(getattr(again, name) == getattr(theirs, name) for name in known if name != "digest")


@given(st.binary(max_size=200))
def test_arbitrary_bytes_end_in_a_value_or_a_value_error(data: bytes) -> None:
    for kind in (ours.Command, ours.Action, ours.Directory, ours.ActionResult, ours.Platform, ours.Timestamp):
        try:
            kind.decode(data)
        except ValueError:
            continue


def test_empty_messages_are_no_bytes() -> None:
    for message in (ours.Command(), ours.Platform(), ours.Directory(), ours.ExecutionMetadata()):
        assert message.encode() == b""
        assert type(message).decode(b"") == message
    assert ours.ActionResult(output_files=(), exit_code=0).encode() == b""
    assert str(EMPTY) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855/0"


def test_absent_and_empty_are_different_bytes() -> None:
    bare = ours.Action(command_digest=A, input_root_digest=B)
    assert replace(bare, platform=ours.Platform()).encode() == bare.encode() + b"\x52\x00"
    assert replace(bare, timeout_seconds=0).encode() == bare.encode() + b"\x32\x00"
    assert ours.Command(platform=ours.Platform()).encode() == b"\x2a\x00"


def test_a_directory_by_hand() -> None:
    """Tags and lengths worked out on paper from the field numbers in REAPI's `.proto`."""
    digest = b"\x0a\x40" + A.hash.encode() + b"\x10\x01"
    file = b"\x0a\x01f" + b"\x12\x44" + digest + b"\x20\x01"
    below = b"\x0a\x01d" + b"\x12\x44" + digest
    link = b"\x0a\x01l" + b"\x12\x04../x"
    expected = b"\x0a" + bytes((len(file),)) + file + b"\x12" + bytes((len(below),)) + below
    expected += b"\x1a" + bytes((len(link),)) + link
    directory = ours.Directory(
        files=(ours.FileNode(name="f", digest=A, is_executable=True),),
        directories=(ours.DirectoryNode(name="d", digest=A),),
        symlinks=(ours.SymlinkNode(name="l", target="../x"),),
    )
    assert directory.encode() == expected


def test_a_negative_exit_code_takes_ten_bytes() -> None:
    result = ours.ActionResult(output_files=(), exit_code=-9)
    assert result.encode() == b"\x20\xf7" + b"\xff" * 8 + b"\x01"
    assert ours.ActionResult.decode(result.encode()).exit_code == -9


@given(strategies.directories, st.randoms(use_true_random=False))
def test_the_order_in_which_children_are_given_does_not_matter(directory: ours.Directory, rng: random.Random) -> None:
    def shuffled(nodes: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(rng.sample(nodes, len(nodes)))

    again = ours.Directory(
        files=shuffled(directory.files),
        directories=shuffled(directory.directories),
        symlinks=shuffled(directory.symlinks),
    )
    assert again == directory
    assert again.encode() == directory.encode()


def test_order_is_that_of_utf8_and_not_of_utf16_or_locale() -> None:
    names = ["Z", "a", "ä", "\uffee", "\U00010000"]  # in UTF-16, U+10000 sorts before U+FFEE
    files = tuple(ours.FileNode(name=name, digest=A, is_executable=False) for name in reversed(names))
    assert [node.name for node in ours.Directory(files=files).files] == names
    command = ours.Command(environment=tuple((name, "") for name in reversed(names)), output_paths=tuple(names[::-1]))
    assert [name for name, _ in command.environment] == names
    assert list(command.output_paths) == names


def test_another_order_is_refused_when_read() -> None:
    two = [pb.FileNode(name=name, digest=pb.Digest(hash=A.hash, size_bytes=1)) for name in ("a", "b")]
    assert len(ours.Directory.decode(pb.Directory(files=two).SerializeToString()).files) == 2
    with pytest.raises(ValueError, match="order"):
        ours.Directory.decode(pb.Directory(files=two[::-1]).SerializeToString())
    for good, bad in (
        (pb.Command(output_files=["a", "b"]), pb.Command(output_files=["b", "a"])),
        (pb.Command(output_paths=["a", "b"]), pb.Command(output_paths=["b", "a"])),
    ):
        assert ours.Command.decode(good.SerializeToString()).outputs == ("a", "b")
        with pytest.raises(ValueError, match="order"):
            ours.Command.decode(bad.SerializeToString())
    pair = [pb.Command.EnvironmentVariable(name=name) for name in "AB"]
    assert ours.Command.decode(pb.Command(environment_variables=pair).SerializeToString()).environment
    with pytest.raises(ValueError, match="order"):
        ours.Command.decode(pb.Command(environment_variables=pair[::-1]).SerializeToString())
    properties = [pb.Platform.Property(name="a", value=value) for value in "xy"]
    assert ours.Platform.decode(pb.Platform(properties=properties).SerializeToString()).properties
    with pytest.raises(ValueError, match="order"):
        ours.Platform.decode(pb.Platform(properties=properties[::-1]).SerializeToString())


def test_the_outputs_of_a_result_are_read_in_any_order() -> None:
    two = [pb.OutputFile(path=path, digest=pb.Digest(hash=A.hash, size_bytes=1)) for path in ("b", "a")]
    found = ours.ActionResult.decode(pb.ActionResult(output_files=two).SerializeToString())
    assert [file.path for file in found.output_files] == ["a", "b"]


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/", "a\0", "a\nb", "a\\b", "x" * 256, "\udcff"])
def test_bad_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError):
        ours.FileNode(name=name, digest=A, is_executable=False)
    with pytest.raises(ValueError):
        ours.DirectoryNode(name=name, digest=A)
    with pytest.raises(ValueError):
        ours.SymlinkNode(name=name, target="t")


@pytest.mark.parametrize("name", ["a", "...", "x" * 255, "ä", ".hidden", "with space"])
def test_good_names_are_not(name: str) -> None:
    assert ours.DirectoryNode.decode(ours.DirectoryNode(name=name, digest=A).encode()).name == name


def test_bad_names_are_refused_when_read() -> None:
    digest = pb.Digest(hash=A.hash, size_bytes=1)
    for name in ("", "..", "a/b"):
        with pytest.raises(ValueError):
            ours.Directory.decode(pb.Directory(files=[pb.FileNode(name=name, digest=digest)]).SerializeToString())
    assert ours.Directory.decode(pb.Directory(files=[pb.FileNode(name="a", digest=digest)]).SerializeToString())


def test_two_children_of_one_name_are_refused_across_kinds() -> None:
    file = ours.FileNode(name="x", digest=A, is_executable=False)
    below = ours.DirectoryNode(name="x", digest=A)
    link = ours.SymlinkNode(name="x", target="t")
    for parts in ({"files": (file, file)}, {"files": (file,), "directories": (below,)}, {"symlinks": (link, link)}):
        with pytest.raises(ValueError, match="name 'x'"):
            ours.Directory(**parts)
    with pytest.raises(ValueError, match="name 'x'"):
        ours.Directory.decode(ours.Directory(files=(file,)).encode() + ours.Directory(symlinks=(link,)).encode())
    assert ours.Directory(files=(file,), symlinks=(replace(link, name="y"),))


REFUSED: list[tuple[str, Any]] = [
    ("zero byte", lambda: ours.Command(arguments=("a\0b",))),
    ("surrogate argument", lambda: ours.Command(arguments=("\udc80",))),
    ("surrogate value", lambda: ours.Command(environment=(("A", "\udc80"),))),
    ("nameless variable", lambda: ours.Command(environment=(("", "1"),))),
    ("equals sign", lambda: ours.Command(environment=(("A=B", "1"),))),
    ("variable twice", lambda: ours.Command(environment=(("A", "1"), ("A", "2")))),
    ("absolute output", lambda: ours.Command(output_paths=("/etc/passwd",))),
    ("climbing output", lambda: ours.Command(output_files=("../x",))),
    ("output twice", lambda: ours.Command(output_paths=("x", "x"))),
    ("output below output", lambda: ours.Command(output_paths=("x", "x/y/z"))),
    ("climbing cwd", lambda: ours.Command(working_directory="..")),
    ("surrogate property", lambda: ours.Platform(properties=(("\udc80", ""),))),
    ("negative timeout", lambda: ours.Action(command_digest=A, input_root_digest=B, timeout_seconds=-1)),
    ("bool timeout", lambda: ours.Action(command_digest=A, input_root_digest=B, timeout_seconds=True)),
    ("long timeout", lambda: ours.Action(command_digest=A, input_root_digest=B, timeout_seconds=315_576_000_001)),
    ("nanos alone", lambda: ours.Action(command_digest=A, input_root_digest=B, timeout_nanos=1)),
    ("nanos", lambda: ours.Action(command_digest=A, input_root_digest=B, timeout_seconds=1, timeout_nanos=10**9)),
    ("exit code", lambda: ours.ActionResult(output_files=(), exit_code=2**31)),
    ("exit code type", lambda: ours.ActionResult(output_files=(), exit_code=True)),
    ("climbing result", lambda: ours.OutputFile(path="a/../b", digest=A, is_executable=False)),
    ("year 0", lambda: ours.Timestamp(seconds=-62_135_596_801)),
    ("no target", lambda: ours.SymlinkNode(name="a", target="")),
    ("two outputs", lambda: ours.ActionResult(output_files=(_output("x"), _output("x")), exit_code=0)),
]


def _output(path: str) -> ours.OutputFile:
    return ours.OutputFile(path=path, digest=A, is_executable=False)


@pytest.mark.parametrize("make", [row[1] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_message_that_means_nothing_is_refused(make: Any) -> None:
    with pytest.raises(ValueError):
        make()


def test_near_misses_of_the_refusals_are_accepted() -> None:
    ours.Command(
        arguments=("", "=", "ä"),
        environment=(("A", ""), ("B", "=")),
        output_paths=("x/y", "x/z", "xy"),
        working_directory="a/b",
    )
    ours.Platform(properties=(("a", "1"), ("a", "2")))
    ours.Action(command_digest=A, input_root_digest=B, timeout_seconds=0, timeout_nanos=999_999_999)
    ours.ActionResult(output_files=(_output("x"), _output("x2")), exit_code=2**31 - 1)


def test_an_action_without_digests_or_with_half_a_digest_is_refused() -> None:
    whole = pb.Digest(hash=A.hash, size_bytes=1)
    assert ours.Action.decode(pb.Action(command_digest=whole, input_root_digest=whole).SerializeToString())
    for bad in (
        pb.Digest(),
        pb.Digest(hash=A.hash.upper(), size_bytes=1),
        pb.Digest(hash=A.hash[:-1], size_bytes=1),
        pb.Digest(hash=A.hash, size_bytes=-1),
    ):
        with pytest.raises(ValueError):
            ours.Action.decode(pb.Action(command_digest=whole, input_root_digest=bad).SerializeToString())
    with pytest.raises(ValueError, match="field 2 is absent"):
        ours.Action.decode(pb.Action(command_digest=whole).SerializeToString())


def test_every_blob_of_a_result_is_named() -> None:
    result = ours.ActionResult(output_files=(_output("x"),), exit_code=0, stdout_digest=B, stderr_digest=EMPTY)
    assert result.blobs == (A, B, EMPTY)
    assert ours.ActionResult(output_files=(), exit_code=0).blobs == ()


def test_pairs_are_in_the_order_of_utf8() -> None:
    assert action_module.pairs({"\U00010000": "2", "\uffee": "1"}) == (("\uffee", "1"), ("\U00010000", "2"))
