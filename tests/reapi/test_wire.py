"""The wire format by itself: numbers at every size, and bytes that are no message."""

from __future__ import annotations

import pytest
from buildgrid.common.protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as pb
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.reapi import wire


def _theirs(value: int) -> bytes:
    data: bytes = pb.Digest(size_bytes=value).SerializeToString()
    return data[1:]


@given(st.integers(0, 2**63 - 1) | st.sampled_from([1, 127, 128, 16383, 16384, 2**32, 2**63 - 1]))
def test_numbers_are_those_of_protobuf(value: int) -> None:
    data = wire.integer(1, value)
    assert data == (b"\x08" + _theirs(value) if value else b"")
    assert wire.Reader("T", data).integer(1) == value


@given(st.integers(-(2**63), -1))
def test_negative_numbers_come_back(value: int) -> None:
    data = wire.integer(3, value)
    assert len(data) == 11
    assert wire.Reader("T", data).integer(3) == value


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1])
def test_a_number_over_64_bits_is_not_written(value: int) -> None:
    with pytest.raises(ValueError, match="64 bits"):
        wire.integer(1, value)


def test_defaults_are_left_out_but_an_empty_message_is_not() -> None:
    assert wire.text(1, "") + wire.blob(1, b"") + wire.integer(1, 0) + wire.flag(1, False) == b""
    assert wire.message(1, None) == b""
    assert wire.message(1, b"") == b"\x0a\x00"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x08", "cut short"),
        (b"\x08\x80", "cut short"),
        (b"\x0a\x05abcd", "cut short"),
        (b"\x0a", "cut short"),
        (b"\x09\0\0\0\0\0\0\0", "cut short"),
        (b"\x0d\0\0\0", "cut short"),
        (b"\x08\x80\x00", "spelled longer"),
        (b"\x88\x00\x01", "spelled longer"),
        (b"\x0a\x81\x00a", "spelled longer"),
        (b"\x08" + b"\xff" * 9 + b"\x02", "more than 64 bits"),
        (b"\x08" + b"\xff" * 10 + b"\x01", "more than 64 bits"),
        (b"\x0a" + b"\xff" * 9 + b"\x01", "cut short"),
        (b"\x00\x01", "not a field number"),
        (b"\x80\x80\x80\x80\x10\x01", "not a field number"),
        (b"\x0b\x0c", "wire type 3"),
        (b"\x0c", "wire type 4"),
        (b"\x0e\x00", "wire type 6"),
        (b"\x0f\x00", "wire type 7"),
    ],
)
def test_malformed_bytes_are_refused(data: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=f"T: .*{why}"):
        wire.Reader("T", data)


@pytest.mark.parametrize(
    "data", [b"", b"\x08\x01", b"\x0a\x01a", b"\x09" + b"\0" * 8, b"\x0d\0\0\0\0", b"\xf8\xff\xff\xff\x0f\x01"]
)
def test_well_formed_bytes_are_not(data: bytes) -> None:
    wire.Reader("T", data)


def test_a_singular_field_occurs_once_and_has_its_type() -> None:
    assert wire.Reader("T", b"\x08\x01").integer(1) == 1
    with pytest.raises(ValueError, match="more than once"):
        wire.Reader("T", b"\x08\x01\x08\x01").integer(1)
    with pytest.raises(ValueError, match="more than once"):
        wire.Reader("T", b"\x0a\x00\x0a\x00").message(1)
    assert wire.Reader("T", b"\x0a\x00\x0a\x00").messages(1) == [b"", b""]
    for data in (b"\x0a\x00", b"\x0d\0\0\0\0", b"\x09" + b"\0" * 8):
        with pytest.raises(ValueError, match="wire type"):
            wire.Reader("T", data).integer(1)
    for data in (b"\x08\x01", b"\x0d\0\0\0\0"):
        with pytest.raises(ValueError, match="wire type"):
            wire.Reader("T", data).message(1)


def test_truth_values_and_text_are_checked() -> None:
    assert wire.Reader("T", b"\x08\x01").flag(1) is True
    assert wire.Reader("T", b"\x08\x00").flag(1) is False
    with pytest.raises(ValueError, match="truth value"):
        wire.Reader("T", b"\x08\x02").flag(1)
    assert wire.Reader("T", b"\x0a\x02\xc3\xa4").text(1) == "ä"
    for bad in (b"\xff", b"\xc0\x80", b"\xed\xa0\x80"):
        with pytest.raises(ValueError, match="not UTF-8"):
            wire.Reader("T", wire.message(1, bad)).text(1)
    with pytest.raises(ValueError, match="field 1 is absent"):
        wire.Reader("T", b"").required(1)


def test_size_and_number_of_fields_are_bounded() -> None:
    assert wire.Reader("T", wire.message(1, bytes(wire.MAX_MESSAGE_BYTES - 5)))
    with pytest.raises(ValueError, match="at most"):
        wire.Reader("T", wire.message(1, bytes(wire.MAX_MESSAGE_BYTES)))
    with pytest.raises(ValueError, match="more than 1000000 fields"):
        wire.Reader("T", b"\x08\x01" * 1_000_001)
