"""Frames: real sockets, hostile bytes."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.runner.wire import MAX_FRAME, Wire, WireClosed, WireError


@pytest.fixture
def ends() -> Iterator[tuple[Wire, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Wire(ours.fileno()), theirs


def test_a_message_arrives_as_it_was_sent(ends: tuple[Wire, socket.socket]) -> None:
    wire, other = ends
    wire.send(["op", {"a": [1, 2.5, None, "\udc80é"]}])
    assert Wire(other.fileno()).receive() == ["op", {"a": [1, 2.5, None, "\udc80é"]}]


def test_the_frame_is_length_and_ascii_json(ends: tuple[Wire, socket.socket]) -> None:
    wire, other = ends
    wire.send(["é"])
    assert other.recv(100) == b"\x00\x00\x00\x0a" + b'["\\u00e9"]'


@pytest.mark.parametrize("data", [
    b"\x00\x00\x00\x00", b"\x00\x00\x00\x01[", b"\xff\xff\xff\xff", b"\x00\x00\x00\x02[]", b"\x00\x00\x00\x02{}",
    b"\x00\x00\x00\x031 1", b"\x00\x00\x00\x03[1]", b"\x00\x00\x00\x05[NaN]", b"\x00\x00\x00\x08[\"a\",Nan]"[:12],
    b"\x00\x00\x00\x04\xff\xfe\xfd\xfc", b"\x00\x00\x00\x09[\"a\"", b"\x00\x00", (3 << 14).to_bytes(4, "big") + b"[" * (3 << 14),
    (MAX_FRAME + 1).to_bytes(4, "big"), b'\x00\x00\x00\x07["a",1e'])
def test_anything_else_is_an_error(ends: tuple[Wire, socket.socket], data: bytes) -> None:
    wire, other = ends
    other.sendall(data)
    other.shutdown(socket.SHUT_WR)
    with pytest.raises((WireError, WireClosed)):
        wire.receive()


def test_the_end_of_the_stream_is_told_from_a_cut(ends: tuple[Wire, socket.socket]) -> None:
    wire, other = ends
    other.close()
    with pytest.raises(WireClosed):
        wire.receive()
    assert wire.at_end()


def test_nobody_reading_is_closed_not_a_signal(ends: tuple[Wire, socket.socket]) -> None:
    wire, other = ends
    other.close()
    with pytest.raises(WireClosed):
        for _ in range(100):
            wire.send(["x" * 10_000])


def test_a_message_over_the_cap_is_not_sent(ends: tuple[Wire, socket.socket]) -> None:
    wire, other = ends
    with pytest.raises(WireError):
        wire.send(["x" * MAX_FRAME])
    wire.send(["still", "works"])
    assert Wire(other.fileno()).receive() == ["still", "works"]


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    reader, writer = os.pipe()
    try:
        os.write(writer, data)
        os.close(writer)
        try:
            while True:
                Wire(reader).receive()
        except (WireError, WireClosed):
            pass
    finally:
        os.close(reader)
