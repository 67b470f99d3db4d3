"""The ELF reader against files written by the test's own writer, and against noise."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_rules.execution.toolchain import elf

from .support import write_elf

names = st.text(alphabet="abclibso.123-_", min_size=1, max_size=20)
folders = st.lists(st.text(alphabet="abc/$ORIGIN", min_size=1, max_size=12), max_size=3)


@given(st.lists(names, max_size=6), names, folders, folders, st.sampled_from([32, 64]), st.sampled_from("<>"))
def test_reads_back_what_was_written(
    needed: list[str], soname: str, runpath: list[str], rpath: list[str], bits: int, order: str
) -> None:
    data = write_elf(
        needed=tuple(needed),
        soname=soname,
        runpath=":".join(runpath),
        rpath=":".join(rpath),
        interpreter="/lib/ld.so",
        bits=bits,
        order=order,
        machine=183,
    )
    facts = elf.parse(data)
    assert facts.needed == tuple(needed)
    assert facts.soname == soname
    assert (facts.runpath, facts.rpath) == (tuple(runpath), tuple(rpath))
    assert facts.interpreter == "/lib/ld.so"
    assert facts.kind == (2 if bits == 64 else 1, 1 if order == "<" else 2, 183)


def test_a_library_has_no_interpreter_and_may_need_nothing() -> None:
    facts = elf.parse(write_elf())
    assert (facts.interpreter, facts.soname, facts.needed) == (None, None, ())


@given(st.data())
def test_damage_is_a_value_error_or_a_reading(data: st.DataObject) -> None:
    whole = bytearray(write_elf(needed=("liba.so", "libb.so"), interpreter="/lib/ld.so", runpath="/x"))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(4, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(whole[: data.draw(st.integers(0, len(whole)))])
    try:
        elf.parse(cut)
    except ValueError:
        pass


@pytest.mark.parametrize("data", [b"", b"\x7fELF", b"#!/bin/sh\n", b"\x7fELF\x03\x01" + bytes(100), b"\0" * 4096])
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="ELF"):
        elf.parse(data)


def test_the_running_interpreter_names_its_loader() -> None:
    with open(sys.executable, "rb") as stream:
        facts = elf.parse(stream.read())
    assert facts.interpreter is not None
    assert "ld-linux" in facts.interpreter
    assert "libc.so.6" in facts.needed
