"""Pinned seams tick and count; live ones ask the machine; a fake clock never goes back."""

from __future__ import annotations

import datetime as dt
import uuid
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle_seams
from oracle_seams import FakeClock, Seams, dumps, live_seams, load_document, pinned_seams

START = "2026-09-16T10:00:00+02:00"


@given(st.integers(1, 40))
def test_pinned_now_ticks_so_that_no_two_reads_tie(reads: int) -> None:
    seams = pinned_seams(START)
    seen = [seams.now() for _ in range(reads)]
    assert seen[0] == dt.datetime.fromisoformat(START) and seen == sorted(set(seen))
    assert {later - sooner for sooner, later in zip(seen, seen[1:])} <= {dt.timedelta(seconds=1)}
    assert all(moment.utcoffset() == dt.timedelta(hours=2) for moment in seen)


@given(st.integers(1, 40))
def test_pinned_ids_count_and_are_in_order(calls: int) -> None:
    seams = pinned_seams(START)
    seen = [seams.new_id() for _ in range(calls)]
    assert seen == [f"id-{number:06d}" for number in range(1, calls + 1)] == sorted(set(seen))


def test_two_pinned_seams_share_nothing() -> None:
    one, other = pinned_seams(START), pinned_seams(START)
    assert [one.now(), one.new_id(), one.now()] == [other.now(), other.new_id(), other.now()]


def test_a_clock_that_does_not_tick_has_to_be_asked_for() -> None:
    with pytest.raises(ValueError, match="ticks"):
        pinned_seams(START, tick_ms=0)
    with pytest.raises(ValueError, match="does not go back"):
        FakeClock(START, tick_ms=-1)
    still = FakeClock(START)
    assert Seams(now=still.now, new_id=lambda: "x").now() == still.now()


@pytest.mark.parametrize("start", ["2026-09-16T10:00:00", dt.datetime(2026, 9, 16)])
def test_an_instant_without_a_zone_is_none(start: str | dt.datetime) -> None:
    with pytest.raises(ValueError, match="time zone"):
        pinned_seams(start)


def test_live_seams_ask_the_machine() -> None:
    seams = live_seams()
    before = dt.datetime.now(dt.UTC)
    assert before <= seams.now() <= dt.datetime.now(dt.UTC)
    assert len({seams.new_id() for _ in range(50)}) == 50 and uuid.UUID(seams.new_id()).version == 4


def test_pinned_ids_and_live_ids_are_noise_of_the_same_kind() -> None:
    for seams, zone in ((pinned_seams(START), "+02:00"), (live_seams(), "+00:00")):
        value = {"id": seams.new_id(), "at": seams.now().isoformat()}
        assert dumps(value, noise={"id": "id", "at": "ts"}) == (
            f'{{"at":"<ts:YYYY-MM-DDThh:mm:ss{zone}>","id":"<id:1>"}}')


def test_a_document_is_compared_with_its_fixture(tmp_path: Path) -> None:
    for data in (b'{"a":1}\n', b'{"a":1}'):
        (tmp_path / "a.json").write_bytes(data)
        assert load_document("a.json", root=tmp_path) == dumps({"a": 1})
    for data in (b'{"a":\n1}\n', b'{"a":1}\r\n', b'{"a":1}\n\n'):
        (tmp_path / "a.json").write_bytes(data)
        with pytest.raises(ValueError, match="canonical form"):
            load_document("a.json", root=tmp_path)


def test_everything_that_is_offered_is_there() -> None:
    assert all(getattr(oracle_seams, name) is not None for name in oracle_seams.__all__)
    with pytest.raises(AttributeError, match="no attribute 'cannon'"):
        oracle_seams.cannon  # noqa: B018
