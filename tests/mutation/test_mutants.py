"""Which mutants are tried, and what their diffs are."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from oracle_rules.mutation.mutants import mutants, spread
from oracle_rules.mutation.operators import edits
from oracle_rules.mutation.source import Source


def test_the_order_is_that_of_van_der_corput() -> None:
    """The sequence in base 2 is 0, 1/2, 1/4, 3/4, 1/8, 5/8, 3/8, 7/8: here in eighths."""
    assert list(spread(range(8))) == [0, 4, 2, 6, 1, 5, 3, 7]
    assert list(spread(range(5))) == [0, 4, 2, 1, 3]
    assert list(spread([])) == [] and list(spread(["a"])) == ["a"]


@pytest.mark.parametrize("count", [2, 3, 17, 100, 257])
def test_each_is_there_once_and_every_beginning_is_spread(count: int) -> None:
    order = list(spread(range(count)))
    assert sorted(order) == list(range(count))
    for taken in (2, 5, 16):
        beginning = [0, *sorted(order[:taken]), count]
        assert max(b - a for a, b in zip(beginning, beginning[1:], strict=False)) <= 4 * count / taken + 1


def made(texts: dict[str, str], most: int) -> list[tuple[str, int, str, str]]:
    sources = {path: (source, edits(source, None)) for path, text in texts.items()
               if (source := Source(text.encode()))}
    return [(each.path, each.line, each.operator, each.after) for each in mutants(sources, most=most)]


def test_more_of_them_are_the_same_and_others() -> None:
    texts = {f"src/{name}.py": "\n".join(f"a{number} = {number}" for number in range(9)) for name in "ba"}
    every = made(texts, 1000)
    assert len(every) == 36  # 2 files, 9 lines, and a statement and a constant in each
    for most in (1, 7, 20):
        assert made(texts, most) == every[:most]
    assert {path for path, *_ in every[:4]} == set(texts)


def test_an_edit_that_does_not_compile_is_passed_over() -> None:
    """Without its assignment, `a` can't be declared as that of an outer function: that is found after parsing alone."""
    text = "def f():\n    a = 1\n    def g():\n        nonlocal a\n        a = 2\n    return g\n"
    assert sorted(made({"m.py": text}, 10)) == [
        ("m.py", 2, "constant", "2"), ("m.py", 5, "constant", "3"), ("m.py", 5, "statement", "pass"),
        ("m.py", 6, "return", "None")]


@pytest.mark.parametrize("text", ["a = 1\nb = 2\nc = 3\nd = 4", "a = 'ä\u2028'\r\nb = 1\r\n", "\x0ca = 1\n\n\n\n\nb = 2\n"])
def test_git_applies_the_diff_and_gives_the_mutant(text: str, tmp_path: Path) -> None:
    source = Source(text.encode())
    found = list(mutants({"m.py": (source, edits(source, None))}, most=100))
    assert len(found) >= 4
    for each in found:
        (tmp_path / "m.py").write_bytes(text.encode())
        (tmp_path / "patch").write_bytes(each.diff.encode())
        subprocess.run(["git", "apply", "--whitespace=nowarn", "patch"], cwd=tmp_path, check=True)
        assert (tmp_path / "m.py").read_bytes() == each.data
