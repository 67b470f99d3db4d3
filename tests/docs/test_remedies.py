"""Every command that a message of ours tells people to run is one that the grammar takes, with all that it requires."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from oracle_rules.commands.grammar import parser
from oracle_rules.errors import UsageError

TOP = Path(__file__).resolve().parents[2] / "oracle_rules"
NAMED = re.compile(r"oracle-rules (?=[a-z-])")


def texts(source: str) -> Iterator[str]:
    """Every text of a source that is no docstring; what is put in while it runs stands as X."""
    tree = ast.parse(source)
    inside = {id(each) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for each in ast.walk(node)
              if each is not node}
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in inside or id(node) in alone:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(each.value if isinstance(each, ast.Constant) else "X" for each in node.values)


def commands(text: str) -> Iterator[str]:
    """What a reader would paste: between backticks, or all that follows where the text starts with it or after `: `."""
    for found in NAMED.finditer(text):
        before, rest = text[: found.start()], text[found.start():]
        if before.endswith("`"):
            yield rest.partition("`")[0]
        else:
            assert not before or before.endswith(": "), f"where does the command end in {text!r}"
            yield rest


def parses(command: str) -> bool:
    words = shlex.split(re.sub(r"\{\w+\}", "X", command))[1:]
    try:
        parser().parse_args(words)
    except UsageError:
        return False
    except SystemExit as done:  # --help
        return done.code == 0
    return True


FOUND = sorted({command for path in TOP.rglob("*.py") for text in texts(path.read_text("utf-8"))
                for command in commands(text)})


@pytest.mark.parametrize("command", FOUND)
def test_a_command_that_a_message_names_can_be_pasted(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert parses(command)


def test_commands_are_found_and_some_do_not_parse() -> None:
    assert len(FOUND) > 15
    [text] = texts('def f(p):\n    """`oracle-rules none`"""\n    return f"`oracle-rules freeze import {p}` helps"\n')
    assert list(commands(text)) == ["oracle-rules freeze import X"]
    assert not parses("oracle-rules freeze import X") and parses("oracle-rules freeze import X --out FILE")
    with pytest.raises(AssertionError):
        list(commands("run oracle-rules score now"))
